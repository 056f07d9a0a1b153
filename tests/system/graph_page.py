#!/usr/bin/env python3
"""The page of `sx graph --html`, in a browser without a window: heaps of 1 to 100,000 objects.

usage: graph_page.py SX [FOLDER-FOR-PICTURES]

Skipped (77) where there is no Chromium.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SX = sys.argv[1]
PICTURES = sys.argv[2] if len(sys.argv) > 2 else None
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
# Runs when the page is there: opens what it can, and reports in the document's title.
PROBE = """
<script>
(() => {
  const v = window.heapView, report = { nodes: v ? v.nodes : -1, meet: 0, moved: 0, wrong: [], lines: 0, words: 0 };
  const meets = (a, b) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
  const frame = (b, less) => ({ x1: b.x - b.width / 2 + less, x2: b.x + b.width / 2 - less, y1: b.y - b.height / 2 + less, y2: b.y + b.height / 2 - less });
  /// A line runs in straight pieces from a side of its box to one of the other's, through no box, and no piece of it lies
  /// on one of a line from elsewhere. Words are on their own.
  function lookAtLines() {
    const boxes = new Map(v.boxes().map((b) => [b.id, b])), pieces = [], words = v.words(), wrong = (what) => report.wrong.push(what);
    for (const line of v.lines()) {
      const name = line.from + ' to ' + line.to, last = line.points.length - 1;
      for (const [key, p] of [[line.from, line.points[0]], [line.to, line.points[last]]]) {
        const b = boxes.get(key);
        if (Math.abs(Math.abs(p.x - b.x) - b.width / 2) > 1 || Math.abs(p.y - b.y) > b.height / 2) wrong(name + ' ends beside ' + key);
      }
      for (let i = 0; i < last; i++) {
        const [p, q] = [line.points[i], line.points[i + 1]], piece = { from: line.from, name, x1: Math.min(p.x, q.x), x2: Math.max(p.x, q.x),
          y1: Math.min(p.y, q.y), y2: Math.max(p.y, q.y) };
        const upright = piece.x2 - piece.x1 < 0.1, level = piece.y2 - piece.y1 < 0.1;
        if (!upright && !level) wrong(name + ' is oblique');
        const wide = { ...piece, x1: piece.x1 - 0.05, x2: piece.x2 + 0.05, y1: piece.y1 - 0.05, y2: piece.y2 + 0.05 };
        for (const b of boxes.values()) if (meets(wide, frame(b, 1))) wrong(name + ' runs through ' + b.id);
        if (words.some((w) => meets(wide, w))) wrong(name + ' runs through a word');
        for (const o of pieces) if (o.from !== piece.from && o.upright === upright && meets(wide, { ...o,
          x1: o.x1 - 0.05, x2: o.x2 + 0.05, y1: o.y1 - 0.05, y2: o.y2 + 0.05 })) wrong(name + ' lies on ' + o.name);
        pieces.push({ ...piece, upright });
      }
      report.lines++;
    }
    words.forEach((w, i) => {
      if (words.some((o, k) => k < i && meets(w, o)) || [...boxes.values()].some((b) => meets(w, frame(b, 1)))) wrong('a word meets another or a box');
      report.words++;
    });
    report.wrong.splice(5);
  }
  if (v && v.nodes > 0) {
    report.begins = [v.selected(), v.boxes().length < v.nodes], report.first = v.boxes().length;
    report.text = v.textSize(), report.largest = v.inView(v.largest);
    const before = new Map(v.boxes().map((b) => [b.id, b]));
    lookAtLines();
    for (const b of v.boxes().slice(0, 10)) v.open(Number(b.id.slice(1)));
    v.select(0), lookAtLines(); // the object that most is asked of
    v.select(v.largest), lookAtLines();
    const boxes = v.boxes();
    for (const b of boxes) { const a = before.get(b.id); if (a && (a.x !== b.x || a.y !== b.y)) report.moved++; }
    for (let i = 0; i < boxes.length; i++) for (let k = 0; k < i; k++)
      if (Math.abs(boxes[i].x - boxes[k].x) < 190 && Math.abs(boxes[i].y - boxes[k].y) < 62) report.meet++;
    report.boxes = boxes.length;
    v.go(v.nodes - 1), lookAtLines();
    report.finds = ['#list a', '#fit', '#referrers'].map((clicked) => { // the graph has the keys all the same
      document.querySelector(clicked).focus(), document.querySelector(clicked).click();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
      return document.activeElement.id;
    }).join();
    document.querySelector('#referrers').click();
    const place = document.getElementById('graph');
    const count = document.getElementById('count'), find = document.getElementById('find'), kind = document.getElementById('kind');
    find.value = 'cache.sx:10:5', find.oninput(), report.found = count.textContent;
    find.value = '', find.oninput();
    report.filtered = [...kind.options].map((o) => { kind.value = o.value; kind.onchange(); return [o.value, v.kinds().join()]; });
    kind.value = '', kind.onchange();
    document.getElementById('fit').onclick();
    v.clear(), v.go(0), report.again = v.textSize();
    v.clear(), v.go(v.nodes - 1);
    report.wide = place.clientWidth, report.high = place.clientHeight;
  }
  document.title = JSON.stringify(report);
})();
</script>
"""


def heap(count, seed):
    r = random.Random(seed)
    types = ["Node", "Owner", "[]u8", "[]*Node", "HashMap(string, List(i64))", "captures", ""]
    kinds = ["struct", "struct", "bytes", "array", "struct", "closure", "unknown"]
    nodes, edges, roots = [], [], []
    for i in range(1, count + 1):
        t = r.randrange(len(types))
        nodes.append({"id": i, "type": types[t], "kind": kinds[t], "shallow": r.choice([16, 32, 80, 4096]), "site": i % 3,
                      "owner": "thread 1", "provenance": "heap", "validity": "corrupt" if i % 97 == 0 else "live"})
        for _ in range(r.choice([0, 1, 1, 2])):
            edges.append({"from": r.randint(max(1, i - 50), i), "to": i, "kind": "field", "label": "." + r.choice(["next", "items", "left"])})
    edges += [{"from": 1, "to": i, "kind": "index", "label": f"[{i}]"} for i in range(2, min(count, 60))]
    edges += [{"from": i, "to": 1, "kind": "field", "label": ".the_owner_of_the_list_that_this_is_in"} for i in range(2, min(count, 60), 3)]
    for i in range(1, count + 1, 40):
        roots.append({"to": i, "name": f"v{i} in main", "label": "", "kind": "local", "thread": 1, "approximate": i % 3 == 0})
    sites = [{"func": f, "file": f"src/{f}.sx", "line": 10, "col": 5} for f in ("parse", "load", "cache")]
    return {"format": "sx-heap", "version": 1, "name": f"{count} objects", "sites": sites, "nodes": nodes, "edges": edges, "roots": roots}


def browse(page, width, *options):
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},900",
               "--virtual-time-budget=20000", *options, "file://" + page]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def check(folder, count, width=1400, focus=None):
    file, page = os.path.join(folder, "heap.json"), os.path.join(folder, f"heap-{count}.html")
    with open(file, "w", encoding="utf-8") as f:
        json.dump(heap(count, count), f)
    subprocess.run([SX, "graph", "--html", page, file], check=True)
    with open(page, encoding="utf-8") as f:
        text = f.read()
    with open(page, "w", encoding="utf-8") as f:
        # As an editor asks for an object.
        begin = f'<head><script>location.hash = "#object={focus}";</script>' if focus else "<head>"
        f.write(text.replace("<head>", begin).replace("</body>", PROBE + "</body>"))
    dom = browse(page, width, "--dump-dom").stdout
    title = re.search(r"<title>(.*?)</title>", dom)
    report = json.loads(title.group(1)) if title and title.group(1).startswith("{") else {}
    assert report.get("nodes") == count and report["meet"] == 0 and report["moved"] == 0, (count, report, dom[:300])
    assert report["wrong"] == [] and (count < 10 or report["lines"] > 10 and report["words"] > 0), report
    if focus:
        assert report["begins"] == [focus, True] and 1 < report["first"] < count, report
    if count > 0:
        assert report["finds"] == "find,find,find", report
        assert report["text"] >= 9 and report["largest"] and report["again"] >= 9, report
        assert report["found"] == f"{f'{len(range(2, count + 1, 3)):,}'.replace(',', ' ')} of " + \
            f"{count:,} objects".replace(",", " "), report
        assert all(kinds in (kind, "") or kind == "" for kind, kinds in report["filtered"]), report
        assert count < 1000 or all(kind == "" or kinds == kind for kind, kinds in report["filtered"]), report
    assert count == 0 or report["wide"] > width / 2 and report["high"] > 300, (width, report)
    assert not re.search(r'(src|href)="', text), "the page needs other files"
    if PICTURES:
        browse(page, width, "--screenshot=" + os.path.join(PICTURES, f"heap-{count}-{width}.png"))
    print(count, report)


def main():
    if BROWSER is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for count in (0, 1, 10, 1000, 100_000):
            check(folder, count)
        check(folder, 10, 600, focus=5) # half of an editor


main()
