#!/bin/bash
# Proves: a program that `sx run` runs (compiled in process, or interpreted with --vm) and the executable that
# `sx build` makes of it see the same arguments, standard input, environment and working directory, write in the same
# order, and end with the same exit status.
. "$(dirname "$0")/lib.sh"

# on MACHINE FILE ARGUMENT…: runs a program on one machine.
machines=(jit vm native)
on() {
    local machine=$1 file=$2
    shift 2
    case $machine in
    jit) run "$SX" run "$file" "$@" ;;
    vm) run "$SX" run --vm "$file" "$@" ;;
    native) "$SX" build -o ./program "$file" 2>"$err" && run ./program "$@" ;;
    esac
    what="$file $* on $machine"
}

# The exit status is the low byte of what main returns.
while read -r result wanted; do
    echo "main :: () -> i32 { return $result; }" >exit.sx
    for machine in "${machines[@]}"; do
        on "$machine" exit.sx
        expect_status "$wanted"
        expect_quiet
    done
done <<'END'
0 0
3 3
255 255
256 0
1105 81
-1 255
END
cat >exit-early.sx <<'END'
#import "modules/std.sx";
main :: () -> i32 { defer print("not reached\n"); print("before\n"); process.exit(7); }
END
cat >unhandled.sx <<'END'
E :: error { Bad }
main :: () -> (i64, !E) { raise error.Bad; }
END
for machine in "${machines[@]}"; do
    on "$machine" exit-early.sx
    expect_status 7
    expect_out 'before\n'
    on "$machine" unhandled.sx
    expect_status 1
    check "nothing on stdout" [ ! -s "$out" ]
    expect_err_has '^error: unhandled error reached main: error\.Bad$'
    expect_err_has '^  main at unhandled\.sx:2:27$'
done

# Arguments: from the first operand after the file on, all of them are the program's; `--` before them is not.
cat >args.sx <<'END'
#import "modules/std.sx";
main :: () {
    buffer : [16]string = ---;
    for cli.os_args(buffer[..])[1..] (text) { print("[{}]", text); }
    print("\n");
}
END
for mode in '' --vm; do
    sx run $mode args.sx
    expect_out '\n'
    sx run $mode args.sx one 'two words' '' -x --time
    expect_out '[one][two words][][-x][--time]\n'
    sx run $mode args.sx -- -O3 --vm -- help
    expect_out '[-O3][--vm][--][help]\n'
    sx run args.sx $mode -- run
    expect_out '[run]\n'
    sx run args.sx $mode a -- b
    expect_out '[a][--][b]\n'
done
on native args.sx one 'two words' '' -x --
expect_out '[one][two words][][-x][--]\n'

# Standard input, also one that holds NUL bytes and is longer than a buffer.
cat >copy.sx <<'END'
c :: #import "modules/std/c.sx";
main :: () -> i32 {
    buffer : [100]u8 = ---;
    while true {
        n := c.read(0, buffer.ptr, 100);
        if n <= 0 { return xx n; }
        c.write(1, buffer.ptr, xx n);
    }
    return 1;
}
END
"$SX" build copy.sx 2>"$err"
head -c 100000 "$SX" >input
for command in "$SX run copy.sx" "$SX run --vm copy.sx" ./copy; do
    what="$command <input"
    $command <input >"$out" 2>"$err"
    status=$?
    expect_status 0
    check "stdin is passed through" cmp -s input "$out"
    what="$command with standard input closed"
    $command <&- >"$out" 2>"$err"
    status=$?
    expect_status 255
    check "nothing on stderr" [ ! -s "$err" ]
done

# What goes to the two streams arrives in the order it was written, the trace last.
cat >order.sx <<'END'
#import "modules/std.sx";
c :: #import "modules/std/c.sx";
E :: error { Bad }
complain :: (text: string) { c.write(2, text.ptr, xx text.len); }
main :: () -> !E {
    print("1\n");
    complain("2\n");
    print("3\n");
    complain("4\n");
    raise error.Bad;
}
END
"$SX" build order.sx 2>"$err"
for command in "$SX run order.sx" "$SX run --vm order.sx" ./order; do
    what="$command 2>&1"
    $command >"$out" 2>&1
    status=$?
    expect_status 1
    check "lines in the order they were written" same "$(head -5 "$out")" $'1\n2\n3\n4\nerror: unhandled error reached main: error.Bad'

    # With a stream closed or full the program runs on, and ends as it would have.
    what="$command, stdout closed"
    $command >&- 2>"$err"
    status=$?
    expect_status 1
    expect_err_has '^error: unhandled error reached main: error\.Bad$'
    what="$command, stdout full"
    $command >/dev/full 2>"$err"
    status=$?
    expect_status 1
    what="$command, stderr closed"
    $command >"$out" 2>&-
    status=$?
    expect_status 1
    expect_out '1\n3\n'
    what="$command, both closed"
    $command >&- 2>&-
    status=$?
    expect_status 1
done

# The environment and the working directory are those of `sx`; the file's own folder plays no role.
cat >where.sx <<'END'
#import "modules/std.sx";
main :: () {
    if value := process.env("SX_SYSTEM_TEST") { print("{}\n", value); }
    if fs.exists("only-here") { print("here\n"); }
}
END
mkdir -p elsewhere
touch elsewhere/only-here
"$SX" build where.sx 2>"$err"
for command in "$SX run ../where.sx" "$SX run --vm ../where.sx" ../where; do
    what="$command in another folder"
    (cd elsewhere && SX_SYSTEM_TEST=seen $command) >"$out" 2>"$err"
    status=$?
    expect_status 0
    expect_out 'seen\nhere\n'
done

# A rejected program does not start.
printf '#import "modules/std.sx";\nmain :: () { print("started\\n"); x : i64 = "text"; }\n' >rejected.sx
for mode in '' --vm -O2; do
    sx run $mode rejected.sx
    expect_status 1
    check "nothing on stdout" [ ! -s "$out" ]
    expect_err_has '^  --> rejected\.sx:2:44$'
done

# A program that dies of a signal takes the exit status a shell shows.
printf 'c :: #import "modules/std/c.sx";\nmain :: () { c.abort(); }\n' >abort.sx
for machine in "${machines[@]}"; do
    on "$machine" abort.sx 2>/dev/null
    expect_status 134
done

finish
