#!/usr/bin/env bash
# `sx sym`: symbol files of bytecode and of executables, read back, and other files. Usage: sym.sh SX
. "$(dirname "$0")/lib.sh"

cat > p.sx <<'SX'
#import "modules/std.sx";
total : i64 = 3;
add :: (a: i64, b: i64) -> i64 {
    s := a;
    while s < 10 { s += b; }
    return s;
}
main :: () {
    total = add(1, total);
    print("{}\n", total);
}
SX

# look FILE PYTHON: evaluates an expression over the JSON in FILE as `f`.
look() { python3 -c "import json,sys; f=json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1"; }

# ---- bytecode
sx sym p.sx -o p.sym; expect_status 0; expect_quiet
check "the fields" look p.sym "f['version']==1 and f['path'].endswith('/p.sx') and set(f)=={'version','path','crc','symbols','instructions','line_map','memory_regions'}"
check "functions from 0x1000 on, one behind the other" look p.sym "(lambda a: a[0]['address']==0x1000 and all(x['address']+x['size']==y['address'] for x,y in zip(a,a[1:])))(f['symbols']['functions'])"
check "a function" look p.sym "any(x['name']=='add' and x['line']==3 and x['file'].endswith('p.sx') for x in f['symbols']['functions'])"
check "a global behind the functions" look p.sym "any(x['name']=='total' and x['size']==8 and x['type']=='i64' and x['address']>max(y['address'] for y in f['symbols']['functions']) for x in f['symbols']['variables'])"
check "instructions" look p.sym "all(isinstance(x['word'],int) and x['mnemonic'] for x in f['instructions']) and any(x.get('line')==5 for x in f['instructions'])"
check "lines that rise" look p.sym "(lambda a: all(x['pc']<y['pc'] for x,y in zip(a,a[1:])) and {4,5,6,9,10}<={x['line'] for x in a if x['file'].endswith('p.sx')})(f['line_map'])"
check "labels by address" look p.sym "'add.1' in f['symbols']['labels'].values() and all(k.startswith('0x') for k in f['symbols']['labels'])"
sx sym p.sx; check "the same without -o, and in another run" cmp -s "$out" p.sym
sx sym --check p.sym; expect_status 0; expect_out_has '^p.sym: json, [0-9]+ functions, [0-9]+ instructions, [0-9]+ positions$'
sx sym --disassemble p.sym; expect_status 0; expect_out_has '^add:$'; expect_out_has '^; .*p.sx:5  while s < 10'; expect_out_has 'JSGeI .*-> 0x'
sx sym --disassemble p.sx; expect_status 0; expect_out_has '^add:$'

# ---- NGSM
sx sym --format=ngsm p.sx -o p.ngsm; expect_status 0
python3 - p.ngsm p.sym > read <<'PY'
import json, struct, sys
data, rows, at = open(sys.argv[1], "rb").read(), [], 8
assert data[:4] == b"NGSM"
for _ in range(struct.unpack_from("<I", data, 4)[0]):
    pc, line, column, length = struct.unpack_from("<IIIH", data, at)
    rows.append({"pc": pc, "line": line, "column": column + 1, "file": data[at + 14:at + 14 + length].decode()})
    at += 14 + length
assert at == len(data)
print("same" if rows == json.load(open(sys.argv[2]))["line_map"] else "different")
PY
check "the lines of the JSON form" grep -qx same read
sx sym --disassemble p.ngsm; expect_status 1; expect_one_error 'it is a source map'
sx sym --check p.ngsm; expect_status 0; expect_out_has '^p.ngsm: ngsm, [0-9]+ positions$'
for cut in 2 4 7 8 20 100; do
    head -c $cut p.ngsm > cut.ngsm
    sx sym --check cut.ngsm; expect_status 1; expect_one_error 'cut.ngsm: '
done
(cat p.ngsm; echo) > long.ngsm; sx sym --check long.ngsm; expect_status 1; expect_one_error 'follow the last entry'

# ---- executables
sx build -O0 p.sx -o p; expect_status 0
sx sym p -o p.elf.sym; expect_status 0; expect_quiet
check "a function of the program" look p.elf.sym "any(x['name']=='add' and x['line']==3 and x['file'].endswith('/p.sx') and x['size']>0 for x in f['symbols']['functions'])"
check "a global" look p.elf.sym "any(x['name']=='total' and x['size']==8 and x['type']=='i64' for x in f['symbols']['variables'])"
check "instructions" look p.elf.sym "all(len(x['bytes'])%2==0 for x in f['instructions']) and any(x['mnemonic'].startswith('ret') for x in f['instructions'])"
check "columns from 1" look p.elf.sym "all(x['column']>=1 for x in f['line_map'])"
check "lines that rise" look p.elf.sym "(lambda a: all(x['pc']<y['pc'] for x,y in zip(a,a[1:])) and {4,5,6,9,10}<={x['line'] for x in a if x['file'].endswith('/p.sx')})(f['line_map'])"
check "regions" look p.elf.sym "any(r['permissions']=='r-x' and r['type']=='text' for r in f['memory_regions'])"
check "code is in a region" look p.elf.sym "all(any(r['start']<=x['pc']<r['end'] for r in f['memory_regions']) for x in f['instructions'])"
sx sym --check p.elf.sym; expect_status 0
sx sym --disassemble p; expect_status 0; expect_out_has '^add:$'; expect_out_has '; .*p.sx:4  s := a;'

if command -v strip > strip.path; then
    cp p s && strip s
    sx sym s -o s.own
    check "the crc of a stripped executable" look s.own "f['crc']==json.load(open('p.elf.sym'))['crc']"
    check "nothing else is known of it" look s.own "not f['line_map'] and not f['instructions']"
    cp p.elf.sym s.sym
    sx sym --disassemble s; expect_status 0; expect_out_has '^add:$'
    sed 's/"crc":[0-9]*/"crc":12/' p.elf.sym > s.sym
    sx sym --disassemble s; expect_status 1; expect_one_error 'its crc is [0-9]+, theirs 12'
fi

# ---- what is none
sx sym /dev/zero; expect_status 1; expect_one_error 'is a device'
sx sym missing; expect_status 1; expect_one_error 'cannot read `missing`'
sx sym .; expect_status 1; expect_one_error 'cannot read'
echo 'no executable' > text
sx sym text; expect_status 1; expect_one_error 'it is no ELF file'
sx sym --check text; expect_status 1; expect_one_error 'it is no symbol file'
sx sym --check p; expect_status 1; expect_one_error 'it is no symbol file'
: > empty; sx sym --check empty; expect_status 1; expect_one_error 'it is no symbol file'
sed 's/"version":1/"version":9/' p.sym > new.sym; sx sym --check new.sym; expect_status 1; expect_one_error 'version 9'
head -c 1000 p.sym > cut.sym; sx sym --check cut.sym; expect_status 1; expect_one_error 'no JSON'
head -c 2000000 /dev/zero | tr '\0' '{' > deep; sx sym --check deep; expect_status 1; expect_one_error 'too deeply'
for cut in 3 16 63 100 5000; do
    head -c $cut p > cut; sx sym cut; expect_status 1; expect_one_error '`cut`: '
done
sx sym --format=ngsm p; expect_status 1; expect_one_error 'bytecode'
sx sym --format=xml p.sx; expect_status 2; expect_one_error '`json` or `ngsm`'
sx sym --check --disassemble p.sym; expect_status 2
sx sym; expect_status 2
echo 'main :: () { x }' > broken.sx; sx sym broken.sx; expect_status 1
sx sym p.sx -o no/such/file; expect_status 1; expect_one_error 'cannot write'

# Damaged debug information is no reason to fall over.
python3 - p <<'PY'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
random.seed(5)
for i in range(12):
    changed = bytearray(data)
    for _ in range(60):
        changed[random.randrange(64 if i % 2 else len(data) // 3, len(data))] = random.randrange(256)
    open(f"damaged{i}", "wb").write(changed)
PY
for i in $(seq 0 11); do
    run timeout 20 "$SX" sym damaged$i
    check "an answer" [ "$status" -le 1 ]
done
# ---- .dbg
sx ir-dump p.sx; cp "$out" p.ir
for level in -O0 -O1 "-O2 --release-traces"; do
    sx build $level -g -o plain p.sx
    sx build $level --emit-dbg -o traced p.sx; expect_status 0; expect_out ''
    check "the executable is the same" cmp -s plain traced
    check "the fields" look traced.dbg "set(f)=={'version','source_file','rows'} and f['version']==1 and f['source_file'].endswith('/p.sx') and all(set(r)=={'function','ir','llvm','pc','bytes','file','line','column'} for r in f['rows'])"
    check "a row for each instruction" look traced.dbg "(lambda a: all(x['pc']+len(x['bytes'])//2<=y['pc'] for x,y in zip(a,a[1:])))(f['rows'])"
    check "most have an instruction of LLVM" look traced.dbg "sum(r['llvm'] is not None for r in f['rows']) > 0.7*len(f['rows'])"
    check "instructions of the IR as they are printed" look traced.dbg "{'  '+r['ir'] for r in f['rows'] if r['ir'] and r['file'] and r['file'].endswith('/p.sx')} <= set(open('p.ir').read().split('\n'))"
done
sx build -O0 -g0 --emit-dbg -o traced p.sx
check "an addition, stage by stage" look traced.dbg "any(r['function']=='add' and r['line']==5 and ' add v' in (r['ir'] or '') and ' = add i64 ' in (r['llvm'] or '') and r['column']==20 for r in f['rows'])"
objdump -d --no-show-raw-insn traced | grep -cE '^ +[0-9a-f]+:' > count
check "not more than there are" look traced.dbg "100 < len(f['rows']) <= int(open('count').read())"
sx run --emit-dbg p.sx; expect_status 2; expect_one_error '`sx run` has no option `--emit-dbg`'
mkdir traced2.dbg; sx build --emit-dbg -o traced2 p.sx; expect_status 1; expect_err_has '^error: cannot write `traced2.dbg`'
check "no executable without its .dbg" missing traced2

finish
