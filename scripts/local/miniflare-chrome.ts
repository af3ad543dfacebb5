import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The place where miniflare looks for the Chrome of the Browser Rendering binding before it downloads one. */
export type ChromePlace = {
  executable: string;
  /** While this file exists, miniflare neither removes nor downloads a browser after a failure. */
  marker: string;
};

/**
 * @param cacheHome the later value of XDG_CACHE_HOME
 * @returns `null` on a system where a script cannot replace the browser, or if miniflare has changed
 */
export function chromePlace(cacheHome: string): ChromePlace | null {
  const constants = readConstants();
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (constants === null || platform === undefined) return null;
  const folder = join(cacheHome, '.wrangler', 'chrome', `${platform.name}-${constants.version}`);
  return { executable: join(folder, ...platform.path), marker: join(folder, constants.marker) };
}

const LINUX = ['chrome-linux64', 'chrome'];
const macPath = (arch: string) => [
  `chrome-mac-${arch}`,
  'Google Chrome for Testing.app',
  'Contents',
  'MacOS',
  'Google Chrome for Testing',
];

/** Names and paths in `@puppeteer/browsers`. Windows is missing, because it needs a program instead of a script. */
const PLATFORMS: Readonly<Record<string, { name: string; path: string[] }>> = {
  'linux-x64': { name: 'linux', path: LINUX },
  'linux-arm64': { name: 'linux_arm', path: LINUX },
  'darwin-x64': { name: 'mac', path: macPath('x64') },
  'darwin-arm64': { name: 'mac_arm', path: macPath('arm64') },
};

/** Miniflare does not export these values, and they change with its version. */
function readConstants(): { version: string; marker: string } | null {
  const require = createRequire(import.meta.url);
  const source = readFileSync(require.resolve('miniflare'), 'utf8');
  const version = /\bBROWSER_VERSION = "([\d.]+)"/.exec(source)?.[1];
  const marker = /\bINSTALL_COMPLETE_MARKER = "([\w.-]+)"/.exec(source)?.[1];
  return version === undefined || marker === undefined ? null : { version, marker };
}
