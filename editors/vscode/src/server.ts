// The language server, where the compiler has one.
import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';
import { findCompiler, showSettingError } from './tools';

/** Whether this compiler has a language server: it is asked for the command's help. */
export function hasServer(compiler: string): Promise<boolean> {
  return new Promise(resolve => {
    const child = execFile(compiler, ['help', 'lsp'], { timeout: 20_000 }, error => resolve(!error));
    child.stdin?.end();
  });
}

/** One language server for the window. What is missing is told once; all else works without it. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private told = false;
  private readonly changed = new vscode.EventEmitter<boolean>();
  /** Fires with whether the server runs. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.OutputChannel) {}

  get runs(): boolean { return this.client?.state === State.Running; }

  /** Asks the server; undefined while it does not run. */
  ask(method: string, params: object): Promise<unknown> | undefined {
    return this.runs ? this.client?.sendRequest(method, params) : undefined;
  }

  /** Starts the server. Never throws. */
  async start(): Promise<void> {
    const compiler = findCompiler();
    if (!compiler.ok) return this.tell(`${compiler.message} Until then there is highlighting only.`);
    if (!await hasServer(compiler.path))
      return this.tell(`${compiler.path} has no language server (\`sx lsp\`): highlighting and debugging work without it.`);
    const server: ServerOptions = { command: compiler.path, args: ['lsp'] };
    const lenses = vscode.workspace.getConfiguration('sx').get('lenses', true);
    const options: LanguageClientOptions = {
      documentSelector: [{ language: 'sx', scheme: 'file' }, { language: 'sx', scheme: 'untitled' }],
      initializationOptions: { lenses }, outputChannel: this.log,
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.sx') },
    };
    this.client = new LanguageClient('sx', 'sx', server, options);
    this.client.onDidChangeState(e => this.changed.fire(e.newState === State.Running));
    await this.client.start().catch(e => this.tell(`The language server ${compiler.path} did not start: ${String(e?.message ?? e)}`));
  }

  /** Stops and starts it, as after a change of settings. */
  async restart(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    this.told = false;
    await old?.dispose().catch(() => undefined);
    await this.start();
  }

  dispose(): void {
    void this.client?.dispose().catch(() => undefined);
    this.changed.dispose();
  }

  private tell(message: string): void {
    this.log.appendLine(message);
    if (this.told) return;
    this.told = true;
    void showSettingError(message, '@ext:sx.sx path');
  }
}
