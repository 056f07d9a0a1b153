#!/bin/bash
# Proves: objects of gcc and of clang may be linked into one program, whichever comes first: frames of inline functions, of
# which the linker keeps one compiler's, are whole. Usage: mixed.sh INCLUDE_FOLDER STATIC_LIBRARY
set -u
include=$(realpath "$1") library=$(realpath "$2")
command -v clang++-19 >/dev/null || { echo "skipped: clang++-19 is not installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

cat >shared.hpp <<'END'
#include "sx/trace.hpp"
#include <optional>
#include <string>
template <typename T> inline std::optional<std::string> convert(T n) {
    if (n > 3) return SX_RAISE(std::nullopt);
    return std::to_string(n);
}
struct Reader {
    std::optional<std::string> read(long n) const { return SX_TRY(convert(n)); }
};
END
printf '#include "shared.hpp"\nvoid other() { (void)Reader().read(9); sx_trace_print(1); sx_trace_clear(); }\n' >other.cpp
printf '#include "shared.hpp"\nvoid other();\nint main() { other(); (void)Reader().read(9); sx_trace_print(1); }\n' >main.cpp
cat >once <<'END'
error return trace (most recent call last):
  convert at shared.hpp:5
    …SX_RAISE(std::nullopt)
  Reader::read at shared.hpp:9
    …SX_TRY(convert(n))
END
cat once once >expected

for pic in -fno-pie -fPIC; do
    for source in main other; do
        for compiler in g++ clang++-19; do
            $compiler -std=c++20 -O1 $pic -I"$include" -c $source.cpp -o $source.$compiler.o || fail "$compiler $pic $source.cpp"
        done
    done
    for pair in "g++ clang++-19" "clang++-19 g++"; do
        read -r first second <<<"$pair"
        if [ $pic = -fPIC ]; then
            g++ -shared -o libother.so other.$second.o && g++ -o program main.$first.o -L. -lother -Wl,-rpath,"$PWD" "$library" -rdynamic
        else
            g++ -no-pie -o program main.$first.o other.$second.o "$library"
        fi || fail "$first and $second $pic do not link"
        ./program >printed || fail "$first and $second $pic crash"
        # Columns, and how a function template is named, are each compiler's own.
        sed -E 's/ \.\// /; s/(hpp:[0-9]+):[0-9]+$/\1/; s/convert<[^>]*>/convert/; /^ +\^$/d' printed | cmp -s - expected ||
            { fail "$first and $second $pic print"; cat printed; }
    done
done
[ $failures = 0 ]
