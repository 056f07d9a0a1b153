#!/usr/bin/env bash
# A session in a real editor. Usage: run.sh OUT SX. SX_VSCODE_SERVER names a folder with code-server and playwright-core in node_modules
# (docs/testing.md). Exits with 77 where there is none, or no Chromium, or no packages to make the extension with: the test is skipped then.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
server=${SX_VSCODE_SERVER:-}
[ -x "$server/node_modules/.bin/code-server" ] || { echo "skipped: SX_VSCODE_SERVER names no folder with a VS Code server"; exit 77; }
[ -x /usr/bin/chromium ] || { echo "skipped: chromium is not installed"; exit 77; }
bash "$root/tests/editors/run.sh" "$1" vsix
exec node "$root/tests/editors/e2e/session.js" "$server" "$1/sx.vsix" "$2" "$root"
