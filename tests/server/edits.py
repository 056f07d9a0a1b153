#!/usr/bin/env python3
"""Usage: edits.py SX

What the language server changes in texts: renames and corrections. `@` marks the place of each case. A rename has to
change as many places as are named, and what it makes has to be accepted; the server itself compares what names mean
before and after, so that one place too few is a refusal. A correction has to give the text that stands with it.
"""

import os
import sys
import tempfile

from lsp import Client, edited

STD = '#import "modules/std.sx";\n'
PROTOCOL = "P :: protocol { go :: (self: *Self) -> i64; }\n"
X = "X :: struct { k: i64; go :: (self: *X) -> i64 { self.k } }\nimpl P for X { }\n"
AREA = "area :: (self: *S) -> i64 #get => self.w; @area :: (self: *S, v: i64) #set { self.w = v; }"

# (text, how many places change)
RENAMES = [
    ("@f :: () -> i64 { 1 }\nmain :: () { _ = f();\n", 2),
    ("f :: () -> (@lo: i64, hi: i64) { return hi = 2, lo = 1; }\nmain :: () { r := f(); print(\"{}\", r.lo); }", 3),
    ("f :: () -> (@lo: i64, hi: i64, !) { lo = 1; hi = 2; }\nmain :: () { r := f() catch { return; }; _ = r.lo; }", 3),
    ("f :: () -> (lo: i64, hi: i64) { return 1, 2; }\ng :: () -> (@lo: i64, hi: i64) { return 3, 4; }\n"
     "main :: () { r := f(); r = g(); _ = r.lo; }", 3),
    ("main :: () { t : Tuple(@x: i64, y: i64) = .{ x = 1, y = 2 }; _ = t.x; }", 3),
    ("A :: struct { @id: i64; }\nB :: struct { #using A; }\nS :: struct { #using B; }\nmk :: () -> S { S.{ id = 3 } }\n"
     "main :: () { s := mk(); s.id += 1; }", 3),
    ("S :: struct { w: i64; " + AREA + " }\nmk :: () -> S { .{ w = 1 } }\nmain :: () { s := mk(); s.area = 1; _ = s.area; }", 4),
    ("#context_extend @depth: i64 = 0;\nmain :: () { push .{ depth = 3 } { _ = context.depth; } }", 3),
    (PROTOCOL + X + "main :: () { x := X.{ k = 1 }; p : P = x.(P); _ = x.@go() + p.go(); }", 4),
    ("Q :: protocol { @go :: (self: *Self) -> i64; }\n" + PROTOCOL + X + "impl Q for X { }\nmain :: () { }", 3),
    ("low :: (n: i64, hi: i64) -> i64 { n }\n@clamp :: ufcs low;\nmain :: () { x := 1; _ = x.clamp(9) + clamp(4, hi = 2); }", 3),
    ("low :: (n: i64, @hi: i64) -> i64 { n + hi }\nmain :: () { _ = low(4, hi = 2); }", 3),
    ("K :: enum { @a; b; }\nS :: struct { k: K = .a; l: ?K = .a; m: [2]K = .[.a, .b]; }\nf :: (k: K = .a) -> K { k }\n"
     "g :: (x: $T) -> K { return .a; }\nmain :: () { }", 6),
    ("Src :: protocol(@T: Type) { get :: (self: *Self) -> T; }\nN :: struct { v: i64; }\n"
     "impl Src(i64) for N { get :: (self: *N) -> i64 { self.v } }\n"
     "join :: (f: Closure(..xs.T) -> $R, ..xs: Src) -> R { f(..xs.get) }\nmain :: () { _ = join((a) => a, N.{ 3 }); }", 3),
    ("Src :: protocol(T: Type) { get :: (self: *Self) -> T; }\nN :: struct { v: i64; }\n"
     "impl Src(i64) for N { get :: (self: *N) -> i64 { self.v } }\n"
     "join :: (f: Closure(..xs.T) -> $R, ..@xs: Src) -> R { f(..xs.get) }\nmain :: () { _ = join((a) => a, N.{ 3 }); }", 3),
    ("M :: struct { @max: i64; }\nmain :: () { `i8 := M.{ max = 1 }; _ = i8.max + `i8.max; }", 3),
    ("@Show :: protocol { go :: (self: *Self) -> i64; }\nmain :: () { }", 1),
    ("@S :: struct { a: i64; m :: (self: *Self) -> i64 { self.a } }\nmain :: () { s := S.{ a = 1 }; }", 2),
    ("f :: () -> i64 { @a := 1; a }\nk :: () { a := 1 +; }\nmain :: () { }", 2),
    ("E :: error { @A, C }\nf :: () -> !E { raise error.A; }\nmain :: () { f() catch (e) == { case .A: case .C: }; }", 3),
    ("f :: () -> ! { raise error.@Odd; }\nmain :: () { f() catch (e) == { case .Odd: else: }; }", 2),
    ("f :: () -> ! { raise error.Odd; }\nmain :: () { f() catch (e) { if e == { case .@Odd: else: } }; }", 2),
    ("f :: () -> ! { raise error.Odd; }\ng :: () { e := f(); if e == { case .@Odd: case .none: else: } }\nmain :: () { g(); }", 2),
    ("f :: () -> ! { raise error.Odd; }\ng :: (x: $T) { f() catch (e) == { case .@Odd: else: }; }\nmain :: () { f() catch { }; }", 2),
]

# (text, new name, a part of the reason)
REFUSED = [
    ("@f :: () -> i64 { 1 }\nmain :: () { z := f() +; _ = f(); }", "g", "m.sx:3 stands in code that has errors"),
    ("main :: () { @a := 1; print(\"{}\", a); }", "print", "cannot be called"),
    ("main :: () { @a := size_of(i64); _ = a + size_of(u8); }", "size_of", "cannot be called"),
    ("main :: () { @a := 1; _ = a; }", "i64", "type name"),
    ("g : i64 = 1;\nf :: () -> i64 { @a := 2; g + a }\nmain :: () { _ = f(); }", "g", "`g` at m.sx:3 would mean what is declared at m.sx:3"),
    ("S :: struct { a: i64; m :: (self: *S) -> i64 { 7 } }\n@u :: ufcs (s: S) -> i64 { 9 }\n"
     "main :: () { s := S.{ a = 1 }; _ = s.u(); }", "m", "would mean"),
    ("E :: error { @A, B }\nmain :: () { }", "B", "exists already"),
    ("@getpid :: () -> i32 extern;\nmain :: () { }", "pid", "the linker"),
    ("main :: () { @a := 1; #insert \"a += 1;\"; }", "b", "inserted text"),
]

# (text with the error, title, the line after the correction)
FIXES = [
    ("main :: () { o : ?i64 = 3; @x : i64 = o; _ = x; }", "Write `o!`", "main :: () { o : ?i64 = 3; x : i64 = o!; _ = x; }"),
    ("main :: () { o : ?i64 = 3; for 0..@o (i) { _ = i; } }", "Write `o!`", "main :: () { o : ?i64 = 3; for 0..o! (i) { _ = i; } }"),
    ("k :: (n: i64) { }\nmain :: () { o : ?i64 = 3; @k(o); }", "Write `o!`", "main :: () { o : ?i64 = 3; k(o!); }"),
    ("r :: (o: ?i64) -> i64 { @return o; }\nmain :: () { }", "Write `o!`", "r :: (o: ?i64) -> i64 { return o!; }"),
    ("main :: () { s := \"x\"; @c : cstring = s; _ = c; }", "Write `to_cstring(s)`",
     "main :: () { s := \"x\"; c : cstring = to_cstring(s); _ = c; }"),
    ("main :: () { b : u8 = 1; c : u8 = @300; _ = b; }", "Write `xx`", "main :: () { b : u8 = 1; c : u8 = xx 300; _ = b; }"),
    ("S :: struct { @inline: i64; }\nmain :: () { }", "Write `` `inline ``", "S :: struct { `inline: i64; }"),
    ("f :: () { n := 1; @n + 1 }\nmain :: () { }", "Drop the value: `_ = …`", "f :: () { n := 1; _ = n + 1; }"),
    ("main :: () { a := 1; if a @= 1 { } }", "Write `==`", "main :: () { a := 1; if a == 1 { } }"),
    ("f :: () -> (string, !) { raise error.A; }\nmain :: () -> ! { _ = @f().len; }", "Add `try`", "main :: () -> ! { _ = (try f()).len; }"),
    ("f :: () -> (i64, !) { raise error.A; }\nmain :: () { _ = 1 + @f(); }", "Add `catch`", "main :: () { _ = 1 + (f() catch { unreachable }); }"),
    ("main :: () { i := 1; i+@+; }", "Write `i += 1`", "main :: () { i := 1; i += 1; }"),
    ("main :: () { xs := .[1]; for xs (x) { @x = 2; } }", "Capture `x` by reference", "main :: () { xs := .[1]; for xs (*x) { x.* = 2; } }"),
    ("main :: () { t := (1@, 2); }", "Write `.{1, 2}`", "main :: () { t := .{1, 2}; }"),
    ("main :: () { n : i64 = @null; }", "Make it optional: `?i64`", "main :: () { n : ?i64 = null; }"),
    ("main :: () { _ = @Vxx.{ a = 1 }; }", 'Add `#import "other.sx";`', '#import "other.sx";'),
    ("f :: (k: @Kxx) { }\nmain :: () { }", 'Add `#import "other.sx";`', '#import "other.sx";'),
    ("f :: () -> !@ErrSet { }\nmain :: () { }", 'Add `#import "other.sx";`', '#import "other.sx";'),
    ("S :: struct { }\nimpl @Proto for S { }\nmain :: () { }", 'Add `#import "other.sx";`', '#import "other.sx";'),
    ("main :: () { @helper(2); }", 'Add `#import "other.sx";`', '#import "other.sx";'),
]


def at(marked):
    """A program without its mark, and the position of that."""
    text = STD + marked + "\n"
    place = text.index("@")
    line = text.count("\n", 0, place)
    return text.replace("@", "", 1), {"line": line, "character": place - text.rfind("\n", 0, place) - 1}


class Editor:
    """One document, which is one program after another."""

    def __init__(self, sx, folder):
        self.client = Client(sx, rootUri="file://" + folder)
        self.uri = "file://" + folder + "/m.sx"
        self.version = 1
        self.client.open(self.uri, "")

    def show(self, text):
        self.version += 1
        self.client.change(self.uri, self.version, text)
        return self.client.pushed(self.uri, self.version)

    def answer(self, method, **params):
        return self.client.finish(self.client.start(method, {"textDocument": {"uri": self.uri}, **params}))


def errors(diagnostics):
    return [d["message"] for d in diagnostics if d["severity"] == 1]


def check_renames(e):
    for marked, places in RENAMES:
        text, position = at(marked)
        before = errors(e.show(text))
        answer = e.answer("textDocument/rename", position=position, newName="other_name")
        assert "error" not in answer, (marked, answer)
        edits = answer["result"]["changes"][e.uri]
        assert len(edits) == places, (marked, edits)
        after = errors(e.show(edited(text, edits)))
        assert len(after) == len(before), (marked, after)


def check_refused(e):
    for marked, name, reason in REFUSED:
        text, position = at(marked)
        e.show(text)
        answer = e.answer("textDocument/rename", position=position, newName=name)
        assert reason in answer.get("error", {}).get("message", ""), (marked, answer)


def check_keyword(e):
    """A keyword is written as a plain name, but not behind a dot."""
    text, position = at("S :: struct { @a: i64; }\nmain :: () { s := S.{ a = 1 }; _ = s.a; }")
    e.show(text)
    new = edited(text, e.answer("textDocument/rename", position=position, newName="for")["result"]["changes"][e.uri])
    assert "{ `for: i64; }" in new and "S.{ `for = 1 }; _ = s.for;" in new, new
    assert not e.show(new), new


def check_programs(e):
    """Who only instantiates generic code may still be the one that breaks."""
    folder = os.path.dirname(e.uri[len("file://"):])
    generic = "call :: (x: $T) -> i64 { x.go() }\n"
    for name, text in (("generic.sx", generic), ("kind.sx", "Kind :: struct { go :: (self: *Kind) -> i64 { 1 } }\n"),
                       ("use.sx", '#import "generic.sx";\n#import "kind.sx";\nmain :: () { _ = call(Kind.{}); }\n')):
        with open(folder + "/" + name, "w", encoding="utf-8") as f:
            f.write(text)
    uri = "file://" + folder + "/kind.sx"
    e.client.open(uri, "Kind :: struct { go :: (self: *Kind) -> i64 { 1 } }\n")
    answer = e.client.finish(e.client.start("textDocument/rename", {
        "textDocument": {"uri": uri}, "position": {"line": 0, "character": 17}, "newName": "run_it"}))
    assert "use.sx:3" in answer.get("error", {}).get("message", "") or "generic.sx:1" in answer["error"]["message"], answer


def check_fixes(e):
    for marked, title, line in FIXES:
        text, position = at(marked)
        before = [d["message"] for d in e.show(text)]
        actions = e.answer("textDocument/codeAction", range={"start": position, "end": position}, context={"diagnostics": []})
        chosen = [a for a in actions["result"] if a["title"] == title]
        assert chosen, (marked, before, [a["title"] for a in actions["result"]])
        new = edited(text, chosen[0]["edit"]["changes"][e.uri])
        assert line in new.split("\n"), (marked, new)
        after = [d["message"] for d in e.show(new)]
        assert len(after) < len(before), (marked, after)


def check_failure_places(e):
    """What fails while compiling is shown at what needs it, with the trace as places."""
    text, position = at("f :: () -> (i64, !) { raise error.Bad; }\n@N :: #run f();\nmain :: () { _ = N; }")
    problem, = e.show(text)
    assert problem["range"]["start"] == position and "\n" not in problem["message"], problem
    notes = [(r["location"]["range"]["start"]["line"], r["message"]) for r in problem["relatedInformation"]]
    assert notes[0] == (1, "f") and notes[1][1].startswith("help: "), notes


def main():
    folder = os.path.realpath(tempfile.mkdtemp())
    with open(folder + "/other.sx", "w", encoding="utf-8") as f:
        f.write("helper :: (n: i64) { }\nVxx :: struct { a: i64; }\nKxx :: enum { a; }\nErrSet :: error { A }\nProto :: protocol { }\n")
    e = Editor(sys.argv[1], folder)
    for name, test in sorted(globals().items()):
        if name.startswith("check_"):
            test(e)
    assert e.client.leave() == 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
