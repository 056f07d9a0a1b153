#!/bin/bash
# Proves: a program and its plugins have one trace a thread, however each of them is linked with the library and whatever
# built it; where that cannot be, the plugin does not load, with a message; and a trace is shown after its plugin is
# gone. Usage: copies.sh INCLUDE_FOLDER STATIC_LIBRARY SHARED_LIBRARY [COMPILER…]
set -u
include=$(realpath "$1") static=$(realpath "$2") shared=$(realpath "$3") here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
export SX_TRACE=short SX_TRACE_COLOR=never
failures=0
fail() { failures=$((failures + 1)); echo "FAILED: $*"; }
whole="-Wl,--whole-archive $static -Wl,--no-whole-archive"
dynamic="$shared -Wl,-rpath,$(dirname "$shared")"
read -ra run <<<"${RUN:-}" # what starts a program that is not for this processor
cp "$here/copies_host.c" host.c
cp "$here/copies_plugin.cpp" plugin.cpp

compile() { # COMPILER: objects of the program and of plugins, with hops in place and by call
    local cc=$1 cxx=${1/gcc/g++}
    [[ $1 == clang* ]] && cxx=${1/clang/clang++}
    $cc -std=gnu11 -O2 -Wall -Wextra -I"$include" -c host.c -o "host-$cc.o" &&
        $cxx -std=c++20 -O2 -fPIC -Wall -Wextra -I"$include" -c plugin.cpp -o "plugin-$cc.o" &&
        $cxx -std=c++20 -O0 -fPIC -Wall -Wextra -I"$include" -c plugin.cpp -o "plugin-$cc-O0.o" || fail "$cc compiles"
}

host() { # NAME COMPILER LINKER_ARGUMENTS…
    "$2" "host-$2.o" "${@:3}" -o "$1" -lpthread -ldl || fail "$1 links"
}
plugin() { # NAME OBJECT LINKER_ARGUMENTS…
    "$first" -shared "$2.o" "${@:3}" -o "$1.so" || fail "$1 links"
}

expect_one_trace() { # HOST PLUGIN…: columns and lines are left out
    local got trace expected= plugin
    trace=$'error return trace (most recent call last):\n  inner at plugin.cpp\n  plugin at plugin.cpp\n  call at host.c\n'
    got=$("${run[@]}" "./$1" "${@:2}" 2>&1 | sed -E 's/:[0-9:]+$//')
    for plugin in "${@:2}"; do expected+="main: 3, 1 in flight"$'\n'"${trace}thread: 3, 1 in flight"$'\n'"$trace"; done
    [ "$got" = "${expected%$'\n'}" ] || { fail "$* print"; echo "$got"; }
}

refused() { # WORDS HOST PLUGIN…: the last does not load, and the message has these words
    local said
    said=$("${run[@]}" "./$2" "${@:3}" 2>&1) && fail "$*: loads"
    [[ $said == *$1* ]] || { fail "$*: is refused without the words '$1'"; echo "$said"; }
}

compilers=("${@:4}")
[ ${#compilers[@]} = 0 ] && compilers=(gcc $(command -v clang-19 >/dev/null && echo clang-19))
first=${compilers[0]}
for cc in "${compilers[@]}"; do compile "$cc"; done
for cc in "${compilers[@]}"; do
    host "static-$cc" "$cc" "$static"
    host "exporting-$cc" "$cc" $whole -rdynamic
    host "dynamic-$cc" "$cc" $dynamic
    plugin "static-$cc" "plugin-$cc" "$static"
    plugin "calls-$cc" "plugin-$cc-O0" "$static"
    plugin "bound-$cc" "plugin-$cc" "$static" -Wl,-z,relro,-z,now,--exclude-libs,ALL,-Bsymbolic
    plugin "dynamic-$cc" "plugin-$cc" $dynamic
    plugin "none-$cc" "plugin-$cc"
done
for host in "${compilers[@]}"; do
    for plugin in "${compilers[@]}"; do
        expect_one_trace "static-$host" "./static-$plugin.so"
        expect_one_trace "static-$host" "./calls-$plugin.so"
        expect_one_trace "static-$host" "./bound-$plugin.so"
        expect_one_trace "static-$host" "./dynamic-$plugin.so"
        expect_one_trace "exporting-$host" "./static-$plugin.so" "./none-$plugin.so"
        expect_one_trace "dynamic-$host" "./static-$plugin.so" "./dynamic-$plugin.so" "./none-$plugin.so"
        expect_one_trace "dynamic-$host" "./bound-$plugin.so"
    done
    refused sx_trace_ "static-$host" "./none-$first.so"
    # There is no room for the states of any number of copies, though they are not used.
    refused "static TLS" "static-$host" "./static-$first.so" "./calls-$first.so"
done

# Another version's state is not used: both say so, and go on by themselves.
LC_ALL=C sed 's/\x02\x00\x00\x00sxtrace\x00/\x03\x00\x00\x00sxtrace\x00/' "static-$first" >other-version && chmod +x other-version
said=$("${run[@]}" ./other-version "./static-$first.so" 2>&1)
[[ $said == "warning: libsxtrace is in this process in two versions"* && $said == *"in flight"*"call at host.c"* ]] ||
    { fail "another version's state is used"; echo "$said"; }

# ---- A plugin that is gone ----
closed=$(env -u SX_TRACE "${run[@]}" "./dynamic-$first" close "./none-$first.so")
expected='error return trace (most recent call last):
  (frame of a library that is gone)
  (frame of a library that is gone)
  call at host.c:21
    SX_TRY(plugin(n))
      note: a note of the program
{"error":null,"frames":[{"func":"","file":"","line":0,"col":0,"text":""},{"func":"","file":"","line":0,"col":0,"text":""},{"func":"call","file":"host.c","line":21,"col":0,"text":"SX_TRY(plugin(n))","notes":["a note of the program"]}],"omitted":0}'
[ "$closed" = "$expected" ] || { fail "after its plugin is closed a trace prints"; echo "$closed"; }
[ $failures = 0 ]
