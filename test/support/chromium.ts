import { join } from 'node:path';
import { prepareBrowser, BUNDLED } from '#scripts/local/chromium.ts';
import { serveSites } from './chromium-sites.ts';

/**
 * The browser of the tests: the one in the npm package where it runs, so that everybody tests with the same version.
 * Other machines use the one that `npm start` would take. CHROMIUM_PATH names another.
 */
export const TEST_BROWSER: Readonly<Record<string, string>> =
  process.platform === 'linux' && process.arch === 'x64'
    ? { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? BUNDLED }
    : {};

/** Tests wait for their browser: beside another busy program, a lower priority would only make them slower. */
export const SAME_PRIORITY = 0;

/**
 * Prepares the browser for the Browser Rendering binding of a miniflare that this process starts, and lets it reach the
 * sites of `internet.ts`.
 */
export async function useTestBrowser(): Promise<void> {
  const folder = join(import.meta.dirname, '../../.wrangler/chromium');
  const port = await serveSites();
  const sites = ['*.example', '*.acme.dev', '*.acme.org', '*.ruled.dev', 'taking-*.dev'];
  const environment = {
    ...process.env,
    ...TEST_BROWSER,
    PERISCOPE_CHROMIUM_FLAGS: hostFlags(Object.fromEntries(sites.map((host) => [host, port]))),
  };
  const browser = await prepareBrowser(folder, environment, { niceness: SAME_PRIORITY });
  if (browser.kind === 'none') process.stderr.write(`Tests that need a browser will fail. ${browser.reason}\n`);
  else process.env['XDG_CACHE_HOME'] = browser.cacheHome;
}

/**
 * Flags, one a line, that make a browser see loopback servers as hosts on port 80: the value of
 * PERISCOPE_CHROMIUM_FLAGS. No other host resolves.
 * @param hosts host, or a pattern such as `*.example`, to the port of a server on 127.0.0.1
 */
export function hostFlags(hosts: Readonly<Record<string, number>>): string {
  const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`);
  const nowhere = ['MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'];
  // Pages that are not from the network may send requests to loopback only if it counts as public.
  const places = Object.values(hosts).map((port) => `127.0.0.1:${port}=public`);
  return [
    '--no-proxy-server',
    // The default on desktops. The bundled browser keeps frames of other sites in the process of their page.
    '--site-per-process',
    `--host-resolver-rules=${[...rules, ...nowhere].join(', ')}`,
    `--ip-address-space-overrides=${places.join(',')}`,
  ].join('\n');
}
