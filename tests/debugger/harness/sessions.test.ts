// Sessions by the debug kit's client: what an editor does at a stop, terminals of the client, ends. The environment says where:
// SX (the compiler), SX_ROOT (the checkout) and SX_ENGINE.
import assert from 'node:assert';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { DapClient, RequestFailed, TerminalStub, until } from 'debug-kit/harness';

const sx = process.env['SX']!, engine = process.env['SX_ENGINE']!;
const program = (name: string) => path.join(process.env['SX_ROOT']!, 'tests', 'debugger', 'programs', `${name}.sx`);

/** The number, from 1, of the first line with this text. */
function lineOf(file: string, text: string): number {
  return fs.readFileSync(file, 'utf8').split('\n').findIndex(l => l.includes(text)) + 1;
}

async function session(run: (client: DapClient) => Promise<void>): Promise<void> {
  const client = DapClient.spawn(sx, ['dap']);
  try {
    await run(client);
  } finally {
    await client.stop();
  }
}

test('a stop: frames, locals, a hover, a step, the end', () => session(async client => {
  const file = program('steps');
  const { breakpoints } = await client.begin({ arguments: { program: file, engine }, breakpoints: { [file]: [8] } });
  assert.deepStrictEqual(breakpoints[file]!.map(b => [b.verified, b.line]), [[true, 8]]);
  const { event, frames } = await client.stopped('breakpoint');
  assert.deepStrictEqual(event.hitBreakpointIds, [breakpoints[file]![0].id]);
  assert.strictEqual(frames[0].name, 'sum');
  assert.deepStrictEqual((await client.locals(frames[0].id)).map(v => [v.name, v.value]), [['n', '3'], ['total', '0'], ['i', '1']]);
  assert.strictEqual((await client.request('evaluate', { expression: 'n + 1', frameId: frames[0].id, context: 'hover' })).result, '4');
  await client.request('setBreakpoints', { source: { path: file }, breakpoints: [] });
  await client.request('stepOut', { threadId: event.threadId });
  assert.strictEqual((await client.stopped('step')).frames[0].name, 'main');
  await client.request('continue', { threadId: event.threadId });
  assert.strictEqual((await client.event('exited')).exitCode, 0);
  await client.event('terminated');
  assert.strictEqual(client.outputOf('stdout'), '3 two 3\n');
}));

test('the return trace: on the stack, as text and as data', () => session(async client => {
  const file = program('errors');
  await client.begin({ arguments: { program: file, engine }, filters: ['absorb'] });
  const { event, frames } = await client.stopped('exception');
  const label = frames.findIndex(f => f.presentationHint === 'label');
  assert.match(frames[label].name, /^error return trace: error\.BadDigit/);
  const trace = await client.request('sxErrorTrace', { threadId: event.threadId });
  const hops = trace.chains[0].frames.map((f: any) => [f.func, f.line]);
  assert.deepStrictEqual(hops, [['digit', lineOf(file, 'raise error.BadDigit')], ['parse', lineOf(file, 'try digit')],
                                ['logged', lineOf(file, 'try parse(text)')], ['main', lineOf(file, 'logged("1x")')]]);
  assert.deepStrictEqual(frames.slice(label + 1).map(f => [f.name, f.line]), hops);
  assert.ok(trace.rendered.includes('parse at errors.sx'));
  const info = await client.request('exceptionInfo', { threadId: event.threadId });
  assert.strictEqual(info.exceptionId, 'error.BadDigit');
  assert.deepStrictEqual(info.details.sxTrace.chains, trace.chains);
  assert.deepStrictEqual((await client.request('scopes', { frameId: frames[label + 1].id })).scopes, []);
}));

test('requests overlap, and what fails says why', () => session(async client => {
  const file = program('steps');
  await client.begin({ arguments: { program: file, engine, stopOnEntry: true } });
  const { event, frames } = await client.stopped('entry');
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => client.request('evaluate', { expression: `${i} * 2`, frameId: frames[0].id })));
  assert.deepStrictEqual(answers.map(a => a.result), Array.from({ length: 50 }, (_, i) => String(i * 2)));
  await assert.rejects(client.request('evaluate', { expression: 'no_such', frameId: frames[0].id }),
                       (e: RequestFailed) => e.response.command === 'evaluate' && /no_such/.test(e.message));
  await assert.rejects(client.request('scopes', { frameId: 987654 }), RequestFailed);
  await client.request('continue', { threadId: event.threadId });
  await client.event('terminated');
  const numbers = client.received.map(m => m.seq);
  assert.deepStrictEqual(numbers, numbers.map((_, i) => numbers[0]! + i));
}));

test('a program that does not compile: the launch fails, each diagnostic has its place', () => session(async client => {
  const file = path.join(fs.mkdtempSync(path.join(fs.realpathSync(process.env['TMPDIR'] ?? '/tmp'), 'sx-harness-')), 'wrong.sx');
  fs.writeFileSync(file, 'main :: () { x : i64 = "a"; }\n');
  await assert.rejects(client.begin({ arguments: { program: file, engine } }), RequestFailed);
  const output = client.received.filter(m => m.event === 'output' && m.body.source);
  assert.deepStrictEqual(output.map(m => [m.body.source.path, m.body.line, m.body.column]), [[file, 1, 24]]);
  fs.rmSync(path.dirname(file), { recursive: true });
}));

test('a terminal of the client runs the program, and reads what it writes', { skip: engine !== 'vm' }, () => session(async client => {
  const terminal = new TerminalStub();
  client.onRequest('runInTerminal', terminal.run);
  try {
    await client.begin({ arguments: { program: program('steps'), engine, console: 'integratedTerminal' },
                         client: { supportsRunInTerminalRequest: true } });
    await client.event('terminated');
    assert.strictEqual(terminal.requests[0].kind, 'integrated');
    await until(() => terminal.text.includes('3 two 3'), { what: 'the output in the terminal' });
    assert.strictEqual(client.outputOf('stdout'), '');
  } finally {
    terminal.close();
  }
}));
