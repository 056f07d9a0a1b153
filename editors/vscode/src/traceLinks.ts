// Places in the output of programs: lines of traces (`func at file:line:col`) and of diagnostics (`--> file:line:col`).

/** A place that a line names. `start` and `length` say where its text stands; line and column begin at 1. */
export interface TextPlace { start: number; length: number; file: string; line: number; column: number }

const PLACES = [
  /(?<=^\s*(?:[^\s(].*? )?at )(\S.*?\.sx):(\d+):(\d+)(?=\s*$|\s*\()/, // a hop; a panic's or a fault's place
  /(?<=^\s*--> )(\S.*?):(\d+):(\d+)(?=\s*$)/,                          // a diagnostic
];
const ESCAPES = /\x1b\[[0-9;]*[A-Za-z]/g;

/** The place in a line of output, or undefined. Colours do not count. */
export function placeIn(line: string): TextPlace | undefined {
  const plain = line.replace(ESCAPES, '');
  for (const form of PLACES) {
    const match = form.exec(plain);
    if (match)
      return { start: match.index, length: match[0].length, file: match[1]!, line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}
