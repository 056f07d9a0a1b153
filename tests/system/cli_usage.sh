#!/bin/bash
# Proves: every wrong way to call `sx` is answered by exactly one line on stderr, `error: …` with a hint to `sx help`,
# exit status 2 and an empty stdout; asking for help or the version prints to stdout alone.
. "$(dirname "$0")/lib.sh"

echo 'main :: () { }' >a.sx
cp a.sx b.sx

# wrong TEXT ARGUMENT…: `sx ARGUMENT…` is wrong usage, and the message has TEXT.
wrong() {
    local text=$1
    shift
    sx "$@"
    expect_status 2
    expect_one_error "$text"
    check "a hint to sx help" has "$err" 'sx help'
}

wrong 'no command'
wrong 'unknown command `frobnicate`' frobnicate
wrong 'did you mean `run`' rnu a.sx
wrong 'did you mean `build`' buidl a.sx
wrong 'did you mean `ir-dump`' ir-dmup a.sx
wrong 'unknown command `a.sx`' a.sx
wrong 'unknown command ``' ''
wrong 'unknown command `-O2`' -O2 run a.sx

for level in -O1 -O2 -O3; do wrong '`--trace-values` needs -O0' run --trace-values $level a.sx; done
wrong '`--trace-values` needs -O0' build --trace-values a.sx
wrong '`--trace-values` needs -O0' asm --trace-values a.sx
wrong '`--trace-values` and `--no-traces` exclude each other' run --trace-values --no-traces a.sx
wrong 'takes no value' run --trace-values=all a.sx

for command in run build check ir ir-dump asm; do
    wrong 'no file' "$command"
    wrong 'no file' "$command" ''
    wrong 'unknown option `--frobnicate`' "$command" --frobnicate a.sx
    wrong 'unknown option `--frobnicate`' "$command" --frobnicate=3 a.sx
    wrong 'unknown option `-x`' "$command" -x a.sx
    wrong 'unknown stage `nothing`' "$command" --dump=nothing a.sx
    wrong 'needs a value' "$command" --dump
    wrong 'needs a value' "$command" --dump= a.sx
    wrong 'needs a number' "$command" --max-errors=-1 a.sx
    wrong 'needs a number' "$command" --max-errors=1x a.sx
    for steps in 0 -1 1x ' 1' 99999999999999999999; do wrong '`--comptime-steps` needs a positive number' "$command" "--comptime-steps=$steps" a.sx; done
done
for command in build check ir ir-dump asm; do
    wrong 'more than one file' "$command" a.sx b.sx
    wrong 'more than one file' "$command" a.sx a.sx
done

# An option that the command does not have, and one letter wrong.
wrong '`sx run` has no option `--emit-obj`' run --emit-obj a.sx
wrong '`sx run` has no option `-o`' run -o x a.sx
wrong '`sx check` has no option `-o`' check -o x a.sx
wrong '`sx check` has no option `--opt`' check -O2 a.sx
wrong '`sx build` has no option `--vm`' build --vm a.sx
wrong '`sx ir` has no option `--time`' ir --time a.sx
wrong '`sx ir-dump` has no option `-o`' ir-dump -ox a.sx
wrong '`sx asm` has no option `--emit-obj`' asm --emit-obj a.sx
wrong 'did you mean `--release-traces`' run --relese-traces a.sx
wrong 'did you mean `--emit-obj`' build --emit-object a.sx
wrong 'takes no value' run --vm=yes a.sx
wrong 'takes no value' build --time=1 a.sx

# A missing or invalid value.
for option in -o --opt --target --cpu -L --lflags --linker --sysroot --max-errors --comptime-steps; do
    wrong "\`$option\` needs a value" build "$option"
    wrong "\`$option\` needs a value" build a.sx "$option"
    wrong "\`$option\` needs a value" build a.sx "$option" ''
done
for level in 4 -1 9 fast O2 22 ' 1'; do wrong 'unknown optimisation level' build --opt "$level" a.sx; done
for level in -O -O4 -O-1 -Os -O22; do wrong 'unknown optimisation level' run "$level" a.sx; done
for target in nowhere wasm windows linux-arm; do
    wrong "target \`$target\` is not supported" run --target "$target" a.sx
    wrong "target \`$target\` is not supported" build --target="$target" a.sx
done

# Control characters in what was given do not make a second line.
wrong 'unknown command `a\\x0ab\\x1b\[31m`' $'a\nb\e[31m'
wrong 'more than one file' check $'a\nb.sx' b.sx

# What was wrong is said before anything is compiled or written.
check "no output of a wrong build" same "$(ls)" $'a.sx\nb.sx'

wrong 'no help on `nonsense`' help nonsense
wrong 'too many arguments' help run build
wrong 'too many arguments' version a.sx

for spelling in help --help -h; do
    sx "$spelling"
    expect_status 0
    for command in run build check ir ir-dump asm help version; do expect_out_has "^  $command "; done
    check "nothing on stderr" [ ! -s "$err" ]
done
for command in run build check ir ir-dump asm; do
    sx help "$command"
    expect_status 0
    expect_out_has "^usage: sx $command "
    expect_out_has '^  --dump=STAGE '
    check "nothing on stderr" [ ! -s "$err" ]
done
for command in run build check fmt ir ir-dump asm completions help version; do
    "$SX" help "$command" >expected
    for spelling in -h --help; do
        sx "$command" $spelling
        expect_status 0
        check "what \`sx help $command\` prints" cmp -s expected "$out"
        check "nothing on stderr" [ ! -s "$err" ]
    done
done
sx run a.sx x --help
expect_status 0
expect_quiet
sx help debug
expect_status 0
for line in "command script import .*/lldb/sx.py" 'add-auto-load-safe-path' "source .*/gdb/sx.py"; do expect_out_has "^  $line"; done
check "the scripts that it names are there" [ -f "$(sed -n 's/^  command script import //p' "$out")" -a -f "$(sed -n 's/^  source //p' "$out")" ]
sx help help
expect_out 'usage: sx help [command]\n'
for spelling in version --version; do
    sx "$spelling"
    expect_status 0
    check "one line with the version" has "$out" '^sx [0-9]+\.[0-9]+\.[0-9]+$'
    check "one line" lines "$out" 1
    check "nothing on stderr" [ ! -s "$err" ]
done

# Levels have two spellings, and options may stand before or after the file.
for level in none less default aggressive 0 1 2 3; do
    sx build --opt "$level" -o by-opt a.sx
    expect_status 0
done
sx build a.sx -O1 -o after
expect_status 0
expect_err 'compiled: after\n'
sx build -oglued a.sx
expect_err 'compiled: glued\n'

# Errors beyond the limit are counted in one line without the shape of a diagnostic; 0 shows all.
{ echo 'main :: () {'; for i in $(seq 1 23); do echo "    v$i : i64 = \"x\";"; done; echo '}'; } >many.sx
sx check many.sx
expect_status 1
check "twenty errors and a line that counts the rest" same "$(grep -c '^error: ' "$err")" 21
check "the line" same "$(tail -1 "$err")" 'error: 3 more errors in `many.sx`; `--max-errors 0` shows all'
sx check --max-errors 22 many.sx
check "one more" same "$(tail -1 "$err")" 'error: 1 more error in `many.sx`; `--max-errors 0` shows all'
sx check --max-errors 0 many.sx
check "all errors" same "$(grep -c '^error: ' "$err")" 23

finish
