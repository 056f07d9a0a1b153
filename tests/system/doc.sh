#!/bin/bash
# Proves: `sx doc` lists the modules of the library, tells of modules, names, methods and files, names what is near to a
# slip of the pen, and writes pages; those in docs/library are what it writes today. Usage: doc.sh SX DOCS
. "$(dirname "$0")/lib.sh"
pages=$(realpath "$2")

sx doc
expect_status 0
for module in std std/text std/testing std/codecs/png math/scalar; do expect_out_has "^  $module( |$)"; done
expect_out_has '^  std/testing +Expectations of tests\.'
check "nothing internal" lacks "$out" internal
check "no line is wide" [ "$(LC_ALL=C.UTF-8 awk '{ if (length($0) > n) n = length($0) } END { print n }' "$out")" -le 100 ]

for name in std/text text modules/std/text.sx; do
    sx doc "$name"
    expect_status 0
    expect_out_has '^std/text    #import "modules/std/text.sx";$'
    expect_out_has '^  find :: ufcs \(s: string, wanted: string, from: i64 = 0\) -> \?i64$'
    check "nothing private" lacks "$out" memchr
done
sx doc text.find
expect_status 0
expect_out_has '^find    #import "modules/std/text.sx";$'
expect_out_has 'Takes time proportional to'
check "one name" same "$(grep -c '#import' "$out")" 1
sx doc files.read
expect_out_has '^  errors: .*NotFound'
sx doc Writer.flush
expect_out_has '^Writer.flush '
sx doc Writer
expect_out_has '^  put :: |^  Writer :: struct \{'
sx doc print
expect_out_has '^print    #import "modules/std/fmt.sx";$'
sx doc txet
expect_status 2
expect_one_error 'no module and no name `txet`, did you mean `text`\?'
sx doc flsuh
expect_status 2
expect_one_error 'no module and no name'
sx doc a b
expect_status 2

cat >own.sx <<'END'
// What this file is about. More of it.
#import "modules/std.sx";

// Goes wrong.
Wrong :: error { Early, Late }

// Does it, `n` times.
//
//   do_it(3)
do_it :: (n: i64) -> !Wrong { if n < 0 raise error.Early; }
loose :: () -> ! { try do_it(1); raise error.Other; }
#run print("said while compiling\n");
private hidden :: () { }
LIMIT :: 3;
END
sx doc own.sx
expect_status 0
expect_out_has '^  What this file is about. More of it.$'
expect_out_has '^  do_it :: \(n: i64\) -> !Wrong$'
expect_out_has '^      Does it, `n` times.$'
expect_out_has '^      errors: Early Late Other$'
check "nothing private" lacks "$out" hidden
check "nothing of what runs while compiling" lacks "$out" said

# ---- pages
sx doc --markdown pages --html site
expect_status 0
expect_quiet
run diff -r pages "$pages/library"
what='diff of docs/library; `sx doc --markdown docs/library` writes it'
expect_status 0
check "a page of HTML for each of Markdown" same "$(ls site | sed 's/\.html$//' | grep -v '^index$')" "$(ls pages | sed 's/\.md$//' | grep -v '^README$')"
cat >links.py <<'END'
import glob, html.parser, os
class Page(html.parser.HTMLParser):
    def __init__(self): super().__init__(); self.ids, self.links, self.open = set(), [], []
    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs: self.ids.add(attrs["id"])
        if tag == "a": self.links.append(attrs["href"])
        if tag not in ("meta", "input"): self.open.append(tag)
    def handle_endtag(self, tag): assert self.open.pop() == tag, tag
pages = {}
for path in glob.glob("site/*.html"):
    page = pages[os.path.basename(path)] = Page()
    page.feed(open(path).read()); assert not page.open, path
for name, page in pages.items():
    for link in page.links:
        file, _, mark = link.partition("#")
        assert not mark or mark in pages[file or name].ids, (name, link)
        assert (file or name) in pages, (name, link)
END
run python3 links.py
expect_status 0
expect_quiet
echo >taken
sx doc --html taken
expect_status 2
check "one line" lines "$err" 1

finish
