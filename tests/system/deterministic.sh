#!/bin/bash
# Proves: the same source makes the same object and executable, byte for byte: whatever the address space layout, the environment, the
# working directory (which only debug information names), at -O0 and -O2. The same holds for diagnostics.
# Usage: deterministic.sh SX FOLDER…   (absolute; the programs directly in each)
. "$(dirname "$0")/lib.sh"
shift

command -v setarch >/dev/null || { echo "no setarch"; exit 77; }

# What is evaluated while compiling: tables, text, maps by content, allocation, errors, generated declarations.
mkdir programs
cat >programs/comptime.sx <<'E'
#import "modules/std.sx";
Entry :: struct { key: string; count: i64; }
Shape :: enum { point; circle: f64; box: struct { w, h: f64; }; }
hash :: (s: string) -> i64 { h := 5381; for s (b) { h = (h * 33 + b.(i64)) % 1000003; } h }
words :: () -> [8]Entry {
    table : [8]Entry;
    for 0..8 (i) { table[i] = .{ key = "", count = 0 }; }
    for .["one", "two", "three", "two"] (w) {
        at := hash(w) % 8;
        while table[at].key.len > 0 and table[at].key != w { at = (at + 1) % 8; }
        table[at].key = w;
        table[at].count += 1;
    }
    table
}
squares :: () -> [64]i64 { t : [64]i64; for 0..64 (i) { t[i] = i * i; } t }
greeting :: (name: string) -> string { format("hello, {} and {}", name, 3.25) }
maybe :: (n: i64) -> ?i64 { if n > 2 then n else null }
parse :: (s: string) -> (i64, !) { if s.len == 0 raise error.Empty; s.len }
WORDS :: #run words();
SQUARES :: #run squares();
GREETING :: #run greeting("you");
MAYBE :: #run maybe(3);
PARSED :: #run parse("abc");
SHAPE :: #run shape();
shape :: () -> Shape { .circle(2.5) }
largest :: ($T: Type, a: T, b: T) -> T { if a < b then b else a }
main :: () {
    #insert #run format("generated := {};", 40 + 2);
    for WORDS (w) { print("{} {}\n", w.key, w.count); }
    print("{} {} {} {} {} {} {}\n", SQUARES[9], GREETING, MAYBE, PARSED, SHAPE, generated, largest(i64, 1, 2));
}
E

# built OPTIONS FILE COMMAND…: checksum of the object and the executable that `COMMAND… sx build OPTIONS FILE` makes here.
built() {
    local level=$1 file=$2
    shift 2
    rm -rf .sx-tmp program
    "$@" "$SX" build $level --emit-obj -o program "$file" >"$out" 2>"$err" </dev/null
    status=$?
    [ $status = 0 ] && cat .sx-tmp/main.o program | sha256sum || echo "exit status $status"
}

compared=0
same_build() { # FILE
    local file=$1 name=${1##*/} folder=${1%/*} level first
    for level in -O0 -O2; do
        what="sx build $level $file"
        first=$(built $level "$file" env)
        [ "${first#exit}" = "$first" ] || { check "a program" false; return; }
        compared=$((compared + 1))
        check "the same without address randomisation" same "$(built $level "$file" setarch -R)" "$first"
        check "the same in a large environment" same "$(built $level "$file" env "FILLER=$(printf '%050000d' 0)" LANG=C)" "$first"
        rm -rf elsewhere
        mkdir -p elsewhere/deeper
        cp -r "$folder" elsewhere/deeper/copy
        first=$(built "$level -g0" "$file" env)
        # A `#caller_location` is the path as the command names it: where the program has one, the name stays the same.
        if grep -qF "$file" program; then
            mkdir -p other
            cp -r "$folder" other/copy
            first=$(cd other/copy && built "$level -g0" "$name" env)
            rm -rf other
        fi
        check "the same elsewhere, named otherwise" same "$(cd elsewhere/deeper/copy && built "$level -g0" "$name" env HOME=/)" "$first"
    done
}

same_build "$PWD/programs/comptime.sx"
for folder in "$@"; do
    for file in "$folder"/*.sx; do same_build "$file"; done
done
check "builds were compared" [ "$compared" -ge 4 ]

# Several errors, and suggestions among near names.
cat >wrong.sx <<'E'
#import "modules/std.sx";
value_a := 1; value_b := 2; value_c := 3;
S :: struct { first, second: i64; get_one :: (self: *S) -> i64 { 1 } get_two :: (self: *S) -> i64 { 2 } }
main :: () {
    s : S;
    x := value_d; y := s.get_on(); z := s.thirst; prnt("{}\n", x);
    match 3 { case 1: { q(); } }
}
E
sx check wrong.sx
first=$(cat "$err")
run setarch -R "$SX" check wrong.sx
check "the same diagnostics" same "$(cat "$err")" "$first"

finish
