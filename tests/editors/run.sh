#!/usr/bin/env bash
# Runs one of the tests of editors/. Usage: run.sh OUT KIND [FILE.test.ts…]
#   types: the compiler of TypeScript has nothing to say
#   node:  bundles test files into OUT and runs them
#   vsix:  packages the extension into OUT and looks into the package
# Exits with 77 where node or the packages are missing: the test is skipped then.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1 kind=$2
shift 2
editors=$root/editors
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
if [ ! -e "$editors/node_modules/.package-lock.json" ]; then
  echo "skipped: the packages are not installed; \`scripts/setup --test\` does it, or \`npm ci --prefix editors\`"
  exit 77
fi
mkdir -p "$out"
export NODE_PATH=$editors/node_modules SX_ROOT=$root
case $kind in
  types)
    for project in "$editors/debug-kit" "$editors/vscode" "$root/tests/debugger/harness"; do
      node "$editors/node_modules/typescript/bin/tsc" -p "$project"
    done
    ;;
  node)
    node "$editors/build.mjs" "$out" test "$@"
    bundles=()
    for file in "$@"; do bundles+=("$out/tests/$(basename "$file" .ts).cjs"); done
    node --test --test-reporter=spec "${bundles[@]}"
    ;;
  vsix)
    HTTPS_PROXY=http://127.0.0.1:9 node "$editors/build.mjs" "$out" vsix
    python3 - "$out/sx.vsix" <<'PY'
import json, sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
names = package.namelist()
manifest = json.loads(package.read("extension/package.json"))
wanted = [manifest["main"], manifest["contributes"]["grammars"][0]["path"], manifest["contributes"]["snippets"][0]["path"],
          manifest["contributes"]["languages"][0]["configuration"], "./LICENSE.txt"]
missing = [n for n in wanted if "extension/" + n.removeprefix("./") not in names]
assert not missing, (missing, names)
assert not any("node_modules" in n or n.endswith(".ts") for n in names), names
assert sum(i.compress_size for i in package.infolist()) < 1 << 20
PY
    ;;
  *) echo "usage: run.sh OUT types|node|vsix [FILE.test.ts…]" >&2; exit 2 ;;
esac
