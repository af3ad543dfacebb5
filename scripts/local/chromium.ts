import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackBundled } from './chromium-bundled.ts';
import { installedBrowsers, isExecutable } from './chromium-find.ts';
import { browserFlags } from './chromium-flags.ts';
import { probe } from './chromium-probe.ts';
import { wrapperScript } from './chromium-wrapper.ts';
import { chromePlace } from './miniflare-chrome.ts';

/** The browser behind the local Browser Rendering binding. */
export type LocalBrowser =
  /** @param cacheHome XDG_CACHE_HOME of the process that runs miniflare */
  | { kind: 'ready'; cacheHome: string; path: string }
  /** miniflare downloads one when it is first needed. */
  | { kind: 'download'; cacheHome: string }
  /** @param reason a sentence for a person */
  | { kind: 'none'; reason: string };

type Candidate = { path: string; isBundled: boolean; environment: Record<string, string> };

/** Value of CHROMIUM_PATH that names the browser of the npm package. */
export const BUNDLED = 'bundled';
/** Says that the browser behind a wrapper has been seen to work. */
const WORKS = 'works';

/**
 * Finds a browser that starts on this machine: the one that CHROMIUM_PATH or CHROME_PATH names and no other, else an
 * installed one, else the one of the npm package, unpacked below `folder`. A browser is tried once; later calls
 * with the same browser take milliseconds. PERISCOPE_CHROMIUM_FLAGS, for tests, has more flags for it, one a line.
 * @param folder everything that is written goes there
 * @param flags for the browser while this process runs, such as its proxy
 */
export async function prepareBrowser(
  folder: string,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<LocalBrowser> {
  if (process.platform === 'win32') return { kind: 'download', cacheHome: folder };
  const named = environment['CHROMIUM_PATH'] || environment['CHROME_PATH'] || null;
  if (named !== null && named !== BUNDLED && !isExecutable(named)) {
    return { kind: 'none', reason: `CHROMIUM_PATH or CHROME_PATH names ${named}, which is no program.` };
  }
  const problems: string[] = [];
  const given = (environment['PERISCOPE_CHROMIUM_FLAGS'] ?? '').split('\n').filter((flag) => flag !== '');
  try {
    for (const makeCandidate of candidates(folder, named, environment)) {
      const candidate = makeCandidate();
      if (candidate === null) continue;
      const found = await setUp(folder, candidate, environment, [...flags, ...given]);
      if (found.problem === null) return { kind: 'ready', cacheHome: found.cacheHome, path: candidate.path };
      problems.push(`${candidate.path}: ${found.problem}`);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (problems.length > 0) return { kind: 'none', reason: `No browser works here (${problems.join('; ')}).` };
  if (named === null && process.platform === 'darwin') return { kind: 'download', cacheHome: folder };
  return { kind: 'none', reason: 'There is no Chrome or Chromium here: install one, or name one in CHROMIUM_PATH.' };
}

/** Made one after the other, because unpacking one takes seconds. */
function candidates(folder: string, named: string | null, environment: NodeJS.ProcessEnv): (() => Candidate | null)[] {
  const bundled = () => {
    const unpacked = unpackBundled(folder);
    return unpacked === null ? null : { ...unpacked, isBundled: true };
  };
  const installed = (path: string) => () => ({ path, isBundled: false, environment: {} });
  if (named === BUNDLED) return [bundled];
  if (named !== null) return [installed(named)];
  return [...installedBrowsers(environment).map(installed), bundled];
}

/** Puts a wrapper of the browser where miniflare looks, in a cache folder of its own, and tries it out. */
async function setUp(
  folder: string,
  { path, isBundled, environment: own }: Candidate,
  environment: NodeJS.ProcessEnv,
  more: readonly string[],
): Promise<{ problem: string | null; cacheHome: string }> {
  const withoutSandbox = process.getuid?.() === 0 || Boolean(environment['CI']);
  const flags = browserFlags({ isBundled }, withoutSandbox);
  const variables = { XDG_CACHE_HOME: join(folder, 'browser-cache'), ...own };
  const script = wrapperScript({ path, flags, environment: variables });
  const cacheHome = join(folder, `cache-${identity(script, path)}`);
  const place = chromePlace(cacheHome);
  if (place === null) return { problem: 'this version of wrangler starts browsers in another way', cacheHome };
  if (!existsSync(join(cacheHome, WORKS)) || !existsSync(place.executable)) {
    write(place.executable, script, 0o755);
    write(place.marker, '', 0o644);
    const problem = await probe(place.executable);
    if (problem !== null) {
      rmSync(cacheHome, { recursive: true, force: true });
      return { problem, cacheHome };
    }
    write(join(cacheHome, WORKS), '', 0o644);
  }
  if (more.length === 0) return { problem: null, cacheHome };
  return {
    problem: null,
    cacheHome: forThisRun(folder, wrapperScript({ path, flags: [...flags, ...more], environment: variables })),
  };
}

/** A wrapper that goes with this process: its flags name ports that nobody has tomorrow. */
function forThisRun(folder: string, script: string): string {
  removeLeftovers(folder);
  const cacheHome = mkdtempSync(join(folder, `run-${process.pid}-`));
  process.once('exit', () => rmSync(cacheHome, { recursive: true, force: true }));
  const place = chromePlace(cacheHome);
  if (place !== null) {
    write(place.executable, script, 0o755);
    write(place.marker, '', 0o644);
  }
  return cacheHome;
}

/** Of processes that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Changes with all that decides whether a browser works: itself, its flags, and who starts it. */
function identity(script: string, path: string): string {
  const { size, mtimeMs } = statSync(path);
  return createHash('sha256')
    .update(JSON.stringify([script, size, mtimeMs, process.getuid?.()]))
    .digest('hex')
    .slice(0, 16);
}

/** At once: another start may be reading or running it. */
function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial-${process.pid}`;
  writeFileSync(partial, text, { mode });
  renameSync(partial, path);
}
