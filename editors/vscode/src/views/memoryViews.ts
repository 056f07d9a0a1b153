// Web views over the program's memory: the object graph, the memory map, snapshots.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { diffPage, focusedPage, memoryPage, objectId } from '../pages';
import { findCompiler } from '../tools';

/** What the editor hands to a command of the variables' context menu, as far as it is used. */
interface RowContext { variable?: { name?: string; value?: string; evaluateName?: string }; name?: string; value?: string; evaluateName?: string }

function session(): vscode.DebugSession {
  const active = vscode.debug.activeDebugSession;
  if (active?.type !== 'sx') throw new Error('No sx program is being debugged.');
  return active;
}

function frameId(): number | undefined {
  const item = vscode.debug.activeStackItem;
  return item instanceof vscode.DebugStackFrame ? item.frameId : undefined;
}

/** Panels by kind: a second command shows its page in the panel of the first. */
class Panels {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  show(kind: string, title: string, html: string, scripts: boolean): void {
    let panel = this.panels.get(kind);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(`sx.${kind}`, title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
                                               { enableScripts: scripts, localResourceRoots: [], retainContextWhenHidden: true });
      panel.onDidDispose(() => this.panels.delete(kind));
      this.panels.set(kind, panel);
    }
    panel.title = title;
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }
}

/** The page of `sx graph --html` for the heap as it is now. */
async function graphHtml(from: vscode.DebugSession): Promise<string> {
  const compiler = findCompiler(from.workspaceFolder);
  if (!compiler.ok) throw new Error(compiler.message);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sx-graph-'));
  try {
    const file = path.join(folder, 'heap.json'), out = path.join(folder, 'heap.html');
    await from.customRequest('sxExport', { format: 'json', file });
    await promisify(execFile)(compiler.path, ['graph', file, '--html', out], { timeout: 60_000 });
    return fs.readFileSync(out, 'utf8');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** What the commands about memory show, and the snapshots that each session has. */
class MemoryViews implements vscode.Disposable {
  private readonly panels = new Panels();
  private readonly snapshots = new Map<string, string[]>();

  async showGraph(object?: number): Promise<void> {
    const html = await graphHtml(session());
    this.panels.show('graph', object === undefined ? 'Object graph' : `Object graph: #${object}`, focusedPage(html, object), true);
  }

  /** A row's object: by its value, or by what its expression gives now. */
  async showInGraph(row: RowContext | undefined): Promise<void> {
    const variable = row?.variable ?? row, expression = variable?.evaluateName ?? variable?.name;
    const id = objectId(variable?.value) ?? (expression ? await objectOf(expression) : undefined);
    if (id === undefined)
      throw new Error(`${variable?.name ?? 'This'} is no object of the heap that is known: launch with "heap": "track", and choose a pointer.`);
    await this.showGraph(id);
  }

  async showMemoryMap(): Promise<void> {
    this.panels.show('memory', 'Memory map', memoryPage(await session().customRequest('sxMemoryMap', {})), false);
  }

  async takeSnapshot(): Promise<void> {
    const active = session(), taken = this.of(active);
    const name = await vscode.window.showInputBox({ prompt: 'Name of the snapshot', value: `snapshot ${taken.length + 1}` });
    if (!name) return;
    await active.customRequest('sxSnapshot', { name });
    this.snapshots.set(active.id, [...taken.filter(n => n !== name), name]);
    vscode.window.setStatusBarMessage(`${name} taken`, 4000);
  }

  async compareSnapshots(): Promise<void> {
    const active = session(), taken = this.of(active);
    if (taken.length < 2) throw new Error('Two snapshots are needed: take them with "Take Heap Snapshot" at two stops.');
    const from = await vscode.window.showQuickPick(taken, { placeHolder: 'The earlier snapshot' });
    const to = from && await vscode.window.showQuickPick(taken.filter(n => n !== from), { placeHolder: 'The later one' });
    if (!from || !to) return;
    const { rows } = await active.customRequest('sxSnapshotDiff', { from, to, groupBy: 'type' });
    this.panels.show('diff', `${from} → ${to}`, diffPage(from, to, rows), false);
  }

  async exportSnapshot(): Promise<void> {
    const active = session(), taken = this.of(active), now = 'the heap as it is now';
    const chosen = taken.length ? await vscode.window.showQuickPick([now, ...taken], { placeHolder: 'What to export' }) : now;
    if (!chosen) return;
    const target = await vscode.window.showSaveDialog({ filters: { JSON: ['json'], Graphviz: ['dot'] } });
    if (!target) return;
    const format = target.fsPath.endsWith('.dot') ? 'dot' : 'json';
    await active.customRequest('sxExport', { format, file: target.fsPath, ...(chosen === now ? {} : { snapshot: chosen }) });
  }

  /** Forgets what belongs to a session that has ended. */
  forget(ended: vscode.DebugSession): void { this.snapshots.delete(ended.id); }

  dispose(): void { this.panels.dispose(); }

  private of(active: vscode.DebugSession): string[] { return this.snapshots.get(active.id) ?? []; }
}

/** The object that an expression gives in the chosen frame. */
async function objectOf(expression: string): Promise<number | undefined> {
  const frame = frameId();
  const answer = await session().customRequest('evaluate', { expression, context: 'watch', ...(frame === undefined ? {} : { frameId: frame }) });
  return answer.sxObjectId ?? objectId(answer.result);
}

/** A command that shows what goes wrong as one message. */
function command(name: string, action: (argument?: any) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(name, async (argument?: unknown) => {
    try {
      await action(argument);
    } catch (e) {
      void vscode.window.showErrorMessage((e as Error).message);
    }
  });
}

/** Registers all commands about memory. */
export function registerMemoryViews(): vscode.Disposable {
  const views = new MemoryViews();
  return vscode.Disposable.from(views,
    command('sx.showGraph', () => views.showGraph()), command('sx.showInGraph', row => views.showInGraph(row)),
    command('sx.memoryMap', () => views.showMemoryMap()), command('sx.snapshot', () => views.takeSnapshot()),
    command('sx.snapshotDiff', () => views.compareSnapshots()), command('sx.exportSnapshot', () => views.exportSnapshot()),
    vscode.debug.onDidTerminateDebugSession(ended => views.forget(ended)));
}
