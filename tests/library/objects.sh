#!/bin/bash
# Proves what compilers and the linker make of the macros and the library:
#  - frames are read-only data, there is no code that runs at start, and no path of the machine that built it is in there;
#  - a stripped binary prints the same trace, linked statically or not, position independent or not;
#  - an error without a name is reported by its number, in JSON too;
#  - the shared library exports names with sx_ only, has a versioned soname, and needs libc and nothing else.
# Usage: objects.sh INCLUDE_FOLDER STATIC_LIBRARY SHARED_LIBRARY
set -u
include=$(realpath "$1") static=$(realpath "$2") shared=$(realpath "$3") here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
unset SX_TRACE SX_TRACE_COLOR NO_COLOR
rpath=-Wl,-rpath,$(dirname "$shared")
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

cat >program.cpp <<'END'
#include "sx/trace.hpp"
#include <optional>
static std::optional<int> half(int n) {
    if (n % 2 != 0) return SX_RAISE(std::nullopt);
    return n / 2;
}
template <typename T> inline std::optional<T> quarter(T n) {
    T h = SX_TRY(half(n));
    return SX_TRY(half(h));
}
int main(int argc, char**) {
    if (quarter(argc + 5)) return 1;
    sx_trace_print(1);
}
END
cat >expected <<'END'
error return trace (most recent call last):
  half at program.cpp:4:28
    …SX_RAISE(std::nullopt)
     ^
  quarter at program.cpp:9:12
    …SX_TRY(half(h))
     ^
END

for compiler in g++ clang++-19; do
    command -v $compiler >/dev/null || { echo "skipped: $compiler is not installed"; continue; }
    for mode in pie no-pie; do
        $compiler -std=c++20 -O2 -f$mode -I"$include" -c "$PWD/program.cpp" -o $mode.o || fail "$compiler -f$mode does not compile"
    done
    readelf -SW pie.o | grep -qE ' \.(init_array|ctors)' && fail "$compiler: code runs at start"
    # Writable data: nothing. (.data.rel.ro is read-only once its addresses are relocated.)
    readelf -SW pie.o | awk '$0 ~ / \.(data|bss|tdata|tbss)/ && $0 !~ /\.data\.rel\.ro/ { sub(/^ *\[ *[0-9]+\]/, ""); if ($5 != "000000") print $1 }' |
        grep -q . && fail "$compiler: there is writable data"
    for link in "-static-pie pie.o $static" "-pie pie.o $static" "-no-pie no-pie.o $static" \
        "-pie pie.o $shared $rpath -Wl,-z,lazy" "-no-pie no-pie.o $shared $rpath -Wl,-z,now"; do
        $compiler -o program $link -s ||
            fail "$compiler $link does not link"
        ./program | sed -E 's/quarter(<int>)? at/quarter at/' >printed
        cmp -s printed expected || { fail "$compiler $link prints"; cat printed; }
        grep -qF -e "$PWD/program" -e "lambda" program && fail "$compiler $link: a path or a compiler's name is left in the binary"
    done
done

# A report of an error without a name, in every style; there is nothing in flight.
printf '#include "sx/trace.h"\nint main(void) { sx_trace_report_unhandled(7, NULL, 0); }\n' >report.c
gcc -I"$include" -o report report.c "$static" || fail "the reporter does not link"
for style in text short off; do
    [ "$(SX_TRACE=$style ./report 2>&1)" = "error: unhandled error reached main: error tag 7" ] || fail "the reporter with SX_TRACE=$style"
done
[ "$(SX_TRACE=json ./report 2>&1)" = '{"error":null,"tag":7,"frames":[],"omitted":0}' ] || fail "the reporter with SX_TRACE=json"

exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }')
[ "$(echo "$exported" | grep -c '^sx_trace_')" -ge 25 ] || fail "functions are missing in the shared library"
echo "$exported" | grep -v '^sx_' && fail "the shared library exports more than its functions"
public=$(nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | grep -vE '^sxi?_')
[ -z "$public" ] || fail "the static library defines $public"
# The dynamic linker does not keep r10, so the failing path must not go through it.
readelf -rW "$shared" | grep -E 'JUMP_SLO.* sx_trace_(raise|push|link|absorb|clear|enter|leave|pass|resume|restore)' && fail "calls of the failing path are bound lazily"
readelf -d "$shared" >dynamic
grep -q 'SONAME.*\[libsxtrace\.so\.1\]' dynamic || fail "the soname is not libsxtrace.so.1"
[ "$(grep NEEDED dynamic | grep -vc '\[libc\.so')" = 0 ] || fail "the shared library needs more than libc"
[ $failures = 0 ]
