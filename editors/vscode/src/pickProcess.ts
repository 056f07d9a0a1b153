// The command behind `"pid": "${command:sx.pickProcess}"`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

/** The processes in the output of `ps -eo pid=,comm=,args=`, newest first. */
export function parseProcesses(text: string): { pid: number; name: string; command: string }[] {
  return text.split('\n').map(line => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line)).filter(m => m !== null)
    .map(m => ({ pid: Number(m[1]), name: m[2]!, command: m[3]! })).sort((a, b) => b.pid - a.pid);
}

/** Asks for a process; its number as text, as the editor wants it, or undefined. */
export async function pickProcess(): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,comm=,args='], { maxBuffer: 1 << 24 });
  const items = parseProcesses(stdout).map(p => ({ label: p.name, description: String(p.pid), detail: p.command }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'The process to attach to', matchOnDescription: true, matchOnDetail: true });
  return picked?.description;
}
