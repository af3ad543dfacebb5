import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where things are, in this repository and in the package that `npm run package` makes of it. */

/** The folder with `wrangler.toml` and `migrations`. */
export const PROJECT = folderWith('wrangler.toml', import.meta.dirname);

/** The modules of the Worker, which only the package has built already. */
export const BUILT_WORKER = join(PROJECT, 'worker');

export const IS_PACKAGE = existsSync(BUILT_WORKER);

/** Where `.dev.vars` and the stored pages are, unless --home names another folder. */
export const HOME = IS_PACKAGE ? userFolder(process.platform, process.env) : PROJECT;

/** What a start makes again when it is gone. */
export const CACHE = join(HOME, '.wrangler');

/** @returns where a start with this data keeps what it makes again: beside the data where the project cannot be written */
export function cacheFolder(home: string): string {
  try {
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
    return CACHE;
  } catch {
    return join(home, '.wrangler');
  }
}

/** What a person types to start it. */
export const START = IS_PACKAGE ? 'npx periscope-mcp' : 'npm start';

/** @returns what a person types to run a command, without its arguments */
export function commandLine(name: string): string {
  return IS_PACKAGE ? `${START} ${name}` : `npm run ${name} --`;
}

/** The folder for data of programs of this user, by the custom of the system, and in it one for Periscope. */
export function userFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv, home = homedir()): string {
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'periscope');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'periscope');
  const given = environment['XDG_DATA_HOME'] ?? '';
  // The specification has relative paths ignored.
  return join(given.startsWith('/') ? given : join(home, '.local', 'share'), 'periscope');
}

function folderWith(name: string, from: string): string {
  const above = dirname(from);
  if (existsSync(join(from, name)) || above === from) return from;
  return folderWith(name, above);
}
