// A build before a launch: a command is run, what it says is read, and the launch goes on or not.
import { spawn } from 'node:child_process';

/** A command to run. */
export interface BuildStep {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
}

/** One thing that a build says. Lines and columns begin at 1; columns are as the tool counts them. */
export interface BuildProblem {
  severity: 'error' | 'warning' | 'note';
  message: string;
  file: string;
  line: number;
  column: number;
  /** The column after the last one meant, where the tool says it. */
  endColumn?: number;
  /** Places that belong to it. */
  related?: BuildProblem[];
}

/** How a build went. */
export interface BuildResult {
  /** Whether the launch may go on. */
  ok: boolean;
  problems: BuildProblem[];
  /** All that the command wrote, for an output channel. */
  text: string;
  /** Set where the command could not be run, was ended by a signal, or failed without a problem that could be read. */
  failure?: string;
}

const MOST_TEXT = 16 * 1024 * 1024;

/**
 * Runs a step to its end and reads its output with `parse`. It never throws: a command that cannot be started is a failure in
 * the result. `signal` ends it.
 */
export async function runBuild(step: BuildStep, parse: (text: string) => BuildProblem[],
                               signal?: AbortSignal): Promise<BuildResult> {
  const { text, status, failure } = await run(step, signal);
  const problems = parse(text);
  if (failure) return { ok: false, problems, text, failure };
  if (status === 0) return { ok: true, problems, text };
  const explained = problems.some(p => p.severity === 'error');
  const firstLine = text.split('\n').find(l => l.trim()) ?? 'it printed nothing';
  return explained ? { ok: false, problems, text }
                   : { ok: false, problems, text, failure: `${step.command} exited with ${status}: ${firstLine}` };
}

function run(step: BuildStep, signal?: AbortSignal): Promise<{ text: string; status: number | null; failure?: string }> {
  return new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer) => {
      if (size < MOST_TEXT) chunks.push(chunk);
      size += chunk.length;
    };
    const text = () => Buffer.concat(chunks).toString('utf8');
    const child = spawn(step.command, step.args, { cwd: step.cwd, env: step.env, stdio: ['ignore', 'pipe', 'pipe'], signal });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', e => resolve({ text: text(), status: null, failure: `${step.command} cannot be run: ${e.message}` }));
    child.on('close', (status, by) =>
      resolve({ text: text(), status, ...(by ? { failure: `${step.command} was ended by ${by}` } : {}) }));
  });
}

/** A sentence about the errors of a build, for the message that rejects a launch. */
export function buildSummary(result: BuildResult): string {
  const errors = result.problems.filter(p => p.severity === 'error');
  if (errors.length === 0) return result.failure ?? 'The build failed.';
  const first = errors[0]!;
  return `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}: ${first.message} (${first.file}:${first.line}:${first.column})`;
}
