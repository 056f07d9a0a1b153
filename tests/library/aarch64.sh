#!/bin/bash
# Proves: the library builds for 64-bit ARM without a warning, by the distribution's cross compiler, and its tests run there
# under qemu: for C and C++, of plugins, and most unit tests (not those that need an exact clock or the other processor).
# Usage: aarch64.sh RUNTIME_FOLDER
set -u
runtime=$(realpath "$1") here=$(dirname "$(realpath "$0")")
unit=$here/../unit/runtime
for tool in aarch64-linux-gnu-g++ qemu-aarch64 ninja; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool (scripts/setup --test installs it)"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu"
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }

cmake -S "$runtime" -B build -GNinja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_C_FLAGS=-Werror \
    -DCMAKE_CROSSCOMPILING_EMULATOR="${emulator// /;}" >log 2>&1 && cmake --build build >>log 2>&1 || { cat log; exit 1; }
ctest --test-dir build --output-on-failure >log 2>&1 || { cat log; fail "the tests for C and C++"; }
RUN=$emulator bash "$here/copies.sh" "$runtime/include" build/libsxtrace.a build/libsxtrace.so aarch64-linux-gnu-gcc ||
    fail "plugins"

# Catch2 is one header, which is compiled once.
[ -f /usr/include/catch2/catch.hpp ] || { echo "the unit tests are left out: there is no Catch2 2"; exit $failures; }
mkdir catch2 && cp /usr/include/catch2/catch.hpp catch2/
cat >build.ninja <<END
rule header
  command = aarch64-linux-gnu-g++ \$flags -w -x c++-header catch2/catch.hpp -o \$out
rule cpp
  command = aarch64-linux-gnu-g++ \$flags \$first -c \$in -o \$out
rule c
  command = aarch64-linux-gnu-gcc -std=gnu11 -O1 -I$runtime/include -I$runtime/program -c \$in -o \$out
rule link
  command = aarch64-linux-gnu-g++ \$in build/libsxtrace.a -lpthread -o \$out
flags = -std=gnu++20 -O0 -I. -I$unit -I$runtime/include -I$runtime/program -DWALK_STEPS=5000
first = -include catch2/catch.hpp
build catch2/catch.hpp.gch: header
END
objects=
# A few of them at a time: most of what one takes is its headers. (`model` and `render` have a name in common.)
group() {
    printf '#include "'"$unit"'/%s_test.cpp"\n' "${@:2}" >"$1.cpp"
    echo "build $1.o: cpp $1.cpp | catch2/catch.hpp.gch" >>build.ninja
    objects+=" $1.o"
}
group one c_api chains groups handler identity json
group two misuse model notes snapshot window
group three render ring
cat >>build.ninja <<END
build main.o: cpp $unit/../catch_main.cpp
  first =
build support.o: cpp $unit/support.cpp | catch2/catch.hpp.gch
build c.o: c $unit/c_api_test.c
build tests: link main.o support.o c.o $objects
END
ninja >log 2>&1 || { tail -40 log; exit 1; }
$emulator ./tests >log 2>&1 || { cat log; fail "unit tests"; }
tail -2 log
[ $failures = 0 ]
