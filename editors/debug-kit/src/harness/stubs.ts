// What stands in for an editor in tests: it keeps what it was told, and answers what the test says.
import { spawn, type ChildProcess } from 'node:child_process';
import type { OpenDocument } from '../documents';

/** Messages that were shown, and the buttons that a user would press. */
export class MessageStub {
  readonly shown: { kind: 'error' | 'warning' | 'information'; text: string }[] = [];
  private readonly presses: string[] = [];

  /** The next message that offers a button of this name has it pressed. */
  press(button: string): void { this.presses.push(button); }

  /** Keeps a message; the button pressed, or undefined. */
  show(kind: 'error' | 'warning' | 'information', text: string, ...buttons: string[]): string | undefined {
    this.shown.push({ kind, text });
    const next = this.presses[0];
    return next !== undefined && buttons.includes(next) ? this.presses.shift() : undefined;
  }
}

/** A document whose saving succeeds or not, as the test says. */
export class DocumentStub implements OpenDocument {
  saves = 0;

  constructor(readonly name: string, private dirty = false, private readonly saving: 'works' | 'refused' | 'throws' = 'works') {}

  isDirty(): boolean { return this.dirty; }

  edit(): void { this.dirty = true; }

  async save(): Promise<boolean> {
    ++this.saves;
    if (this.saving === 'throws') throw new Error(`${this.name} is read-only`);
    if (this.saving === 'works') this.dirty = false;
    return this.saving === 'works';
  }
}

/** Terminals of the client: answers `runInTerminal` by starting the command, with its output kept. */
export class TerminalStub {
  readonly requests: any[] = [];
  readonly children: ChildProcess[] = [];
  text = '';

  /** To be given to `DapClient.onRequest('runInTerminal', …)`. */
  readonly run = async (args: any): Promise<{ processId: number }> => {
    this.requests.push(args);
    const [command, ...rest] = args.args as string[];
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const [name, value] of Object.entries(args.env ?? {})) {
      if (value === null) delete env[name];
      else env[name] = String(value);
    }
    const child = spawn(command!, rest, { cwd: args.cwd || undefined, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.children.push(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => { this.text += piece.toString(); });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return { processId: child.pid! };
  };

  /** Ends what still runs. */
  close(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }
}
