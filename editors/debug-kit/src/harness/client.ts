// A client of the Debug Adapter Protocol for tests.
import { spawn, type ChildProcess } from 'node:child_process';
import * as net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { encodeMessage, MessageDecoder, type Message } from './framing';
import { PATIENCE, within } from './poll';

/** A response that says that its request failed. */
export class RequestFailed extends Error {
  constructor(readonly response: Message) {
    super(`${response.command}: ${response.message}`);
  }
}

/** What `begin` sets up before the program runs. */
export interface Beginning {
  request?: 'launch' | 'attach';
  /** The arguments of launch or attach. */
  arguments: Record<string, unknown>;
  /** Lines by file. */
  breakpoints?: Record<string, number[]>;
  /** Names of exception filters; without it the adapter's defaults, as an editor sends them. */
  filters?: string[];
  /** What else is to be said to `initialize`. */
  client?: Record<string, unknown>;
}

type Handler = (args: any) => unknown;

/** One session. Requests may overlap; events are kept in order until somebody takes them. */
export class DapClient {
  /** Every message received, for what a test wants to say about order. */
  readonly received: Message[] = [];
  private readonly pending = new Map<number, (response: Message) => void>();
  private readonly unread: Message[] = [];
  private readonly handlers = new Map<string, Handler>();
  private readonly decoder = new MessageDecoder();
  private wake: (() => void)[] = [];
  private seq = 0;
  private broken: Error | undefined;
  /** What the adapter wrote to standard error. */
  errors = '';

  private constructor(input: Readable, private readonly output: Writable, readonly process?: ChildProcess) {
    input.on('data', (piece: Buffer) => this.take(piece));
    input.on('close', () => this.fail(new Error(`the adapter has closed its output ${this.errors}`)));
    input.on('error', e => this.fail(e));
    output.on('error', e => this.fail(e));
    process?.on('error', e => this.fail(e));
    process?.stderr?.on('data', (text: Buffer) => { this.errors += text.toString(); });
  }

  /** Starts an adapter that speaks over its standard streams. */
  static spawn(command: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env): DapClient {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    return new DapClient(child.stdout, child.stdin, child);
  }

  /** Connects to one that listens. */
  static async connect(port: number, host = '127.0.0.1'): Promise<DapClient> {
    const socket = net.connect(port, host);
    await within(new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)), 'the connection');
    return new DapClient(socket, socket);
  }

  /** Sends a request; its response, whether it says success or not. */
  ask(command: string, args?: unknown): Promise<Message> {
    if (this.broken) return Promise.reject(this.broken);
    const seq = ++this.seq;
    const response = new Promise<Message>(resolve => this.pending.set(seq, resolve));
    this.output.write(encodeMessage({ seq, type: 'request', command, ...(args === undefined ? {} : { arguments: args }) }));
    return within(Promise.race([response, this.failure()]), `the response to ${command}`);
  }

  /** Sends a request; its body. Throws `RequestFailed` where the response says so. */
  async request(command: string, args?: unknown): Promise<any> {
    const response = await this.ask(command, args);
    if (!response.success) throw new RequestFailed(response);
    return response.body ?? {};
  }

  /** Takes the next event of this name that satisfies `fits`; earlier ones of other kinds are left for others. */
  async event(name: string, fits: (body: any) => boolean = () => true, timeout = PATIENCE): Promise<any> {
    const end = Date.now() + timeout;
    for (;;) {
      const at = this.unread.findIndex(m => m.event === name && fits(m.body ?? {}));
      if (at >= 0) return this.unread.splice(at, 1)[0]!.body ?? {};
      if (this.broken) throw this.broken;
      await within(this.news(), `the event ${name}`, Math.max(1, end - Date.now()));
    }
  }

  /** Answers requests of the adapter, such as `runInTerminal`; what the handler throws is the message of a failure. */
  onRequest(command: string, handler: Handler): void { this.handlers.set(command, handler); }

  /** The text of all `output` events of a category so far. */
  outputOf(category: string): string {
    return this.received.filter(m => m.event === 'output' && (m.body?.category ?? 'console') === category)
      .map(m => m.body.output as string).join('');
  }

  /**
   * Initializes, launches or attaches, sets breakpoints and filters, and says that all is configured. Returns the capabilities
   * and the breakpoints by file.
   */
  async begin(beginning: Beginning): Promise<{ capabilities: any; breakpoints: Record<string, any[]> }> {
    const capabilities = await this.request('initialize', { adapterID: 'test', linesStartAt1: true, columnsStartAt1: true,
                                                             pathFormat: 'path', ...beginning.client });
    await this.event('initialized');
    const started = this.request(beginning.request ?? 'launch', beginning.arguments);
    started.catch(() => undefined); // it is waited for below, after what has to come before it
    const breakpoints: Record<string, any[]> = {};
    for (const [path, lines] of Object.entries(beginning.breakpoints ?? {})) {
      const answer = await this.request('setBreakpoints', { source: { path }, breakpoints: lines.map(line => ({ line })) });
      breakpoints[path] = answer.breakpoints;
    }
    const defaults = (capabilities.exceptionBreakpointFilters ?? []).filter((f: any) => f.default).map((f: any) => f.filter);
    await this.request('setExceptionBreakpoints', { filters: beginning.filters ?? defaults });
    await this.request('configurationDone');
    await started;
    return { capabilities, breakpoints };
  }

  /** Waits for a stop; its body, with the frames of the thread that stopped. */
  async stopped(reason?: string): Promise<{ event: any; frames: any[] }> {
    const event = await this.event('stopped', b => reason === undefined || b.reason === reason);
    const { stackFrames } = await this.request('stackTrace', { threadId: event.threadId });
    return { event, frames: stackFrames };
  }

  /** The rows of the first scope of a frame, which are its locals. */
  async locals(frameId: number): Promise<any[]> {
    const { scopes } = await this.request('scopes', { frameId });
    return scopes.length ? (await this.request('variables', { variablesReference: scopes[0].variablesReference })).variables : [];
  }

  /** Ends the session, and the adapter where it was started here. Never throws. */
  async stop(): Promise<void> {
    if (!this.broken) await this.ask('disconnect', {}).catch(() => undefined);
    this.output.end();
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    await within(ended, 'the end of the adapter', 10_000).catch(() => child.kill('SIGKILL'));
  }

  private take(piece: Buffer): void {
    try {
      for (const message of this.decoder.push(piece)) this.dispatch(message);
    } catch (e) {
      this.fail(e as Error);
    }
  }

  private dispatch(message: Message): void {
    this.received.push(message);
    if (message.type === 'response') {
      this.pending.get(message.request_seq!)?.(message);
      this.pending.delete(message.request_seq!);
    } else if (message.type === 'event') {
      this.unread.push(message);
    } else {
      void this.answer(message);
    }
    this.tell();
  }

  private async answer(request: Message): Promise<void> {
    const answer: Omit<Message, 'seq'> = { type: 'response', command: request.command!, request_seq: request.seq, success: true };
    try {
      const handler = this.handlers.get(request.command!);
      if (!handler) throw new Error(`this client does not know ${request.command}`);
      answer.body = await handler(request.arguments);
    } catch (e) {
      answer.success = false;
      answer.message = (e as Error).message;
    }
    this.output.write(encodeMessage({ seq: ++this.seq, ...answer }));
  }

  private news(): Promise<void> { return new Promise(resolve => this.wake.push(resolve)); }

  private tell(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const go of waiting) go();
  }

  private fail(error: Error): void {
    this.broken ??= error;
    this.tell();
  }

  private async failure(): Promise<never> {
    while (!this.broken) await this.news();
    throw this.broken;
  }
}
