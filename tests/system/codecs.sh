#!/bin/bash
# Proves: what the codecs of the library write, an independent reader (Python's zlib, gzip and zipfile) reads, and the other way
# round: every level of theirs, files with all optional parts, archives.
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
archive :: (text: string) -> !compress.Error {
    w := try zip.Writer.init_file("sx.zip");
    try w.add("text", text);
    try w.add("folder/", "");
    try w.add("folder/stored", text[..1000], .{ method = .store, comment = "as it is", data_descriptor = false });
    try w.add_file("file", "text", .{ level = 1, use_file_modified_time = true });
    try w.finish("by sx");
    try w.close();
}
unarchive :: (text: string) -> !compress.Error {
    r := try zip.open_file("python.zip");
    defer r.deinit();
    try r.validate();
    if try r.extract_name("text") != text or try r.extract_name("folder/stored") != text[..1000] { print("archive differs\n"); }
    if try r.extract_file(try r.find("text"), "extracted") != text.len { print("file differs\n"); }
    print("{} {} {}\n", r.len(), r.comment(), (try r.entry(0)).modified_seconds);
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
    if args[args.len - 1] == "pack" { try pack(text); try archive(text); } else { try unpack(text); try unarchive(text); }
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
import gzip, zipfile, zlib
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
archive = zipfile.ZipFile('sx.zip')
assert archive.testzip() is None and archive.comment == b'by sx'
assert archive.namelist() == ['text', 'folder/', 'folder/stored', 'file']
assert archive.read('text') == text and archive.read('file') == text and archive.read('folder/stored') == text[:1000]
with zipfile.ZipFile('python.zip', 'w') as made:
    made.comment = b'by python'
    info = zipfile.ZipInfo('text', (2024, 2, 29, 12, 30, 10))
    made.writestr(info, text, zipfile.ZIP_DEFLATED)
    made.writestr('folder/stored', text[:1000])
print('read')
END
run python3 reader.py
expect_out 'read\n'
run ./codecs unpack
expect_out '2 by python 1709209810\ndone\n'
run cmp text extracted
expect_status 0
finish
