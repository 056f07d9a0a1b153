"""A client of the language server, for tests. It may send what no editor would."""

import json
import select
import subprocess
import time

TIMEOUT = 60


class Client:
    def __init__(self, sx, **initialize):
        self.process = subprocess.Popen([sx, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.ids = 0
        self.answers = {}
        self.diagnostics = {}
        self.demands = []
        self.versions = {}
        capabilities = initialize.pop("capabilities", {})
        if initialize.pop("start", True):
            self.server = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities,
                                                      **initialize})
            self.notify("initialized", {})

    # ---- messages
    def send(self, message):
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method, params):
        self.ids += 1
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return self.ids

    def finish(self, number):
        """The whole answer to a request."""
        deadline = time.time() + TIMEOUT
        while number not in self.answers:
            self.take(deadline)
        return self.answers.pop(number)

    def request(self, method, params):
        answer = self.finish(self.start(method, params))
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def error(self, method, params):
        answer = self.finish(self.start(method, params))
        assert "error" in answer, (method, answer)
        return answer["error"]

    def take(self, deadline):
        """Waits for one message and puts it where it belongs."""
        message = self.receive(deadline)
        if "method" in message and "id" in message:
            self.demands.append(message["method"])
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
        elif message.get("method") == "textDocument/publishDiagnostics":
            p = message["params"]
            self.diagnostics[p["uri"]] = p["diagnostics"]
            self.versions[p["uri"]] = p.get("version")
        elif "id" in message:
            self.answers[message["id"]] = message

    def receive(self, deadline):
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            left = deadline - time.time()
            assert left > 0, "the server does not answer"
            if select.select([self.process.stdout], [], [], left)[0]:
                data = self.process.stdout.read1(65536)
                assert data, "the server has ended"
                self.buffer += data

    # ---- documents
    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "sx", "version": version, "text": text}})

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                               "contentChanges": [c if isinstance(c, dict) else {"text": c} for c in changes]})

    def pushed(self, uri, version):
        """The diagnostics that are pushed for a version of a document."""
        deadline = time.time() + TIMEOUT
        while self.versions.get(uri) != version:
            self.take(deadline)
        return self.diagnostics[uri]

    def at(self, method, uri, position, **more):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri}, "position": position, **more})

    def leave(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=TIMEOUT)


def marked(text):
    """A text without its marks `@name@`, and the position of each."""
    marks, out = {}, ""
    pieces = text.split("@")
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            out += piece
        else:
            line = out.count("\n")
            marks[piece] = {"line": line, "character": len(out) - (out.rfind("\n") + 1)}
    return out, marks


def edited(text, edits):
    """A text after edits, in UTF-8 or with nothing but ASCII in their lines."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    place = lambda p: starts[p["line"]] + p["character"]
    for e in sorted(edits, key=lambda e: place(e["range"]["start"]), reverse=True):
        text = text[:place(e["range"]["start"])] + e["newText"] + text[place(e["range"]["end"]):]
    return text


def word(text, result):
    """The text at a range."""
    r = result["range"] if "range" in result else result
    lines = text.split("\n")
    assert r["start"]["line"] == r["end"]["line"], r
    return lines[r["start"]["line"]][r["start"]["character"]:r["end"]["character"]]
