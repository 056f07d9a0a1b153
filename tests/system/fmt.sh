#!/bin/bash
# Proves: `sx fmt` formats files, folders and standard input; changes nothing with --check and --diff, whose difference
# `patch` accepts; leaves alone what does not parse, and still formats the rest; keeps permissions and links; and does
# 100,000 lines in half a second of processor time (five times that is allowed here).
. "$(dirname "$0")/lib.sh"

sloppy='main::() {\nreturn ;\n}\n'
neat='main :: () {\n    return;\n}\n'
write() { printf '%b' "$1" >"$2"; }
holds() { [ "$(cat "$1"; echo x)" = "$(printf '%b' "$2"; echo x)" ]; }

# ---- in place
write "$sloppy" a.sx
chmod 640 a.sx
sx fmt a.sx
expect_status 0
expect_quiet
check "a.sx is formatted" holds a.sx "$neat"
check "its permissions" same "$(stat -c %a a.sx)" 640
check "nothing beside it" same "$(ls)" a.sx
before=$(stat -c %Y.%i a.sx)
sx fmt a.sx
check "a formatted file is not written" same "$(stat -c %Y.%i a.sx)" "$before"

mkdir -p tree/deep tree/.hidden
write "$sloppy" tree/deep/b.sx
write "$sloppy" tree/c.sx
write "$sloppy" tree/.hidden/d.sx
write "$sloppy" tree/e.txt
ln -s deep/b.sx tree/link.sx
sx fmt tree/link.sx
check "a link stays one" test -L tree/link.sx
check "what it leads to is formatted" holds tree/deep/b.sx "$neat"
sx fmt tree
expect_status 0
check "a file in a folder" holds tree/c.sx "$neat"
check "hidden folders are left alone" holds tree/.hidden/d.sx "$sloppy"
check "other files are left alone" holds tree/e.txt "$sloppy"

# ---- standard input
what='sx fmt -'
printf '%b' "$sloppy" | "$SX" fmt - >"$out" 2>"$err"
status=$?
expect_status 0
expect_out "$neat"
printf 'main :: (' | "$SX" fmt - >"$out" 2>"$err"
status=$?
expect_status 1
check "nothing on stdout" [ ! -s "$out" ]
expect_err_has '<stdin>:1:'

# ---- --check and --diff
write "$sloppy" a.sx
cp a.sx kept
sx fmt --check a.sx tree/c.sx
expect_status 1
expect_out 'a.sx\n'
sx fmt --diff a.sx tree/c.sx
expect_status 1
expect_out_has '^--- a.sx.orig$'
expect_out_has '^\+    return;$'
check "a.sx is as it was" cmp -s a.sx kept
if command -v patch >/dev/null; then
    cp "$out" difference
    run patch -s -p0 -i difference
    expect_status 0
    check "patched, it is formatted" holds a.sx "$neat"
fi
sx fmt --check --diff tree/c.sx
expect_status 0
expect_quiet

# ---- what cannot be formatted
write "$sloppy" a.sx
write 'f :: (\n' broken.sx
sx fmt broken.sx a.sx
expect_status 1
expect_err_has 'broken.sx:'
check "broken.sx is left alone" holds broken.sx 'f :: (\n'
check "the other file is formatted" holds a.sx "$neat"
sx fmt missing.sx
expect_status 2
expect_one_error 'cannot read `missing.sx`: no such file'
sx fmt missing.sx broken.sx
expect_status 2
printf 'a\0b' >binary.sx
sx fmt binary.sx
expect_status 2
sx fmt
expect_status 2
expect_one_error 'no file'
sx fmt --frobnicate a.sx
expect_status 2

# ---- what is no file
what='standard input is a socket'
python3 - "$SX" >"$out" 2>"$err" <<'PYTHON'
import socket, subprocess, sys
ours, theirs = socket.socketpair()
ours.sendall(b"f::()->i64{1}\n")
ours.shutdown(socket.SHUT_WR)
sys.exit(subprocess.run([sys.argv[1], "fmt", "-"], stdin=theirs).returncode)
PYTHON
status=$?
expect_status 0
check "it is formatted" holds "$out" 'f :: () -> i64 { 1 }\n'
what='a folder with a pipe and packages in it'
mkdir -p tree/node_modules
mkfifo tree/pipe.sx
printf 'f::()->i64{1}\n' >tree/node_modules/a.sx
printf 'f::()->i64{1}\n' >tree/b.sx
sx fmt tree
expect_status 0
check "packages are left alone" holds tree/node_modules/a.sx 'f::()->i64{1}\n'
check "others are formatted" holds tree/b.sx 'f :: () -> i64 { 1 }\n'

# ---- speed
what='sx fmt of 100,000 lines'
for ((i = 0; i < 10000; ++i)); do
    printf 'fun%d :: (a:i64, b: i64) -> i64 {\n  if a<b { return a*%d; } // a comment\n\n  x := g(a, .{ x=1, y = 2 });\n' $i $i
    printf '  for 0..a (k) {\n      if k == 3 then continue;\n      y := x + k*2; print("{}\\n", y);\n  }\n  x\n}\n'
done >long.sx
check "100,000 lines" [ "$(wc -l <long.sx)" = 100000 ]
TIMEFORMAT='%U %S'
used=$({ time "$SX" fmt long.sx >"$out" 2>"$err"; } 2>&1)
check "under 2.5 s of processor time, not $used" awk -v used="$used" 'BEGIN { split(used, t); exit t[1] + t[2] > 2.5 }'
check "it did something" has long.sx '^    if a < b { return a \* 9999; } // a comment$'

finish
