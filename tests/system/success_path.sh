#!/bin/bash
# Proves: the success path costs nothing. Chains of ten failable functions of every result form, none of which fails, are
# called 20,000 times, two chains for each way of taking an error; the instructions that the build with traces executes
# are counted against those of the build without (valgrind --tool=callgrind). Less than one instruction a call of one
# chain is allowed, for what happens once in a process.
. "$(dirname "$0")/lib.sh"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }

calls=20000
depth=10

# How each form of result is declared, returned, and taken apart from a call $1 into `v`, with $2 around the call.
declare -A result=([value]='(i64, !E)' [pure]='!E' [multi]='(a: i64, b: i64, !E)')
declare -A give=([value]='return v + 1;' [pure]='if v == -7 { seen += 1; }' [multi]='return v, 1;')
declare -A take=([value]='v := CALL;' [pure]='CALL; v := n;' [multi]='a, b := CALL; v := a + b;')
declare -A zero=([value]='0' [multi]='.{0, 0}')

# use FORM CALLEE VARIANT: the statements that call CALLEE, of that form, and leave an i64 in `v`.
use() {
    local form=$1 callee=$2 statements=${take[$1]} handled
    case $3 in
    try) handled="try $callee(n)" ;;
    defer) handled="try $callee(n)" statements="defer { seen += 1; } $statements" ;;
    onfail) handled="try $callee(n)" statements="onfail (e) { print(\"{}\", e); } $statements" ;;
    or) handled="try $callee(n) or try $callee(n + 1)" ;;
    fallback) handled="$callee(n) or ${zero[$form]:-try $callee(n + 1)}"; [ "$form" = pure ] && handled="try $handled" ;;
    catch) handled="$callee(n) catch (e) { print(\"{}\", e); ${zero[$form]:-} }" ;;
    reraise) handled="$callee(n) catch (e) { raise e; }" ;;
    replace) handled="$callee(n) catch (e) { raise error.Other; }" ;;
    variable)
        case $form in
        value) echo "v, err := $callee(n); if err { raise err; }" ;;
        pure) echo "err := $callee(n); if err { raise err; } v := n;" ;;
        multi) echo "a, b, err := $callee(n); if err { raise err; } v := a + b;" ;;
        esac
        return ;;
    esac
    echo "${statements/CALL/$handled}"
}

# chain NAME LINKAGE VARIANT…: a chain whose functions use the variants in turn. With LINKAGE `pointer` each function
# calls the one below through a variable that the optimiser cannot see through, so none is inlined.
chain() {
    local c=$1 linkage=$2 forms=(value pure multi) k form below callee
    shift 2
    echo "${c}_0 :: (n: i64) -> (i64, !E) { if n < 0 { raise error.Bad; } if n == 987654321 raise error.Other; return n; }"
    for ((k = 1; k < depth; k++)); do
        form=${forms[k % 3]} below=${forms[(k - 1) % 3]} callee=${c}_$((k - 1))
        if [ "$linkage" = pointer ]; then
            callee=${c}_p$((k - 1))
            echo "$callee : (i64) -> ${result[$below]} = ---;"
        fi
        echo "${c}_$k :: (n: i64) -> ${result[$form]} { $(use "$below" "$callee" "${@:k % $# + 1:1}") ${give[$form]} }"
    done
    [ "$linkage" = pointer ] && for ((k = 0; k < depth - 1; k++)); do
        case ${forms[k % 3]} in
        value) echo "${c}_g$k :: (n: i64) -> (i64, !E) { return n; }" ;;
        pure) echo "${c}_g$k :: (n: i64) -> !E { if n == -9 raise error.Bad; }" ;;
        multi) echo "${c}_g$k :: (n: i64) -> (a: i64, b: i64, !E) { return n, n; }" ;;
        esac
    done
    echo "run_$c :: (start: i64) -> (i64, !E) {"
    [ "$linkage" = pointer ] && for ((k = 0; k < depth - 1; k++)); do
        echo "    ${c}_p$k = ${c}_$k; if start < 2 { ${c}_p$k = ${c}_g$k; }"
    done
    echo "    sum := 0;"
    echo "    for 0..$calls (i) { n := i + start; $(use "${forms[(depth - 1) % 3]}" "${c}_$((depth - 1))" try) sum += v; }"
    echo "    return sum;"
    echo '}'
}

all='try defer onfail or fallback catch reraise replace variable'
# program CHAIN…: runs the chains LINKAGE_VARIANT one after the other; the variant `all` has each in turn.
program() {
    local c variants
    echo '#import "modules/std.sx";'
    echo 'E :: error { Bad, Other }'
    echo 'seen := 0;'
    echo "getpagesize :: () -> i32 extern;"
    for c; do
        variants=${c#*_}
        [ "$variants" = all ] && variants=$all
        chain "$c" "${c%%_*}" $variants
    done
    echo 'main :: () -> !E {'
    echo "    start : i64 = xx getpagesize();" # nothing the optimiser could know
    for c; do echo "    ${c}_sum := try run_$c(start); print(\"{} {}\\n\", ${c}_sum, seen);"; done
    echo '}'
}

# instructions BINARY: how many it executes, start of the process and libc included.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out "./$1" >"$out" 2>valgrind.log || { cat valgrind.log >&2; return 1; }
    awk '/^(summary|totals):/ { print $2; exit }' callgrind.out
}

# Whether the object of the last build has calls that record a trace.
records() { if nm -u .sx-tmp/main.o | grep -qE " sx_trace_(raise|push)$"; then echo yes; else echo no; fi; }

# compare NAME CHAINS WITH WITHOUT: builds chain.sx with each list of flags and counts.
compare() {
    local name=$1 chains=$2 with=$3 without=$4 a b first
    what="$name: $with against $without"
    run "$SX" build --emit-obj $with -o with chain.sx
    what="$name: $with"
    expect_status 0
    check "calls that record a trace" same "$(records)" yes
    run "$SX" build --emit-obj $without -o without chain.sx
    what="$name: $without"
    expect_status 0
    check "no calls that record a trace" same "$(records)" no
    what="$name: $with against $without"
    a=$(instructions with)
    first=$(cat "$out")
    b=$(instructions without)
    check "both print the same" same "$first" "$(cat "$out")"
    check "each of the ten functions of each chain through pointers ran each time" \
        [ "${b:-0}" -gt $((calls * depth * 3 * chains / 2)) ]
    printf '%-28s %-22s %12s %12s %8s\n' "$name" "$with" "$a" "$b" $((a - b))
    less=$([ $((a > b ? a - b : b - a)) -lt $calls ] && echo yes || echo no)
}
levels() {
    compare "$@" '-O2 --release-traces' '-O2'
    [ $less = no ] || compare "$@" '-O1' '-O1 --no-traces'
    [ $less = no ] || compare "$@" '-O0' '-O0 --no-traces'
}

chains=()
for variant in $all all; do chains+=(direct_$variant pointer_$variant); done
printf '%-28s %-22s %12s %12s %8s\n' chain build traces 'no traces' more
program "${chains[@]}" >chain.sx
levels 'all chains' ${#chains[@]}
what="all chains"
check "less than one instruction a call" [ $less = yes ]
# Which of them it is.
[ $less = yes ] || for c in "${chains[@]}"; do
    program "$c" >chain.sx
    levels "$c" 1
done

finish
