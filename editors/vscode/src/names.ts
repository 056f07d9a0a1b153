// The names of variables in a piece of source text. Enough of the language's tokens is known to leave out texts, comments,
// keywords, members, calls and types; what a name means is the debugger's business.

/** A name, or a path of members, at a place of a document; all numbers begin at 0. */
export interface NamePlace { name: string; line: number; start: number; end: number }

const KEYWORDS = new Set(('if else then while for in break continue return case defer push inline true false null and or xx enum struct union '
  + 'protocol impl ufcs error raise try catch onfail private extern export abi asm intrinsic f32 f64 Type Self').split(' '));

const TYPES = /^(?:[iu]\d{1,2}|usize|isize|bool|string|cstring|void|any|noreturn)$/;

/** The line with texts, characters and comments as blanks. Texts over several lines are not known to be such. */
export function withoutTexts(line: string): string {
  return line.replace(/"(?:\\.|[^"\\])*"?|'(?:\\[^\n]?[^']*|[^'\\])'|\/\/.*/g, part => ' '.repeat(part.length));
}

/** The lines of `#string` blocks, with their first and last lines left as they are. */
export function withoutHeredocs(lines: string[]): string[] {
  let end: RegExp | undefined;
  return lines.map(line => {
    if (end) {
      if (end.test(line)) end = undefined;
      return '';
    }
    const begin = /#string[ \t]+([A-Za-z_]\w*)/.exec(withoutTexts(line));
    if (begin) end = new RegExp(`^${begin[1]}(?!\\w)`);
    return line;
  });
}

/** Names in the lines `first` to `last` of `lines` that may be variables, each once a line. */
export function variablesIn(lines: string[], first: number, last: number): NamePlace[] {
  const places: NamePlace[] = [];
  for (const [i, whole] of withoutHeredocs(lines.slice(0, last + 1)).entries()) {
    if (i < first) continue;
    const line = withoutTexts(whole), seen = new Set<string>();
    for (const match of line.matchAll(/(?<![\w#$])(`?)([A-Za-z_]\w*)/g)) {
      const name = match[2]!, start = match.index, end = start + match[0].length;
      const before = line.slice(0, start), after = line.slice(end);
      if (seen.has(name) || name === '_' || (!match[1] && (KEYWORDS.has(name) || TYPES.test(name)))) continue;
      if (/(?<!\.)\.\s*$|\?\.\s*$/.test(before)) continue;                  // a member, a tag
      if (/^\s*\(|^\s*::|^\s*\.\{/.test(after)) continue;         // a call, a declaration, a literal's type
      if (/^[A-Z]\w*$/.test(name) && /^\s*[.(\[{]/.test(after)) continue;   // a type or module
      seen.add(name);
      places.push({ name, line: i, start, end });
    }
  }
  return places;
}

/**
 * The first line of the declaration around a line: the closest one above that begins at column 0 with a name and `::`, or 0. For
 * declarations inside of a struct or an impl it is theirs, which only makes the piece longer.
 */
export function declarationAround(lines: string[], line: number): number {
  for (let i = Math.min(line, lines.length - 1); i > 0; --i)
    if (/^[A-Za-z_`]\w*\s*::/.test(lines[i]!)) return i;
  return 0;
}

/** The path of members and indices that ends with the name at a column, such as `a.b[i].c`, or undefined where no variable is. */
export function expressionAt(line: string, column: number): NamePlace | undefined {
  const plain = withoutTexts(line);
  for (const match of plain.matchAll(/(?<![\w#$.])[A-Za-z_]\w*(?:\s*(?:\??\.[A-Za-z_0-9]\w*|\.\*|\[[^\[\]]*\]))*/g)) {
    const from = match.index, to = from + match[0].length;
    if (column < from || column > to) continue;
    let end = from;
    for (const part of match[0].matchAll(/^[A-Za-z_]\w*|\s*(?:\??\.\w+|\.\*|\[[^\[\]]*\])/g)) {
      end = from + part.index + part[0].length;
      const inIndex = part[0].includes('[') && column < end;
      if (inIndex) {
        const inner = expressionAt(part[0].replace('[', ' '), column - from - part.index);
        return inner && { ...inner, start: inner.start + from + part.index, end: inner.end + from + part.index };
      }
      if (column <= end) break;
    }
    const name = plain.slice(from, end);
    return KEYWORDS.has(name) ? undefined : { name, line: 0, start: from, end };
  }
  return undefined;
}
