// The view "Error Return Trace": where the error has been that is on its way at a stop.
import * as vscode from 'vscode';
import { openNamed } from '../places';
import { traceRows, type TraceBody, type TraceRow } from '../returnTrace';

const ICONS = { error: 'error', place: 'debug-stackframe', label: 'info' } as const;

/** The tree of the view. It asks the adapter at each stop and when another thread is chosen. */
export class ReturnTraceView implements vscode.TreeDataProvider<TraceRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: TraceRow[] = [];
  private rendered = '';
  private asked = 0;
  private view: vscode.TreeView<TraceRow> | undefined;

  register(): vscode.Disposable {
    this.view = vscode.window.createTreeView('sx.returnTrace', { treeDataProvider: this });
    return vscode.Disposable.from(this.view, this.changed,
      vscode.commands.registerCommand('sx.refreshReturnTrace', () => this.refresh()),
      vscode.commands.registerCommand('sx.copyReturnTrace', () => vscode.env.clipboard.writeText(this.rendered)),
      vscode.commands.registerCommand('sx.openTracePlace', (row: TraceRow) =>
        row.place && openNamed(row.place.file, row.place.line, row.place.column)),
      vscode.debug.onDidChangeActiveStackItem(() => this.refresh()),
      vscode.debug.onDidTerminateDebugSession(() => this.clear()));
  }

  dispose(): void { this.changed.dispose(); }

  /** Asks for the trace of the chosen thread. An answer that comes after a later question is dropped. */
  async refresh(): Promise<void> {
    const number = ++this.asked;
    const item = vscode.debug.activeStackItem, session = item?.session ?? vscode.debug.activeDebugSession;
    if (!item || session?.type !== 'sx') return this.clear();
    const body: TraceBody = await session.customRequest('sxErrorTrace', { threadId: item.threadId }).then(b => b ?? {}, () => ({}));
    if (number !== this.asked) return;
    this.show(body);
  }

  /** Empties the view, as when the program goes on. */
  clear(): void {
    ++this.asked;
    this.show({});
  }

  private show(body: TraceBody): void {
    this.rows = traceRows(body);
    this.rendered = body.rendered ?? '';
    if (this.view) this.view.description = this.rows[0]?.label ?? '';
    this.changed.fire();
    const first = this.rows[0];
    // A trace is what a stop at an error is about. (`reveal` does not open a view that is closed in this part of the window.)
    if (first && this.view && !this.view.visible)
      void vscode.commands.executeCommand('sx.returnTrace.focus', { preserveFocus: true }).then(undefined, () => undefined);
  }

  getChildren(row?: TraceRow): TraceRow[] { return row ? row.children : this.rows; }

  getTreeItem(row: TraceRow): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, row.children.length ? vscode.TreeItemCollapsibleState.Expanded
                                                                    : vscode.TreeItemCollapsibleState.None);
    item.iconPath = new vscode.ThemeIcon(ICONS[row.kind]);
    if (row.description) item.description = row.description;
    if (row.tooltip) item.tooltip = row.tooltip;
    if (row.place) item.command = { command: 'sx.openTracePlace', title: 'Open', arguments: [row] };
    return item;
  }
}
