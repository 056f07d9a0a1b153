;; Run by Emacs in batch with a file of sx as the argument: the mode's highlighting, comments and indentation.
(require 'sx-mode)

(defun face-of (text)
  "The face of the first place where TEXT stands."
  (goto-char (point-min))
  (search-forward text)
  (get-text-property (match-beginning 0) 'face))

(find-file (pop command-line-args-left))
(font-lock-ensure)
(dolist (want '(("#import" . font-lock-preprocessor-face) ("\"modules" . font-lock-string-face) ("raise error" . font-lock-keyword-face)
                ("// Errors" . font-lock-comment-delimiter-face) ("i64" . font-lock-type-face) ("'0'" . font-lock-string-face)
                ("digit ::" . font-lock-function-name-face) ("BadDigit;" . font-lock-constant-face)))
  (unless (eq (face-of (car want)) (cdr want))
    (error "%s has the face %s, not %s" (car want) (face-of (car want)) (cdr want))))
(unless (eq major-mode 'sx-mode) (error "Mode %s" major-mode))
(let ((before (buffer-string)))
  (indent-region (point-min) (point-max))
  (unless (equal before (buffer-string)) (error "Indentation changes a formatted file:\n%s" (buffer-string))))
(with-temp-buffer
  (insert "x := '\"';\ny := #string END\nif \" // no\nEND;\nz := 1; // c\n")
  (sx-mode)
  (font-lock-ensure)
  (unless (eq (face-of "if") 'font-lock-string-face) (error "#string: %s" (face-of "if")))
  (unless (eq (face-of "// c") 'font-lock-comment-delimiter-face) (error "After texts: %s" (face-of "// c"))))
