// The error return trace as rows of a tree: no editor in here.

/** A place where an error has been, as the adapter's request `sxErrorTrace` gives it; `line` and `col` (bytes) begin at 1. */
export interface TraceFrame {
  func: string; file: string; line: number; col: number; text?: string; notes?: string[]; values?: unknown;
}

/** One error of a trace, with where it came from. */
export interface TraceChain {
  /** The tag's name. */
  error: string; link: null | 'cause' | 'attempt'; omitted: number; unknownOrigin?: boolean; frames: TraceFrame[];
}

/** The body of the response to `sxErrorTrace`. */
export interface TraceBody { error?: string; set?: string; chains?: TraceChain[]; in_flight?: (TraceChain | string)[]; rendered?: string }

/** A row: an error, or a place. */
export interface TraceRow {
  kind: 'error' | 'place' | 'label';
  label: string;
  description?: string;
  tooltip?: string;
  place?: { file: string; line: number; column: number };
  children: TraceRow[];
}

/** The rows of a trace, most recent error first as the adapter has them; none where nothing is on its way. */
export function traceRows(body: TraceBody): TraceRow[] {
  const rows = (body.chains ?? []).map((chain, i) => chainRow(chain, i === 0 ? undefined : linkText(chain)));
  const inFlight = (body.in_flight ?? []).filter((c): c is TraceChain => typeof c === 'object');
  return [...rows, ...inFlight.map(chain => chainRow(chain, 'in flight'))];
}

function linkText(chain: TraceChain): string | undefined {
  if (chain.link === 'cause') return 'raised while handling';
  return chain.link === 'attempt' ? 'after another attempt' : undefined;
}

function chainRow(chain: TraceChain, description?: string): TraceRow {
  const children = chain.frames.map(frameRow);
  if (chain.omitted > 0) children.splice(Math.ceil(children.length / 2), 0, label(`… ${chain.omitted} frames omitted`));
  if (chain.unknownOrigin) children.unshift(label('(came from code that records no trace)'));
  return { kind: 'error', label: `error.${chain.error}`, children, ...(description ? { description } : {}) };
}

function frameRow(frame: TraceFrame): TraceRow {
  const notes = (frame.notes ?? []).map(note => label(note));
  const name = frame.file.split(/[\\/]/).pop();
  return { kind: 'place', label: frame.func, description: `${name}:${frame.line}`, tooltip: [frame.text?.trim(), `${frame.file}:${frame.line}:${frame.col}`].filter(t => t).join('\n'),
           place: { file: frame.file, line: frame.line, column: frame.col }, children: notes };
}

function label(text: string): TraceRow {
  return { kind: 'label', label: text, children: [] };
}
