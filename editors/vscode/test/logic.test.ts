// What the extension works out without an editor.
import assert from 'node:assert';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { resolveLaunch, settleLaunch } from '../src/debug/launch';
import { parseDiagnostics } from '../src/diagnostics';
import { pathRows, pathsTitle } from '../src/errorPaths';
import { runnable } from '../src/lenses';
import { declarationAround, expressionAt, variablesIn, withoutTexts } from '../src/names';
import { bytes, diffPage, focusedPage, memoryPage, objectId } from '../src/pages';
import { parseProcesses } from '../src/pickProcess';
import { traceRows } from '../src/returnTrace';
import { debugConfiguration, runArguments } from '../src/run';
import { placeIn } from '../src/traceLinks';

const root = process.env['SX_ROOT']!;
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'editors', 'vscode', 'package.json'), 'utf8'));
const { launch, attach } = manifest.contributes.debuggers[0].configurationAttributes;

test('F5 without configuration debugs the active file with the settings', () => {
  const resolved = resolveLaunch({}, { settings: { args: ['a'], env: { A: '1', B: null }, stopOnEntry: true, output: '/o' }, activeFile: '/w/a.sx', workspaceFolder: '/w' });
  assert.deepStrictEqual(resolved, { ok: true, configuration: { type: 'sx', request: 'launch', name: 'Debug sx', program: '/w/a.sx',
    cwd: '/w', args: ['a'], env: { A: '1', B: null }, stopOnEntry: true, output: '/o' } });
});

test('a configuration wins over the settings, and its environment is added to theirs', () => {
  const resolved = resolveLaunch({ type: 'sx', request: 'launch', name: 'x', program: 'b.sx', args: [], cwd: '/c', env: { A: null, C: '3' }, stopOnEntry: false },
                                 { settings: { args: ['a'], cwd: '/d', env: { A: '1', B: '2' }, stopOnEntry: true } });
  assert.ok(resolved.ok);
  assert.deepStrictEqual(resolved.configuration, { cwd: '/c', args: [], env: { A: null, B: '2', C: '3' }, stopOnEntry: false, type: 'sx',
                                                   request: 'launch', name: 'x', program: 'b.sx' });
});

test('a launch without a program is refused with one sentence', () => {
  for (const given of [{}, { type: 'sx', request: 'launch', name: 'x' }, { type: 'sx', request: 'launch', name: 'x', program: '' }]) {
    const resolved = resolveLaunch(given, { settings: {} });
    assert.ok(!resolved.ok && /There is no program to debug/.test(resolved.message));
  }
});

test('attaching needs exactly one way', () => {
  const ask = (more: object) => resolveLaunch({ type: 'sx', request: 'attach', name: 'x', ...more }, { settings: {} });
  assert.deepStrictEqual(ask({ pid: '42' }), { ok: true, configuration: { type: 'sx', request: 'attach', name: 'x', pid: 42 } });
  assert.ok(ask({ pid: '${command:sx.pickProcess}' }).ok && ask({ connect: '127.0.0.1:1' }).ok && ask({ core: 'c', program: 'p' }).ok);
  for (const bad of [{}, { pid: 1, connect: 'x' }, { core: 'c' }, { pid: 'x' }]) assert.ok(!ask(bad).ok, JSON.stringify(bad));
  assert.ok(!resolveLaunch({ type: 'sx', request: 'other', name: 'x' }, { settings: {} }).ok);
});

test('a settled launch has an absolute program that exists, and a folder', () => {
  const given = { type: 'sx', request: 'launch', name: 'x', program: 'src/a.sx' };
  assert.deepStrictEqual(settleLaunch(given, launch.properties, '/w', () => true),
                         { ok: true, configuration: { ...given, program: '/w/src/a.sx', cwd: '/w/src' } });
  const gone = settleLaunch(given, launch.properties, '/w', () => false);
  assert.ok(!gone.ok && gone.message === '`program` is /w/src/a.sx, which does not exist.');
});

test('wrong values are told with their attribute', () => {
  const say = (more: object) => {
    const settled = settleLaunch({ type: 'sx', request: 'launch', name: 'mine', program: '/a.sx', ...more }, launch.properties, undefined, () => true);
    return settled.ok ? '' : settled.message;
  };
  assert.match(say({ args: 'a b' }), /"mine" cannot be used: `args` has to be an array, not "a b"/);
  assert.match(say({ args: ['a', 3] }), /`args` has an entry 1 that has to be a string, not 3/);
  assert.match(say({ engine: 'jit' }), /`engine` has to be one of "native", "vm"/);
  assert.match(say({ optLevel: 7 }), /`optLevel` is out of range: 7/);
  assert.match(say({ env: { A: 1 } }), /`env` has an entry "A" that has to be a string or null/);
  assert.match(say({ stdio: [null, null, null, null, null, null, null] }), /7 entries; 6 are the most/);
  assert.strictEqual(say({ stdio: ['in.txt', null], record: true, heap: 'track', env: { A: null }, sourceMap: { a: 'b' }, console: 'integratedTerminal', __own: 1 }), '');
});

test('the manifest documents every attribute, and knows those of the adapter', () => {
  const named = 'program test args cwd env engine stopOnEntry optLevel releaseTraces inMemory stdio console heap record replay sourceMap output libraryPaths stepIntoLibrary';
  for (const name of named.split(' ')) assert.ok(launch.properties[name], name);
  for (const name of ['pid', 'core', 'program', 'connect']) assert.ok(attach.properties[name], name);
  for (const all of [launch.properties, attach.properties, manifest.contributes.configuration.properties])
    for (const [name, attribute] of Object.entries<any>(all)) assert.ok((attribute.description ?? attribute.markdownDescription)?.length > 10, name);
  for (const name of ['path', 'dapPath', 'debug.output', 'debug.args', 'debug.cwd', 'debug.env', 'debug.stopOnEntry'])
    assert.ok(manifest.contributes.configuration.properties[`sx.${name}`], name);
  const documents = fs.readFileSync(path.join(root, 'docs', 'editors.md'), 'utf8');
  for (const name of Object.keys(manifest.contributes.configuration.properties)) assert.ok(documents.includes(`\`${name}\``), `${name} in docs/editors.md`);
});

test('reads what the compiler prints', () => {
  const text = ['error: cannot use a value of type `string` as `i64`', '  --> a.sx:3:15', '   |', ' 3 |     x : i64 = "a";', '   |               ^^^', '',
    'note: it is declared here', '  --> /lib/b.sx:1:2', '   |', ' 1 | x', '   |  ^', '', 'help: write a number', '', 'warning: odd', '  --> a.sx:4:1', '   |', '   | ^', 'error: no file'].join('\n');
  assert.deepStrictEqual(parseDiagnostics(text, '/w'), [
    { severity: 'error', message: 'cannot use a value of type `string` as `i64`', file: '/w/a.sx', line: 3, column: 15, endColumn: 18,
      related: [{ severity: 'note', message: 'it is declared here\nhelp: write a number', file: '/lib/b.sx', line: 1, column: 2, endColumn: 3 }] },
    { severity: 'warning', message: 'odd', file: '/w/a.sx', line: 4, column: 1, endColumn: 2 }]);
});

test('finds places in lines of traces and diagnostics, and nowhere else', () => {
  const place = (line: string) => { const p = placeIn(line); return p && [line.replace(/\x1b\[\d+m/g, '').slice(p.start, p.start + p.length), p.file, p.line, p.column]; };
  assert.deepStrictEqual(place('  parse_number at sum_column.sx:24:25'), ['sum_column.sx:24:25', 'sum_column.sx', 24, 25]);
  assert.deepStrictEqual(place('  List(i64).grow at /a b/list.sx:7:1'), ['/a b/list.sx:7:1', '/a b/list.sx', 7, 1]);
  assert.deepStrictEqual(place('panic: index 5 out of range for length 3 at panics.sx:4:7'), ['panics.sx:4:7', 'panics.sx', 4, 7]);
  assert.deepStrictEqual(place('  \x1b[1mmain\x1b[0m at a.sx:1:2'), ['a.sx:1:2', 'a.sx', 1, 2]);
  assert.deepStrictEqual(place('  --> dir/x.sx:3:15'), ['dir/x.sx:3:15', 'dir/x.sx', 3, 15]);
  for (const line of ['', 'look at this', 'http://a.sx:1:2', 'it is at noon: 3:4:5', '    x := y; // at a.sx:1:2 or so']) assert.strictEqual(place(line), undefined, line);
});

test('finds variables for inline values', () => {
  const lines = ['first :: () { }', 'sum :: (n: i64) -> i64 {', '    total := n * rate(n); // total text', '    p.x = "n {n}".len + q[i].y;', '    `for := xs.(i64); xs = List(i64).{};', '    s := #string END',
                 'n inside END', 'END;', '    return total;', '}'];
  const names = (first: number, last: number) => variablesIn(lines, first, last).map(p => `${p.line}:${p.start} ${p.name}`);
  assert.strictEqual(declarationAround(lines, 8), 1);
  assert.deepStrictEqual(names(2, 4), ['2:4 total', '2:13 n', '3:4 p', '3:24 q', '3:26 i', '4:4 for', '4:12 xs']);
  assert.deepStrictEqual(names(6, 8), ['8:11 total']);
  assert.strictEqual(withoutTexts(`a 'x' "b\\"c" d // e`), `a${' '.repeat(12)}d     `);
});

test('takes the whole path for a hover', () => {
  const at = (line: string, part: string) => expressionAt(line, line.indexOf(part))?.name;
  assert.strictEqual(at('x = a.b[i].c + 1;', 'a'), 'a');
  assert.strictEqual(at('x = a.b[i].c + 1;', 'b'), 'a.b');
  assert.strictEqual(at('x = a.b[i].c + 1;', 'c +'), 'a.b[i].c');
  assert.strictEqual(at('x = a.b[i].c + 1;', 'i]'), 'i');
  assert.strictEqual(at('return x;', 'return'), undefined);
  assert.strictEqual(at('f("x");', 'x'), undefined);
  assert.strictEqual(at('p.* = 3;', 'p'), 'p');
});

test('makes rows of a return trace', () => {
  const frame = (func: string, line: number) => ({ func, file: 'a/b.sx', line, col: 3, text: '  try x();', notes: line === 2 ? ['while loading'] : [] });
  const rows = traceRows({ chains: [{ error: 'Bad', link: null, omitted: 2, frames: [frame('leaf', 1), frame('main', 2)] },
                                    { error: 'Io', link: 'cause', omitted: 0, unknownOrigin: true, frames: [frame('read', 3)] }], in_flight: [] });
  const text = (all: typeof rows, depth = 0): string[] => all.flatMap(r => [' '.repeat(depth) + r.label + (r.description ? ` (${r.description})` : ''), ...text(r.children, depth + 1)]);
  assert.deepStrictEqual(text(rows), ['error.Bad', ' leaf (b.sx:1)', ' … 2 frames omitted', ' main (b.sx:2)', '  while loading',
    'error.Io (raised while handling)', ' (came from code that records no trace)', ' read (b.sx:3)']);
  assert.deepStrictEqual(traceRows({}), []);
});

test('finds what can be run, and runs it', () => {
  assert.deepStrictEqual(runnable('main :: () -> ! {\n}\ntest_a :: () {\n}\nother :: () {}\n  main :: () {}\ntest_b :: (n: i64) {}\nx := #string E\nmain :: () {\nE\n'),
                         [{ line: 0, name: 'main' }, { line: 2, name: 'test_a' }]);
  assert.deepStrictEqual(runArguments('a.sx', 'main', ['1']), ['run', 'a.sx', '1']);
  assert.deepStrictEqual(runArguments('a.sx', 'test_a', ['1']), ['test', 'a.sx', '--filter', 'test_a', '--exact']);
  assert.deepStrictEqual(debugConfiguration('/w/a.sx', 'main'), { type: 'sx', request: 'launch', name: 'a.sx', program: '/w/a.sx' });
  assert.deepStrictEqual(debugConfiguration('/w/a.sx', 'test_a'), { type: 'sx', request: 'launch', name: 'test_a', program: '/w/a.sx', test: 'test_a' });
});

test('draws memory as pages that run nothing', () => {
  assert.deepStrictEqual([0, 1023, 1536, 1 << 20, -2048, 157286400].map(bytes), ['0 B', '1023 B', '1.5 KiB', '1.0 MiB', '−2.0 KiB', '150 MiB']);
  const page = memoryPage({ totalHeapSize: 4096, regions: [{ start: '0x2000', size: 64, type: '<b>', objectCount: 2 }, { start: '0x1000', size: 4096, type: 'heap', fragmentation: 0.5 }] });
  assert.ok(page.indexOf('0x1000') < page.indexOf('0x2000') && page.includes('50 %') && !page.includes('<b>') && !/<script/.test(page));
  assert.match(diffPage('a', 'b', [{ group: 'Node', count: 3, shallow: 96, retained: 'unavailable', kept_by: ['main.list'] }]), /\+3.*\+96 B.*unavailable.*main\.list/s);
  assert.match(focusedPage('<html><head></head></html>', 7), /<head><script>location\.hash = "#object=7"/);
  assert.deepStrictEqual(['0x10 #12', '#3', 'x#4', '', undefined].map(objectId), [12, 3, undefined, undefined, undefined]);
});

test('reads the list of processes', () => {
  assert.deepStrictEqual(parseProcesses('    1 init /sbin/init splash\n  42 sum ./sum a b\n\n').map(p => [p.pid, p.name, p.command]),
                         [[42, 'sum', './sum a b'], [1, 'init', '/sbin/init splash']]);
});

test('error paths are rows: a head for each path, then its steps', () => {
  const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };
  const step = (kind: string, name: string) => ({ kind, uri: 'file:///w/a.sx', range, function: name });
  const found = { direction: 'back' as const, tags: ['Bad'], paths: [{ tag: 'Bad', steps: [step('try', 'f'), step('raise', 'g')] }] };
  assert.deepStrictEqual(pathRows(found, uri => path.basename(uri)).map(r => [r.label, r.description, !!r.step]),
    [['error.Bad', '2 steps', false], ['try in f', 'a.sx:4:5', true], ['raise in g', 'a.sx:4:5', true]]);
  assert.strictEqual(pathsTitle(found), 'Where error.Bad comes from');
  assert.deepStrictEqual(pathRows(null, uri => uri), []);
});
