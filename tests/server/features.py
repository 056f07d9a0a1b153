#!/usr/bin/env python3
"""Usage: features.py SX

What each request of the language server answers about a small program.
"""

import os
import subprocess
import sys
import tempfile
import time

from lsp import Client, edited, marked, word

PROGRAM = """#import "modules/std.sx";

E :: error { Bad, Late }
// A point in the plane.
@struct@Point :: struct {
    x: i64;
    y: i64 = 2; // upwards
    length :: (self: *Point) -> i64 { return self.@selfx@x + self.y; }
}
Shape :: enum { disc: f64; square: f64; dot; }
Area :: protocol { area :: (self: *Self) -> f64; }
impl @implref@Area for Point { area :: (self: *Point) -> f64 { return 1.0; } }
@limit@LIMIT :: 4 * 3;
// Reads a number.
leaf :: (n: i64, scale: i64 = 1) -> (i64, !E) {
    if n < 0 { @raise@raise error.@tag@Bad; }
    return n * scale;
}
middle :: (n: i64) -> (i64, !) { v := @try@try @call@leaf(n, @argument@2); return v; }
generic :: (a: $T, b: T) -> T { return @ga@a; }
unused_function :: (k: i64) -> i64 { w := k; return @w@w; }
Held :: struct ($T: Type) { @heldfield@inner: T; }
first_of :: (h: *Held(i64), o: ?i64) -> i64 { if o == null { return h.@inner@inner; } return o; }
Pair :: struct { a, c: i64; }
short :: (a: i64) -> Pair { return Pair.{ a, c = 1 }; }
main :: () {
    @decl@p := Point.{ @init@x = @usel@LIMIT };
    s : Shape = .@variant@dot;
    n := middle(@px@p.x) catch (e) { 0 };
    print("{} {} {}\\n", @use@p.@method@length(), n, generic(1, 2));
    area := if s == { case .disc: (r) r; case .square: (q) q; case .dot: 0.0; };
    print("{}\\n", area);
}
"""


def main():
    sx = sys.argv[1]
    folder = os.path.realpath(tempfile.mkdtemp())
    uri = "file://" + folder + "/demo.sx"
    text, at = marked(PROGRAM)
    capabilities = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
    c = Client(sx, capabilities=capabilities, rootUri="file://" + folder, initializationOptions={"lenses": True})
    assert c.server["capabilities"]["positionEncoding"] == "utf-16"
    c.open(uri, text)
    assert c.pushed(uri, 1) == [], c.diagnostics
    tests = [value for name, value in sorted(globals().items()) if name.startswith("check_")]
    for test in tests:
        try:
            test(c, uri, text, at)
        except AssertionError as problem:
            raise AssertionError(f"{test.__name__}: {problem}") from problem
    assert c.leave() == 0
    return 0


def hover(c, uri, position):
    result = c.at("hover", uri, position)
    assert result, "no hover"
    return result["contents"]["value"]


def names(text, results):
    return [word(text, r) for r in results]


def check_hover(c, uri, text, at):
    assert "leaf :: (n: i64, scale: i64 = 1) -> (i64, !E)" in hover(c, uri, at["call"])
    assert "Reads a number." in hover(c, uri, at["call"])
    assert "12" in hover(c, uri, at["limit"]), hover(c, uri, at["limit"])
    shown = hover(c, uri, at["struct"])
    assert "size: 16" in shown and "A point in the plane." in shown, shown
    assert "p: Point" in hover(c, uri, at["use"])
    assert "offset 0" in hover(c, uri, at["selfx"])
    shown = hover(c, uri, {"line": at["try"]["line"], "character": 1})
    assert "error.Bad" in shown and "raised in" in shown and "leaf" in shown, shown
    assert "raised at" in hover(c, uri, at["tag"])
    assert "error.Bad" in hover(c, uri, at["call"]) and "Shape.dot" in hover(c, uri, at["variant"])
    line = next(i for i, l in enumerate(text.split("\n")) if l.startswith("    print"))
    assert "(" in hover(c, uri, {"line": line, "character": 5}), hover(c, uri, {"line": line, "character": 5})
    assert "inner: i64" in hover(c, uri, at["inner"]) and "inner: T" in hover(c, uri, at["heldfield"])


def check_definition(c, uri, text, at):
    for mark, line in (("call", "leaf ::"), ("selfx", "    x: i64"), ("init", "    x: i64"), ("method", "    length ::"),
                       ("usel", "LIMIT ::"), ("variant", "Shape ::"), ("tag", "E ::"), ("w", "unused_function"),
                       ("ga", "generic"), ("use", "    p :="), ("implref", "Area ::")):
        found = c.at("definition", uri, at[mark])
        assert found, mark
        shown = text.split("\n")[found[0]["range"]["start"]["line"]]
        assert shown.startswith(line), (mark, shown)
    assert c.at("definition", uri, {"line": 0, "character": 14})[0]["uri"].endswith("modules/std.sx")
    found = c.at("typeDefinition", uri, at["use"])
    assert names(text, found) == ["Point"], found
    assert names(text, c.at("typeDefinition", uri, at["variant"])) == ["Shape"]
    assert "std.sx" in hover(c, uri, {"line": 0, "character": 14})
    assert len(c.at("implementation", uri, at["implref"])) == 1


def check_references(c, uri, text, at):
    found = c.at("references", uri, at["selfx"], context={"includeDeclaration": True})
    assert names(text, found) == ["x"] * 4, names(text, found)
    found = c.at("references", uri, at["tag"], context={"includeDeclaration": True})
    assert names(text, found) == ["Bad"] * 2, found
    assert len(c.at("documentHighlight", uri, at["use"])) == 3


def check_rename(c, uri, text, at):
    edits = c.at("rename", uri, at["selfx"], newName="across")["changes"][uri]
    assert len(edits) == 4, edits
    assert word(text, c.at("prepareRename", uri, at["selfx"])) == "x"
    start = next(i for i, l in enumerate(text.split("\n")) if l.startswith("short ::"))
    edits = c.at("rename", uri, {"line": start, "character": 10}, newName="b")["changes"][uri]
    assert [e["newText"] for e in edits] == ["b", "a = b"], edits
    edits = c.at("rename", uri, {"line": start - 1, "character": 17}, newName="b")["changes"][uri]
    assert [e["newText"] for e in edits] == ["b", "b = a"], edits
    for new in ("y", "1x", "a b", ""):
        problem = c.error("textDocument/rename", {"textDocument": {"uri": uri}, "position": at["selfx"], "newName": new})
        assert problem["message"], problem
    line = next(i for i, l in enumerate(text.split("\n")) if l.startswith("impl Area"))
    place = {"line": line, "character": text.split("\n")[line].index("area ::")}
    edits = c.at("rename", uri, place, newName="extent")["changes"][uri]
    assert [e["range"]["start"]["line"] for e in edits] == [line - 1, line], edits  # of the protocol and of what implements it
    problem = c.error("textDocument/rename", {"textDocument": {"uri": uri}, "position": at["use"], "newName": "print"})
    assert "print" in problem["message"] or "called" in problem["message"], problem


def labels(c, uri, position):
    return [i["label"] for i in sorted(c.at("completion", uri, position)["items"], key=lambda i: i["sortText"])]


def complete(c, uri, text, line, typed):
    """Completions after `typed`, in a line of its own after `line` of the program."""
    lines = text.split("\n")
    number = next(i for i, l in enumerate(lines) if l.startswith(line))
    lines.insert(number + 1, typed)
    c.change(uri, 2, "\n".join(lines))
    found = labels(c, uri, {"line": number + 1, "character": len(typed)})
    c.change(uri, 3, text)
    return found


def check_completion(c, uri, text, at):
    found = complete(c, uri, text, "    p :=", "    p.")
    assert found[:2] == ["x", "y"] and "length" in found, found
    found = complete(c, uri, text, "    s :", "    pri")
    assert found[0] == "print" or found[0] == "p", found[:5]
    assert "print" in found and "Point" in found and "while" in found, found[:5]
    found = complete(c, uri, text, "leaf ::", "    raise error.")
    assert found[:2] == ["Bad", "Late"], found
    found = complete(c, uri, text, "    s :", "    s = .")
    assert found[:3] == ["disc", "square", "dot"], found
    assert complete(c, uri, text, "    p :=", "    q := Point.{ x = 1, ")[0] == "y"
    assert complete(c, uri, text, "    p :=", "    q : Point = .{ ")[:2] == ["x", "y"]
    assert complete(c, uri, text, "    p :=", "    leaf(1, sc")[0] == "scale"
    assert complete(c, uri, text, "Pair ::", "Other :: pri")[0] == "print"
    assert complete(c, uri, text, "Pair ::", "#im")[0] == "#import"
    assert "std.sx" in complete(c, uri, text, "#import", '#import "modules/')


MEMBERS = """#import "modules/std.sx";
Hue :: enum { red; green: i64; }
Other :: enum { first; }
Held :: struct { s: S; }
S :: struct { aa: i64; hue: Hue; close :: (self: *S, n: i64) { } }
G :: struct ($T: Type) { v: T; close :: (self: *G(T), k: T) { } }
E :: error { A, B }
f :: () -> (i64, !E) { raise error.A; }
keep :: (s: S) { }
measured :: (f: Closure(S) -> i64) { }
paint :: (s: *S, hue: Hue) -> Hue { s.hue = hue; return hue; }
main :: () {
    s := S.{ aa = 1, hue = .red };
    g := G(string).{ v = "" };
    yes := s.aa == 1;
    @
}
last :: () { }
"""


def check_members(c, uri, text, at):
    """By the type of what stands before the dot, or the one expected there; in text that lacks something."""
    other, version = uri.replace("demo", "members"), 1
    c.open(other, MEMBERS)
    fields, members, hues, tags = ["aa", "hue"], ["aa", "hue", "close"], ["red", "green"], ["A", "B"]
    for typed, expected in (('print("{}", s.|);', members), ('print("{} {}", 1, s.|', members), ("if s.| {\n    }", members),
                            ("while s.aa == s.| {\n    }", members), ("if s.aa == 1 and s.| {\n    }", members),
                            ("if s.aa == 1 {\n    s.|", members), ("s.|\n    print(\"\");", members),
                            ("S.{ aa = 2 }.|;", members), ("paint(*s, .|);", hues), ("paint(*s, hue = .|", hues),
                            ("t := S.{ hue = .| };", hues), ("if s.hue == .| {\n    }", hues), ("s.hue = .|", hues),
                            ("k : Hue = .|;", hues), ("k : Hue = if yes then .red else .|;", hues),
                            ("k : Hue = if true then .red else .|;", hues),
                            ("k : []Hue = .[.red, .|];", hues), ("k : [2]Hue = .[.|];", hues),
                            ("k : [2]Other = .[.|];", ["first"]), ("k : []S = .[.{ | }];", fields),
                            ("keep(.{ | });", fields), ("s = .{ | };", fields), ("k : ?S = .{ | };", fields),
                            ("k := Held.{ s = .{ | } };", fields),
                            ("keep(.{ aa = 1, | });", ["hue"]), ("k := () -> S => .{ | };", fields),
                            ("measured((p: S) => p.|);", members), ("measured((p) => p.aa + p.|);", members),
                            ("k := (p: S) -> i64 => p.|;", members), ("f() catch (e) == {\n    case .|", tags)):
        for whole in (MEMBERS, MEMBERS.split("}\nlast")[0]):
            version += 1
            changed = whole.replace("@", typed)
            before = changed[:changed.index("|")]
            c.change(other, version, changed.replace("|", ""))
            place = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
            assert labels(c, other, place)[:len(expected)] == expected, (typed, labels(c, other, place)[:5])
    for typed, detail in (("s.", "S.close :: (self: *S, n: i64)"), ("g.", "G.close :: (self: *G(string), k: string)")):
        version += 1
        c.change(other, version, MEMBERS.replace("@", typed))
        line = MEMBERS[:MEMBERS.index("@")].count("\n")
        items = c.at("completion", other, {"line": line, "character": 6})["items"]
        assert [i["detail"] for i in items if i["label"] == "close"] == [detail], items
    c.notify("textDocument/didClose", {"textDocument": {"uri": other}})


def check_completion_places(c, uri, text, at):
    """Only keywords that may stand at a place."""
    words = {"return", "while", "case", "catch", "then", "else", "struct", "break", "defer", "impl", "raise", "or"}
    for line, typed, expected in (("Pair ::", "", {"impl"}), ("Pair ::", "Other :: ", {"struct"}),
                                  ("    s :", "    ", {"return", "while", "defer", "raise"}),
                                  ("    s :", "    while true { ", {"return", "while", "defer", "raise", "break"}),
                                  ("    s :", "    q := ", set()), ("    s :", "    q : ", {"struct"}),
                                  ("    s :", "    q := n ", {"or", "catch"}), ("    s :", "    if true { } ",
                                                                              {"return", "while", "defer", "raise", "else"}),
                                  ("    s :", "    if n > 1 ", {"then", "return", "raise", "or", "catch"}),
                                  ("    s :", "    if s == { ", {"case", "else"}), ("    s :", "    // ", set()),
                                  ("    s :", '    print("', set()), ("Pair ::", "f :: (a: ", {"struct"}),
                                  ("Pair ::", "f :: () -> (i64, !", set()), ("    s :", "    #", set())):
        found = set(complete(c, uri, text, line, typed)) & words
        assert found == expected, (typed, found)
    assert complete(c, uri, text, "leaf ::", "    raise ")[0] == "error"
    assert complete(c, uri, text, "leaf ::", '    print("http://{}", sc')[0] == "scale"
    assert complete(c, uri, text, "    s :", "    _ = middle(1) catch (e) { if e == { case error.")[0] == "Bad"


def check_types(c, uri, text, at):
    item = c.at("prepareTypeHierarchy", uri, at["struct"])[0]
    above = c.request("typeHierarchy/supertypes", {"item": item})
    assert [x["name"] for x in above] == ["Area"], above
    below = c.request("typeHierarchy/subtypes", {"item": above[0]})
    assert [x["name"] for x in below] == ["Point"], below


def check_signature(c, uri, text, at):
    line = next(i for i, l in enumerate(text.split("\n")) if l.startswith("    print"))
    result = c.at("signatureHelp", uri, {"line": line, "character": text.split("\n")[line].index("p.length")})
    assert result["signatures"][0]["label"].startswith("print :: ("), result
    result = c.at("signatureHelp", uri, at["argument"])
    assert result["activeParameter"] == 1, result
    assert result["signatures"][0]["parameters"][1]["label"] == "scale: i64 = 1", result
    line = next(i for i, l in enumerate(text.split("\n")) if l.startswith("first_of"))
    result = c.at("signatureHelp", uri, {"line": line, "character": text.split("\n")[line].index("i64)")})
    assert result["signatures"][0]["label"] == "Held($T: Type)", result


def check_tokens(c, uri, text, at):
    legend = c.server["capabilities"]["semanticTokensProvider"]["legend"]
    assert legend["tokenModifiers"][-1] == "failable"
    full = c.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
    found, line, start = {}, 0, 0
    for i in range(0, len(full["data"]), 5):
        d = full["data"][i:i + 5]
        line, start = line + d[0], d[1] if d[0] else start + d[1]
        kind = legend["tokenTypes"][d[3]]
        found[(line, start)] = (text.split("\n")[line][start:start + d[2]], kind, d[4])
    place = lambda mark: found[(at[mark]["line"], at[mark]["character"])]
    assert place("call")[1] == "function" and place("call")[2] & 1024, place("call")
    assert place("struct")[1] == "struct" and place("selfx")[1] == "property" and place("tag")[1] == "enumMember"
    delta = c.request("textDocument/semanticTokens/full/delta",
                      {"textDocument": {"uri": uri}, "previousResultId": full["resultId"]})
    assert delta["edits"] == [], delta
    other, number = uri.replace("demo", "long"), 40000  # the time is linear in the length of a line
    c.open(other, "xs :: .[" + "1, " * number + "];\n")
    begin = time.time()
    data = c.request("textDocument/semanticTokens/full", {"textDocument": {"uri": other}})["data"]
    assert time.time() - begin < 5 and data[-5:] == [0, 3, 1, legend["tokenTypes"].index("number"), 0], data[-5:]
    c.notify("textDocument/didClose", {"textDocument": {"uri": other}})


def check_hints(c, uri, text, at):
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = [h["label"] for h in c.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})]
    assert ": Point" in hints and "scale =" in hints and "{Bad, Late}" in hints, hints


def check_symbols(c, uri, text, at):
    found = c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    by_name = {s["name"]: s for s in found}
    assert [s["name"] for s in by_name["Point"]["children"]] == ["x", "y", "length"], by_name["Point"]
    found = c.request("workspace/symbol", {"query": "lngth"})
    assert [s["name"] for s in found] == ["length"], found


def check_calls(c, uri, text, at):
    item = c.at("prepareCallHierarchy", uri, at["call"])[0]
    callers = c.request("callHierarchy/incomingCalls", {"item": item})
    assert [x["from"]["name"] for x in callers] == ["middle"], callers
    callees = c.request("callHierarchy/outgoingCalls", {"item": callers[0]["from"]})
    assert [x["to"]["name"] for x in callees] == ["leaf"], callees


def check_error_paths(c, uri, text, at):
    params = {"textDocument": {"uri": uri}, "position": at["raise"]}
    found = c.request("sx/errorPaths", params)
    assert found["direction"] == "forward" and found["tags"] == ["Bad"], found
    assert [[s["kind"] for s in p["steps"]] for p in found["paths"]] == [["raise", "try", "catch"]], found
    found = c.request("sx/errorPaths", {"textDocument": {"uri": uri}, "position": at["try"]})
    assert found["direction"] == "back", found
    assert [[s["kind"] for s in p["steps"]] for p in found["paths"]] == [["try", "raise"]], found


FLOW = """#import "modules/std.sx";
E :: error { Late }
leaf :: (n: i64) -> (i64, !) { if n > 0 { raise error.Bad; } return n; }
quiet :: () -> !E { raise error.Late; }
chain :: () -> (i64, !) { x := try leaf(1) or try leaf(2); return x; }
three :: () -> i64 { leaf(1) or leaf(2) or 0 }
passed :: () -> (i64, !) { return leaf(1); }
arrow :: () -> (i64, !) => leaf(1);
ending :: () -> (i64, !) { passed() }
again :: () -> !E { e := quiet(); if e { raise e; } }
condition :: () { if quiet() { } }
called :: (c: Closure() -> !) -> ! { try c(); }
calling :: () -> ! { try called(() -> ! { raise error.Within; }); }
Goes :: protocol { go :: (self: *Self) -> !; }
Car :: struct { }
impl Goes for Car { go :: (self: *Car) -> ! { raise error.Stuck; } }
drive :: (g: *Goes) -> ! { try g.go(); }
cast :: (a: any) -> (i64, !) { return try a.(i64); }
all :: () -> ! { try chain(); try ending(); try arrow(); try again(); try calling(); c := Car.{}; try drive(*c); try cast(1); }
"""
ENTRY = """#import "flow.sx";
main :: () -> ! { condition(); three(); try again(); try all(); }
"""


def check_error_flow(c, uri, text, at):
    """Ways agree with the sets that the check infers, and with the trace of a run."""
    flow, entry = uri.replace("demo", "flow"), uri.replace("demo", "entry")
    for where, content in ((flow, FLOW), (entry, ENTRY)):
        c.open(where, content)
        with open(where[len("file://"):], "w") as file:
            file.write(content)

    def paths(where, content, needle, nth=0):
        offset = -1
        for _ in range(nth + 1):
            offset = content.index(needle, offset + 1)
        line = content[:offset].count("\n")
        place = {"line": line, "character": offset - content.rfind("\n", 0, offset) - 1}
        found = c.request("sx/errorPaths", {"textDocument": {"uri": where}, "position": place})
        assert found, needle
        return found["tags"], [[(s["kind"], s["function"]) for s in p["steps"]] for p in found["paths"]]

    for name in ("chain", "ending", "arrow", "again", "calling", "drive", "cast"):
        line = next(i for i, l in enumerate(FLOW.split("\n")) if l.startswith(name + " ::"))
        inferred = {w.strip("`, ")[6:] for w in hover(c, flow, {"line": line, "character": 1}).split() if "error." in w}
        tags, _ = paths(flow, FLOW, "try " + name + "(")
        assert set(tags) == inferred and tags, (name, tags, inferred)
    tags, found = paths(flow, FLOW, "raise error.Late")
    assert [("raise", "quiet"), ("destructure", "again"), ("raise", "again"), ("try", "main"), ("main", "main")] in found
    assert [("raise", "quiet"), ("destructure", "condition")] in found and tags == ["Late"], found
    _, found = paths(flow, FLOW, "raise error.Bad")
    assert found.count([("raise", "leaf"), ("or", "three")]) == 2, found
    assert [("raise", "leaf"), ("or", "chain")] in found, found
    assert not any(p[-1][0] in ("raise", "try") for p in found), found
    _, found = paths(flow, FLOW, "raise error.Within")
    ways = [("raise", "calling"), ("try", "called"), ("try", "calling"), ("try", "all"), ("try", "main"), ("main", "main")]
    assert found == [ways], found
    _, found = paths(entry, ENTRY, "try again")
    assert found == [[("try", "main"), ("raise", "again"), ("destructure", "again"), ("raise", "quiet")]], found
    run = subprocess.run([sys.argv[1], "run", entry[len("file://"):]], stderr=subprocess.PIPE, text=True, timeout=60)
    frames = [l.split(" at ")[0].strip() for l in run.stderr.split("\n") if ".sx:" in l and " at " in l]
    assert frames == [function for _, function in reversed(found[0])], run.stderr
    for where in (flow, entry):
        c.notify("textDocument/didClose", {"textDocument": {"uri": where}})
        os.remove(where[len("file://"):])


INSTANCES = """#import "modules/std.sx";
A :: struct { n: i64; go :: (self: *A) -> ! { raise error.AA; } }
B :: struct { n: i64; go :: (self: *B) -> ! { raise error.BB; } }
gen :: (x: *$T) -> ! { try x.go(); }
Goes :: protocol { run :: (self: *Self) -> !; both :: (self: *Self) -> ! { try self.run(); } }
impl Goes for A { run :: (self: *A) -> ! { raise error.CC; } }
impl Goes for B { run :: (self: *B) -> ! { raise error.DD; } }
k :: (a: *A) -> ! { try a.go() or try gen(a) }
main :: () {
    a := A.{ 1 };
    b := B.{ 2 };
    gen(*a) catch { };
    gen(*b) catch (e2) { _ = e2; };
    a.both() catch { };
    b.both() catch { };
    k(*a) catch { };
}
"""


def check_error_instances(c, uri, text, at):
    """A call in generic code fails with what it fails with in the instance."""
    where = uri.replace("demo", "instances")
    c.open(where, INSTANCES)

    def place(needle, skip=0):
        offset = INSTANCES.index(needle)
        line = INSTANCES[:offset].count("\n")
        return {"line": line, "character": offset - INSTANCES.rfind("\n", 0, offset) - 1 + skip}

    def paths(needle):
        found = c.request("sx/errorPaths", {"textDocument": {"uri": where}, "position": place(needle)})
        assert found, needle
        ways = [[(s["kind"], s["function"], s["range"]["start"]["line"]) for s in p["steps"]] for p in found["paths"]]
        return sorted(found["tags"]), ways

    tags, found = paths("raise error.AA")
    assert [("raise", "go", 1), ("try", "gen", 3), ("catch", "main", 11)] in found, found
    assert ("catch", "main", 12) not in [p[-1] for p in found], found
    assert paths("raise error.BB")[1] == [[("raise", "go", 2), ("try", "gen", 3), ("catch", "main", 12)]]
    assert paths("raise error.DD")[1] == [[("raise", "run", 6), ("try", "both", 4), ("catch", "main", 14)]]
    assert paths("try x.go")[0] == ["AA", "BB"] and paths("try self.run")[0] == ["CC", "DD"]
    assert paths("try a.go")[1] == [[("or", "k", 7), ("raise", "go", 1)]], paths("try a.go")
    shown = hover(c, where, place("e2)"))
    assert "error.BB" in shown and "error.AA" not in shown, shown
    shown = hover(c, where, place("gen ::"))
    assert shown.count("raised in") == 2 and "error.BB" in shown, shown
    assert 3 in [r["range"]["start"]["line"] for r in c.at("references", where, place("go :: (self: *A)"))]
    found = complete(c, where, INSTANCES, "    k(*a)", "    gen(*b) catch (e3) == { case .")
    assert found[:1] == ["BB"] and "AA" not in found, found
    c.notify("textDocument/didClose", {"textDocument": {"uri": where}})


def check_c(c, uri, text, at):
    """Names of C lead to the header."""
    folder, where = os.path.dirname(uri[len("file://"):]), uri.replace("demo", "calls")
    with open(folder + "/z.h", "w") as file:
        file.write("// first\n\nint one(int a);\n\n/* Doubles. */\nint   two(int b);\n")
    content = 'z :: #import c {\n    #include "z.h";\n};\nuse :: () -> i32 { return z.two(z.one(1)); }\n'
    c.open(where, content)
    for name, line, column in (("one", 2, 4), ("two", 5, 6)):
        place = {"line": 3, "character": content.split("\n")[3].index(name)}
        found = c.at("definition", where, place)[0]
        assert found["uri"].endswith("/z.h") and found["range"]["start"] == {"line": line, "character": column}, found
        assert len(c.at("references", where, place, context={"includeDeclaration": False})) == 1
    assert "Doubles." in hover(c, where, place) and "`a" not in hover(c, where, place), hover(c, where, place)
    assert c.at("definition", where, {"line": 1, "character": 15})[0]["uri"].endswith("/z.h")
    c.notify("textDocument/didClose", {"textDocument": {"uri": where}})


def check_text(c, uri, text, at):
    where = {"textDocument": {"uri": uri}}
    assert c.request("textDocument/foldingRange", where)
    ranges, selected = c.request("textDocument/selectionRange", {**where, "positions": [at["argument"]]})[0], []
    while ranges and ranges["range"]["start"]["line"] == ranges["range"]["end"]["line"]:
        selected.append(word(text, ranges))
        ranges = ranges.get("parent")
    for part in ("2", "n, 2", "leaf(n, 2)", "try leaf(n, 2)", "v := try leaf(n, 2);"):
        assert part in selected, (part, selected)
    assert [l["command"]["command"] for l in c.request("textDocument/codeLens", where)] == ["sx.run", "sx.debug"]
    assert c.request("textDocument/documentLink", where)[0]["target"].endswith("std.sx")
    c.change(uri, 4, text.replace("LIMIT :: 4", "LIMIT   ::   4"))
    options = {"tabSize": 4, "insertSpaces": True}
    edits = c.request("textDocument/formatting", {**where, "options": options})
    assert edits, edits
    broken = text.replace("LIMIT :: 4", "LIMIT   ::   4").replace("return g", "return (g")
    c.change(uri, 5, broken) # what does not parse elsewhere is no matter
    line = next(i for i, l in enumerate(broken.split("\n")) if l.startswith("LIMIT"))
    edits = c.request("textDocument/rangeFormatting", {**where, "options": options, "range": {
        "start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}})
    assert {e["range"]["start"]["line"] for e in edits} == {line}, edits
    c.change(uri, 5, text)


def check_zz_actions(c, uri, text, at):
    where = {"textDocument": {"uri": uri}}
    broken = text.replace("n := middle(p.x)", "n := midle(p.x)").replace("try leaf(n, 2)", "leaf(n, 2)")
    c.change(uri, 6, broken)
    diagnostics = c.pushed(uri, 6)
    assert diagnostics, "no diagnostics"
    titles = []
    for d in diagnostics:
        actions = c.request("textDocument/codeAction",
                            {**where, "range": d["range"], "context": {"diagnostics": [d]}})
        titles += [a["title"] for a in actions]
    assert "Change to `middle`" in titles and "Add `try`" in titles, (titles, diagnostics)
    all_open = c.request("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [len(i["items"]) for i in all_open] == [len(diagnostics)], all_open
    known = [{"uri": i["uri"], "value": i["resultId"]} for i in all_open]
    again = c.request("workspace/diagnostic", {"previousResultIds": known})["items"]
    assert [i["kind"] for i in again] == ["unchanged"], again
    broken = text.replace("return o;", "x : u8 = 300; _ = x; raise error.Bad; return o;")
    c.change(uri, 7, broken)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    diagnostics = c.pushed(uri, 7)
    actions = c.request("textDocument/codeAction", {**where, "range": whole, "context": {"diagnostics": diagnostics}})
    titles = [a["title"] for a in actions]
    assert "Write `xx`" in titles and "Write `-> (i64, !)`" in titles, (titles, diagnostics)
    c.change(uri, 8, text)
    assert c.pushed(uri, 8) == []


if __name__ == "__main__":
    sys.exit(main())
