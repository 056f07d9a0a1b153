# What the system tests share. A test is `NAME.sh SX [ARGUMENT…]`: it sources this file, says what it expects after
# each command, and ends with `finish`. A failed expectation is printed and counted; the test goes on.
#
# Commands run in an empty folder with standard input empty; what they print is kept in $out and $err, their exit
# status in $status.
set -u
export LC_ALL=C TERM=dumb
unset SX_TRACE SX_TRACE_COLOR SX_TRACE_VALUES NO_COLOR SX_STDLIB_PATH

SX=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out err=$scratch/err
mkdir "$scratch/work"
cd "$scratch/work" || exit 2

checks=0 failures=0 what= status=0

# run COMMAND…: keeps what it prints and its exit status.
run() {
    what=$*
    "$@" >"$out" 2>"$err" </dev/null
    status=$?
}
sx() { run "$SX" "$@"; what="sx $*"; }

# check NAME TEST…: counts one expectation; TEST is a command that succeeds if it is met.
check() {
    local name=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    echo "FAILED: $what"
    echo "  expected: $name"
    echo "  exit status: $status"
    echo "  stdout: $(head -c 2000 "$out" | sed '2,$s/^/          /')"
    echo "  stderr: $(head -c 2000 "$err" | sed '2,$s/^/          /')"
}

same() { [ "$1" = "$2" ]; }
lines() { [ "$(wc -l <"$1")" = "$2" ]; }
has() { grep -qE -- "$2" "$1"; }
lacks() { ! grep -qE -- "$2" "$1"; }
missing() { [ ! -e "$1" ]; }

expect_status() { check "exit status $1" same "$status" "$1"; }
expect_quiet() { check "nothing on stdout" [ ! -s "$out" ]; check "nothing on stderr" [ ! -s "$err" ]; }
# Compared byte for byte, the last line end included.
expect_out() { check "stdout: $1" same "$(cat "$out"; echo x)" "$(printf '%b' "$1"; echo x)"; }
expect_err() { check "stderr: $1" same "$(cat "$err"; echo x)" "$(printf '%b' "$1"; echo x)"; }
expect_out_has() { check "a line of stdout with /$1/" has "$out" "$1"; }
expect_err_has() { check "a line of stderr with /$1/" has "$err" "$1"; }

# The command printed nothing but one line `error: …` with text that matches $1.
expect_one_error() {
    check "nothing on stdout" [ ! -s "$out" ]
    check "exactly one line on stderr" lines "$err" 1
    check "an error line with /$1/" has "$err" "^error: .*($1)"
}

finish() {
    echo "$((checks - failures)) of $checks expectations met"
    [ "$failures" = 0 ]
    exit
}
