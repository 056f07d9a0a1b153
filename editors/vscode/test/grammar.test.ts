// The grammar, held to the compiler's own lexer: every token of the library, the examples and the golden programs has a scope of its
// kind. The environment says where: SX (the compiler) and SX_ROOT (the checkout).
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { before, test } from 'node:test';
import * as oniguruma from 'vscode-oniguruma';
import { INITIAL, Registry, type IGrammar } from 'vscode-textmate';

const root = process.env['SX_ROOT']!, sx = process.env['SX']!;
const grammarFile = path.join(root, 'editors', 'vscode', 'syntaxes', 'sx.tmLanguage.json');
let grammar: IGrammar;
let compared = 0;

before(async () => {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma').replace('main.js', 'onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: p => new oniguruma.OnigScanner(p), createOnigString: s => new oniguruma.OnigString(s) }),
    loadGrammar: async () => JSON.parse(fs.readFileSync(grammarFile, 'utf8')),
  });
  grammar = (await registry.loadGrammar('source.sx'))!;
});

/** For each line, the scopes of each of its UTF-16 units, innermost last, joined by blanks. */
function scopes(text: string): string[][] {
  let state = INITIAL;
  return text.split('\n').map(line => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    const units: string[] = [];
    for (const token of result.tokens)
      for (let i = token.startIndex; i < Math.min(token.endIndex, line.length); ++i) units[i] = token.scopes.slice(1).join(' ');
    return units;
  });
}

/** The innermost scope of the first place where `part` stands. */
function scopeOf(text: string, part: string): string {
  const lines = text.split('\n');
  const line = lines.findIndex(l => l.includes(part));
  return scopes(text)[line]![lines[line]!.indexOf(part)]!;
}

interface Token { line: number; column: number; endLine: number; endColumn: number; what: string }

const tokenLine = /^(\d+):(\d+)-(\d+):(\d+) (.*)$/;

/** The tokens as the compiler's lexer sees them; columns count bytes. */
function tokensOf(file: string): Token[] {
  const { stdout } = spawnSync(sx, ['check', '--dump=tokens', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return stdout.split('\n').map(l => tokenLine.exec(l)).filter(m => m !== null)
    .map(m => ({ line: +m[1]!, column: +m[2]!, endLine: +m[3]!, endColumn: +m[4]!, what: m[5]! }));
}

/** What the scopes of a token have to look like, or undefined where anything will do. */
function wanted(token: Token, text: string): RegExp | undefined {
  if (text.startsWith('"')) return /string\.quoted\.double/;
  if (/^#string\b/.test(text)) return /string\.unquoted\.heredoc/;
  if (text.startsWith("'")) return /string\.quoted\.single/;
  if (/^\d/.test(text)) return /^constant\.numeric|^variable\.other\.member/; // `pair.0`
  if (/^#\w/.test(text)) return /^keyword/;
  if (text.startsWith('`')) return /^(variable\.other|entity)/;
  if (/^[A-Za-z_]/.test(text)) {
    return token.what.startsWith('name ') ? /^(?!.*(string|comment|numeric|keyword\.control|storage))/ : /^(keyword|storage|constant|support|variable|entity)/;
  }
  return /^(keyword\.operator|punctuation|constant\.language|storage)/;
}

function complaintsOf(file: string): string[] {
  const text = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const lines = text.split('\n'), given = scopes(text), complaints: string[] = [];
  const unit = (line: number, column: number) => Buffer.from(lines[line - 1]!).subarray(0, column - 1).toString().length;
  const covered = lines.map(l => new Uint8Array(l.length));
  for (const token of tokensOf(file)) {
    if (token.what === 'end') continue;
    ++compared;
    const first = unit(token.line, token.column);
    const spelled = token.line === token.endLine ? lines[token.line - 1]!.slice(first, unit(token.endLine, token.endColumn)) : lines[token.line - 1]!.slice(first);
    const wish = wanted(token, spelled);
    for (let l = token.line; l <= token.endLine; ++l) {
      const from = l === token.line ? first : 0, to = l === token.endLine ? unit(l, token.endColumn) : lines[l - 1]!.length;
      covered[l - 1]!.fill(1, from, to);
      for (let i = from; wish && i < to; ++i) {
        if (wish.test(given[l - 1]![i] ?? '')) continue;
        complaints.push(`${file}:${l}:${i + 1}: ${JSON.stringify(spelled)} is ${given[l - 1]![i]}`);
        break;
      }
    }
  }
  for (const [l, line] of lines.entries()) {
    for (let i = 0; i < line.length; ++i) {
      if (covered[l]![i] || /\s/.test(line[i]!) || /comment/.test(given[l]![i] ?? '')) continue;
      complaints.push(`${file}:${l + 1}:${i + 1}: no token, but ${given[l]![i]}`);
      break;
    }
  }
  return complaints;
}

function sourcesBelow(...folders: string[]): string[] {
  return folders.flatMap(folder => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.sx')).map(name => path.join(root, folder, name)));
}

test('agrees with the lexer on the library, the examples and what the adapter is tested with', () => {
  const files = sourcesBelow('library', 'examples', 'tests/debugger/programs');
  assert.ok(files.length > 40);
  assert.deepStrictEqual(files.flatMap(complaintsOf), []);
  assert.ok(compared > 50_000);
});

test('agrees with the lexer on golden programs', () => {
  const files = sourcesBelow('tests/corpus/errors', 'tests/corpus/data', 'tests/corpus/generics').filter(f => !/reject/.test(f)).filter((_, i) => i % 8 === 0);
  assert.deepStrictEqual(files.flatMap(complaintsOf), []);
});

test('tells declarations, types, errors, calls and members apart', () => {
  const text = [
    'geometry :: #import "lib/shape.sx";', 'Point :: struct { x: i64 = 1; }', 'LIMIT :: 64;', 'area :: (w: i64) -> (i64, !Bad) { w * half(w) }',
    'twice :: ufcs (n: i64) => n + n;', 'greet :: { p.draw(); p.size = .red; }', 'f :: () { raise error.BadDigit; `for := 1; }',
    'page :: #string END', 'if "x" // no', 'END;', 's :: "a\\n{x} {}";', 'E :: error { Bad }', 'half2 :: 7 / 2;',
    'g :: (x: $T) { if x == { case int: 1; else: 2; } }',
  ].join('\n');
  const expected: [string, RegExp][] = [
    ['geometry', /^entity\.name\.namespace/], ['#import', /keyword\.control\.import/], ['Point', /^entity\.name\.type/], ['struct', /^storage\.type/],
    ['x: i64', /^variable\.other\.declaration/], ['i64 = 1', /^support\.type/], ['LIMIT', /^variable\.other\.constant/], ['area', /^entity\.name\.function/],
    ['half(w)', /^entity\.name\.function/], ['twice', /^entity\.name\.function/], ['ufcs', /^storage\.modifier/], ['greet', /^entity\.name\.function/],
    ['draw', /^entity\.name\.function\.member/], ['size', /^variable\.other\.member/], ['red', /^variable\.other\.enummember/],
    ['raise', /^keyword\.control/], ['BadDigit', /^variable\.other\.enummember\.error/], ['`for', /^variable\.other\.raw/], ['if "x"', /heredoc/],
    ['// no', /heredoc/], ['s ::', /^variable/], ['\\n{x}', /constant\.character\.escape/], ['{x}', /constant\.other\.placeholder/],
    ['half2', /^variable\.other\.constant/], ['$T', /^punctuation\.definition\.generic/], ['else:', /^keyword\.control/], ['int:', /^(?!.*declaration)/],
  ];
  for (const [part, scope] of expected) assert.match(scopeOf(text, part), scope, part);
});

test('stays within a line where a text, a comment or a character is not closed', () => {
  assert.match(scopeOf("c := 'x;\nreturn c;", 'return'), /^keyword\.control/);
  assert.match(scopeOf('// "open\nreturn c;', 'return'), /^keyword\.control/);
});
