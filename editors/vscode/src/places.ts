// Files that a trace or the adapter names, found and shown.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { findCompiler } from './tools';

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(() => true, () => false);
}

/** Where the library lies for a compiler: beside it as built, and as installed. */
function libraryFolders(): string[] {
  const compiler = findCompiler();
  const stated = process.env['SX_STDLIB_PATH'];
  const beside = compiler.ok ? ['library', '../library', '../../library', '../share/sx', '../lib/sx'].map(f => path.resolve(path.dirname(compiler.path), f)) : [];
  return stated ? [stated, ...beside] : beside;
}

/**
 * The files that a name may mean: an absolute path; below `folders` and the folders of the workspace; anywhere in the workspace, since traces
 * name files as their program's main file sees them; in the library.
 */
export async function findFiles(name: string, folders: string[] = []): Promise<vscode.Uri[]> {
  if (path.isAbsolute(name)) return await exists(vscode.Uri.file(name)) ? [vscode.Uri.file(name)] : [];
  const roots = [...folders, ...(vscode.workspace.workspaceFolders ?? []).map(f => f.uri.fsPath)];
  for (const root of roots) {
    const uri = vscode.Uri.file(path.resolve(root, name));
    if (await exists(uri)) return [uri];
  }
  const below = name.replace(/^(\.\.?[\\/])+/, '').replace(/[[\]{}*?]/g, '?');
  const found = await vscode.workspace.findFiles(`**/${below}`, '**/node_modules/**', 20);
  if (found.length) return found;
  const library = libraryFolders().map(folder => vscode.Uri.file(path.resolve(folder, name)));
  const there = await Promise.all(library.map(exists));
  return library.filter((_, i) => there[i]);
}

/** The UTF-16 column, from 0, of a column that counts bytes from 1. */
export function unitColumn(line: string, byteColumn: number): number {
  return Buffer.from(line, 'utf8').subarray(0, Math.max(0, byteColumn - 1)).toString('utf8').length;
}

/** Opens a file at a line and a column in bytes, both from 1. */
export async function showPlace(uri: vscode.Uri, line: number, byteColumn: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const row = Math.min(Math.max(line - 1, 0), document.lineCount - 1);
  const at = new vscode.Position(row, unitColumn(document.lineAt(row).text, byteColumn));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

/** Finds and opens what a name means; asks where there are several. Shows a message where there is none. */
export async function openNamed(name: string, line: number, byteColumn: number, folders: string[] = []): Promise<void> {
  const files = await findFiles(name, folders);
  let file = files[0];
  if (!file) {
    void vscode.window.showWarningMessage(`${name} is not in the workspace.`);
    return;
  }
  if (files.length > 1) {
    const items = files.map(uri => ({ label: vscode.workspace.asRelativePath(uri), uri }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: `Which ${name}?` });
    if (!picked) return;
    file = picked.uri;
  }
  await showPlace(file, line, byteColumn);
}
