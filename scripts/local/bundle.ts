import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, extname, join } from 'node:path';
import { StopError } from './stop-error.ts';
import { runWrangler } from './wrangler-program.ts';

/** The modules of a Worker as miniflare takes them, and the path of the source map, which may be missing. */
export type Bundle = {
  sourceMap: string;
  mainModule: string;
  modules: Record<string, { type: ModuleType; contents: string | Uint8Array<ArrayBuffer> }>;
};
type ModuleType = 'esm' | 'text' | 'wasm' | 'data';

/** Module types by extension. Wrangler writes no other files except a source map and a readme. */
const TYPES: Readonly<Record<string, ModuleType>> = {
  '.js': 'esm',
  '.txt': 'text',
  '.html': 'text',
  '.sql': 'text',
  '.wasm': 'wasm',
  '.bin': 'data',
  // A module of a package that is imported as text (`[[rules]]` of wrangler.toml) has no extension.
  '': 'text',
};

/** Wrangler's name for the bundle of a Worker whose `main` is `src/index.ts`. */
export const MAIN = 'index.js';
const PARTIAL = 'partial-';
/** No build takes this long. */
const BUILD_MS_MAX = 3_600_000;
/** All inputs of the bundle. The lock file stands for every package. */
const SOURCES = ['src', 'generated', 'wrangler.toml', 'tsconfig.json', 'package.json', 'package-lock.json'];

/**
 * Bundles the Worker with the command that deploys it, so that the local Worker is the deployed one. The bundle is made
 * once for the same sources and stored in `folder`.
 * @param say tells the user that this takes a while
 * @throws {StopError} if it cannot be made
 */
export async function bundleWorker(project: string, folder: string, say: (text: string) => void): Promise<Bundle> {
  return readBundle(await builtBundle(project, folder, say));
}

/** Like {@link bundleWorker}. @returns the folder of its modules, with a source map */
export async function builtBundle(project: string, folder: string, say: (text: string) => void): Promise<string> {
  const name = fingerprint(project);
  const kept = join(folder, name);
  if (!existsSync(kept)) {
    say('Building the Worker. This happens once after each change of the sources.');
    await build(project, folder, name);
  }
  return kept;
}

/**
 * Wrangler builds inside the project folder, wherever the result goes.
 * @throws {StopError} if there is no bundle yet and the folder is read-only
 */
export function requireBuildable(project: string, folder: string): void {
  if (existsSync(join(folder, fingerprint(project)))) return;
  const temporary = join(project, '.wrangler/tmp');
  try {
    mkdirSync(temporary, { recursive: true });
    accessSync(temporary, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StopError(
      `The Worker is built in ${temporary}, which cannot be written. Copy the project to a folder of your own. ${why}`,
    );
  }
}

/** Reads an existing bundle. */
export function readBundle(folder: string): Bundle {
  const modules = readdirSync(folder).flatMap((file) => {
    const type = TYPES[extname(file)];
    if (type === undefined) return [];
    const bytes = readFileSync(join(folder, file));
    return [[file, { type, contents: type === 'esm' || type === 'text' ? bytes.toString() : bytes }] as const];
  });
  return { mainModule: MAIN, modules: Object.fromEntries(modules), sourceMap: join(folder, `${MAIN}.map`) };
}

/** Makes a complete bundle or none, also if two starts run at the same time. Deletes bundles of older sources. */
async function build(project: string, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const partial = mkdtempSync(join(folder, PARTIAL));
  try {
    const config = join(project, 'wrangler.toml');
    const { code, said } = await runWrangler(project, ['deploy', '--dry-run', '--outdir', partial, '--config', config]);
    if (code !== 0) throw new StopError(`The Worker could not be built.\n${said}`);
    const older = readdirSync(folder).filter((entry) => entry !== name && !isUnderWay(join(folder, entry)));
    if (!existsSync(join(folder, name))) renameSync(partial, join(folder, name));
    for (const entry of older) rmSync(join(folder, entry), { recursive: true, force: true });
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** True for the partial bundle of another start, unless that was killed long ago. */
function isUnderWay(path: string): boolean {
  return basename(path).startsWith(PARTIAL) && Date.now() - statSync(path).mtimeMs < BUILD_MS_MAX;
}

function fingerprint(project: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesIn(project, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(project, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

/** Paths of all files in `path`, or of the file itself, relative to `project` and always in the same order. */
function filesIn(project: string, path: string): string[] {
  if (!statSync(join(project, path)).isDirectory()) return [path];
  return readdirSync(join(project, path))
    .sort()
    .flatMap((name) => filesIn(project, join(path, name)));
}
