#!/bin/bash
# Proves: what `sx` cannot read or write is said in one line with exit status 1, a broken text gets diagnostics, and a
# command that fails leaves no output behind and an older output as it was.
. "$(dirname "$0")/lib.sh"

commands='run build check ir ir-dump asm'
echo 'main :: () { }' >good.sx
mkdir folder

# --- input -------------------------------------------------------------------------------------------------------

for command in $commands; do
    sx "$command" missing.sx
    expect_status 1
    expect_one_error 'missing.sx.*no such file'
    sx "$command" folder
    expect_status 1
    expect_one_error 'folder.*is a directory'
    sx "$command" good.sx/below
    expect_status 1
    expect_one_error 'good.sx/below'
done
for stage in tokens ast ir bytecode llvm; do
    sx run "--dump=$stage" missing.sx
    expect_status 1
    expect_one_error 'missing.sx.*no such file'
done
sx check $'mis\nsing.sx'
expect_one_error 'mis\\x0asing.sx'

: >empty.sx
for command in run build; do
    sx "$command" empty.sx
    expect_status 1
    expect_one_error 'main'
done
sx check empty.sx
expect_status 0
expect_quiet
# Nothing to start with is fine for whoever only looks at it; a constant is no code.
printf 'limit :: 1;\n' >constant.sx
for command in check ir ir-dump asm; do
    for file in empty.sx constant.sx; do
        sx "$command" "$file"
        expect_status 0
    done
done
printf '// no line end' >comment.sx
sx check comment.sx
expect_status 0
expect_quiet

printf 'main :: () { }\0' >nul.sx
head -c 5000 "$SX" >binary.sx
for file in nul.sx binary.sx; do
    for command in $commands; do
        sx "$command" "$file"
        expect_status 1
        check "nothing on stdout" [ ! -s "$out" ]
        expect_err_has '^error: '
    done
done

# A byte that is not UTF-8 is an error where it stands in code; in comments and strings it is only passed on.
printf 'main :: () { \xc3\x28 }' >not-utf8.sx
sx check not-utf8.sx
expect_status 1
expect_err_has '^error: '
expect_err_has '^  --> not-utf8.sx:1:14$'
printf '// \xff\xfe\nmain :: () { s := "\xff"; }\n' >bytes.sx
sx run bytes.sx
expect_status 0
expect_quiet

printf '\xef\xbb\xbfmain :: () { }\r\n' >windows.sx
sx run windows.sx
expect_status 0
expect_quiet

# A file without permission. Root may read everything, so it becomes somebody else first, if that is possible.
cp good.sx secret.sx
chmod 000 secret.sx
mkdir locked
chmod 555 locked
as_user=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$scratch" "$scratch/work"
    as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
if [ "$("${as_user[@]}" "$SX" version 2>/dev/null)" ]; then
    run "${as_user[@]}" "$SX" check secret.sx
    expect_status 1
    expect_one_error 'secret.sx.*permission denied'
    run "${as_user[@]}" "$SX" build -o locked/program good.sx
    expect_status 1
    expect_one_error 'locked.*not writable'
    run "${as_user[@]}" "$SX" asm -o locked/program.s good.sx
    expect_status 1
    expect_one_error 'locked.*not writable'
else
    echo "skipped: nobody without permissions can run the compiler here"
fi

# --- output ------------------------------------------------------------------------------------------------------

for command in build asm; do
    sx "$command" -o folder good.sx
    expect_status 1
    expect_one_error 'folder.*is a directory'
    sx "$command" -o nowhere/program good.sx
    expect_status 1
    expect_one_error 'nowhere. does not exist'
    sx "$command" -o good.sx/program good.sx
    expect_status 1
    expect_one_error 'good.sx/program'
    sx "$command" -o /proc/program good.sx
    expect_status 1
    expect_one_error '/proc/program'
done
check "the source is untouched" same "$(cat good.sx)" 'main :: () { }'
check "the folder is empty" same "$(ls -A folder)" ''

# A device is written to, not replaced.
sx asm -o /dev/null good.sx
expect_status 0
check "/dev/null is a device" [ -c /dev/null ]

# A failing build or link leaves nothing, and an older program stays.
printf 'nowhere_to_be_found :: () -> i32 extern;\nmain :: () -> i32 { nowhere_to_be_found() }\n' >no-symbol.sx
printf 'main :: () { x : i64 = "text"; }\n' >rejected.sx
before=$(ls -A)
for file in no-symbol.sx rejected.sx; do
    sx build -o program "$file"
    expect_status 1
    sx build "$file"
    expect_status 1
    sx asm -o program.s rejected.sx
    expect_status 1
    check "nothing was left behind" same "$(ls -A)" "$before"
done
echo 'older program' >program
sx build -o program no-symbol.sx
check "the older program stays" same "$(cat program)" 'older program'
rm program

for command in run build; do
    sx "$command" no-symbol.sx
    expect_status 1
    expect_err_has '^error: undefined symbol: `nowhere_to_be_found`'
done
sx build --linker false -o program good.sx
expect_status 1
expect_one_error ''
# A signal that ends it takes along what is there for a while: the linker with what it has started, and its files.
mkdir temporary
cat >slow <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo half >"$2"
(sleep 0.3; echo late >"$2") &
kill -$SIGNAL $PPID
wait
END
chmod +x slow
for signal in HUP INT TERM; do
    run env SIGNAL=$signal TMPDIR=temporary "$SX" build --linker ./slow -o program good.sx
    expect_status $((128 + $(kill -l $signal)))
    expect_quiet
done
sleep 0.4
check "no temporary file" same "$(echo program* temporary/*)" 'program* temporary/*'
# One that is ignored does not.
run env SIGNAL=HUP TMPDIR=temporary nohup "$SX" build --linker ./slow -o program good.sx
check "the linker's file" has program late
rm program

sx build --linker no-such-linker -o program good.sx
expect_status 1
expect_one_error ''
sx build --lflags --no-such-flag -o program good.sx
expect_status 1
expect_one_error 'no-such-flag'
sx build --sysroot /nowhere -o program good.sx
expect_status 1
expect_one_error ''
check "no program after failing links" missing program

finish
