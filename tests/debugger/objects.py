#!/usr/bin/env python3
"""Requests about objects and memory, the same with every engine.

usage: objects.py SX FOLDER-OF-PROGRAMS ENGINE
"""

import json
import os
import re
import subprocess
import sys
import tempfile

from dap import Client

SX, PROGRAMS, ENGINE = sys.argv[1:4]
PROGRAM = os.path.join(PROGRAMS, "objects.sx")


def line_of(text):
    with open(PROGRAM, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def begin(*texts, **more):
    c = Client(SX)
    c.start(PROGRAM, [line_of(t) for t in texts], engine=ENGINE, **more)
    c.event("stopped")
    return c


def rows(c):
    frame = c.top()[0]["id"]
    scope = c.must("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    return frame, {v["name"]: v for v in c.must("variables", variablesReference=scope)["variables"]}


def off():
    """Without tracking nothing has an id, and requests say why."""
    c = begin('"two')
    _, found = rows(c)
    assert "sxObjectId" not in found["list"] and "#" not in found["list"]["value"], found["list"]
    reply = c.ask("sxDominators")
    assert not reply["success"] and "not tracked" in reply["message"], reply
    assert c.must("memory.regions")["regions"]
    assert c.must("sxMemoryMap", filter="stack")["regions"]
    assert 0 <= c.must("sxMemoryMap")["totalHeapSize"] < 64 << 20 # of the program, not of what runs it
    c.finish()
    reply = Client(SX)
    reply.must("initialize", adapterID="x")
    reply = reply.ask("launch", program=PROGRAM, engine=ENGINE, heap="on")
    assert not reply["success"] and "`heap`" in reply["message"], reply


def running():
    """The heap is that of a program that stands. What is refused before leaves nothing behind."""
    c = Client(SX)
    c.must("initialize", adapterID="x")
    c.must("launch", program=os.path.join(PROGRAMS, "endless.sx"), engine=ENGINE, heap="track")
    reply = c.ask("sxDominators")
    assert not reply["success"] and "not begun" in reply["message"], reply
    c.must("configurationDone")
    while "ready" not in c.output_text("stdout"):
        c.next()
    for command in ("sxExport", "sxDominators"):
        reply = c.ask(command)
        assert not reply["success"] and "`pause` it first" in reply["message"], reply
    c.must("pause", threadId=1)
    c.event("stopped")
    c.must("sxDominators")
    assert json.loads(c.must("sxExport")["content"])["timestamp"] > 0
    c.finish()


def cancelled():
    """An export that is cancelled leaves no file."""
    with tempfile.TemporaryDirectory() as folder:
        program, file = os.path.join(folder, "many.sx"), os.path.join(folder, "heap.json")
        with open(program, "w", encoding="utf-8") as f:
            f.write("""#import "modules/std.sx";
Node :: struct { next: *Node; }
main :: () {
    first : *Node = null;
    for 0..50000 (i) { node := context.allocator.create(Node); node.next = first; first = node; }
    print("{}\\n", first != null);
}
""")
        c = Client(SX)
        c.start(program, [6], engine=ENGINE, heap="track")
        c.event("stopped")
        assert c.must("sxDominators", count=1)["total"] >= 50000
        # However far away, all that follow are counted.
        first = rows(c)[1]["first"]["sxObjectId"]
        for start in (0, 19_999, 49_998):
            around = c.must("sxNeighbourhood", id=first, direction="out", depth=100_000, start=start, count=1)
            assert len(around["nodes"]) == 1 and around["hidden"] == 49_999 - start, (start, around)
        begun = c.send("sxExport", {"file": file})
        c.send("cancel", {"requestId": begun})
        reply = c.response(begun)
        assert not reply["success"] and reply["message"] == "cancelled" and not os.path.exists(file), reply
        c.must("sxExport", file=file)
        assert len(json.load(open(file, encoding="utf-8"))["nodes"]) >= 50000
        c.finish()


def values(c):
    frame, found = rows(c)
    number = found["list"]["sxObjectId"]
    assert re.fullmatch(r"0x[0-9a-f]+ #%d" % number, found["list"]["value"]), found["list"]
    line = line_of("// freed here")
    assert found["keep"]["value"] == "<dangling: freed at %s:%d>" % (PROGRAM, line) or \
        found["keep"]["value"].endswith("objects.sx:%d>" % line), found["keep"]
    assert "sxObjectId" not in found["keep"]
    assert found["beyond"]["value"] == "<out of bounds: offset +16 of 8>", found["beyond"]
    assert "sxObjectId" not in found["bump"]
    scope = c.must("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    c.must("setVariable", variablesReference=scope, name="bump", value="6 #3")
    assert c.must("evaluate", expression="bump", frameId=frame)["result"] == "6"
    # An address goes back as it was shown.
    for sent in (found["list"]["value"], found["list"]["value"].partition(" ")[0]):
        back = c.must("setVariable", variablesReference=scope, name="list", value=sent)
        assert back["value"] == found["list"]["value"], back
    return number


def nodes_and_edges(c, number):
    node = c.must("sxObject", id=number)
    assert node["type"] == "Node" and node["kind"] == "struct" and node["shallow"] == 16, node
    assert node["site"]["func"] == "chain" and node["site"]["line"] == line_of("// a node"), node
    assert node["provenance"] == "heap" and node["validity"] == "live" and node["owner"] == "thread 1", node
    assert node["retained"] == 48 and node["summary"].startswith("{value: 2"), node
    around = c.must("sxNeighbourhood", id=number, direction="out", depth=5)
    assert [n["type"] for n in around["nodes"]] == ["Node"] * 3 and around["hidden"] == 0, around
    assert [(e["kind"], e["label"]) for e in around["edges"]] == [("field", ".next")] * 2, around
    into = c.must("sxNeighbourhood", id=number, direction="in", depth=1)
    kinds = {(n["kind"], n["type"]) for n in into["nodes"]}
    assert ("array", "[]*Node") in kinds and ("root", "") in kinds, into
    paged = c.must("sxNeighbourhood", id=number, direction="out", depth=5, count=1)
    assert len(paged["nodes"]) == 1 and paged["hidden"] == 2, paged
    exported = json.loads(c.must("sxExport")["content"])
    types = {n["id"]: n["type"] for n in exported["nodes"]}
    kinds = {(e["kind"], types[e["to"]]) for e in exported["edges"] if types[e["from"]] in ("[]string", "[]List(*Node)")}
    assert kinds == {("key", "[]u8"), ("value", "[]*Node")}, kinds # of the entries of a map
    paths = c.must("sxPathsToRoots", id=around["nodes"][2]["id"], max=10)["paths"]
    assert len(paths) >= 3 and len(paths[0]["nodes"]) == 3, paths
    assert paths[0]["root"]["name"] == "list in main", paths[0]["root"]
    lengths = [len(p["nodes"]) for p in paths]
    assert lengths == sorted(lengths), lengths
    assert any(p["root"]["name"] == "cache" for p in paths), [p["root"] for p in paths]


def groups(c):
    by_type = c.must("sxDominators", groupBy="type")
    found = {r["group"]: r for r in by_type["rows"]}
    assert found["Node"]["count"] == 6 and found["Node"]["shallow"] == 96, found["Node"]
    assert found["Owner"]["count"] == 1, found
    assert "captures" in found and "[]i64" in found, list(found)
    objects = c.must("sxDominators", count=3)
    assert len(objects["rows"]) == 3 and objects["total"] > 5, objects
    sizes = [r["retained"] for r in objects["rows"]]
    assert sizes == sorted(sizes, reverse=True), sizes
    # What no root leads to has no retained size, wherever it is asked for, and adds none.
    every = c.must("sxDominators", count=1000)["rows"]
    assert all(c.must("sxObject", id=r["id"])["retained"] == r["retained"] for r in every), every
    if ENGINE == "vm":
        assert [r["retained"] for r in every if r["group"].startswith("Node ")].count("unavailable") == 2, every
        assert found["Node"]["retained"] == 64, found["Node"]
    for row in c.must("sxDominators", groupBy="site")["rows"]: # what the library has made, inserted text too, is its user's
        assert "objects.sx" in row["group"] and "inserted" not in row["group"], row
    # Nodes are in the order of their ages, wherever the allocator has put them.
    ids = [n["id"] for n in json.loads(c.must("sxExport")["content"])["nodes"]]
    assert ids == sorted(ids), ids
    for by in ("site", "owner", "module", "kind"):
        assert sum(r["count"] for r in c.must("sxDominators", groupBy=by)["rows"]) == \
            sum(r["count"] for r in by_type["rows"]), by
    frame = c.top()[0]["id"]
    watched = c.must("sxDominators", groupBy="watch", watches=["cache", "nothing"], frameId=frame)["rows"]
    assert watched[0]["group"] == "cache" and watched[0]["count"] >= 3 and "error" not in watched[0], watched
    assert watched[1]["count"] == 0 and "nothing" in watched[1]["error"], watched
    # A value that is no object: what it refers to; or it says that there is nothing.
    watched = c.must("sxDominators", groupBy="watch", watches=["table", "bump", "keep"], frameId=frame)["rows"]
    assert watched[0]["count"] >= 3 and watched[0]["retained"] >= 24 and "error" not in watched[0], watched
    assert all(w["count"] == 0 and "no object" in w["error"] for w in watched[1:]), watched
    # Watches have the text of variables.
    _, shown = rows(c)
    for name in ("keep", "list", "beyond", "bump"):
        assert c.must("watch.add", expr=name)["formatted"] == shown[name]["value"], shown[name]


def refusals(c):
    for command, arguments, part in (
            ("sxObject", {"id": 99999}, "no object"), ("sxObject", {"id": -1}, "no object"),
            ("sxObject", {}, "`id`"), ("sxObject", {"id": "x"}, "`id`"),
            ("sxNeighbourhood", {"id": 1, "direction": "up"}, "`direction`"),
            ("sxDominators", {"groupBy": "size"}, "`groupBy`"),
            ("sxSnapshotDiff", {"from": "no", "to": "no"}, "no snapshot"),
            ("sxExport", {"format": "xml"}, "`format`"), ("sxExport", {"file": "/no/such/folder/x"}, "cannot write"),
            ("sxMemoryMap", {"filter": "all"}, "`filter`")):
        reply = c.ask(command, **arguments)
        assert not reply["success"] and part in reply["message"], (command, arguments, reply)


def snapshots(c, folder):
    diff = c.must("sxSnapshotDiff", **{"from": "one", "to": "two"})
    found = {r["group"]: r for r in diff["rows"]}
    assert found["Node"]["count"] == 3, found
    for by in ("site", "none"):
        c.must("sxSnapshotDiff", **{"from": "one", "to": "two", "groupBy": by})
    one, two = os.path.join(folder, "one.json"), os.path.join(folder, "two.json")
    c.must("sxExport", snapshot="one", format="json", file=one)
    c.must("sxExport", snapshot="two", format="json", file=two)
    exported = json.load(open(two, encoding="utf-8"))
    assert exported["format"] == "sx-heap" and exported["version"] == 1
    assert exported == json.loads(c.must("sxExport", snapshot="two")["content"])
    dot = c.must("sxExport", format="dot")["content"]
    assert dot.startswith("digraph") and dot.count(" -> ") == len(exported["edges"]) + len(exported["roots"])
    text = subprocess.run([SX, "graph", two], capture_output=True, text=True, check=True).stdout
    assert "%d objects" % len(exported["nodes"]) in text and "Node" in text, text
    text = subprocess.run([SX, "graph", one, two], capture_output=True, text=True, check=True).stdout
    assert re.search(r"\+3 +\+48 .*Node", text), text


def regions(c):
    all_regions = c.must("memory.regions")["regions"]
    assert {"text", "stack"} <= {r["type"] for r in all_regions}, all_regions
    assert all(r["start"] < r["end"] and len(r["permissions"]) == 3 for r in all_regions)
    heap = c.must("ariaMemoryMap", filter="heap")
    assert heap["totalHeapSize"] > 0 and heap["timestamp"] > 0, heap
    assert sum(r["objectCount"] for r in heap["regions"]) == len(
        json.loads(c.must("sxExport")["content"])["nodes"]), heap
    assert all(0 <= r["fragmentation"] <= 1 and r["start"].startswith("0x") for r in heap["regions"]), heap


def ended(c):
    """What a thread has made is its own after its end; the runtime's own frames are not shown."""
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[{"line": line_of("// a node")}])
    c.must("continue", threadId=1)
    assert c.event("stopped")["threadId"] == 2
    assert ENGINE == "vm" or len(c.must("sxMemoryMap", filter="stack")["regions"]) == 2 # the thread's is no heap
    c.must("setBreakpoints", source={"path": PROGRAM}, breakpoints=[{"line": line_of('"joined')}])
    c.must("continue", threadId=2)
    c.event("stopped")
    frame = c.top()[0]["id"]
    number = c.must("evaluate", expression="made", frameId=frame)["sxObjectId"]
    assert c.must("sxObject", id=number)["owner"] == "thread 2", number
    serials = [n["serial"] for n in json.loads(c.must("sxExport")["content"])["nodes"] if n["site"] is None]
    assert serials == [], serials # all that lives is the program's
    c.must("continue", threadId=1)
    stop = c.event("stopped")
    assert stop["text"] == "the process is ended by `abort`", stop
    names = [f["name"] for f in c.must("stackTrace", threadId=1)["stackFrames"]]
    assert names == ["CAllocator.dealloc_bytes", "destroy(Node)", "main"], names
    assert [f["symbol"] for f in c.must("stack.info")["frames"]] == names, names


def empty():
    """A heap in which nothing lives."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "none.sx")
        with open(path, "w", encoding="utf-8") as f:
            f.write("main :: () {\n    p : *i64 = null;\n    q := p;\n}\n")
        c = Client(SX)
        c.start(path, [3], engine=ENGINE, heap="track")
        c.event("stopped")
        assert c.must("sxDominators", start=0, count=5, groupBy="type")["rows"] == []
        c.finish()


def main():
    off()
    empty()
    running()
    cancelled()
    c = begin('"one', '"two', heap="track")
    c.must("sxSnapshot", name="one")
    c.must("continue", threadId=1)
    c.event("stopped")
    number = values(c)
    nodes_and_edges(c, number)
    groups(c)
    refusals(c)
    c.must("sxSnapshot", name="two")
    with tempfile.TemporaryDirectory() as folder:
        snapshots(c, folder)
    regions(c)
    ended(c)
    c.finish()


main()
