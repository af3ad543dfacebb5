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

/** The modules of a Worker as miniflare takes them, and the file of the source map, which need not be there. */
export type Bundle = {
  sourceMap: string;
  mainModule: string;
  modules: Record<string, { type: ModuleType; contents: string | Uint8Array<ArrayBuffer> }>;
};
type ModuleType = 'esm' | 'text' | 'wasm' | 'data';

/** What wrangler writes beside the bundle is a map and a note of its own; the rest are modules. */
const TYPES: Readonly<Record<string, ModuleType>> = {
  '.js': 'esm',
  '.txt': 'text',
  '.html': 'text',
  '.sql': 'text',
  '.wasm': 'wasm',
  '.bin': 'data',
  // A package's module that is taken as text (`[[rules]]` of wrangler.toml) has no ending.
  '': 'text',
};

/** What wrangler names the bundle of a Worker whose `main` is `src/index.ts`. */
export const MAIN = 'index.js';
const PARTIAL = 'partial-';
/** No build takes as long. */
const BUILD_MS_MAX = 3_600_000;
/** All that the bundle is made of: with the lock file, every package in it. */
const SOURCES = ['src', 'generated', 'wrangler.toml', 'tsconfig.json', 'package.json', 'package-lock.json'];

/**
 * The Worker in one file, made by the very command that deploys it, so that what runs here is what runs there. Made
 * once for the same sources and kept below `folder`.
 * @param say tells a person that this takes a while
 * @throws {StopError} when it cannot be made
 */
export async function bundleWorker(project: string, folder: string, say: (text: string) => void): Promise<Bundle> {
  return readBundle(await builtBundle(project, folder, say));
}

/** As {@link bundleWorker}. @returns the folder of its modules, with a source map */
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
 * Wrangler builds below the project, wherever the result goes.
 * @throws {StopError} when the bundle is yet to be made, and nothing can be written there
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

/** A bundle that is made already. */
export function readBundle(folder: string): Bundle {
  const modules = readdirSync(folder).flatMap((file) => {
    const type = TYPES[extname(file)];
    if (type === undefined) return [];
    const bytes = readFileSync(join(folder, file));
    return [[file, { type, contents: type === 'esm' || type === 'text' ? bytes.toString() : bytes }] as const];
  });
  return { mainModule: MAIN, modules: Object.fromEntries(modules), sourceMap: join(folder, `${MAIN}.map`) };
}

/** Whole or not at all, also when two starts do it at the same time; those of older sources go. */
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

/** Of another start, unless that was killed long ago. */
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

/** Paths below `project` of the files that `path` is or holds, always in the same order. */
function filesIn(project: string, path: string): string[] {
  if (!statSync(join(project, path)).isDirectory()) return [path];
  return readdirSync(join(project, path))
    .sort()
    .flatMap((name) => filesIn(project, join(path, name)));
}
