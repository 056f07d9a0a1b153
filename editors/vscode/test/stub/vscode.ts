// The editor's interface as far as the extension uses it, for node tests: it keeps what is registered and shown.
import { MessageStub } from 'debug-kit/harness';

/** What tests look at and set. */
export const stub = {
  messages: new MessageStub(),
  commands: new Map<string, (...args: any[]) => unknown>(),
  executed: [] as [string, ...unknown[]][],
  registered: [] as { what: string; args: any[] }[],
  settings: new Map<string, unknown>(),
  documents: [] as any[],
  diagnostics: new Map<string, any[]>(),
  panels: [] as any[],
  started: [] as any[],
  tasks: [] as any[],
  activeEditor: undefined as any,
  session: undefined as any,
  stackItem: undefined as any,
  folders: [] as any[],
  picks: [] as any[],
  shown: [] as [string, any][],
  listeners: new Map<string, ((e: any) => unknown)[]>(),
  fire(event: string, e?: unknown): unknown[] { return (this.listeners.get(event) ?? []).map(l => l(e)); },
};

export class Disposable {
  constructor(private readonly end: () => void = () => undefined) {}
  static from(...all: { dispose(): unknown }[]): Disposable { return new Disposable(() => all.forEach(d => d.dispose())); }
  dispose(): void { this.end(); }
}
const nothing = () => new Disposable();
const register = (what: string) => (...args: any[]) => {
  stub.registered.push({ what, args });
  return nothing();
};
const listen = (event: string) => (listener: (e: any) => unknown) => {
  stub.listeners.set(event, [...(stub.listeners.get(event) ?? []), listener]);
  return nothing();
};

export class EventEmitter<T> {
  private readonly listeners: ((e: T) => unknown)[] = [];
  readonly event = (l: (e: T) => unknown) => { this.listeners.push(l); return nothing(); };
  fire(e: T): void { this.listeners.forEach(l => l(e)); }
  dispose(): void {}
}
export class Position { constructor(readonly line: number, readonly character: number) {} }
export class Range {
  readonly start: Position; readonly end: Position;
  constructor(a: any, b: any, c?: number, d?: number) {
    this.start = typeof a === 'number' ? new Position(a, b) : a;
    this.end = typeof a === 'number' ? new Position(c!, d!) : b;
  }
}
export class Uri {
  private constructor(readonly scheme: string, readonly fsPath: string) {}
  static file(path: string): Uri { return new Uri('file', path); }
  static parse(text: string): Uri { return new Uri('file', decodeURIComponent(new URL(text).pathname)); }
  toString(): string { return `${this.scheme}://${this.fsPath}`; }
}
class Thing { constructor(...args: any[]) { Object.assign(this, { args }); } }
export class CodeLens { constructor(readonly range: Range, readonly command?: any) {} }
export class Diagnostic { source?: string; constructor(readonly range: Range, readonly message: string, readonly severity: number) {} }
export class TreeItem { constructor(readonly label: string, readonly collapsibleState: number) {} }
export class ThemeIcon { constructor(readonly id: string) {} }
export class InlineValueVariableLookup { constructor(readonly range: Range, readonly variableName: string) {} }
export class EvaluatableExpression { constructor(readonly range: Range, readonly expression: string) {} }
export class DebugAdapterExecutable { constructor(readonly command: string, readonly args: string[], readonly options: any) {} }
export class DebugStackFrame { constructor(readonly session: any, readonly threadId: number, readonly frameId: number) {} }
export class Task { presentationOptions: any; constructor(readonly definition: any, readonly scope: any, readonly name: string, readonly source: string, readonly execution: any) {} }
export class ProcessExecution { constructor(readonly process: string, readonly args: string[], readonly options: any) {} }
export class Location extends Thing {}
export class DiagnosticRelatedInformation extends Thing {}
export class CallHierarchyItem extends Thing {}
export class CompletionItem extends Thing {}
export class DocumentLink extends Thing {}
export class InlayHint extends Thing {}
export class SymbolInformation extends Thing {}
export class TypeHierarchyItem extends Thing {}
export class CodeAction extends Thing {}
export class CancellationError extends Error {}
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ViewColumn = { Beside: -2 };
export const TaskScope = { Workspace: 2 };
export const TaskRevealKind = { Always: 1 };
export const TaskPanelKind = { Dedicated: 2 };
export const env = { clipboard: { text: '', writeText(text: string) { this.text = text; } } };

export const commands = {
  registerCommand(name: string, run: (...args: any[]) => unknown) { stub.commands.set(name, run); return nothing(); },
  async executeCommand(name: string, ...args: unknown[]) { stub.executed.push([name, ...args]); return stub.commands.get(name)?.(...args); },
};
export const languages = {
  createDiagnosticCollection: () => ({ set: (uri: Uri, list: any[]) => stub.diagnostics.set(uri.fsPath, list), get: (uri: Uri) => stub.diagnostics.get(uri.fsPath),
    delete: (uri: Uri) => stub.diagnostics.delete(uri.fsPath), clear: () => stub.diagnostics.clear(), dispose() {} }),
  registerInlineValuesProvider: register('inlineValues'), registerEvaluatableExpressionProvider: register('hover'),
  registerCodeLensProvider: register('lenses'),
};
export const debug = {
  registerDebugConfigurationProvider: register('configurations'), registerDebugAdapterDescriptorFactory: register('adapters'),
  registerDebugAdapterTrackerFactory: register('trackers'), onDidChangeActiveStackItem: listen('stackItem'), onDidTerminateDebugSession: listen('terminated'),
  get activeStackItem() { return stub.stackItem; }, get activeDebugSession() { return stub.session; },
  async startDebugging(folder: any, configuration: any) { stub.started.push({ folder, configuration }); return true; },
};
export const tasks = { async executeTask(task: Task) { stub.tasks.push(task); } };
export const workspace = {
  get textDocuments() { return stub.documents; }, get workspaceFolders() { return stub.folders; },
  getConfiguration: (section: string) => ({ get: (key: string, otherwise?: unknown) => stub.settings.has(`${section}.${key}`) ? stub.settings.get(`${section}.${key}`) : otherwise }),
  asRelativePath: (uri: Uri) => uri.fsPath.split('/').pop(), getWorkspaceFolder: () => stub.folders[0],
  onDidChangeTextDocument: listen('edited'), onDidChangeConfiguration: listen('settings'), createFileSystemWatcher: () => ({ dispose() {} }),
  openTextDocument: async (uri: Uri) => stub.documents.find(d => d.uri.fsPath === uri.fsPath) ?? Promise.reject(new Error('no such file')),
  findFiles: async () => [], fs: { stat: async (uri: Uri) => (await import('node:fs')).promises.stat(uri.fsPath) },
};
const show = (kind: 'error' | 'warning' | 'information') => async (text: string, ...buttons: string[]) => stub.messages.show(kind, text, ...buttons);
export const window = {
  get activeTextEditor() { return stub.activeEditor; },
  showErrorMessage: show('error'), showWarningMessage: show('warning'), showInformationMessage: show('information'),
  createOutputChannel: () => ({ text: '', appendLine(line: string) { this.text += line + '\n'; }, append() {}, show() {}, dispose() {} }),
  createTreeView: (id: string, options: any) => { stub.registered.push({ what: `view ${id}`, args: [options] }); return { description: '', visible: false, dispose() {} }; },
  createWebviewPanel: (kind: string, title: string, _column: any, options: any) => {
    const panel = { kind, title, options, webview: { html: '' }, onDidDispose: nothing, reveal() {}, dispose() {} };
    stub.panels.push(panel);
    return panel;
  },
  registerTerminalLinkProvider: register('terminalLinks'), setStatusBarMessage: nothing,
  async showInputBox(options: any) { return stub.picks.length ? stub.picks.shift() : options.value; },
  async showTextDocument(document: any, options: any) { stub.shown.push([document.uri.fsPath, options?.selection]); },
  async showQuickPick() { return stub.picks.shift(); }, async showSaveDialog() { return stub.picks.shift(); },
};
