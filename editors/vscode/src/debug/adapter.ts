// How the adapter is started, and what is heard of what it says.
import * as vscode from 'vscode';
import { findDebugAdapter } from '../tools';
import type { ReturnTraceView } from '../views/returnTraceView';
import type { BuildProblems } from './problems';

/** Starts `sx-dap`, or connects where a configuration has `debugServer` (the editor does that by itself). */
export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    const adapter = findDebugAdapter(session.workspaceFolder);
    if (!adapter.ok) throw new Error(adapter.message);
    const cwd = session.workspaceFolder?.uri.fsPath;
    return new vscode.DebugAdapterExecutable(adapter.path, [], cwd ? { cwd } : {});
  }
}

/** Hears the build's diagnostics and when the program goes on. */
export class AdapterListener implements vscode.DebugAdapterTrackerFactory {
  constructor(private readonly problems: BuildProblems, private readonly trace: ReturnTraceView) {}

  createDebugAdapterTracker(): vscode.DebugAdapterTracker {
    let built = false;
    return {
      onDidSendMessage: (message: any) => {
        if (message.type === 'response' && ['launch', 'attach'].includes(message.command)) built = true;
        if (message.type !== 'event') return;
        if (message.event === 'output' && !built) void this.problems.addOutput(message.body ?? {});
        if (message.event === 'continued' || message.event === 'exited') this.trace.clear();
      },
    };
  }
}
