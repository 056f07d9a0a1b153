#!/usr/bin/env bash
# `sx graph` on files that it reads, and on others. Usage: graph.sh SX
set -u
sx=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
fail() { echo "$1"; failed=1; }

# want STATUS PATTERN COMMAND…
want() {
  local status=$1 pattern=$2
  shift 2
  local text
  text=$("$@" 2>&1)
  [ $? = "$status" ] || fail "$*: the status is not $status: $text"
  grep -q -- "$pattern" <<< "$text" || fail "$*: no \`$pattern\` in: $text"
}

node() { echo "{\"id\":$1,\"type\":\"Node\",\"kind\":\"struct\",\"shallow\":16,\"site\":0,\"owner\":\"thread 1\",\"provenance\":\"heap\",\"validity\":\"live\"}"; }
head='"format":"sx-heap","version":1,"name":"n","sites":[{"func":"f","file":"a.sx","line":3,"col":1}]'
echo "{$head,\"nodes\":[],\"edges\":[],\"roots\":[]}" > empty
echo "{$head,\"nodes\":[$(node 1),$(node 2)],\"edges\":[{\"from\":1,\"to\":2,\"kind\":\"field\",\"label\":\".next\"}],\"roots\":[{\"to\":1,\"name\":\"list in main\",\"kind\":\"local\"}]}" > two
want 0 '^0 objects' "$sx" graph empty
want 0 '^2 objects, 32 bytes, 1 reference, 1 root$' "$sx" graph two
want 0 ' 2 *32 *32  Node$' "$sx" graph two
want 0 ' 2 *32 *32  f at a.sx:3:1$' "$sx" graph two
want 0 '+2 *+32 *+32  Node, kept by list in main$' "$sx" graph empty two
want 0 'no difference' "$sx" graph two two

want 1 '^error: cannot write to standard output' bash -c "'$sx' graph two >/dev/full"
want 1 '^error: cannot write to standard output' bash -c "'$sx' graph empty two >/dev/full"
want 2 'cannot read' "$sx" graph missing
want 2 'no file given' "$sx" graph
want 2 'more than two files' "$sx" graph two two two
echo '{' > broken; want 1 'no JSON' "$sx" graph broken
echo '[]' > list; want 1 'no object' "$sx" graph list
echo '{}' > other; want 1 'no heap of sx' "$sx" graph other
sed 's/"version":1/"version":2/' two > newer; want 1 'version 2' "$sx" graph newer
sed 's/"to":2/"to":7/' two > astray; want 1 'not there' "$sx" graph astray
sed 's/"site":0/"site":9/' two > site; want 1 '`site`' "$sx" graph site
sed 's/"id":2/"id":1/' two > same; want 1 'same id' "$sx" graph same
sed 's/"shallow":16/"shallow":-16/' two > size; want 1 '`shallow`' "$sx" graph size
sed 's/"id":1/"id":0/' two > zero; want 1 '`id`: a number from 1 on' "$sx" graph zero
sed 's/"shallow":16/"shallow":9223372036854775807/g' two > large; want 1 'more than memory' "$sx" graph large
sed 's/"line":3/"line":-3/' two > line; want 1 '`line`' "$sx" graph line
sed 's/"edges"/"nodes"/' two > twice; want 1 '`nodes` twice' "$sx" graph twice
sed 's/"edges"/"others"/' two > without; want 1 'no `edges`' "$sx" graph without
sed 's/"Node"/"No\\u001b[31m\\nde"/' two > signs; want 0 'No\\x1b\[31m\\x0ade$' "$sx" graph signs
head -c 3000000 /dev/zero | tr '\0' '[' > deep; want 1 'too deeply' "$sx" graph deep
for cut in 10 100 200 300; do head -c $cut two > part; want 1 'no JSON' "$sx" graph part; done

# The order of the lists is free; rows are not kept as text (a tree of these takes 400 MB).
python3 - <<'END'
import json
heap = json.load(open("two"))
json.dump({name: heap[name] for name in reversed(heap)}, open("backwards", "w"))
heap["nodes"] = [dict(heap["nodes"][0], id=i) for i in range(1, 40001)]
heap["edges"] = [{"from": i, "to": i + 1, "kind": "index", "label": f"[{i}].next"} for i in range(1, 40000)]
json.dump(heap, open("long", "w"))
END
want 0 '^2 objects, 32 bytes, 1 reference, 1 root$' "$sx" graph backwards
want 0 '^40000 objects, 640000 bytes, 39999 references, 1 root$' bash -c "ulimit -v 250000 && '$sx' graph long"

sed 's/"Node"/"<\/script>"/' two > nasty
want 0 '' "$sx" graph --html page.html nasty
grep -q '</script>"' page.html && fail "a type ends the page's script"
grep -q 'u003c/script>' page.html || fail "the page has no data"
want 1 'cannot write' "$sx" graph --html no/such/page.html two
exit $failed
