#!/bin/bash
# Proves: `sx new` makes a project that is formatted, runs, builds and passes its test; it leaves alone what exists, and
# refuses names that cannot be one.
. "$(dirname "$0")/lib.sh"

sx new first-steps
expect_status 0
check "nothing on stdout" [ ! -s "$out" ]
check "what is in it" same "$(cd first-steps && find . -type f | sort | tr '\n' ' ')" './.gitignore ./.vscode/launch.json ./README.md ./greeting.sx ./greeting_test.sx ./main.sx '
cd first-steps || exit 2
sx fmt --check .
expect_status 0
sx check --warnings=error main.sx
expect_status 0
sx run main.sx
expect_out 'Hello, world!\n'
sx run main.sx ''
expect_status 1
expect_err_has 'error.NoName'
sx test --warnings=error
expect_status 0
expect_out_has '^2 tests in 1 file: 2 passed'
sx build main.sx -o first-steps
expect_status 0
run python3 -c 'import json; c = json.load(open(".vscode/launch.json"))["configurations"][0]; assert c["type"] == "sx" and c["name"] == "first-steps"'
expect_status 0
check "two lines of README" same "$(grep -c . README.md)" 2
cd ..

touch file
ln -s nowhere link
for name in first-steps file link; do
    sx new "$name"
    expect_status 2
    expect_one_error "\`$name\` exists already"
done
for name in a/b .. -x .hidden 'a b' "$(printf 'x%.0s' {1..200})" 'a;b' 'ä'; do
    sx new -- "$name" 2>/dev/null
    sx new "$name"
    expect_status 2
    check "one line" lines "$err" 1
done
sx new
expect_status 2
expect_one_error 'no NAME given'
sx new a b
expect_status 2
chmod 555 .
if [ ! -w . ]; then
    sx new other
    expect_status 1
    expect_one_error 'cannot make the folder'
fi
chmod 755 .
check "nothing else" same "$(ls -A | tr '\n' ' ')" 'file first-steps link '

finish
