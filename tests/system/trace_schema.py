#!/usr/bin/env python3
"""Every trace that the golden programs print with SX_TRACE=json is as docs/trace.schema.json says, and the schema refuses
what is not. Usage: trace_schema.py SX"""
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}


def validate(value, schema, root, path="$"):
    """The keywords that the schema uses. Yields what is wrong."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "enum" in schema and value not in schema["enum"]:
        yield "%s is %r" % (path, value)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, TYPES[kind]) for kind in kinds):
        yield "%s is no %s" % (path, " or ".join(kinds))
    elif isinstance(value, dict):
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        yield from ("%s has no %s" % (path, name) for name in schema.get("required", []) if name not in value)
        for name, member in value.items():
            if name not in known and others is False:
                yield "%s has %s" % (path, name)
            else:
                yield from validate(member, known.get(name, others if isinstance(others, dict) else {}), root, path + "." + name)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield "%s is too short" % path
        for i, item in enumerate(value):
            yield from validate(item, schema.get("items", {}), root, "%s[%d]" % (path, i))
    elif isinstance(value, int) and value < schema.get("minimum", value):
        yield "%s is %d" % (path, value)


def main():
    with open(os.path.join(ROOT, "docs", "trace.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    failures, traces, values = [], 0, 0
    for program in sorted(glob.glob(os.path.join(ROOT, "tests", "corpus", "traces", "[0-9]*.sx"))):
        done = subprocess.run([sys.argv[1], "run", "--trace-values", program], env=dict(os.environ, SX_TRACE="json"), capture_output=True, timeout=60)
        for line in done.stderr.decode("utf-8").splitlines():
            if line.startswith("{"):
                traces += 1
                values += '"values":{' in line
                failures += ["%s: %s" % (os.path.basename(program), wrong) for wrong in validate(json.loads(line), schema, schema)]
    for wrong in ({}, {"error": 1, "frames": [], "omitted": 0}, {"error": None, "frames": [{}], "omitted": 0},
                  {"error": None, "frames": [], "omitted": -1}, {"error": None, "frames": [], "omitted": 0, "more": 1}):
        if not list(validate(wrong, schema, schema)):
            failures.append("the schema accepts %s" % wrong)
    if traces < 10:
        failures.append("only %d traces were printed" % traces)
    if values < 3:
        failures.append("only %d traces had values" % values)
    print("\n".join(failures) or "%d traces are as the schema says" % traces)
    return 1 if failures else 0


sys.exit(main())
