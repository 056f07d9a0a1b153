#!/usr/bin/env bash
# Emacs in batch with editors/emacs. Exits with 77 where it is not installed: the test is skipped then.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v emacs >/dev/null || { echo "skipped: emacs is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$root/editors/emacs/sx-mode.el" "$root/tests/debugger/programs/errors.sx" "$folder"
cd "$folder"
HOME=$folder timeout 120 emacs -Q --batch -L . --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile sx-mode.el
HOME=$folder timeout 120 emacs -Q --batch -L . -l "$root/tests/editors/emacs.el" errors.sx
