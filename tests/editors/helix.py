#!/usr/bin/env python3
"""The configuration for Helix is what its documentation asks for. Usage: helix.py ROOT"""

import os
import sys
import tomllib

with open(os.path.join(sys.argv[1], "editors/helix/languages.toml"), "rb") as f:
    settings = tomllib.load(f)
(language,) = settings["language"]
assert language["file-types"] == ["sx"] and language["comment-token"] == "//"
assert all(name in settings["language-server"] for name in language["language-servers"])
assert settings["language-server"]["sx"] == {"command": "sx", "args": ["lsp"]}
debugger = language["debugger"]
assert (debugger["command"], debugger["args"], debugger["transport"]) == ("sx", ["dap"], "stdio")
for template in debugger["templates"]:
    places = [value for value in template["args"].values() if value.startswith("{")]
    assert template["request"] in ("launch", "attach") and len(places) == len(template["completion"])
