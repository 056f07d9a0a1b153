// Places in the output of programs in a terminal, as links.
import * as vscode from 'vscode';
import { openNamed } from './places';
import { placeIn, type TextPlace } from './traceLinks';

interface TraceLink extends vscode.TerminalLink { place: TextPlace; folder?: string }

/** Links for lines of traces and diagnostics. */
export class TerminalLinks implements vscode.TerminalLinkProvider<TraceLink> {
  provideTerminalLinks(context: vscode.TerminalLinkContext): TraceLink[] {
    const place = placeIn(context.line);
    if (!place) return [];
    const terminal = context.terminal as vscode.Terminal & { shellIntegration?: { cwd?: vscode.Uri } }; // since 1.93
    const shell = terminal.shellIntegration?.cwd?.fsPath;
    const made = context.terminal.creationOptions as vscode.TerminalOptions;
    const cwd = shell ?? (typeof made.cwd === 'string' ? made.cwd : made.cwd?.fsPath);
    return [{ startIndex: place.start, length: place.length, tooltip: 'Open', place, ...(cwd ? { folder: cwd } : {}) }];
  }

  async handleTerminalLink(link: TraceLink): Promise<void> {
    await openNamed(link.place.file, link.place.line, link.place.column, link.folder ? [link.folder] : []);
  }
}
