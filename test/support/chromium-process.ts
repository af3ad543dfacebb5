import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBrowser } from '#scripts/local/chromium.ts';
import { chromePlace } from '#scripts/local/miniflare-chrome.ts';
import { SAME_PRIORITY, TEST_BROWSER } from './chromium.ts';

/** A Chromium that plays the users of tests. Each test file opens its own contexts in it. */
export type ChromiumProcess = {
  /** DevTools endpoint, a WebSocket URL. */
  url: string;
  close: () => Promise<void>;
};

export async function startChromium(more: readonly string[] = []): Promise<ChromiumProcess> {
  const folder = join(import.meta.dirname, '../../.wrangler/chromium');
  const browser = await prepareBrowser(folder, { ...process.env, ...TEST_BROWSER }, { niceness: SAME_PRIORITY });
  const place = browser.kind === 'ready' ? chromePlace(browser.cacheHome) : null;
  if (place === null) throw new Error(`no browser works here: ${JSON.stringify(browser)}`);
  const profile = mkdtempSync(join(tmpdir(), 'periscope-person-'));
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-proxy-server'];
  const child = spawn(place.executable, [...flags, ...more, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return {
    url: await debuggerUrl(child),
    close: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      if (child.kill('SIGTERM')) await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function debuggerUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /ws:\/\/\S+/.exec(output)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the browser ended: ${output}`)));
  });
}
