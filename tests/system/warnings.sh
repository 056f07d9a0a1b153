#!/usr/bin/env bash
# Warnings: what `--warnings` does, how they are shown, that every command gives the same, and that nothing that is right gets one.
#   warnings.sh SX SOURCES
set -uo pipefail
sx=$1
sources=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failed=0
fail() { echo "FAIL: $*"; failed=1; }
# says WHAT TEXT: the output of the last command has it.
says() { grep -qF -- "$2" err || { fail "$1: no \`$2\` in"; cat err; }; }
silent() { grep -q "warning\|error" err && { fail "$1: unexpected"; cat err; }; }

cat > late.sx <<'SX'
#import "modules/std.sx";
helper :: () { 1 + 2; }
#run print("compile time\n");
main :: () { helper(); print("ran\n"); }
SX
for command in "check" "run" "run --vm" "build -o late" "ir" "ir-dump" "asm -o late.s"; do
  $sx $command late.sx > out 2> err || fail "$command fails"
  says "$command" "warning: this statement has no effect"
  says "$command" "  --> late.sx:2:16"
  $sx $command --warnings=off late.sx > out 2> err || fail "$command --warnings=off fails"
  silent "$command --warnings=off"
  rm -f late late.s
  $sx $command --warnings=error late.sx > out 2> err
  [ $? = 1 ] || fail "$command --warnings=error: exit status $?"
  says "$command --warnings=error" "error: this statement has no effect"
  grep -q "ran\|build done" out && fail "$command --warnings=error: the program runs"
  [ -s out ] && fail "$command --warnings=error prints: $(cat out)"
  [ -e late ] || [ -e late.s ] && fail "$command --warnings=error writes a file"
done
$sx check --warnings=loud late.sx > out 2> err
[ $? = 2 ] || fail "--warnings=loud: exit status"
says "--warnings=loud" "unknown value \`loud\` for \`--warnings\`"
for command in run build check ir ir-dump asm; do
  $sx help $command | grep -qF -- "--warnings=off|error" || fail "help $command does not list --warnings"
done

# What the driver warns of by itself obeys the option, too.
printf 'gone :: #library "sx_no_such_library";\nf :: () extern gone "f";\nmain :: () { if 1 > 2 { f(); } }\n' > gone.sx
$sx run gone.sx > out 2> err || fail "run without the library"
says "missing library" "warning: "
$sx run --warnings=off gone.sx > out 2> err; silent "missing library, off"
$sx run --warnings=error gone.sx > out 2> err && fail "a missing library does not count as an error"
printf 'main :: () { }\n' > plain.sx
$sx build --bundle App -o plain plain.sx > out 2> err || fail "--bundle"
says "--bundle" "warning: \`--bundle\` is ignored"
$sx build --bundle App --warnings=error -o plain2 plain.sx > out 2> err && fail "--bundle does not count as an error"
[ -e plain2 ] && fail "--bundle --warnings=error builds"

# In order of position, at most 20 a file, errors first.
{ printf 'late :: () { 2; }\nmain :: () {\n'; for i in $(seq 25); do echo "    $i;"; done; printf '    late();\n}\n'; } > many.sx
$sx check many.sx > out 2> err || fail "many"
[ "$(grep -c '^warning: this' err)" = 20 ] || fail "$(grep -c '^warning: this' err) warnings are shown"
says many "warning: 6 more warnings in \`many.sx\`; \`--max-errors 0\` shows all"
grep -- '-->' err | cut -d: -f2 | sort -nc || fail "not in order of position"
$sx check --max-errors 0 many.sx 2>&1 | grep -c '^warning: this' | grep -qx 26 || fail "--max-errors 0"
$sx check --warnings=error many.sx > out 2> err
says "many errors" "error: 6 more errors in \`many.sx\`"
printf 'quiet :: () -> ! { }\nmain :: () { x; 1; try quiet(); }\n' > both.sx
$sx check both.sx > out 2> err
[ "$(grep -o '^[a-z]*: ' err | grep -v help | tr -d '\n')" = "error: error: warning: " ] || { fail "errors, then what is certain"; cat err; }

# The functions of a file without `main` are all checked.
cat > module.sx <<'SX'
Box :: struct ($T: Type) {
    v: T;
    get :: (self: *Box(T)) -> T { missing_get }
    ok :: (self: *Box(T), n: i64) -> T { for 0..n (i) { x := i; _ = x; } f := (y: T) => y; if v := other(n) { _ = v; } f(self.v) }
}
S :: struct { n: i64; m :: (self: *S) -> i64 { missing_m } }
P :: protocol { p :: (self: *Self) -> i64; d :: (self: *Self) -> i64 { self.p() + missing_d } }
impl P for S { p :: (self: *S) -> i64 { missing_p } }
other :: (n: i64) -> ?i64 { if n > 0 then n else null }
f :: () -> i64 { missing_f }
g :: (v: $T) -> T { missing_g(v); v }
h :: (n: i64) { n; }
SX
$sx check module.sx > out 2> err
[ $? = 1 ] || fail "a module with mistakes passes"
for name in get m d p f g; do says module "unknown name \`missing_$name\`"; done
[ "$(grep -c '^error' err)" = 6 ] || { fail "module: $(grep -c '^error' err) errors"; cat err; }
sed -i 's/missing_\(get\|g(v)\)/self_/; s/missing_[a-z]*/4/; s/self_; v/v/; s/self_/self.v/' module.sx
$sx check module.sx > out 2> err || { fail "the module without mistakes"; cat err; }
says "module" "module.sx:12:17"
echo 'main :: () { }' >> module.sx
sed -i 's/f :: () -> i64 { 4 }/f :: () -> i64 { missing_f }/' module.sx
$sx check module.sx > out 2> err || { fail "with a main, what it does not reach is checked"; cat err; }
$sx check --all module.sx > out 2> err && fail "--all does not check"

# No false alarm: every program that is right, and the library, except where a comment expects a warning. (Of the golden programs
# the corpus tests say it.)
find "$sources"/examples "$sources"/bench "$sources"/library "$sources"/tests/debug -name '*.sx' | sort > programs
checked=0
while read -r program; do
  grep -q "expect-error\|expect-warning" "$program" && continue
  ( cd "$(dirname "$program")" && $sx check --warnings=error "$(basename "$program")" ) > out 2> err < /dev/null && { checked=$((checked + 1)); continue; }
  ( cd "$(dirname "$program")" && $sx check --warnings=off "$(basename "$program")" ) > /dev/null 2>&1 < /dev/null || continue # a module that is to be rejected
  fail "$program"
  cat err
done < programs
[ "$checked" -gt 80 ] || fail "only $checked programs were checked"
exit $failed
