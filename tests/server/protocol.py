#!/usr/bin/env python3
"""Usage: protocol.py SX

The life of a session: encodings, synchronisation, diagnostics, cancellation, and clients that break the rules.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time

from lsp import Client

URI = "file:///nowhere/a.sx"


def check_lifecycle(sx):
    c = Client(sx, start=False)
    assert c.error("textDocument/hover", {})["code"] == -32002
    c.request("initialize", {"capabilities": {}})
    assert c.error("initialize", {"capabilities": {}})["code"] == -32600
    assert c.error("no/such", {})["code"] == -32601
    assert c.error("sx/diagnose", {})["code"] == -32601
    assert c.error("textDocument/hover", {})["code"] == -32602
    c.notify("no/such", {})
    c.request("shutdown", None)
    assert c.error("textDocument/hover", {"textDocument": {"uri": URI}})["code"] == -32600
    c.notify("exit", None)
    assert c.process.wait(timeout=30) == 0
    c = Client(sx)
    c.notify("exit", None)
    assert c.process.wait(timeout=30) == 1
    c = Client(sx)
    c.process.stdin.close()
    assert c.process.wait(timeout=30) == 1


def check_garbage(sx):
    c = Client(sx)
    c.raw(b"Content-Length: 5\r\n\r\n{]{]{")
    c.raw(b"Content-Length: 2\r\n\r\n[]")
    c.send({"jsonrpc": "2.0", "id": None, "method": "shutdown"})
    c.send({"jsonrpc": "2.0", "id": 99})
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest",
                   "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders"):
        for params in (None, [], {}, {"textDocument": 1}, {"textDocument": {"uri": 7}, "contentChanges": [1]}):
            c.notify(method, params)
    assert c.request("workspace/symbol", {"query": ""}) == []
    c.raw(b"Content-Length: x\r\n\r\n")
    assert c.process.wait(timeout=30) == 1


def check_encodings(sx):
    text = "main :: () {\n    é😀 := 1; é😀b := é😀; _ = é😀b;\n}\n".replace("é😀", "v").replace(
        "    v := 1;", '    v := 1; s := "é😀"; _ = s;')
    for encoding, column in (("utf-8", 28), ("utf-16", 25), ("utf-32", 24)):
        c = Client(sx, capabilities={"general": {"positionEncodings": [encoding]}})
        assert c.server["capabilities"]["positionEncoding"] == encoding
        c.open(URI, text)
        line = text.split("\n")[1]
        wanted = line.index("_ = s") + 4
        prefix = line[:wanted]
        units = {"utf-8": len(prefix.encode()), "utf-16": len(prefix.encode("utf-16-le")) // 2, "utf-32": len(prefix)}
        found = c.at("definition", URI, {"line": 1, "character": units[encoding]})
        assert found and found[0]["range"]["start"]["character"] == line.index("s :="), (encoding, found)
        assert c.leave() == 0


def check_diagnostics(sx):
    c = Client(sx)
    c.open(URI, "main :: () { x := 1; y = 2; }\n")
    found = c.pushed(URI, 1)
    assert len(found) == 1 and found[0]["severity"] == 1, found
    c.change(URI, 2, {"range": {"start": {"line": 0, "character": 21}, "end": {"line": 0, "character": 22}}, "text": "x"})
    assert c.pushed(URI, 2) == []
    answer = c.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert answer["kind"] == "full" and answer["items"] == []
    again = c.request("textDocument/diagnostic", {"textDocument": {"uri": URI}, "previousResultId": answer["resultId"]})
    assert again["kind"] == "unchanged"
    c.change(URI, 3, "E :: error { Bad }\nf :: () -> !E { raise error.Bad; }\nmain :: () { err := f(); }\n")
    found = c.pushed(URI, 3)
    assert len(found) == 1 and found[0]["severity"] == 2 and found[0]["tags"] == [1], found
    c.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert c.leave() == 0


def check_imports(sx):
    """The editor's text wins over the file, in the programs of other files, too."""
    folder = os.path.realpath(tempfile.mkdtemp())
    with open(folder + "/lib.sx", "w") as f:
        f.write("answer :: () -> i64 { return 42; }\n")
    root, lib, main = ("file://" + folder + end for end in ("", "/lib.sx", "/main.sx"))
    c = Client(sx, rootUri=root)
    c.open(main, '#import "lib.sx";\nmain :: () { _ = answer(); }\n')
    assert c.pushed(main, 1) == []
    c.open(lib, "answer2 :: () -> i64 { return 42; }\n")
    deadline_version = c.pushed(lib, 1)
    assert deadline_version == []
    while not c.diagnostics[main]:
        c.take(time.time() + 30)
    c.change(lib, 2, "answer :: () -> i64 { return 43; }\n")
    while c.diagnostics[main]:
        c.take(time.time() + 30)
    found = c.at("references", lib, {"line": 0, "character": 1}, context={"includeDeclaration": False})
    assert [r["uri"] for r in found] == [main], found
    changes = c.at("rename", main, {"line": 1, "character": 18}, newName="reply")["changes"]
    assert sorted(changes) == [lib, main], changes
    assert c.leave() == 0


def check_new_files(sx):
    """A file that is nowhere but in the editor is what an import means; what is spelled otherwise comes back so."""
    folder = os.path.realpath(tempfile.mkdtemp()) + "/a+b (c)"
    os.mkdir(folder)
    with open(folder + "/shapes.sx", "w") as f:
        f.write("P :: protocol { go :: (self: *Self); }\n")
    with open(folder + "/other.sx", "w") as f:
        f.write('#import "shapes.sx";\nA :: struct { x: i64; }\nimpl P for A { go :: (self: *A) { } }\n')
    root = "file://" + folder.replace(" ", "%20")
    main, lib, shapes = (root + end for end in ("/main.sx", "/lib.sx", "/shapes.sx"))
    c = Client(sx, rootUri=root)
    c.open(main, '#import "lib.sx";\nmain :: () { _ = answer(); }\n')
    assert len(c.pushed(main, 1)) == 1
    c.open(lib, "answer :: () -> i64 { return 42; }\n")
    while c.diagnostics[main]:
        c.take(time.time() + 30)
    found = c.at("references", main, {"line": 1, "character": 19}, context={"includeDeclaration": True})
    assert [r["uri"] for r in found] == [lib, main], found
    assert sorted(c.at("rename", main, {"line": 1, "character": 19}, newName="reply")["changes"]) == [lib, main]
    c.notify("textDocument/didClose", {"textDocument": {"uri": lib}})
    while not c.diagnostics[main]:
        c.take(time.time() + 30)
    c.open(shapes, "P :: protocol { go :: (self: *Self); }\n")
    found = c.at("implementation", shapes, {"line": 0, "character": 0}) # of all the workspace
    assert [r["uri"] for r in found] == [root + "/other.sx"], found
    assert c.leave() == 0


def check_parent(sx):
    """The server leaves with the process that it is told of, also if the pipes stay open."""
    parent = subprocess.Popen(["sleep", "100"])
    c = Client(sx, processId=parent.pid)
    parent.kill()
    parent.wait()
    assert c.process.wait(timeout=30) == 1


def check_many(sx):
    """Documents that are opened at once all get their diagnostics, also while another one is typed into."""
    c = Client(sx)
    uris = [f"file:///nowhere/{n}.sx" for n in range(12)]
    for uri in uris:
        c.open(uri, "main :: () { x = 1; }\n")
    for version in range(2, 30):
        c.change(uris[0], version, "main :: () { x = %d; }\n" % version)
    for uri in uris[1:]:
        assert len(c.pushed(uri, 1)) == 1
    assert len(c.pushed(uris[0], 29)) == 1
    assert c.leave() == 0


def check_cancel(sx):
    c = Client(sx)
    c.open(URI, "#run { n := 0; while n < 100000000 { n += 1; } }\nmain :: () { }\n")
    number = c.start("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 0}})
    c.notify("$/cancelRequest", {"id": number})
    answer = c.finish(number)
    assert answer.get("error", {}).get("code") in (-32800, None), answer
    assert c.leave() == 0


def check_listen(sx):
    server = subprocess.Popen([sx, "lsp", "--listen", "0"], stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    with socket.create_connection(("127.0.0.1", port), timeout=30) as s:
        s.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert b"Content-Length" in s.recv(100)
    server.kill()
    server.wait()


def main():
    sx = sys.argv[1]
    for name, check in sorted(globals().items()):
        if name.startswith("check_"):
            try:
                check(sx)
            except AssertionError as problem:
                raise AssertionError(f"{name}: {problem}") from problem
    return 0


if __name__ == "__main__":
    sys.exit(main())
