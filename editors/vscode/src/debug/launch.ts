// From what the user asked for to a launch configuration that the adapter can take: no editor in here.
import * as path from 'node:path';
import { configurationProblems, mergeConfigurations, type Attribute, type Configuration } from 'debug-kit';

/** What the settings say about debugging. Empty texts and undefined say nothing. */
export interface DebugSettings {
  output?: string;
  args?: string[];
  cwd?: string;
  env?: Record<string, string | null>;
  stopOnEntry?: boolean;
}

/** Where the launch happens. */
export interface LaunchContext {
  settings: DebugSettings;
  /** The file of the active editor, where it is one of sx. */
  activeFile?: string;
  workspaceFolder?: string;
}

/** A configuration, or a message why there is none. */
export type Resolved = { ok: true; configuration: Configuration } | { ok: false; message: string };

/** Whether the editor gave nothing but `F5 in a file`. */
export function isEmpty(given: Configuration): boolean {
  return !given['type'] && !given['request'] && !given['name'];
}

/**
 * Completes a configuration before its variables are replaced: F5 without one debugs the active file; a launch without `program` takes it as
 * well; settings say what the configuration leaves open.
 */
export function resolveLaunch(given: Configuration, context: LaunchContext): Resolved {
  const base: Configuration = { type: 'sx', request: 'launch', name: 'Debug sx' };
  const begun = isEmpty(given) ? base : { ...given, type: given['type'] ?? 'sx', request: given['request'] ?? 'launch' };
  if (begun['request'] !== 'launch') return resolveAttach(begun);
  const program = begun['program'] ?? context.activeFile;
  if (program === undefined || program === '')
    return { ok: false, message: 'There is no program to debug: open an .sx file, or set `program` in the launch configuration.' };
  if (begun['replay']) return { ok: true, configuration: { ...begun, program } };
  return { ok: true, configuration: mergeConfigurations([defaultsOf(context), { ...begun, program }]) };
}

function defaultsOf({ settings, workspaceFolder }: LaunchContext): Configuration {
  const defaults: Configuration = { cwd: settings.cwd || workspaceFolder };
  if (settings.args?.length) defaults['args'] = settings.args;
  if (settings.env && Object.keys(settings.env).length) defaults['env'] = settings.env;
  if (settings.stopOnEntry) defaults['stopOnEntry'] = true;
  if (settings.output) defaults['output'] = settings.output;
  return defaults;
}

function resolveAttach(configuration: Configuration): Resolved {
  if (configuration['request'] !== 'attach')
    return { ok: false, message: `\`request\` has to be "launch" or "attach", not ${JSON.stringify(configuration['request'])}.` };
  const ways = ['connect', 'pid', 'core'].filter(key => configuration[key] !== undefined);
  if (ways.length !== 1)
    return { ok: false, message: 'To attach, set one of `connect`, `pid` and `core` (with `program`) in the configuration.' };
  if (ways[0] === 'core' && !configuration['program'])
    return { ok: false, message: 'A core file needs `program`, the executable that it is of.' };
  const pid = configuration['pid'];
  if (typeof pid !== 'string' || pid.startsWith('${')) return { ok: true, configuration };
  return /^\d+$/.test(pid) ? { ok: true, configuration: { ...configuration, pid: Number(pid) } }
                           : { ok: false, message: `\`pid\` has to be the number of a process, not "${pid}".` };
}

/**
 * Checks a configuration whose variables have been replaced. A relative `program` belongs to the workspace folder; without a `cwd`, the program
 * runs in its own folder. `attributes` are those of the extension's manifest, `exists` asks about files.
 */
export function settleLaunch(configuration: Configuration, attributes: Record<string, Attribute>, workspaceFolder: string | undefined,
                             exists: (file: string) => boolean): Resolved {
  if (configuration['request'] === 'attach') {
    const resolved = resolveAttach(configuration);
    if (!resolved.ok) return resolved;
    configuration = resolved.configuration;
  }
  const problem = configurationProblems(configuration, attributes)[0];
  if (problem) return { ok: false, message: `The launch configuration "${String(configuration['name'])}" cannot be used: ${problem}` };
  if (configuration['request'] === 'attach') return { ok: true, configuration };
  const program = path.resolve(workspaceFolder ?? '', String(configuration['program']));
  if (!exists(program)) return { ok: false, message: `\`program\` is ${program}, which does not exist.` };
  return { ok: true, configuration: { ...configuration, program, cwd: configuration['cwd'] || path.dirname(program) } };
}
