// What a build says, in the editor's list of problems.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { BuildProblem } from 'debug-kit';
import { unitColumn } from '../places';

const SEVERITIES = { error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning,
                     note: vscode.DiagnosticSeverity.Information };

/** Problems of the last build. Those of a file go when it is edited; files that the language server speaks for are left out. */
export class BuildProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('sx build');
  private readonly listening = vscode.workspace.onDidChangeTextDocument(e => {
    if (e.contentChanges.length) this.collection.delete(e.document.uri);
  });

  constructor(private readonly serverRuns: () => boolean) {}

  /** Forgets the last build. */
  clear(): void { this.collection.clear(); }

  /** Adds to what is shown. */
  async add(problems: BuildProblem[]): Promise<void> {
    for (const [file, own] of byFile(problems)) {
      const uri = vscode.Uri.file(file);
      const open = vscode.workspace.textDocuments.find(d => d.uri.fsPath === uri.fsPath);
      if (this.serverRuns() && open) continue;
      const document = open ?? await vscode.workspace.openTextDocument(uri).then(d => d, () => undefined);
      const made = own.map(p => diagnostic(p, document));
      this.collection.set(uri, [...(this.collection.get(uri) ?? []), ...made]);
    }
  }

  /** A diagnostic that the adapter wrote to the console while it built. */
  async addOutput(body: { output?: string; source?: { path?: string }; line?: number; column?: number }): Promise<void> {
    const file = body.source?.path;
    if (!file || !path.isAbsolute(file) || !body.line || !body.output) return;
    const text = /^(?:(error|warning|note): )?([\s\S]*?)\s*$/.exec(body.output)!;
    const [message] = text[2]!.split('\n');
    await this.add([{ severity: (text[1] ?? 'error') as BuildProblem['severity'], message: message!, file, line: body.line, column: body.column ?? 1 }]);
  }

  dispose(): void {
    this.listening.dispose();
    this.collection.dispose();
  }
}

function byFile(problems: BuildProblem[]): Map<string, BuildProblem[]> {
  const map = new Map<string, BuildProblem[]>();
  for (const problem of problems) map.set(problem.file, [...(map.get(problem.file) ?? []), problem]);
  return map;
}

function rangeOf(problem: BuildProblem, document: vscode.TextDocument | undefined): vscode.Range {
  const row = Math.max(0, problem.line - 1);
  const text = document && row < document.lineCount ? document.lineAt(row).text : '';
  const start = text ? unitColumn(text, problem.column) : Math.max(0, problem.column - 1);
  const end = problem.endColumn ? start + problem.endColumn - problem.column : document?.getWordRangeAtPosition(new vscode.Position(row, start))?.end.character ?? start + 1;
  return new vscode.Range(row, start, row, end);
}

function diagnostic(problem: BuildProblem, document: vscode.TextDocument | undefined): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeOf(problem, document), problem.message, SEVERITIES[problem.severity]);
  made.source = 'sx';
  if (problem.related?.length)
    made.relatedInformation = problem.related.map(note => new vscode.DiagnosticRelatedInformation(
      new vscode.Location(vscode.Uri.file(note.file), rangeOf(note, undefined)), note.message));
  return made;
}
