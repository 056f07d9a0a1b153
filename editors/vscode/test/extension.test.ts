// The extension in an editor that is a stub: what it registers, what it says, how launches are resolved, sessions with the real compiler
// and adapter. The environment says where: SX (the compiler; sx-dap beside it) and SX_ROOT (the checkout).
import assert from 'node:assert';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { DapClient, until } from 'debug-kit/harness';
import { activate } from '../src/extension';
import { MessageStub } from 'debug-kit/harness';
import { stub, Uri } from './stub/vscode';

const root = process.env['SX_ROOT']!, sx = process.env['SX']!;
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'editors', 'vscode', 'package.json'), 'utf8'));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sx-extension-'));
const subscriptions: { dispose(): unknown }[] = [];
const GOOD = '#import "modules/std.sx";\nE :: error { Bad }\nleaf :: (n: i64) -> (i64, !E) {\n    if n < 0 raise error.Bad;\n    n\n}\nmain :: () {\n    v := leaf(-1) catch { 7 };\n    print("{}\\n", v);\n}\n';

function write(name: string, text: string): string {
  fs.writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

function document(file: string, more: any = {}): any {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return { languageId: 'sx', uri: Uri.file(file), isDirty: false, isUntitled: false, getText: () => lines.join('\n'), lineCount: lines.length, lineAt: (i: number) => ({ text: lines[i] }),
           getWordRangeAtPosition: () => undefined, save: async () => true, ...more };
}

function registered(what: string): any[] {
  return stub.registered.filter(r => r.what === what).map(r => r.args[r.args.length - 1]);
}

const configurations = () => stub.registered.find(r => r.what === 'configurations')!.args[1];

async function resolve(given: object): Promise<any> {
  const first = await configurations().resolveDebugConfiguration(stub.folders[0], given);
  return first && configurations().resolveDebugConfigurationWithSubstitutedVariables(stub.folders[0], first);
}

before(async () => {
  stub.folders = [{ uri: Uri.file(folder), name: 'w', index: 0 }];
  stub.settings.set('sx.path', path.join(folder, 'none'));
  activate({ subscriptions, extension: { packageJSON: manifest }, globalStorageUri: Uri.file(path.join(folder, 'storage')) } as any);
  await until(() => stub.messages.shown.length > 0, { what: 'the message about the missing compiler' });
});

after(() => {
  for (const s of subscriptions) s.dispose();
  fs.rmSync(folder, { recursive: true });
});

beforeEach(() => {
  stub.messages = new MessageStub();
  stub.documents = [];
  stub.diagnostics.clear();
  stub.settings.set('sx.path', sx);
});

test('a missing compiler is told once, and all is registered without it', async () => {
  const contributed = manifest.contributes.commands.map((c: any) => c.command);
  assert.deepStrictEqual(contributed.filter((c: string) => !stub.commands.has(c)), []);
  for (const what of ['configurations', 'adapters', 'trackers', 'inlineValues', 'hover', 'lenses', 'terminalLinks', 'view sx.returnTrace'])
    assert.ok(stub.registered.some(r => r.what === what), what);
});

test('a compiler without a server is told once', async () => {
  const fake = write('old-sx', '#!/bin/sh\nexit 2\n');
  fs.chmodSync(fake, 0o755);
  stub.settings.set('sx.path', fake);
  await stub.commands.get('sx.restartServer')!();
  assert.deepStrictEqual(stub.messages.shown, [{ kind: 'error', text: `${fake} has no language server (\`sx lsp\`): highlighting and debugging work without it.` }]);
});

test('F5 in a file resolves, starts the adapter beside the compiler, and the session stops at an error', async () => {
  const file = write('good.sx', GOOD);
  stub.activeEditor = { document: document(file) };
  const resolved = await resolve({});
  assert.deepStrictEqual(stub.messages.shown, []);
  assert.deepStrictEqual(resolved, { type: 'sx', request: 'launch', name: 'Debug sx', program: file, cwd: folder });
  const adapter = registered('adapters')[0].createDebugAdapterDescriptor({ workspaceFolder: stub.folders[0] });
  assert.strictEqual(adapter.command, path.join(path.dirname(sx), 'sx-dap'));

  const client = DapClient.spawn(adapter.command, adapter.args);
  try {
    await client.begin({ arguments: { ...resolved, engine: 'vm' }, filters: ['raise'] });
    const { event, frames } = await client.stopped('exception');
    assert.strictEqual(frames[0].line, 4);
    stub.session = { id: '1', type: 'sx', customRequest: (command: string, args: unknown) => client.request(command, args) };
    stub.stackItem = { session: stub.session, threadId: event.threadId };
    await Promise.all(stub.fire('stackItem'));
    const view = stub.registered.find(r => r.what === 'view sx.returnTrace')!.args[0].treeDataProvider;
    const [error] = view.getChildren();
    assert.strictEqual(error.label, 'error.Bad');
    assert.ok(stub.executed.some(([name]) => name === 'sx.returnTrace.focus'), 'the view is opened');
    assert.deepStrictEqual(view.getChildren(error).map((r: any) => [r.label, r.description]), [['leaf', 'good.sx:4']]);
    assert.strictEqual(view.getTreeItem(view.getChildren(error)[0]).command.command, 'sx.openTracePlace');
    registered('trackers')[0].createDebugAdapterTracker().onDidSendMessage({ type: 'event', event: 'continued', body: {} });
    assert.deepStrictEqual(view.getChildren(), []);
  } finally {
    stub.session = stub.stackItem = undefined;
    await client.stop();
  }
});

test('a program with errors is not started: its diagnostics are problems, until the file is edited', async () => {
  const file = write('bad.sx', '#import "modules/std.sx";\nmain :: () {\n    e := "ü"; x : i64 = "a";\n    print("{}\\n", y);\n}\n');
  stub.documents = [document(file)]; // columns count bytes there, UTF-16 units here
  assert.strictEqual(await resolve({ type: 'sx', request: 'launch', name: 'x', program: file }), undefined);
  assert.match(stub.messages.shown[0]!.text, /^Not started: 2 errors: cannot use a value of type `string` as `i64`/);
  assert.strictEqual(stub.messages.shown.length, 1);
  assert.deepStrictEqual(stub.diagnostics.get(file)!.map(d => [d.range.start.line, d.range.start.character, d.severity]), [[2, 24, 0], [3, 18, 0]]);
  stub.fire('edited', { document: { uri: Uri.file(file) }, contentChanges: [{}] });
  assert.strictEqual(stub.diagnostics.get(file), undefined);
});

test('dirty documents are saved first, and a launch is rejected where they cannot be', async () => {
  const file = write('good.sx', GOOD);
  const dirty = document(file, { isDirty: true, async save(this: any) { this.isDirty = false; return true; } });
  stub.documents = [dirty];
  assert.ok(await resolve({ type: 'sx', request: 'launch', name: 'x', program: file }));
  assert.strictEqual(dirty.isDirty, false);
  stub.documents = [document(file, { isDirty: true, save: async () => false })];
  assert.strictEqual(await resolve({ type: 'sx', request: 'launch', name: 'x', program: file }), undefined);
  assert.deepStrictEqual(stub.messages.shown, [{ kind: 'error', text: 'Not started: good.sx could not be saved, so the program would not be what you see.' }]);
});

test('a missing adapter is one message with the places that were looked at', async () => {
  const file = write('good.sx', GOOD), lonely = write('sx', '#!/bin/sh\n'), pathBefore = process.env['PATH'];
  fs.chmodSync(lonely, 0o755);
  stub.settings.set('sx.path', lonely);
  process.env['PATH'] = '/nowhere';
  assert.strictEqual(await resolve({ type: 'sx', request: 'launch', name: 'x', program: file }), undefined);
  process.env['PATH'] = pathBefore;
  assert.deepStrictEqual(stub.messages.shown.map(m => m.text),
    [`sx-dap was not found in ${folder} and on the PATH. Set sx.path or sx.dapPath to its path (sx.path: the path of sx).`]);
});

test('what the adapter says while it builds becomes a problem, what the program says later does not', async () => {
  const file = write('good.sx', GOOD), tracker = registered('trackers')[0].createDebugAdapterTracker();
  const output = { type: 'event', event: 'output', body: { output: 'error: unknown name `y`\n', source: { path: file }, line: 4, column: 2 } };
  tracker.onDidSendMessage(output);
  await until(() => stub.diagnostics.get(file)?.length === 1);
  tracker.onDidSendMessage({ type: 'response', command: 'launch', success: true });
  tracker.onDidSendMessage(output);
  await new Promise(r => setTimeout(r, 20));
  assert.strictEqual(stub.diagnostics.get(file)!.length, 1);
  assert.strictEqual(stub.diagnostics.get(file)![0].message, 'unknown name `y`');
});

test('lenses run and debug', async () => {
  const file = write('good.sx', GOOD), lenses = registered('lenses')[0].provideCodeLenses(document(file));
  assert.deepStrictEqual(lenses.map((l: any) => l.command.command), ['sx.run', 'sx.debug']);
  await stub.commands.get('sx.run')!(lenses[0].command.arguments[0]);
  assert.deepStrictEqual([stub.tasks[0].execution.process, stub.tasks[0].execution.args], [sx, ['run', file]]);
  await stub.commands.get('sx.debug')!(lenses[1].command.arguments[0]);
  assert.strictEqual(stub.started[0].configuration.program, file);
  const tests = write('t_test.sx', 'test_a :: () { }\n');
  await stub.commands.get('sx.debug')!({ uri: `file://${tests}`, name: 'test_a' });
  assert.deepStrictEqual([stub.started[1].configuration.program, stub.started[1].configuration.test], [tests, 'test_a']);
});

test('inline values are those of the function up to the stop', () => {
  const doc = document(write('good.sx', GOOD)), at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });
  const values = registered('inlineValues')[0].provideInlineValues(doc, { start: { line: 0 }, end: { line: 100 } }, { stoppedLocation: at(8) });
  assert.deepStrictEqual(values.map((v: any) => [v.range.start.line, v.variableName]), [[7, 'v'], [8, 'v']]);
});

test('memory views show pages, and one message where the program has none', async () => {
  await stub.commands.get('sx.memoryMap')!();
  assert.deepStrictEqual(stub.messages.shown.map(m => m.text), ['No sx program is being debugged.']);
  const asked: [string, any][] = [];
  stub.session = { id: '1', type: 'sx', async customRequest(command: string, args: any) {
    asked.push([command, args]);
    if (command === 'sxExport') fs.writeFileSync(args.file, '{}');
    if (command === 'evaluate') return { result: '0x10 #4' };
    return command === 'sxMemoryMap' ? { regions: [], totalHeapSize: 0 } : { rows: [] };
  } };
  await stub.commands.get('sx.memoryMap')!();
  assert.match(stub.panels[0].webview.html, /0 regions/);
  for (const name of ['first', 'second']) { stub.picks = [name]; await stub.commands.get('sx.snapshot')!(); }
  stub.picks = ['first', 'second'];
  await stub.commands.get('sx.snapshotDiff')!();
  assert.deepStrictEqual(asked.pop(), ['sxSnapshotDiff', { from: 'first', to: 'second', groupBy: 'type' }]);
  const fake = write('sx', '#!/bin/sh\n[ "$1" = graph ] && echo "<html><head></head>graph of $(cat "$2")</html>" > "$4"\n');
  fs.chmodSync(fake, 0o755);
  stub.settings.set('sx.path', fake);
  await stub.commands.get('sx.showInGraph')!({ variable: { name: 'p', value: '0x10', evaluateName: 'p' } });
  const graph = stub.panels.find(p => p.kind === 'sx.graph');
  assert.match(graph.webview.html, /#object=4.*graph of \{\}/s);
  assert.ok(graph.options.enableScripts);
  stub.session = undefined;
});

test('error paths: a message without a server or without paths, else a list that opens places', async () => {
  const { registerErrorPaths } = await import('../src/errorPathsCommand');
  const file = write('good.sx', GOOD), uri = `file://${file}`, range = { start: { line: 3, character: 13 }, end: { line: 3, character: 18 } };
  stub.activeEditor = { document: document(file), selection: { active: { line: 3, character: 14 } } };
  stub.documents = [document(file)];
  registerErrorPaths(() => undefined);
  await stub.commands.get('sx.errorPaths')!();
  registerErrorPaths(async () => null);
  await stub.commands.get('sx.errorPaths')!();
  assert.deepStrictEqual(stub.messages.shown.map(m => m.kind), ['warning', 'information']);
  const asked: any[] = [], step = { kind: 'raise', uri, range, function: 'leaf' };
  registerErrorPaths(async (method, params) => { asked.push([method, params]); return { direction: 'forward', tags: ['Bad'], paths: [{ tag: 'Bad', steps: [step] }] }; });
  stub.picks = [{ label: 'raise in leaf', step }];
  await stub.commands.get('sx.errorPaths')!();
  assert.deepStrictEqual(asked, [['sx/errorPaths', { textDocument: { uri }, position: { line: 3, character: 14 } }]]);
  assert.deepStrictEqual(stub.shown.map(([name, at]) => [name, at.start.line, at.start.character]), [[file, 3, 13]]);
  stub.activeEditor = undefined;
});
