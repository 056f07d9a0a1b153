// Launch configurations in the editor: completed, checked, with documents saved and the program checked before it starts.
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { buildSummary, runBuild, saveOrReject, type Attribute, type Configuration } from 'debug-kit';
import { parseDiagnostics } from '../diagnostics';
import { findCompiler, findDebugAdapter, showSettingError } from '../tools';
import { resolveLaunch, settleLaunch, type DebugSettings } from './launch';
import type { BuildProblems } from './problems';

/** The file of the active editor where it is one of sx. */
export function activeFile(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'sx' && document.uri.scheme === 'file' ? document.uri.fsPath : undefined;
}

/** What the settings say about debugging in a folder. */
export function debugSettings(folder?: vscode.WorkspaceFolder): DebugSettings {
  const settings = vscode.workspace.getConfiguration('sx.debug', folder);
  return { output: settings.get('output', ''), args: settings.get('args', []), cwd: settings.get('cwd', ''),
           env: settings.get('env', {}), stopOnEntry: settings.get('stopOnEntry', false) };
}

/** The files that are part of a launch: all dirty documents of the language, since any may be imported. */
function openDocuments() {
  return vscode.workspace.textDocuments.filter(d => d.languageId === 'sx' && d.isDirty)
    .map(d => ({ name: vscode.workspace.asRelativePath(d.uri), isDirty: () => d.isDirty,
                 save: async () => d.isUntitled ? false : d.save() }));
}

/** Resolves launch configurations. A launch that is rejected shows one message and starts nothing. */
export class SxConfigurations implements vscode.DebugConfigurationProvider {
  constructor(private readonly problems: BuildProblems, private readonly log: vscode.OutputChannel,
              private readonly attributes: Record<string, { properties: Record<string, Attribute> }>) {}

  /** What a new launch.json, and the menu of F5, offer. */
  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: 'sx', request: 'launch', name: 'Debug sx file', program: '${file}', args: [] }];
  }

  async resolveDebugConfiguration(folder: vscode.WorkspaceFolder | undefined,
                                  given: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    const active = activeFile();
    const resolved = resolveLaunch(given, { settings: debugSettings(folder), ...(active ? { activeFile: active } : {}),
                                            ...(folder ? { workspaceFolder: folder.uri.fsPath } : {}) });
    if (resolved.ok) return resolved.configuration as vscode.DebugConfiguration;
    void vscode.window.showErrorMessage(resolved.message);
    return undefined;
  }

  async resolveDebugConfigurationWithSubstitutedVariables(folder: vscode.WorkspaceFolder | undefined, given: vscode.DebugConfiguration,
                                                          token?: vscode.CancellationToken): Promise<vscode.DebugConfiguration | undefined> {
    const attributes = this.attributes[given.request]?.properties ?? {};
    const settled = settleLaunch(given, attributes, folder?.uri.fsPath, fs.existsSync);
    if (!settled.ok) return this.reject(settled.message);
    const adapter = findDebugAdapter(folder);
    if (!adapter.ok) return void showSettingError(adapter.message, '@ext:sx.sx path');
    const saved = await saveOrReject(openDocuments());
    if (!saved.ok) return this.reject(saved.message);
    if (!await this.builds(settled.configuration, folder, token)) return undefined;
    return settled.configuration as vscode.DebugConfiguration;
  }

  private reject(message: string): undefined {
    void vscode.window.showErrorMessage(message);
    return undefined;
  }

  /** Checks the program with the compiler, whose diagnostics become problems. Without a compiler the adapter says what is wrong. */
  private async builds(configuration: Configuration, folder: vscode.WorkspaceFolder | undefined,
                       token?: vscode.CancellationToken): Promise<boolean> {
    this.problems.clear();
    const program = String(configuration['program'] ?? ''), compiler = findCompiler(folder);
    if (configuration['request'] !== 'launch' || !program.endsWith('.sx') || !compiler.ok) return true;
    const abort = new AbortController();
    const cancelling = token?.onCancellationRequested(() => abort.abort());
    const cwd = folder?.uri.fsPath ?? String(configuration['cwd']);
    const result = await runBuild({ command: compiler.path, args: ['check', program], cwd, env: { ...process.env, NO_COLOR: '1' } },
                                  text => parseDiagnostics(text, cwd), abort.signal);
    cancelling?.dispose();
    await this.problems.add(result.problems);
    if (result.ok) return true;
    if (token?.isCancellationRequested) return false;
    this.log.appendLine(result.text.trimEnd());
    const show = 'Show Problems';
    void vscode.window.showErrorMessage(`Not started: ${buildSummary(result)}`, show).then(pressed =>
      pressed === show && vscode.commands.executeCommand('workbench.actions.view.problems'));
    return false;
  }
}
