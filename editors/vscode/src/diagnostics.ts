// What `sx` prints about a program, read back: no editor in here.
import * as path from 'node:path';
import type { BuildProblem } from 'debug-kit';

const HEAD = /^(error|warning|note): (.*)$/;
const PLACE = /^\s*--> (.*):(\d+):(\d+)$/;
const CARETS = /^\s*\|\s*(\^+)/;
const HELP = /^help: (.*)$/;

/**
 * The diagnostics in the text that `sx check` writes. Files are made absolute with `folder`, the folder that it ran in. A note belongs to the
 * error or warning before it. Help is added to the message in a line of its own.
 */
export function parseDiagnostics(text: string, folder: string): BuildProblem[] {
  const problems: BuildProblem[] = [];
  let current: BuildProblem | undefined;
  for (const line of text.split(/\r?\n/)) {
    const head = HEAD.exec(line), place = PLACE.exec(line), help = HELP.exec(line);
    if (head) {
      current = { severity: head[1] as BuildProblem['severity'], message: head[2]!, file: '', line: 0, column: 0 };
    } else if (place && current && !current.file) {
      Object.assign(current, { file: path.resolve(folder, place[1]!), line: Number(place[2]), column: Number(place[3]) });
      const owner = problems[problems.length - 1];
      if (current.severity === 'note' && owner) (owner.related ??= []).push(current);
      else problems.push(current);
    } else if (help && current) {
      current.message += `\nhelp: ${help[1]}`;
    } else if (current?.file && current.endColumn === undefined && CARETS.test(line)) {
      current.endColumn = current.column + CARETS.exec(line)![1]!.length;
    }
  }
  return problems;
}
