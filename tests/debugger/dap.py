"""A client of the Debug Adapter Protocol for tests: raw enough to misbehave."""

import json
import os
import queue
import signal
import subprocess
import threading
import time

TIMEOUT = 60  # seconds until an answer counts as missing; the machine may be shared


class Closed(Exception):
    """The adapter has closed its output."""


class Client:
    """One session over the adapter's standard streams, or over a socket."""

    def __init__(self, sx, *options, socket=None):
        self.seq = 0
        self.messages = queue.Queue()
        self.events = []
        self.process = None
        if socket is None:
            self.process = subprocess.Popen([sx, "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE)
            self.input, self.output = self.process.stdin, self.process.stdout
            self.errors = b""
            threading.Thread(target=self._read_errors, daemon=True).start()
        else:
            self.socket = socket
            self.input = socket.makefile("wb")
            self.output = socket.makefile("rb")
        threading.Thread(target=self._read, daemon=True).start()

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def _read(self):
        try:
            while True:
                length = None
                while True:
                    line = self.output.readline()
                    if not line:
                        return
                    if line == b"\r\n":
                        break
                    name, _, value = line.partition(b":")
                    if name == b"Content-Length":
                        length = int(value)
                self.messages.put(json.loads(self.output.read(length)))
        except (OSError, ValueError):
            pass
        finally:
            self.messages.put(None)

    # ---- speaking

    def raw(self, data):
        self.input.write(data)
        self.input.flush()

    def body(self, body):
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send(self, command, arguments=None):
        """Sends a request and does not wait. Returns its number."""
        self.seq += 1
        request = {"seq": self.seq, "type": "request", "command": command}
        if arguments is not None:
            request["arguments"] = arguments
        self.body(json.dumps(request).encode())
        return self.seq

    def next(self, timeout=TIMEOUT):
        """The next message. Events are kept as well."""
        message = self.messages.get(timeout=timeout)
        if message is None:
            raise Closed(getattr(self, "errors", b"").decode(errors="replace"), self.process and self.process.wait(5))
        if message["type"] == "event":
            self.events.append(message)
        if message["type"] == "request":
            self.answer(message)
        return message

    def answer(self, request):
        """Does what the adapter asks of its client: starts a program, with its output in `self.terminal`."""
        arguments = request["arguments"]
        self.terminal = subprocess.Popen(arguments["args"], cwd=arguments["cwd"], stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        reply = {"seq": 0, "type": "response", "request_seq": request["seq"], "command": request["command"],
                 "success": True, "body": {"processId": self.terminal.pid}}
        self.body(json.dumps(reply).encode())

    def response(self, seq):
        while True:
            message = self.next()
            if message["type"] == "response" and message["request_seq"] == seq:
                return message

    def ask(self, command, **arguments):
        """The response to a request, successful or not."""
        return self.response(self.send(command, arguments))

    def must(self, command, **arguments):
        """The body of the response to a request that has to succeed."""
        reply = self.ask(command, **arguments)
        assert reply["success"], (command, arguments, reply)
        return reply.get("body", {})

    def event(self, name, timeout=TIMEOUT):
        """The oldest event of this name that was not asked for before."""
        end = time.time() + timeout
        looked = 0
        while True:
            for i in range(looked, len(self.events)):
                if self.events[i]["event"] == name:
                    return self.events.pop(i).get("body", {})
            looked = len(self.events)
            self.next(max(0.01, end - time.time()))

    def output_text(self, category):
        return "".join(e["body"]["output"] for e in self.events
                       if e["event"] == "output" and e["body"]["category"] == category)

    # ---- common ways

    def start(self, program, stops=(), **launch):
        """Initializes, launches, sets breakpoints by line, and lets the program run."""
        self.must("initialize", adapterID="sx", supportsRunInTerminalRequest=True, supportsVariablePaging=True)
        self.event("initialized")
        self.must("launch", program=program, **launch)
        answer = []
        if stops:
            answer = self.must("setBreakpoints", source={"path": program},
                               breakpoints=[s if isinstance(s, dict) else {"line": s} for s in stops])["breakpoints"]
        self.must("configurationDone")
        return answer

    def top(self, thread=1, levels=20):
        return self.must("stackTrace", threadId=thread, levels=levels)["stackFrames"]

    def locals(self, frame):
        scope = self.must("scopes", frameId=frame)["scopes"][0]
        return {v["name"]: v for v in self.must("variables", variablesReference=scope["variablesReference"])["variables"]}

    def finish(self):
        """Disconnects and waits for the end of the adapter. Returns its exit status."""
        self.must("disconnect")
        return self.close()

    def close(self):
        try:
            self.input.close()
        except OSError:
            pass
        return self.process.wait(TIMEOUT) if self.process else 0


def descendants(root):
    """Ids of the processes below one."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as f:
                    parents[int(name)] = int(f.read().rpartition(")")[2].split()[1])
            except OSError:
                pass
    found = []
    for pid in parents:
        at = pid
        while at in parents and at != root:
            at = parents[at]
        if at == root and pid != root:
            found.append(pid)
    return found


def session_process(root):
    """Of the adapter: the process below the guardian, when it is ready for its own crash."""
    at = root
    for _ in range(2):
        children = []
        while not children:
            with open(f"/proc/{at}/task/{at}/children", encoding="utf-8") as f:
                children = f.read().split()
        at = int(children[0])
    caught = 0
    while not caught >> signal.SIGABRT - 1 & 1:
        with open(f"/proc/{at}/status", encoding="utf-8") as f:
            caught = int(next(line for line in f if line.startswith("SigCgt:")).split()[1], 16)
    return at


def gone(pids, timeout=10):
    """None of these processes is left (a zombie counts as gone)."""
    end = time.time() + timeout
    while True:
        left = []
        for pid in pids:
            try:
                with open(f"/proc/{pid}/stat") as f:
                    if f.read().rpartition(")")[2].split()[0] != "Z":
                        left.append(pid)
            except OSError:
                pass
        if not left:
            return True
        if time.time() > end:
            return False
        time.sleep(0.02)


def run_cases(cases, only):
    """Calls each function, or those that `only` names, and says how long it took."""
    for case in cases:
        if only and case.__name__ not in only:
            continue
        begun = time.time()
        case()
        print(f"{case.__name__}: {time.time() - begun:.2f} s", flush=True)
