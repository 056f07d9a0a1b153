// The kit by itself.
import assert from 'node:assert';
import * as path from 'node:path';
import { test } from 'node:test';
import { buildSummary, configurationProblems, executableOnPath, expandVariables, findAdapter, findTool, mergeConfigurations, runBuild,
         saveOrReject, type Surroundings } from '../src/index';
import { DocumentStub, encodeMessage, MessageDecoder, MessageStub, TerminalStub, until, within } from '../src/harness/index';

function machine(files: string[], PATH = '/usr/bin:/bin', links: Record<string, string> = {}): Surroundings {
  return { files: { isExecutable: f => files.includes(f), realPath: f => links[f] ?? f }, env: { PATH }, platform: 'linux' };
}
const tool = (executable: string, value = '') => ({ executable, setting: { name: `x.${executable}`, value } });
const find = (around: Surroundings, adapter = '', compiler = '') => findAdapter(tool('x-dap', adapter), tool('x', compiler), around);

test('an adapter is found by its setting, then beside the compiler, then on the PATH', () => {
  const all = ['/set/x-dap', '/opt/x', '/opt/x-dap', '/usr/bin/x-dap', '/bin/x'];
  assert.deepStrictEqual(find(machine(all), '/set/x-dap', '/opt/x'), { ok: true, path: '/set/x-dap', by: 'setting' });
  assert.deepStrictEqual(find(machine(all), '', '/opt/x'), { ok: true, path: '/opt/x-dap', by: 'beside' });
  assert.deepStrictEqual(find(machine(all)), { ok: true, path: '/usr/bin/x-dap', by: 'path' });
  assert.deepStrictEqual(find(machine(all, '/usr/bin', {}), 'x-dap'), { ok: true, path: '/usr/bin/x-dap', by: 'setting' });
  assert.deepStrictEqual(find(machine(['/usr/bin/x', '/opt/x-dap'], '/usr/bin', { '/usr/bin/x': '/opt/x' })), { ok: true, path: '/opt/x-dap', by: 'beside' });
});

test('what is set and wrong is an error, never passed over', () => {
  const all = machine(['/usr/bin/x', '/usr/bin/x-dap']);
  const message = (f: ReturnType<typeof find>) => f.ok ? '' : f.message;
  assert.strictEqual(message(find(all, '/no/x-dap')), 'The setting x.x-dap names /no/x-dap, which is no executable file.');
  assert.strictEqual(message(find(all, '', '/no/x')), 'The setting x.x names /no/x, which is no executable file.');
  assert.strictEqual(message(find(all, 'bin/x-dap')), 'The setting x.x-dap has to be an absolute path of x-dap, or a name on the PATH.');
  assert.strictEqual(message(findTool(tool('x', 'y'), all)), 'The setting x.x names y, which is not on the PATH.');
  assert.strictEqual(message(findTool(tool('z'), all)), 'z was not found on the PATH. Set x.z to its path.');
  assert.match(message(find(machine(['/bin/x']))), /^x-dap was not found in \/bin and on the PATH\. Set x\.x or x\.x-dap/);
});

test('the PATH has no relative folders, and endings where the platform has them', () => {
  assert.strictEqual(executableOnPath('x', machine(['x', './x', '/b/x'], ':.:/b')), '/b/x');
  const windows: Surroundings = { ...machine([path.join('/w', 'x.exe')]), env: { Path: '/w', PATHEXT: '.COM;.EXE' }, platform: 'win32' };
  assert.strictEqual(executableOnPath('x', windows), path.join('/w', 'x.exe'));
});

test('variables in settings', () => {
  const known = { workspaceFolder: '/w', userHome: '/home/a', env: { B: 'b' } };
  assert.strictEqual(expandVariables('~/x ${workspaceFolder}/y ${userHome} ${env:B}${env:NO} ${other} ~', known), '/home/a/x /w/y /home/a b ${other} ~');
  assert.strictEqual(expandVariables('${workspaceFolder}', {}), '${workspaceFolder}');
});

test('later configurations win, environments are put together', () => {
  assert.deepStrictEqual(mergeConfigurations([{ a: 1, env: { A: '1', B: '2' } }, { a: undefined, env: { A: null } }, { b: [2] }]),
                         { a: 1, env: { A: null, B: '2' }, b: [2] });
  assert.deepStrictEqual(configurationProblems({ a: 'x', b: [1], c: {}, other: 1 }, { a: { type: ['integer', 'null'] }, b: { type: 'array', items: { type: 'number' } }, c: { type: 'array' } }),
                         ['`a` has to be an integer or null, not "x".', '`c` has to be an array, not {}.']);
});

test('documents are saved, or the launch is rejected with their names', async () => {
  const clean = new DocumentStub('clean'), dirty = new DocumentStub('dirty', true);
  assert.deepStrictEqual(await saveOrReject([clean, dirty]), { ok: true });
  assert.deepStrictEqual([clean.saves, dirty.saves, dirty.isDirty()], [0, 1, false]);
  const result = await saveOrReject([new DocumentStub('a', true, 'refused'), new DocumentStub('b', true, 'throws')]);
  assert.ok(!result.ok && result.message.includes('a, b could not be saved'));
});

test('a build: success, problems, failures of every kind', async () => {
  const node = (script: string, signal?: AbortSignal) => runBuild({ command: process.execPath, args: ['-e', script] },
    text => [...text.matchAll(/^E (.*)$/gm)].map(m => ({ severity: 'error' as const, message: m[1]!, file: 'f', line: 1, column: 2 })), signal);
  assert.deepStrictEqual(await node('console.log("fine")'), { ok: true, problems: [], text: 'fine\n' });
  const wrong = await node('console.error("E one\\nE two"); process.exit(1)');
  assert.ok(!wrong.ok && wrong.problems.length === 2);
  assert.strictEqual(buildSummary(wrong), '2 errors: one (f:1:2)');
  assert.match(buildSummary(await node('console.log("what"); process.exit(3)')), /exited with 3: what/);
  assert.match(buildSummary(await node('process.kill(process.pid, "SIGTERM"); setTimeout(() => 0, 9999)')), /was ended by SIGTERM/);
  assert.match(buildSummary(await runBuild({ command: '/no/such', args: [] }, () => [])), /cannot be run/);
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  assert.ok(!(await node('setTimeout(() => 0, 60000)', abort.signal)).ok);
});

test('messages come out of any pieces of a stream', () => {
  const messages = [{ seq: 1, type: 'event', event: 'ü' }, { seq: 2, type: 'event', event: '' }];
  const all = Buffer.concat(messages.map(encodeMessage));
  for (let cut = 0; cut <= all.length; ++cut) {
    const decoder = new MessageDecoder();
    assert.deepStrictEqual([...decoder.push(all.subarray(0, cut)), ...decoder.push(all.subarray(cut))], messages);
    assert.ok(!decoder.isInside);
  }
  assert.throws(() => new MessageDecoder().push(Buffer.from('Nonsense: 3\r\n\r\n')));
});

test('waiting ends', async () => {
  let asked = 0;
  assert.strictEqual(await until(() => ++asked === 3 && 'yes', { every: 1 }), 'yes');
  await assert.rejects(until(() => { throw new Error('why'); }, { timeout: 5, every: 1, what: 'it' }), /it did not come: Error: why/);
  await assert.rejects(within(new Promise(() => undefined), 'that', 5), /that did not come within 5 ms/);
});

test('stubs answer as they are told', async () => {
  const messages = new MessageStub();
  messages.press('Yes');
  assert.strictEqual(messages.show('error', 'a', 'No'), undefined);
  assert.strictEqual(messages.show('error', 'b', 'Yes', 'No'), 'Yes');
  const terminal = new TerminalStub();
  const { processId } = await terminal.run({ args: [process.execPath, '-p', 'process.env.A'], env: { A: 'from there', PATH: null } });
  assert.ok(processId > 0);
  await until(() => terminal.text.includes('from there'));
});
