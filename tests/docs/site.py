#!/usr/bin/env python3
"""The site that `scripts/site` makes: every link and anchor inside of it leads somewhere, opening it loads nothing from a network, sx code is
coloured, and the search finds things, in a browser from the files as they are, on a narrow screen and a wide one.

usage: site.py ROOT [FOLDER-FOR-PICTURES]

Skipped (77) where the generator is not installed (`scripts/setup --site`). Without Chromium the search is not tried.
"""

import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import unquote

ROOT = sys.argv[1]
PICTURES = sys.argv[2] if len(sys.argv) > 2 else None
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.I)
problems = []


def check(what, condition):
    if not condition:
        problems.append(what)


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and which anchors it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        with open(path, encoding="utf-8") as f:
            self.text = f.read()
        self.feed(self.text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.add(named.get("id"))
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        self.loads += [named[a] for a in ("src", "href", "srcset") if tag not in ("a", "base") and named.get(a)]


def pages(out):
    found = {}
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                found[path] = Page(path)
    return found


def check_links(found):
    for path, page in found.items():
        short = os.path.relpath(path, OUT)
        for link in page.links + page.loads:
            if SCHEME.match(link) or link.startswith("//"):
                check(f"{short}: loads {link}", link in page.links or link.startswith("data:"))
                continue
            file, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), unquote(file))) if file else path
            check(f"{short}: no file for {link}", os.path.isfile(target))
            check(f"{short}: no anchor for {link}", not anchor or target not in found or unquote(anchor) in found[target].anchors)
        check(f"{short}: a way to the front page", any(l.endswith("index.html") for l in page.links))
        check(f"{short}: for a phone", 'name="viewport"' in page.text)


def check_content(found):
    written = [os.path.relpath(os.path.join(folder, name), os.path.join(ROOT, "docs")) for folder, _, names in os.walk(os.path.join(ROOT, "docs"))
               for name in names if name.endswith(".md") and "/site" not in folder]
    check("every page of docs/ is there", len(found) == len(written))
    guide = found[os.path.join(OUT, "guide", "03-failing.html")].text
    colours = {c for span in re.findall(r'<span style="color:(#\w+)[^>]*>\s*(?:raise|try|error)', guide) for c in [span]}
    check("sx code has colours", colours)
    for folder, _, names in os.walk(os.path.join(OUT, "assets")):
        for name in names:
            if name.endswith(".css"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    check(f"{name} loads nothing", not re.search(r"@import|url\(", f.read()))


def browse(page, *options):
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
                               "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000", *options, "file://" + page],
                              capture_output=True, text=True, timeout=120)
        return done.stdout


PROBE = """<script>
addEventListener('load', () => setTimeout(() => {
  const narrow = document.querySelector('iframe').contentDocument;
  document.title = [...narrow.querySelectorAll('#found a')].map(a => a.getAttribute('href')).join(' ') + ' wide=' +
    (narrow.documentElement.scrollWidth - narrow.documentElement.clientWidth) + ' menu=' +
    (getComputedStyle(narrow.getElementById('menu')).display !== 'none');
}, 6000));
</script>"""


def check_search():
    """A page in a frame of the width of a phone: what is found for two words, and that nothing is wider than the screen."""
    for page, words, wanted in (("reference/06-errors.html", "failable+functions", "06-errors.html"), ("library/std-text.html", "starts_with", "std-text.html"),
                                ("index.html", "breakpoint", "debug")):
        frame = os.path.join(OUT, "frame.html")
        with open(frame, "w", encoding="utf-8") as f:
            f.write(f'<!doctype html><iframe src="{page}?q={words}" width="400" height="900"></iframe>{PROBE}')
        title = re.search(r"<title>(.*?)</title>", browse(frame, "--allow-file-access-from-files", "--dump-dom"))
        said = title.group(1) if title else ""
        check(f"{page}: {words} finds {wanted}: {said[:300]}", wanted in said)
        check(f"{page}: as wide as a phone, with a menu: {said[-40:]}", said.endswith("wide=0 menu=true"))
        if PICTURES:
            for width in (400, 1280):
                with open(frame, "w", encoding="utf-8") as f:
                    f.write(f'<!doctype html><body style="margin:0"><iframe src="{page}" width="{width}" height="900" style="border:0">')
                browse(frame, f"--window-size={width},900", f"--screenshot={PICTURES}/{page.replace('/', '-')}-{width}.png")
        os.remove(frame)


with tempfile.TemporaryDirectory() as OUT:
    made = subprocess.run([os.path.join(ROOT, "scripts", "site"), OUT], capture_output=True, text=True, timeout=250)
    if made.returncode == 77:
        print("skipped: " + made.stderr)
        sys.exit(77)
    check("it is made: " + made.stderr, made.returncode == 0)
    found = pages(OUT)
    check("there are pages", len(found) > 90)
    if not problems:
        check_links(found)
        check_content(found)
        if BROWSER:
            check_search()
print("\n".join(problems[:40]) or f"{len(found)} pages")
sys.exit(1 if problems else 0)
