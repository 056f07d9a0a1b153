// Sessions driven by @vscode/debugadapter-testsupport.
//
// usage: node client.test.js SX FOLDER-OF-PROGRAMS ENGINE
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [sx, programs, engine] = process.argv.slice(2);
const program = name => path.join(programs, name + '.sx');

const cases = {
  async 'stops at a breakpoint and shows variables'(dc) {
    const file = program('steps');
    await dc.hitBreakpoint({ program: file, engine }, { path: file, line: 8 });
    const stack = await dc.stackTraceRequest({ threadId: 1 });
    assert.strictEqual(stack.body.stackFrames[0].name, 'sum');
    const scopes = await dc.scopesRequest({ frameId: stack.body.stackFrames[0].id });
    const rows = await dc.variablesRequest({ variablesReference: scopes.body.scopes[0].variablesReference });
    assert.deepStrictEqual(rows.body.variables.map(v => [v.name, v.value, v.type]),
                           [['n', '3', 'i64'], ['total', '0', 'i64'], ['i', '1', 'i64']]);
  },

  async 'steps'(dc) {
    const file = program('steps');
    await dc.hitBreakpoint({ program: file, engine }, { path: file, line: 14 });
    await Promise.all([dc.nextRequest({ threadId: 1 }), dc.assertStoppedLocation('step', { path: file, line: 15 })]);
    await Promise.all([dc.nextRequest({ threadId: 1 }), dc.assertStoppedLocation('step', { path: file, line: 16 })]);
    await Promise.all([dc.stepInRequest({ threadId: 1 }), dc.assertStoppedLocation('step', { path: file, line: 6 })]);
    await Promise.all([dc.stepOutRequest({ threadId: 1 }), dc.assertStoppedLocation('step', { path: file, line: 16 })]);
  },

  async 'reports output and the end'(dc) {
    await Promise.all([dc.configurationSequence(), dc.launch({ program: program('steps'), engine }),
                       dc.assertOutput('stdout', '3 two 3\n'), dc.waitForEvent('terminated')]);
  },

  async 'stops where an error is raised'(dc) {
    const file = program('errors');
    const configured = dc.waitForEvent('initialized')
      .then(() => dc.setExceptionBreakpointsRequest({ filters: ['raise'] }))
      .then(() => dc.configurationDoneRequest());
    await Promise.all([configured, dc.launch({ program: file, engine }),
                       dc.assertStoppedLocation('exception', { path: file, line: 7 })]);
    const stack = await dc.stackTraceRequest({ threadId: 1 });
    const label = stack.body.stackFrames.find(f => f.presentationHint === 'label');
    assert.strictEqual(label.name, 'error return trace: error.BadDigit (most recent call last)');
  },
};

async function main() {
  for (const [name, run] of Object.entries(cases)) {
    const dc = new DebugClient(sx, 'dap', 'sx');
    dc.defaultTimeout = 60000;
    await dc.start();
    try {
      await run(dc);
      console.log('ok: ' + name);
    } catch (e) {
      console.error('FAILED: ' + name + '\n' + e.stack);
      process.exitCode = 1;
    } finally {
      await dc.stop();
    }
  }
}

main();
