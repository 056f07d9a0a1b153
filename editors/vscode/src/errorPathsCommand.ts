// The command `sx.errorPaths`: the ways of the errors at the cursor, in a list whose rows open their places.
import * as vscode from 'vscode';
import { pathRows, pathsTitle, type ErrorPaths } from './errorPaths';

/** What the command asks: the language server, or undefined where none runs. */
export type Ask = (method: string, params: object) => Promise<unknown> | undefined;

async function showErrorPaths(ask: Ask): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'sx') return;
  const { line, character } = editor.selection.active;
  const answer = ask('sx/errorPaths', { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } });
  if (!answer) {
    void vscode.window.showWarningMessage('The language server does not run.');
    return;
  }
  const found = await answer.catch(() => undefined) as ErrorPaths | undefined;
  const rows = pathRows(found, uri => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)));
  if (!found || !rows.length) {
    void vscode.window.showInformationMessage('No error starts, passes or ends here: put the cursor on a raise, try, catch or or.');
    return;
  }
  const items = rows.map(row => (row.step ? row : { ...row, kind: vscode.QuickPickItemKind.Separator }));
  const picked = await vscode.window.showQuickPick(items, { title: pathsTitle(found), matchOnDescription: true });
  if (!picked?.step) return;
  const { uri, range } = picked.step;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  await vscode.window.showTextDocument(document, { selection });
}

/** Registers the command. */
export function registerErrorPaths(ask: Ask): vscode.Disposable {
  return vscode.commands.registerCommand('sx.errorPaths', () => showErrorPaths(ask));
}
