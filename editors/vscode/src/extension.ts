// The extension for sx: what is started and registered when a file of the language is opened or debugged.
import * as vscode from 'vscode';
import { AdapterFactory, AdapterListener } from './debug/adapter';
import { HoverExpressions, InlineValues } from './debug/inlineValues';
import { BuildProblems } from './debug/problems';
import { SxConfigurations } from './debug/provider';
import { registerErrorPaths } from './errorPathsCommand';
import { Lenses } from './lenses';
import { pickProcess } from './pickProcess';
import { registerRun } from './run';
import { Server } from './server';
import { TerminalLinks } from './terminalLinks';
import { registerMemoryViews } from './views/memoryViews';
import { ReturnTraceView } from './views/returnTraceView';

const SELECTOR: vscode.DocumentSelector = { language: 'sx' };

function registerDebugging(context: vscode.ExtensionContext, problems: BuildProblems, log: vscode.OutputChannel): vscode.Disposable {
  const attributes = context.extension.packageJSON.contributes.debuggers[0].configurationAttributes;
  const trace = new ReturnTraceView(), configurations = new SxConfigurations(problems, log, attributes);
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider('sx', configurations),
    vscode.debug.registerDebugConfigurationProvider('sx', { provideDebugConfigurations: () => configurations.provideDebugConfigurations() },
                                                    vscode.DebugConfigurationProviderTriggerKind.Dynamic),
    vscode.debug.registerDebugAdapterDescriptorFactory('sx', new AdapterFactory()),
    vscode.debug.registerDebugAdapterTrackerFactory('sx', new AdapterListener(problems, trace)),
    vscode.languages.registerInlineValuesProvider(SELECTOR, new InlineValues()),
    vscode.languages.registerEvaluatableExpressionProvider(SELECTOR, new HoverExpressions()),
    vscode.commands.registerCommand('sx.pickProcess', pickProcess),
    trace.register(), registerMemoryViews());
}

function registerLenses(server: Server): vscode.Disposable {
  const lenses = new Lenses(() => !server.runs && vscode.workspace.getConfiguration('sx').get('lenses', true));
  return vscode.Disposable.from(vscode.languages.registerCodeLensProvider(SELECTOR, lenses), server.onDidChange(() => lenses.refresh()),
    vscode.workspace.onDidChangeConfiguration(e => {
      if (e.affectsConfiguration('sx.lenses')) lenses.refresh();
      if (e.affectsConfiguration('sx.path') || e.affectsConfiguration('sx.lenses')) void server.restart();
    }));
}

/** Called by the editor once. Everything that it registers ends with the extension. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('sx'), server = new Server(log);
  const problems = new BuildProblems(() => server.runs);
  context.subscriptions.push(log, server, problems, registerDebugging(context, problems, log), registerLenses(server), registerErrorPaths((method, params) => server.ask(method, params)),
    registerRun(), vscode.window.registerTerminalLinkProvider(new TerminalLinks()),
    vscode.commands.registerCommand('sx.restartServer', () => server.restart()));
  void server.start();
}

/** Called by the editor at the end; the subscriptions are disposed by it. */
export function deactivate(): void {}
