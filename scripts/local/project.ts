import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Paths in this repository, and in the package that `npm run package` makes of it. */

export const PROJECT = folderWith('wrangler.toml', import.meta.dirname);

/** The modules of the Worker, which only the package contains already built. */
export const BUILT_WORKER = join(PROJECT, 'worker');

export const IS_PACKAGE = existsSync(BUILT_WORKER);

/** The folder of `.dev.vars` and the stored pages, unless --home names another one. */
export const HOME = IS_PACKAGE ? userFolder(process.platform, process.env) : PROJECT;

/** Files that a start can make again. */
export const CACHE = join(HOME, '.wrangler');

/** @returns the folder for files that a start can make again: next to the data if the project is read-only */
export function cacheFolder(home: string): string {
  try {
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
    return CACHE;
  } catch {
    return join(home, '.wrangler');
  }
}

/** The command that starts it. */
export const START = IS_PACKAGE ? 'npx periscope-mcp' : 'npm start';

/** @returns the command without its arguments */
export function commandLine(name: string): string {
  return IS_PACKAGE ? `${START} ${name}` : `npm run ${name} --`;
}

/** Periscope's folder in the user's data folder, by the convention of the system. */
export function userFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'periscope');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'periscope');
  const given = environment['XDG_DATA_HOME'] ?? '';
  // The specification says to ignore relative paths.
  return join(given.startsWith('/') ? given : join(home, '.local', 'share'), 'periscope');
}

function folderWith(name: string, from: string): string {
  const above = dirname(from);
  if (existsSync(join(from, name)) || above === from) return from;
  return folderWith(name, above);
}
