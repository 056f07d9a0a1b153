// Values of variables beside the code, and what a hover over code asks the debugger for.
import * as vscode from 'vscode';
import { declarationAround, expressionAt, variablesIn } from '../names';

function linesOf(document: vscode.TextDocument): string[] {
  return document.getText().split(/\r?\n/);
}

/** Each variable of the function that is stopped, as far as it has run. */
export class InlineValues implements vscode.InlineValuesProvider {
  provideInlineValues(document: vscode.TextDocument, viewPort: vscode.Range,
                      context: vscode.InlineValueContext): vscode.InlineValue[] {
    if (!vscode.workspace.getConfiguration('sx', document).get('debug.inlineValues', true)) return [];
    const lines = linesOf(document), stopped = context.stoppedLocation.end.line;
    const first = Math.max(declarationAround(lines, stopped), viewPort.start.line);
    return variablesIn(lines, first, Math.min(stopped, viewPort.end.line))
      .map(p => new vscode.InlineValueVariableLookup(new vscode.Range(p.line, p.start, p.line, p.end), p.name, true));
  }
}

/** The whole path under the pointer, `a.b[i].c`, not the word alone. */
export class HoverExpressions implements vscode.EvaluatableExpressionProvider {
  provideEvaluatableExpression(document: vscode.TextDocument, position: vscode.Position): vscode.EvaluatableExpression | undefined {
    const place = expressionAt(document.lineAt(position.line).text, position.character);
    return place && new vscode.EvaluatableExpression(new vscode.Range(position.line, place.start, position.line, place.end), place.name);
  }
}
