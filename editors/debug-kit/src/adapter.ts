// Where the debug adapter and the compiler are: by a setting, then beside the compiler, then on the PATH.
import * as path from 'node:path';
import { executableIn, executableOnPath, type Surroundings } from './paths';

/** A setting that may name an executable. */
export interface PathSetting {
  /** As the user finds it, such as `sx.path`. */
  name: string;
  /** With its variables replaced; empty: not set. */
  value: string;
}

/** An executable that is looked for. */
export interface Wanted {
  /** Its name without folder and ending. */
  executable: string;
  setting: PathSetting;
}

/** What was found, or a message that says where was looked and what to do. */
export type Found =
  | { ok: true; path: string; by: 'setting' | 'beside' | 'path' }
  | { ok: false; message: string };

/** By its setting, else on the PATH. A setting that names nothing executable is an error: nothing else is tried. */
export function findTool(tool: Wanted, around: Surroundings): Found {
  return bySetting(tool, around) ?? onPath(tool, around) ?? missing(tool, []);
}

/**
 * By the adapter's setting, else beside the compiler (also where a link to the compiler points), else on the PATH.
 * A setting of either that names nothing executable is an error: nothing else is tried.
 */
export function findAdapter(adapter: Wanted, compiler: Wanted, around: Surroundings): Found {
  const set = bySetting(adapter, around);
  if (set) return set;
  const compilerFound = findTool(compiler, around);
  if (!compilerFound.ok && compiler.setting.value) return compilerFound;
  const folders = compilerFound.ok ? foldersOf(compilerFound.path, around) : [];
  for (const folder of folders) {
    const beside = executableIn(folder, adapter.executable, around);
    if (beside) return { ok: true, path: beside, by: 'beside' };
  }
  return onPath(adapter, around) ?? missing(adapter, folders, compiler);
}

function foldersOf(file: string, around: Surroundings): string[] {
  return [...new Set([path.dirname(file), path.dirname(around.files.realPath(file))])];
}

function bySetting({ executable, setting }: Wanted, around: Surroundings): Found | undefined {
  if (!setting.value) return undefined;
  if (path.isAbsolute(setting.value)) {
    return around.files.isExecutable(setting.value)
      ? { ok: true, path: setting.value, by: 'setting' }
      : { ok: false, message: `The setting ${setting.name} names ${setting.value}, which is no executable file.` };
  }
  if (/[/\\]/.test(setting.value))
    return { ok: false, message: `The setting ${setting.name} has to be an absolute path of ${executable}, or a name on the PATH.` };
  const found = executableOnPath(setting.value, around);
  return found ? { ok: true, path: found, by: 'setting' }
               : { ok: false, message: `The setting ${setting.name} names ${setting.value}, which is not on the PATH.` };
}

function onPath({ executable }: Wanted, around: Surroundings): Found | undefined {
  const found = executableOnPath(executable, around);
  return found ? { ok: true, path: found, by: 'path' } : undefined;
}

function missing(tool: Wanted, folders: string[], compiler?: Wanted): Found {
  const places = [...folders.map(f => `in ${f}`), 'on the PATH'].join(' and ');
  const settings = compiler ? `${compiler.setting.name} or ${tool.setting.name}` : tool.setting.name;
  return { ok: false, message: `${tool.executable} was not found ${places}. Set ${settings} to its path${
    compiler ? ` (${compiler.setting.name}: the path of ${compiler.executable})` : ''}.` };
}
