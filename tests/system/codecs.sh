#!/bin/bash
# Proves: what the codecs of the library write, an independent reader (Python's zlib and gzip) reads, and the other way
# round: every level of theirs and files with all optional parts.
. "$(dirname "$0")/lib.sh"

cat >codecs.sx <<'END'
#import "modules/std.sx";
pack :: (text: string) -> !compress.Error {
    for 0..11 (level) {
        z := try zlib.encode(text, .{ level = level });
        _ = fs.write_file(format("z{}", level), z);
        d := try deflate.encode(text, .{ level = level });
        _ = fs.write_file(format("d{}", level), d);
        g := try gzip.encode(text, .{ level = level }, .{ filename = "a", comment = "b", extra = "cdef", header_checksum = true });
        _ = fs.write_file(format("g{}", level), g);
    }
    for 0..5 (i) {
        strategy : compress.Strategy = xx i;
        z := try zlib.encode(text, .{ strategy = strategy });
        _ = fs.write_file(format("s{}", i), z);
    }
}
unpack :: (text: string) -> !compress.Error {
    for 0..10 (level) {
        if try zlib.decode(fs.read_file(format("pz{}", level))!) != text { print("zlib {} differs\n", level); }
        if try gzip.decode(fs.read_file(format("pg{}", level))!) != text { print("gzip {} differs\n", level); }
    }
    for 0..5 (i) {
        if try deflate.decode(fs.read_file(format("ps{}", i))!) != text { print("strategy {} differs\n", i); }
    }
}
main :: () -> ! {
    buf : [4]string;
    args := cli.os_args(buf[..]);
    text := fs.read_file("text")!;
    if args[args.len - 1] == "pack" { try pack(text); } else { try unpack(text); }
    print("done\n");
}
END
head -c 300000 "$SX" >text
for i in $(seq 500); do echo "line $i of the text, which goes on $((i * i))" >>text; done
sx build -O2 codecs.sx -o codecs
expect_status 0
run ./codecs pack
expect_out 'done\n'
cat >reader.py <<'END'
import gzip, zlib
text = open('text', 'rb').read()
for level in range(11):
    assert zlib.decompress(open(f'z{level}', 'rb').read()) == text
    assert zlib.decompress(open(f'd{level}', 'rb').read(), -15) == text
    assert gzip.decompress(open(f'g{level}', 'rb').read()) == text
for strategy in range(5):
    assert zlib.decompress(open(f's{strategy}', 'rb').read()) == text
    c = zlib.compressobj(6, zlib.DEFLATED, -15, 8, strategy)
    open(f'ps{strategy}', 'wb').write(c.compress(text[:1000]) + c.flush(zlib.Z_FULL_FLUSH) + c.compress(text[1000:]) + c.flush())
for level in range(10):
    open(f'pz{level}', 'wb').write(zlib.compress(text, level))
    open(f'pg{level}', 'wb').write(gzip.compress(text, level))
print('read')
END
run python3 reader.py
expect_out 'read\n'
run ./codecs unpack
expect_out 'done\n'
finish
