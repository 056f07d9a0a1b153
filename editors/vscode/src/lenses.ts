// `Run` and `Debug` above `main` and tests, where no language server gives them.
import * as vscode from 'vscode';
import { withoutHeredocs } from './names';

/** The line, from 0, and name of each function that can be run: `main`, and tests without parameters. */
export function runnable(text: string): { line: number; name: string }[] {
  return withoutHeredocs(text.split(/\r?\n/)).flatMap((line, i) => {
    const match = /^(main|test_\w+)\s*::\s*(?:\(\s*\)|\{|\(\s*\w+\s*:\s*\[\]string)/.exec(line);
    return match ? [{ line: i, name: match[1]! }] : [];
  });
}

/** The lenses; `active` says whether they are wanted now. */
export class Lenses implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly active: () => boolean) {}

  /** Has the editor ask again. */
  refresh(): void { this.changed.fire(); }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.active()) return [];
    return runnable(document.getText()).flatMap(({ line, name }) => {
      const range = new vscode.Range(line, 0, line, name.length), argument = { uri: document.uri.toString(), name };
      return [new vscode.CodeLens(range, { title: '$(play) Run', command: 'sx.run', arguments: [argument] }),
              new vscode.CodeLens(range, { title: '$(debug-alt) Debug', command: 'sx.debug', arguments: [argument] })];
    });
  }
}
