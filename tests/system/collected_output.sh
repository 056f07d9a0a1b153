#!/bin/bash
# Proves: output that a program has collected is written before a panic, a fault, or an unhandled error is reported, and
# once only, in the compiler's process, in the interpreter, and in an executable.
. "$(dirname "$0")/lib.sh"

cat >panics.sx <<'END'
#import "modules/std.sx";
output :: #import "modules/std/output.sx";
Where :: error { End }
fall :: (how: string) -> ! {
    w := output.standard();
    other := output.standard();
    try other.close();
    w.put("collected\n");
    at : *i64 = xx 16;
    none : []i64 = .[];
    if how == "panic" { print("{}\n", none[how.len]); }
    if how == "fault" { print("{}\n", at.*); }
    if how == "error" raise error.End;
    if how == "abort" { abort(); }
}
abort :: () extern libc;
main :: () -> ! {
    buffer : [4]string = ---;
    args := cli.os_args(buffer[..]);
    try fall(args[args.len - 1]);
}
END

sx build -O1 panics.sx -o program
expect_status 0
for how in panic fault error abort none; do
    for machine in "$SX run panics.sx" "$SX run --vm panics.sx" ./program; do
        what="$machine $how"
        $machine $how >"$out" 2>&1 </dev/null
        status=$?
        check "what was collected comes first" same "$(head -1 "$out")" collected
        check "it is written once" same "$(grep -c collected "$out")" 1
        case $how in
        none) expect_status 0; check "nothing else" lines "$out" 1 ;;
        error) expect_status 1; check "the error" has "$out" '^error: unhandled error reached main: error.End' ;;
        *) expect_status 134; check "the panic" has "$out" '^panic: ' ;;
        esac
    done
done

finish
