# The programs of the contenders that are languages of their own: the levels and the clock of levels.h and measure.h.
# Sourced by run; each function writes one program.

sx_program() {
  cat <<'SX'
#import "modules/std.sx";
trace :: #import "modules/std/trace.sx";
c :: #import "modules/std/c.sx";

E :: error { Bad }
Level :: (u64) -> (u64, !E);

fail_mask : u64 = 0;
sink : u64 = 0;
table : [32]Level = ---;

level0 :: (x: u64) -> (u64, !E) {
    if (x & fail_mask) != 0 { raise error.Bad; }
    return x;
}
SX
  local n
  for n in {1..31}; do
    cat <<SX
level$n :: (x: u64) -> (u64, !E) {
    value := try table[$((n - 1))](x * 6364136223846793005 + $((2 * n)));
    return value ^ (value >> 7) ^ $n;
}
SX
  done
  cat <<'SX'

top :: (f: Level, x: u64) -> u64 {
    value, err := f(x);
    if err { return x * 3 + 1; }
    return value;
}

now :: () -> f64 {
    time : c.Timespec;
    c.clock_gettime(1, *time);
    return xx time.sec + xx time.nsec * 0.000000001;
}

call_many :: (f: Level, count: i64) -> u64 {
    x : u64 = 1;
    for 0..count { x = top(f, x) | 1; }
    return x;
}

ns_per_call :: (depth: i64, failing: bool) -> f64 {
    fail_mask = if failing then 1 else 0;
    f := table[depth - 1];
    count := 16;
    fastest : f64 = 0;
    batches := 0;
    while batches < 10 {
        start := now();
        sink += call_many(f, count);
        seconds := now() - start;
        if seconds < 0.001 {
            count *= 2;
        } else {
            ns := seconds / xx count * 1000000000.0;
            if batches == 0 or ns < fastest { fastest = ns; }
            batches += 1;
        }
    }
    fail_mask = 0;
    return fastest;
}

measure_rendering :: () {
    fail_mask = 1;
    value := table[31](1) catch (e) {
        fail_mask = 0;
        start := now();
        trace.print_current();
        print("render_first {}\n", (now() - start) * 1000000.0);
        fastest : f64 = 0;
        for 0..10 (batch) {
            start = now();
            for 0..20 { trace.print_current(); }
            us := (now() - start) * 50000.0;
            if batch == 0 or us < fastest { fastest = us; }
        }
        print("render_later {}\n", fastest);
        0
    };
    sink += value;
}

main :: () {
SX
  for n in {0..31}; do echo "    table[$n] = level$n;"; done
  cat <<'SX'
    print("success_8 {}\n", ns_per_call(8, false));
    print("fail_1 {}\n", ns_per_call(1, true));
    print("fail_8 {}\n", ns_per_call(8, true));
    print("fail_31 {}\n", ns_per_call(31, true));
    measure_rendering();
}
SX
}

# Written for Zig 0.12 to 0.14. The trace goes to stderr, as in sx.
zig_program() {
  cat <<'ZIG'
const std = @import("std");
const Failure = error{Bad};
const Level = *const fn (u64) Failure!u64;

var fail_mask: u64 = 0;
var sink: u64 = 0;
var table: [32]Level = undefined;

noinline fn level0(x: u64) Failure!u64 {
    if ((x & fail_mask) != 0) return error.Bad;
    return x;
}

fn Levels(comptime n: u64) type {
    return struct {
        noinline fn level(x: u64) Failure!u64 {
            const below: *volatile Level = &table[n - 1];
            const value = try below.*(x *% 6364136223846793005 +% 2 * n);
            return value ^ (value >> 7) ^ n;
        }
    };
}

fn top(f: Level, x: u64) u64 {
    return f(x) catch x *% 3 +% 1;
}

noinline fn callMany(f: Level, count: u64) u64 {
    var x: u64 = 1;
    var i: u64 = 0;
    while (i < count) : (i += 1) x = top(f, x) | 1;
    return x;
}

fn seconds(timer: *std.time.Timer) f64 {
    return @as(f64, @floatFromInt(timer.read())) / 1e9;
}

fn nsPerCall(depth: usize, failing: bool) !f64 {
    const mask: *volatile u64 = &fail_mask;
    mask.* = @intFromBool(failing);
    const f = table[depth - 1];
    var count: u64 = 16;
    var fastest: f64 = 0;
    var batches: u32 = 0;
    while (batches < 10) {
        var timer = try std.time.Timer.start();
        sink +%= callMany(f, count);
        const taken = seconds(&timer);
        if (taken < 0.001) {
            count *= 2;
        } else {
            const ns = taken / @as(f64, @floatFromInt(count)) * 1e9;
            if (batches == 0 or ns < fastest) fastest = ns;
            batches += 1;
        }
    }
    mask.* = 0;
    return fastest;
}

var line: [100]u8 = undefined;

// To file descriptor 1, by the system's call: the writers of the library have changed.
fn report(comptime metric: []const u8, value: f64) !void {
    const text = try std.fmt.bufPrint(&line, metric ++ " {d:.3}\n", .{value});
    _ = try std.posix.write(1, text);
}

fn measureRendering() !void {
    const mask: *volatile u64 = &fail_mask;
    mask.* = 1;
    _ = table[31](1) catch {
        mask.* = 0;
        if (@errorReturnTrace()) |trace| {
            var timer = try std.time.Timer.start();
            std.debug.dumpStackTrace(trace.*);
            try report("render_first", seconds(&timer) * 1e6);
            timer.reset();
            var i: u32 = 0;
            while (i < 20) : (i += 1) std.debug.dumpStackTrace(trace.*);
            try report("render_later", seconds(&timer) * 1e6 / 20);
        }
        return;
    };
}

pub fn main() !void {
    const first: *volatile Level = &table[0];
    first.* = &level0;
    inline for (1..32) |n| {
        const entry: *volatile Level = &table[n];
        entry.* = &Levels(n).level;
    }
    try report("success_8", try nsPerCall(8, false));
    try report("fail_1", try nsPerCall(1, true));
    try report("fail_8", try nsPerCall(8, true));
    try report("fail_31", try nsPerCall(31, true));
    try measureRendering();
}
ZIG
}
