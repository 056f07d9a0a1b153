#!/usr/bin/env bash
# Neovim, without a screen, with editors/neovim. Usage: neovim.sh SX. Exits with 77 where it is not installed: the test is skipped then.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v nvim >/dev/null || { echo "skipped: nvim is not installed"; exit 77; }
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
printf 'main :: () { x : i64 = "a"; }\n' > "$FOLDER/wrong.sx"
cp "$FOLDER/wrong.sx" "$FOLDER/second.sx"
cp "$root/tests/debugger/programs/errors.sx" "$FOLDER"
export FOLDER SX=$1 SX_HAS_SERVER=0 XDG_STATE_HOME=$FOLDER XDG_DATA_HOME=$FOLDER XDG_CACHE_HOME=$FOLDER NVIM_LOG_FILE=/dev/null
"$SX" help lsp >/dev/null 2>&1 </dev/null && SX_HAS_SERVER=1
timeout 120 nvim --headless -u NONE -i NONE -n \
  --cmd "set runtimepath^=$root/editors/neovim" \
  --cmd "lua vim.g.sx_path = vim.env.SX; _G.notified = {}; vim.notify = function(m) table.insert(_G.notified, m) end; package.preload.dap = function() return { adapters = {}, configurations = {} } end" \
  --cmd "filetype plugin on" --cmd "syntax on" --cmd "runtime plugin/sx.lua" "$FOLDER/errors.sx" -c "luafile $root/tests/editors/neovim.lua"
echo "server: $SX_HAS_SERVER"
