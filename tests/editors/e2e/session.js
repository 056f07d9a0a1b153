// A session in a real editor: the packaged extension in a VS Code server, in headless Chromium. usage: node session.js SERVER VSIX SX ROOT
// SERVER is a folder with code-server and playwright-core in node_modules. SX_SCREENSHOTS names a folder for pictures of each step.
'use strict';

const assert = require('node:assert');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const [server, vsix, sx, root] = process.argv.slice(2);
const { chromium } = require(path.join(server, 'node_modules', 'playwright-core'));
const codeServer = path.join(server, 'node_modules', '.bin', 'code-server');
const PATIENCE = 180_000;
const pictures = process.env.SX_SCREENSHOTS;

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'sx-editor-'));
const folder = path.join(scratch, 'examples');
const user = path.join(scratch, 'user');

/** The workspace: the examples, with a configuration whose program ends in an error. */
function prepare() {
  fs.cpSync(path.join(root, 'examples'), folder, { recursive: true });
  fs.mkdirSync(path.join(folder, '.vscode'));
  fs.writeFileSync(path.join(folder, '.vscode', 'launch.json'), JSON.stringify({ version: '0.2.0', configurations: [
    { type: 'sx', request: 'launch', name: 'sum', program: '${workspaceFolder}/sum_column.sx', args: ['data/damaged.csv', 'amount'], engine: 'vm' }] }));
  fs.mkdirSync(path.join(user, 'User'), { recursive: true });
  fs.mkdirSync(path.join(user, 'Machine')); // where paths of executables are read from
  fs.writeFileSync(path.join(user, 'Machine', 'settings.json'), JSON.stringify({ 'sx.path': sx }));
  fs.writeFileSync(path.join(user, 'User', 'settings.json'), JSON.stringify({
    'workbench.startupEditor': 'none', 'extensions.ignoreRecommendations': true, 'debug.inlineValues': 'on',
    'editor.minimap.enabled': false, 'workbench.tips.enabled': false, 'breadcrumbs.enabled': false, 'debug.toolBarLocation': 'docked',
    'debug.openDebug': 'neverOpen', 'debug.internalConsoleOptions': 'neverOpen', 'window.commandCenter': false, 'workbench.layoutControl.enabled': false }));
  execFileSync(codeServer, ['--user-data-dir', user, '--extensions-dir', path.join(scratch, 'extensions'), '--install-extension', vsix],
               { stdio: 'pipe' });
}

function freePort() {
  return new Promise(resolve => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

class Editor {
  constructor(page) { this.page = page; }

  async picture(name) {
    if (pictures) await this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }

  async command(title) {
    await this.page.keyboard.press('F1');
    await this.page.waitForSelector('.quick-input-widget input', { state: 'visible', timeout: PATIENCE });
    await this.page.keyboard.type(title);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${title}")`, { timeout: PATIENCE });
    await this.page.keyboard.press('Enter');
  }

  /** Opens a file of the workspace, with the cursor at a line from 1. */
  async open(name, line) {
    await this.page.keyboard.press('Control+p');
    await this.page.waitForSelector('.quick-input-widget input', { state: 'visible', timeout: PATIENCE });
    await this.page.keyboard.type(name);
    await this.page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${name}")`, { timeout: PATIENCE });
    await this.page.keyboard.press('Enter');
    await this.page.waitForSelector(`.tab.active:has-text("${name}")`, { timeout: PATIENCE });
    await this.page.keyboard.press('Control+g');
    await this.page.waitForSelector('.quick-input-widget input', { state: 'visible', timeout: PATIENCE });
    await this.page.keyboard.type(String(line));
    await this.page.keyboard.press('Enter');
    await this.page.waitForTimeout(300);
  }

  /** The texts of all elements that fit. */
  texts(selector) { return this.page.$$eval(selector, all => all.map(e => e.textContent)); }

  async until(what, probe) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const answer = await probe();
      if (answer) return answer;
      if (Date.now() > end) {
        await this.picture('failed');
        throw new Error(`${what} did not come`);
      }
      await this.page.waitForTimeout(100);
    }
  }
}

const steps = {
  async 'colours the text'(editor) {
    await editor.open('sum_column.sx', 1);
    const classes = await editor.until('colours', async () => {
      const found = await editor.page.$$eval('.view-line span[class^="mtk"]', all => all.map(e => [e.className, e.textContent]));
      return new Set(found.map(f => f[0])).size > 4 && found;
    });
    const of = text => classes.find(c => c[1].includes(text))?.[0];
    assert.notStrictEqual(of('raise'), undefined);
    assert.notStrictEqual(of('raise'), of('parse_number'));
    await editor.picture('colours');
  },

  async 'stops at a breakpoint by F5 and shows variables'(editor) {
    await editor.open('sum_column.sx', 24);
    await editor.page.keyboard.press('F9');
    await editor.page.waitForSelector('.codicon-debug-breakpoint', { timeout: PATIENCE });
    await editor.page.keyboard.press('F5');
    await editor.page.waitForSelector('.debug-top-stack-frame-line', { timeout: PATIENCE });
    await editor.command('View: Show Run and Debug');
    await editor.page.click('.debug-variables .monaco-list-row:has-text("Parameters and locals")', { timeout: PATIENCE });
    const rows = await editor.until('variables', async () => {
      const found = await editor.texts('.debug-variables .monaco-list-row');
      return found.some(r => r.startsWith('value')) && found;
    });
    assert.ok(rows.some(r => /^text/.test(r)), rows.join('\n'));
    assert.ok((await editor.texts('.debug-call-stack .monaco-list-row')).some(r => r.includes('parse_number')));
    await editor.until('values beside the code', async () => (await editor.texts('.view-line')).some(t => /digits\s=\s/.test(t)));
    await editor.picture('breakpoint');
  },

  async 'shows the return trace where an error escapes'(editor) {
    await editor.open('sum_column.sx', 24);
    await editor.page.keyboard.press('F9');
    await editor.page.waitForTimeout(1000);
    await editor.page.keyboard.press('F5');
    const rows = await editor.until('the return trace', async () => {
      const found = await editor.texts('.pane:has-text("Error Return Trace") .monaco-list-row');
      return found.some(r => r.includes('sum_column.sx:24')) && found;
    });
    assert.deepStrictEqual(rows.filter(r => /error\.BadDigit|sum_column\.sx:(24|79|97)/.test(r)).length >= 4, true, rows.join('\n'));
    assert.ok((await editor.texts('.debug-call-stack .monaco-list-row')).some(r => r.includes('error return trace: error.BadDigit')));
    await editor.page.waitForTimeout(500);
    await editor.picture('trace');
    await editor.page.click('.pane:has-text("Error Return Trace") .monaco-list-row:has-text("sum_column.sx:79")');
    await editor.until('the place of the hop', async () => (await editor.texts('.statusbar-item')).some(t => /Ln 79, Col 18/.test(t)));
    await editor.page.keyboard.press('Shift+F5');
    await editor.until('the end', async () => !(await editor.page.$('.debug-top-stack-frame-line')));
  },

  async 'does not start a program with errors'(editor) {
    await editor.open('hello.sx', 5);
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('wrong(1);');
    await editor.command('sx: Debug Program');
    await editor.until('the message', async () => (await editor.texts('.notification-toast')).some(t => /Not started: 1 error: unknown name `wrong`/.test(t)));
    await editor.page.waitForSelector('.squiggly-error', { timeout: PATIENCE });
    await editor.picture('errors');
    assert.match(fs.readFileSync(path.join(folder, 'hello.sx'), 'utf8'), /wrong\(1\);/);
  },
};

async function main() {
  prepare();
  const port = await freePort();
  const log = fs.openSync(path.join(scratch, 'server.log'), 'w');
  let child, over = false;
  const start = () => { // a slow machine: the server gives up where its own start takes ten seconds
    if (over) return;
    child = spawn(codeServer, ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--user-data-dir', user,
      '--extensions-dir', path.join(scratch, 'extensions'), '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
      { stdio: ['ignore', log, log], detached: true });
    child.on('exit', start);
  };
  start();
  let browser;
  try {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const editor = new Editor(page);
    let last;
    await editor.until('the server', () => page.goto(`http://127.0.0.1:${port}/?folder=${folder}`, { waitUntil: 'commit' }).then(() => true, e => {
      last = String(e);
      return false;
    })).catch(e => { throw new Error(`${e.message}: ${last}`); });
    await page.waitForSelector('.monaco-workbench .explorer-folders-view .monaco-list-row', { timeout: PATIENCE });
    for (const [name, run] of Object.entries(steps)) {
      try {
        await run(editor);
      } catch (e) {
        await editor.picture('failed');
        throw e;
      }
      console.log(`ok: ${name}`);
    }
  } catch (e) {
    console.error(fs.readFileSync(path.join(scratch, 'server.log'), 'utf8').slice(-4000));
    throw e;
  } finally {
    over = true;
    await browser?.close();
    try { process.kill(-child.pid, 'SIGKILL'); } catch { /* it has ended */ }
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

main().catch(e => {
  console.error(e);
  process.exitCode = 1;
});
