// Executables by name or path, and variables in settings. All of the outside comes in as arguments.
import * as fs from 'node:fs';
import * as path from 'node:path';

/** What is asked about files. */
export interface Files {
  /** Whether this is a file that may be executed. */
  isExecutable(file: string): boolean;
  /** The path without symbolic links; the path itself where it cannot be resolved. */
  realPath(file: string): string;
}

/** The files of this machine. */
export const realFiles: Files = {
  isExecutable(file) {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  },
  realPath(file) {
    try {
      return fs.realpathSync(file);
    } catch {
      return file;
    }
  },
};

/** Where executables are looked for. */
export interface Surroundings {
  files: Files;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
}

/** The surroundings of this process. */
export function here(): Surroundings {
  return { files: realFiles, env: process.env, platform: process.platform };
}

/** The names that an executable may have: on Windows with one of the endings of `PATHEXT`. */
function spellings(name: string, around: Surroundings): string[] {
  if (around.platform !== 'win32' || path.win32.extname(name)) return [name];
  return (around.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';').filter(e => e).map(e => name + e.toLowerCase());
}

/** The executable `name` in this folder, or undefined. */
export function executableIn(folder: string, name: string, around: Surroundings): string | undefined {
  return spellings(name, around).map(n => path.join(folder, n)).find(f => around.files.isExecutable(f));
}

/** The executable `name` in the folders of `PATH`, or undefined. Empty and relative entries are left out. */
export function executableOnPath(name: string, around: Surroundings): string | undefined {
  const separator = around.platform === 'win32' ? ';' : ':';
  const variable = around.env['PATH'] ?? around.env['Path'] ?? '';
  for (const folder of variable.split(separator)) {
    const found = path.isAbsolute(folder) ? executableIn(folder, name, around) : undefined;
    if (found) return found;
  }
  return undefined;
}

/**
 * Replaces a leading `~` and `${workspaceFolder}`, `${userHome}`, `${env:NAME}` in a setting. What is not known stays as it is, so
 * that a message shows it.
 */
export function expandVariables(text: string, known: { workspaceFolder?: string; userHome?: string;
                                                       env?: Record<string, string | undefined> }): string {
  const home = known.userHome;
  const begun = home && /^~(?=$|[/\\])/.test(text) ? home + text.slice(1) : text;
  return begun.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name === 'workspaceFolder') return known.workspaceFolder ?? whole;
    if (name === 'userHome') return home ?? whole;
    return name.startsWith('env:') ? known.env?.[name.slice(4)] ?? '' : whole;
  });
}
