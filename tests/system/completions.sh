#!/bin/bash
# Proves: the completions are scripts that their shells accept and that offer commands, options, values and files; the
# manual page shows without a complaint and has every command. Shells and `man` that are not installed are left out.
. "$(dirname "$0")/lib.sh"

installed() { command -v "$1" >/dev/null; }
# The words that help lists under `commands:`.
"$SX" help | sed -nE '/^commands:/,/^$/s/^  ([a-z-]+) .*/\1/p' >names
check "help lists commands" [ "$(wc -l <names)" -gt 9 ]

for shell in bash zsh fish; do
    sx completions $shell
    expect_status 0
    check "nothing on stderr" [ ! -s "$err" ]
    cp "$out" $shell.script
done
sx completions csh
expect_status 2
expect_one_error 'no completions for `csh`'
sx completions
expect_status 2
expect_one_error 'no SHELL given; try `sx help completions`'

# ---- bash
echo 'main :: () { }' >program.sx
touch other.txt
mkdir folder
offered() { # WORD…: what bash offers for the last word
    bash -c 'source bash.script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sx; printf "%s\n" "${COMPREPLY[@]}" | sort' _ "$@" >"$out" 2>"$err"
    what="bash: $*"
}
offered sx ''
check "all commands" same "$(cat "$out")" "$(LC_ALL=C sort names)"
offered sx check --
expect_out '--all\n--comptime-steps\n--dump\n--help\n--max-errors\n--time\n--trace-values\n--warnings\n'
offered sx run --dump = a
expect_out 'ast\n'
offered sx run --dump a
expect_out 'ast\n'
offered sx build --warnings = ''
expect_out 'error\noff\n'
offered sx run ''
expect_out 'folder\nprogram.sx\n'
offered sx completions ''
expect_out 'bash\nfish\nzsh\n'
offered sx help ru
expect_out 'run\n'

# ---- zsh, fish
if installed zsh; then
    run zsh -n zsh.script
    expect_status 0
    expect_quiet
    run zsh -fc 'autoload -U compinit; compinit -D -u; source ./zsh.script; print ${_comps[sx]}'
    expect_out '_sx\n'
fi
if installed fish; then
    export HOME=$PWD
    for words in 'sx ru' 'sx fmt --di' 'sx run --dump=as' 'sx build -O' 'sx run pro'; do
        run fish -c "source fish.script; complete -C '$words'"
        expect_status 0
        check "something for '$words'" grep -qE '^(run|--diff|--dump=ast|-O2|program.sx)' "$out"
    done
fi

# ---- the manual page
sx help man
expect_status 0
cp "$out" sx.1
if installed man; then
    MANWIDTH=1000 run man -l --warnings sx.1
    expect_status 0
    check "no complaints" [ ! -s "$err" ]
    while read -r name; do expect_out_has "^ +sx $name( |$)"; done <names
    expect_out_has '^EXIT STATUS'
    expect_out_has '^ +--release-traces$'
fi

finish
