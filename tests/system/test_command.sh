#!/bin/bash
# Proves: `sx test` finds tests, compiles a file once, runs each test in a process of its own with a limit, tells of
# every way in which one can fail, in three forms, and exits with a status that says what became of them.
. "$(dirname "$0")/lib.sh"

cat >sums_test.sx <<'END'
#import "modules/std.sx";
testing :: #import "modules/std/testing.sx";
output :: #import "modules/std/output.sx";

Bad :: error { Odd }
half :: (n: i64) -> (i64, !Bad) { if n % 2 != 0 raise error.Odd; n / 2 }
calls := 0;

test_fine :: () -> ! { calls += 1; try testing.expect_equal(try half(8), 4); }
test_alone :: () -> ! { try testing.expect_equal(calls, 0); }
test_plain :: () { print("not shown\n"); }
test_short :: { }
test_differs :: () -> ! {
    print("shown\n");
    try testing.expect_equal(try half(8), 5);
}
test_error :: () -> !Bad { _ := try half(3); }
test_data :: () -> i64 { 3 }
test_with :: (n: i64) { }
helper :: () { }
END
cat >ends_test.sx <<'END'
#import "modules/std.sx";
testing :: #import "modules/std/testing.sx";
output :: #import "modules/std/output.sx";
test_panic :: () {
    w := output.standard();
    w.put("collected\n");
    none : []i64 = .[];
    print("{}\n", none[3]);
}
test_fault :: () { at : *i64 = xx 16; print("{}\n", at.*); }
test_exit :: () { process.exit(0); }
test_skip :: () -> ! { try testing.skip("no network"); }
test_killed :: () { raise_signal(9); }
raise_signal :: (signal: i32) -> i32 extern libc "raise";
test_left_behind :: () { if fork() == 0 { while true { pause(); } } }
fork :: () -> i32 extern libc;
pause :: () -> i32 extern libc;
main :: () { print("main does not run\n"); }
END
echo 'test_slow :: () { while true { } }' >slow_test.sx
printf 'test_much :: () -> ! { for 0..100000 { print("0123456789"); } raise error.Much; }\n#import "modules/std.sx";\n' >much.sx
echo 'test_wrong :: () { x : i64 = "a"; }' >wrong_test.sx
echo 'test_broken :: () {' >broken_test.sx
echo 'main :: () { }' >other.sx
mkdir -p folder/.hidden
echo 'test_below :: () { }' >folder/inner.sx
cp folder/inner.sx folder/.hidden/

for machine in '' --vm -O2; do
    # ---- what passes
    sx test $machine sums_test.sx --filter fine --filter alone --filter plain --filter short
    expect_status 0
    check "the file" same "$(head -1 "$out")" sums_test.sx
    for name in fine alone plain short; do expect_out_has "^  passed  test_$name \([0-9.]+ m?s\)$"; done
    expect_out_has '^4 tests in 1 file: 4 passed, 0 failed \('
    check "no output of what passes" lacks "$out" 'not shown'
    expect_err 'warning: `test_data` at sums_test.sx:18:1 yields a value, so it is no test\n'

    # ---- what fails
    sx test $machine sums_test.sx
    expect_status 1
    expect_out_has '^  FAILED  test_differs \(.*\): expectation failed at sums_test.sx:15:9: the values differ$'
    expect_out_has '^      shown$'
    expect_out_has '^        expected: 5$'
    expect_out_has '^          actual: 4$'
    expect_out_has '^  FAILED  test_error \(.*\): error.Odd$'
    expect_out_has '^      error: error.Odd$'
    if [ "$machine" != -O2 ]; then
        expect_out_has '^        half at sums_test.sx:6:49$'
        expect_out_has '^        test_error at sums_test.sx:17:33$'
    fi
    expect_out_has '^6 tests in 1 file: 4 passed, 2 failed \('

    # ---- what ends in another way
    sx test $machine ends_test.sx --jobs 2
    expect_status 1
    if [ "$machine" != -O2 ]; then
        expect_out_has '^  FAILED  test_panic \(.*\): panic: index 3 out of range for length 0 at ends_test.sx:8:23$'
        check "what was collected comes before the panic" same "$(grep -A1 '^      collected$' "$out" | tail -1 | cut -c1-13)" '      panic: '
    fi
    expect_out_has '^  FAILED  test_fault \(.*\): panic: (invalid memory access|null pointer)'
    expect_out_has '^  FAILED  test_exit \(.*\): ended the process with status 0$'
    expect_out_has '^  skipped test_skip \(.*\): no network$'
    expect_out_has '^  FAILED  test_killed \(.*\): ended by signal 9 \(SIGKILL\)$'
    expect_out_has '^  passed  test_left_behind '
    expect_out_has '^6 tests in 1 file: [12] passed, [34] failed, 1 skipped'
    check "main does not run" lacks "$out" 'main does not run'
done

sx test --timeout 1 slow_test.sx
expect_status 1
expect_out_has '^  FAILED  test_slow \(1\.[0-9]+ s\): timed out after 1 s$'
sx test much.sx
expect_status 1
expect_out_has 'bytes are left out\]$'
expect_out_has 'error: error.Much$'

# ---- several files, in order, whatever finishes first
sx test wrong_test.sx folder sums_test.sx --filter below --filter fine --filter wrong
expect_status 1
check "the order" same "$(grep -v '^ ' "$out" | head -3 | tr '\n' ' ')" 'wrong_test.sx folder/inner.sx sums_test.sx '
expect_out_has '^  FAILED  it does not compile$'
expect_out_has '^2 tests in 3 files: 2 passed, 0 failed, 1 file does not compile'
expect_err_has 'wrong_test.sx:1:30'
sx test broken_test.sx
expect_status 1
expect_err_has 'broken_test.sx:'

# ---- which there are
sx test --list sums_test.sx --filter a
expect_status 0
expect_out 'sums_test.sx:10:1: test_alone\nsums_test.sx:11:1: test_plain\n'
sx test --list --filter test_f --exact sums_test.sx
expect_status 2
expect_err_has '^error: no test matches `test_f`'
sx test --list --filter test_fine --exact sums_test.sx
expect_out 'sums_test.sx:9:1: test_fine\n'
sx test --list folder
expect_out 'folder/inner.sx:1:1: test_below\n'
sx test --list
check "all below this folder" same "$(cut -d: -f1 "$out" | sort -u | tr '\n' ' ')" 'ends_test.sx folder/inner.sx much.sx slow_test.sx sums_test.sx wrong_test.sx '

# ---- wrong use
sx test other.sx
expect_status 2
expect_one_error '`other.sx` has no tests'
sx test missing.sx
expect_status 2
expect_one_error 'cannot read `missing.sx`: no such file'
mkdir empty
sx test empty
expect_status 2
expect_one_error 'no tests found'
sx test --jobs 0 sums_test.sx
expect_status 2
sx test --frobnicate
expect_status 2

# ---- for programs
sx test --json ends_test.sx sums_test.sx wrong_test.sx --junit report.xml
expect_status 1
cp "$out" events
cat >reader.py <<'END'
import json, sys, xml.etree.ElementTree as tree
events = [json.loads(line) for line in open(sys.argv[1])]
tests = {e["name"]: e for e in events if e["event"] == "test"}
assert tests["test_fine"]["status"] == "passed" and tests["test_fine"]["line"] == 9, tests["test_fine"]
assert tests["test_exit"]["status"] == "failed" and "status 0" in tests["test_exit"]["reason"]
assert tests["test_skip"]["status"] == "skipped"
assert "expected: 5" in tests["test_differs"]["output"]
files = {e["file"]: e for e in events if e["event"] == "file"}
assert files["wrong_test.sx"]["problem"] == "it does not compile" and "wrong_test.sx:1" in files["wrong_test.sx"]["diagnostics"]
summary = events[-1]
assert summary["event"] == "summary" and summary["tests"] == 12 and summary["rejected"] == 1, summary
root = tree.parse("report.xml").getroot()
assert root.tag == "testsuites" and root.get("tests") == "13" and root.get("errors") == "1", root.attrib
assert int(root.get("failures")) == summary["failed"]
cases = {c.get("name"): c for c in root.iter("testcase")}
assert cases["test_differs"].find("failure").get("message").startswith("expectation failed at sums_test.sx:15:9")
assert cases["test_skip"].find("skipped") is not None and "expected: 5" in cases["test_differs"].find("system-out").text
END
run python3 reader.py events
expect_status 0
expect_quiet
sx test sums_test.sx --filter fine --junit no/such/folder.xml
expect_status 2
expect_err_has '^error: cannot write'

# ---- one test as a program
sx run --test test_error sums_test.sx
expect_status 1
expect_err_has '^error: error.Odd$'
sx build --test test_fine sums_test.sx -o one
expect_status 0
run ./one
expect_status 0
expect_quiet
sx run --test test_fin sums_test.sx
expect_status 1
expect_err_has 'did you mean `test_fine`'

finish
