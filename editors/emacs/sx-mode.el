;;; sx-mode.el --- Editing sx  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "27.1"))

;;; Commentary:

;; Highlighting, comments and indentation for sx; its language server for eglot, its debug adapter for dape.

;;; Code:

(defgroup sx nil "Editing sx." :group 'languages)

(defcustom sx-path "sx"
  "The compiler: its name on the `exec-path', or its path."
  :type 'string)

(defvar sx-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?_ "_" table)
    (dolist (c '(?+ ?- ?* ?% ?& ?| ?^ ?~ ?< ?> ?= ?! ?? ?$ ?' ?`)) (modify-syntax-entry c "." table))
    table)
  "Syntax of sx.")

(defconst sx-font-lock-keywords
  `((,(concat "#" "[[:alpha:]_][[:alnum:]_]*") . font-lock-preprocessor-face)
    ("\\_<error\\.\\([[:alpha:]_][[:alnum:]_]*\\)" 1 font-lock-constant-face)
    ("\\.\\s-*\\([[:alpha:]_][[:alnum:]_]*\\)" 1 'default)
    (,(regexp-opt '("if" "else" "then" "while" "for" "in" "break" "continue" "return" "case" "defer" "push" "inline"
                    "and" "or" "xx" "enum" "struct" "union" "protocol" "impl" "ufcs" "error" "raise" "try" "catch"
                    "onfail" "private" "extern" "export" "abi" "asm" "intrinsic")
                  'symbols)
     . font-lock-keyword-face)
    ("\\_<\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face)
    ("\\_<\\(?:[iu][0-9]\\{1,2\\}\\|f32\\|f64\\|usize\\|isize\\|bool\\|string\\|cstring\\|void\\|any\\|Type\\|Self\\|Tuple\\|Closure\\)\\_>"
     . font-lock-type-face)
    ("\\_<\\([[:alpha:]_][[:alnum:]_]*\\)\\s-*::\\s-*\\(?:ufcs\\s-*\\)?[({]" 1 font-lock-function-name-face)
    ("\\_<\\([[:alpha:]_][[:alnum:]_]*\\)\\s-*::\\s-*\\(?:struct\\|enum\\|union\\|protocol\\|error\\)\\_>" 1 font-lock-type-face t)
    ("\\_<\\([[:alpha:]_][[:alnum:]_]*\\)\\s-*:=" 1 font-lock-variable-name-face))
  "Highlighting of sx.")

(defun sx-syntax-propertize (start end)
  "Mark characters and `#string' blocks between START and END as texts."
  (goto-char start)
  (while (re-search-forward "'\\(?:\\\\[^\n']+\\|[^'\\\n]\\)'\\|^.*?\\(#\\)string[ \t]+\\([[:alpha:]_][[:alnum:]_]*\\)" end t)
    (if (match-beginning 2)
        (let ((begin (match-beginning 1)) (word (match-string 2)))
          (unless (nth 8 (save-excursion (syntax-ppss begin)))
            (put-text-property begin (1+ begin) 'syntax-table (string-to-syntax "|"))
            (when (re-search-forward (concat "^" word "\\_>") nil t)
              (put-text-property (1- (point)) (point) 'syntax-table (string-to-syntax "|")))))
      (unless (nth 8 (save-excursion (syntax-ppss (match-beginning 0))))
        (put-text-property (match-beginning 0) (1+ (match-beginning 0)) 'syntax-table (string-to-syntax "|"))
        (put-text-property (1- (match-end 0)) (match-end 0) 'syntax-table (string-to-syntax "|"))))))

(defun sx-indent-line ()
  "Indent a line by four columns for each bracket that is open before it."
  (interactive)
  (let* ((from-end (- (point-max) (point)))
         (depth (save-excursion
                  (back-to-indentation)
                  (let ((open (car (syntax-ppss))))
                    (if (looking-at "\\s)") (1- open) open)))))
    (unless (nth 3 (save-excursion (syntax-ppss (line-beginning-position))))
      (indent-line-to (* 4 (max 0 depth)))
      (when (> (- (point-max) from-end) (point)) (goto-char (- (point-max) from-end))))))

;;;###autoload
(define-derived-mode sx-mode prog-mode "sx"
  "Major mode for sx."
  (setq-local comment-start "// " comment-end "" comment-start-skip "//+\\s-*")
  (setq-local font-lock-defaults '(sx-font-lock-keywords))
  (setq-local syntax-propertize-function #'sx-syntax-propertize)
  (setq-local indent-line-function #'sx-indent-line indent-tabs-mode nil tab-width 4)
  (setq-local imenu-generic-expression '((nil "^\\([[:alpha:]_][[:alnum:]_]*\\)\\s-*::" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.sx\\'" . sx-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(sx-mode . (,sx-path "lsp"))))

(defvar dape-configs)
(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               `(sx modes (sx-mode) command ,sx-path command-args ("dap") :type "sx" :request "launch" :program dape-buffer-default)))

(provide 'sx-mode)
;;; sx-mode.el ends here
