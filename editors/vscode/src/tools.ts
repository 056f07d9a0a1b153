// The compiler and the debug adapter, as the settings say.
import * as os from 'node:os';
import * as vscode from 'vscode';
import { expandVariables, findAdapter, findTool, here, type Found, type Wanted } from 'debug-kit';

function wanted(executable: string, setting: string, folder?: vscode.WorkspaceFolder): Wanted {
  const value = vscode.workspace.getConfiguration('sx', folder).get<string>(setting, '').trim();
  const known = { workspaceFolder: (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath, userHome: os.homedir(),
                  env: process.env };
  return { executable, setting: { name: `sx.${setting}`, value: expandVariables(value, known) } };
}

/** The compiler: `sx.path`, else on the PATH. */
export function findCompiler(folder?: vscode.WorkspaceFolder): Found {
  return findTool(wanted('sx', 'path', folder), here());
}

/** The adapter: `sx.dapPath`, else beside the compiler, else on the PATH. */
export function findDebugAdapter(folder?: vscode.WorkspaceFolder): Found {
  return findAdapter(wanted('sx-dap', 'dapPath', folder), wanted('sx', 'path', folder), here());
}

/** Shows an error with a button that opens these settings. */
export async function showSettingError(message: string, settings = '@ext:sx.sx path'): Promise<void> {
  const open = 'Open Settings';
  if (await vscode.window.showErrorMessage(message, open) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', settings);
}
