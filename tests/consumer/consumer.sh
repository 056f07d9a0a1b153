#!/bin/bash
# Proves: the library can be had in each way that docs/cpp.md names, from a folder that holds nothing but runtime/, and what
# is installed can be moved. Usage: consumer.sh RUNTIME_FOLDER
set -u
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$(realpath "$1")" "$scratch/runtime"
cmp "$here/../../LICENSE" "$scratch/runtime/LICENSE" || { echo "FAILED: the licence in runtime/ is another one"; exit 1; }
cd "$scratch" || exit 2
unset SX_TRACE SX_TRACE_COLOR NO_COLOR PKG_CONFIG_PATH CMAKE_PREFIX_PATH
generator=$(command -v ninja >/dev/null && echo -GNinja)
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }
quietly() { "$@" >log 2>&1 || { fail "$*"; tail -30 log; return 1; }; }

printed() { # NAME PROGRAM FILE: a program prints its trace, with the path FILE
    "$2" >printed || fail "$1: $2 gives another status"
    [ "$(grep -c "  \(leaf\|caller\) at $3:[0-9]" printed)" = 2 ] || { fail "$1: $2 prints"; cat printed; }
}

project() { # NAME OPTION…: the project of this folder, built with the options
    local name=$1
    shift
    quietly cmake $generator -S "$here" -B "build-$name" "$@" && quietly cmake --build "build-$name" || return
    printed "$name" "build-$name/c_program" source/program.c
    printed "$name" "build-$name/cpp_program" source/program.cpp
    echo "$name works"
}

# ---- The library itself, and its package, moved to where nobody built it for ----

quietly cmake $generator -S runtime -B build -DSXTRACE_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$scratch/first" &&
    quietly cmake --build build && quietly cmake --install build || exit 1
mv first prefix
(cd build && quietly cpack -G DEB) || exit 1
quietly dpkg-deb -x build/libsxtrace_1.0.0_*.deb unpacked

for file in include/sx/trace.h include/sx/trace_c.h include/sx/trace.hpp lib/libsxtrace.so.1.0.0 lib/libsxtrace.a; do
    [ -f "prefix/$file" ] || fail "$file is not installed"
done
for copyright in prefix/share/doc/libsxtrace/copyright unpacked/usr/share/doc/libsxtrace/copyright; do
    grep -q '^MIT License' "$copyright" || fail "there is no licence in $copyright"
done
[ "$(readlink prefix/lib/libsxtrace.so)$(readlink prefix/lib/libsxtrace.so.1)" = libsxtrace.so.1libsxtrace.so.1.0.0 ] || fail "the links of the shared library"
find prefix unpacked -name '*sxprogram*' | grep . && fail "sxprogram is a part of sx, not of the library"
grep -rlF -e "$scratch" prefix unpacked | grep . && fail "a path is left in what is installed"
pages=prefix/share/man/man3
for page in sxtrace sxtrace_c sxtrace_cpp; do grep -q '^\.SH DESCRIPTION' "$pages/$page.3" || fail "there is no page $page(3)"; done
for function in $(sed -n 's/^SX_TRACE_API .*[ *]\(sx_trace_[a-z_]*\)(.*/\1/p' runtime/include/sx/trace.h); do
    [ "$(cat "$pages/$function.3")" = ".so man3/sxtrace.3" ] || fail "there is no page for $function"
    grep -q "^\.B .*$function(" "$pages/sxtrace.3" || fail "sxtrace(3) does not mention $function"
done

# ---- Ways to use it ----

project package-shared -DCMAKE_PREFIX_PATH="$scratch/prefix"
project package-static -DCMAKE_PREFIX_PATH="$scratch/prefix" -DSXTRACE_TARGET=sxtrace::sxtrace_static
ldd build-package-shared/c_program | grep -q "$scratch/prefix/lib/libsxtrace.so.1" || fail "the shared library is not used"
ldd build-package-static/c_program | grep -q libsxtrace && fail "the static library is not used"
project deb -DCMAKE_PREFIX_PATH="$scratch/unpacked/usr"
project subdirectory -DWAY=subdirectory -DSXTRACE_FOLDER="$scratch/runtime"
project fetch -DWAY=fetch -DSXTRACE_FOLDER="$scratch/runtime" -DSXTRACE_TARGET=sxtrace::sxtrace_static
cmake --build build-fetch --target help | grep -q '^install' && quietly cmake --install build-fetch --prefix none
[ -e none/include/sx ] && fail "a project that uses the library installs it"

export PKG_CONFIG_PATH=$scratch/prefix/lib/pkgconfig
[ "$(pkg-config --modversion sxtrace)" = 1.0.0 ] || fail "pkg-config tells another version"
cp -r "$here/source" . # compiled by a relative path
quietly cc source/program.c $(pkg-config --cflags --libs sxtrace) -Wl,-rpath,"$scratch/prefix/lib" -o with-pkg-config &&
    printed pkg-config ./with-pkg-config source/program.c && echo "pkg-config works"
[ $failures = 0 ]
