#!/usr/bin/env bash
# Installs the client into a folder, unless it is there, and runs the sessions. Usage: run.sh FOLDER SX PROGRAMS ENGINE
# Exits with 77 where there is no node or the client cannot be installed: the test is skipped then.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
command -v npm >/dev/null || { echo "skipped: npm is not installed"; exit 77; }
mkdir -p "$folder"
cp "$here/package.json" "$here/client.test.js" "$folder"
cd "$folder"
if [ ! -d node_modules/@vscode/debugadapter-testsupport ]; then
  npm install --no-audit --no-fund --silent || { echo "skipped: npm cannot install the client"; exit 77; }
fi
exec node client.test.js "$@"
