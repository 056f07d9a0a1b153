// The commands `sx.run` and `sx.debug`, which lenses, the editor's title and the palette call.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { saveOrReject } from 'debug-kit';
import { activeFile, debugSettings } from './debug/provider';
import { findCompiler, showSettingError } from './tools';

/** What a lens says: a file, and `main` or the name of a test. The editor's title gives a Uri instead. */
export type Target = vscode.Uri | { uri?: string; name?: string } | undefined;

function fileOf(target: Target): { file: string; name: string } | undefined {
  const uri = target instanceof vscode.Uri ? target : target?.uri ? vscode.Uri.parse(target.uri) : undefined;
  const file = uri?.fsPath ?? activeFile();
  return file ? { file, name: target && !(target instanceof vscode.Uri) && target.name || 'main' } : undefined;
}

/** The arguments of the compiler that run a function of a file. */
export function runArguments(file: string, name: string, args: string[]): string[] {
  return name === 'main' ? ['run', file, ...args] : ['test', file, '--filter', name, '--exact'];
}

/** The launch configuration that debugs a function of a file. */
export function debugConfiguration(file: string, name: string): vscode.DebugConfiguration {
  const start = { type: 'sx', request: 'launch', program: file };
  return name === 'main' ? { ...start, name: path.basename(file) } : { ...start, name, test: name };
}

async function saved(file: string): Promise<boolean> {
  const documents = vscode.workspace.textDocuments.filter(d => d.languageId === 'sx' && (d.isDirty || d.uri.fsPath === file));
  const result = await saveOrReject(documents.map(d => ({ name: vscode.workspace.asRelativePath(d.uri), isDirty: () => d.isDirty,
                                                          save: async () => d.isUntitled ? false : d.save() })));
  if (!result.ok) void vscode.window.showErrorMessage(result.message);
  return result.ok;
}

function noFile(): void {
  void vscode.window.showErrorMessage('There is no program to run: open an .sx file.');
}

async function run(target: Target): Promise<void> {
  const what = fileOf(target);
  if (!what) return noFile();
  const uri = vscode.Uri.file(what.file), folder = vscode.workspace.getWorkspaceFolder(uri), compiler = findCompiler(folder);
  if (!compiler.ok) return showSettingError(compiler.message);
  if (!await saved(what.file)) return;
  const { args, cwd, env } = debugSettings(folder);
  const title = what.name === 'main' ? path.basename(what.file) : what.name;
  const task = new vscode.Task({ type: 'sx', file: what.file, name: what.name }, folder ?? vscode.TaskScope.Workspace, title, 'sx',
    new vscode.ProcessExecution(compiler.path, runArguments(what.file, what.name, args ?? []),
      { cwd: cwd || folder?.uri.fsPath || path.dirname(what.file), env: withoutNulls(env ?? {}) }));
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, panel: vscode.TaskPanelKind.Dedicated, clear: true };
  await vscode.tasks.executeTask(task);
}

function withoutNulls(env: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== null));
}

async function debug(target: Target): Promise<void> {
  const what = fileOf(target);
  if (!what) return noFile();
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(what.file));
  await vscode.debug.startDebugging(folder, debugConfiguration(what.file, what.name));
}

/** Registers both. */
export function registerRun(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('sx.run', (target?: Target) => run(target)),
    vscode.commands.registerCommand('sx.debug', (target?: Target) => debug(target)));
}
