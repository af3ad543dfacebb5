import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { send, startOrigin } from '#support/origin.ts';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { browserFlags } from '#scripts/local/chromium-flags.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { benchChromium } from './browser/chromium.ts';
import { columns, summarise } from './spine/stats.ts';

/**
 * `npm run bench:live`: pictures per second in a live view of a page that scrolls all the time, compared with those
 * that the same Chromium sends over its own protocol with the same size and quality. The two alternate. The viewer
 * needs no time to draw.
 */
const ROUNDS = 3;
const WARM_MS = 1_000;
const ROUND_MS = 6_000;
const PASSPHRASE = 'five grebes under the jetty';
const PAGES: Readonly<Record<string, string>> = {
  'a page of text': '<p>Depth of the fairway, tides and lights, as they are published every week.</p>'.repeat(400),
  'a page of pictures': Array.from(
    { length: 400 },
    (_, at) =>
      `<div style="height:160px;background:linear-gradient(${at * 7}deg,hsl(${at * 31} 80% 60%),hsl(${at * 57} 70% 40%))"></div>`,
  ).join(''),
};
const SCROLLS = `let by = 12;
const step = () => { scrollBy(0, by); if (scrollY === 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1) by = -by; requestAnimationFrame(step); };
requestAnimationFrame(step);`;

const path = benchChromium();
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
const routes = Object.entries(PAGES).map(([, body], at) => [
  `/${at}`,
  send(`<!doctype html><title>Moving</title>${body}<script>${SCROLLS}</script>`),
]);
const site = await startOrigin(Object.fromEntries(routes));
const server = await launchServer({
  home,
  settings: { ALLOWED_PRIVATE_HOSTS: site.host, CHROMIUM_PATH: path, OWNER_PASSPHRASE: PASSPHRASE },
});
const alone = await chromiumAlone(path);
const live = await liveView();
try {
  for (const [at, name] of Object.keys(PAGES).entries()) {
    const [ours, its]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      its.push(await alone.rate(`${site.url}/${at}`));
      ours.push(await live.rate(`${site.url}/${at}`));
    }
    const median = (rates: number[]) => summarise(rates).p50;
    const shown = (rates: number[]) => `${median(rates).toFixed(1)} (${rates.map((one) => one.toFixed(1)).join(', ')})`;
    console.log(`\n${name}: pictures a second, median of ${ROUNDS} rounds by turns\n`);
    console.log(
      columns([
        ['', 'pictures a second'],
        ['live view', shown(ours)],
        ['Chromium alone', shown(its)],
        ['live view / Chromium alone', (median(ours) / median(its)).toFixed(2)],
      ]),
    );
  }
} finally {
  await live.close();
  await alone.close();
  await server.stop();
  await site.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** @param count returns the number of pictures so far */
async function rateOf(count: () => number): Promise<number> {
  await sleep(WARM_MS);
  const [before, start] = [count(), performance.now()];
  await sleep(ROUND_MS);
  return ((count() - before) * 1_000) / (performance.now() - start);
}

async function chromiumAlone(executable: string) {
  const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${join(home, 'alone')}`];
  const child = spawn(executable, [...browserFlags({ isBundled: true }, true), ...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /ws:\/\/\S+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The browser ended: ${said}`)));
  });
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  let [calls, pictures] = [0, 0];
  const waiting = new Map<number, (result: Record<string, string>) => void>();
  const ask = (method: string, params: object, sessionId?: string) =>
    new Promise<Record<string, string>>((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method, params, sessionId }));
    });
  socket.on('message', (data: Buffer) => {
    const { id, method, params, result, sessionId } = JSON.parse(data.toString());
    if (id !== undefined) waiting.get(id)?.(result ?? {});
    if (method !== 'Page.screencastFrame') return;
    pictures += 1;
    void ask('Page.screencastFrameAck', { sessionId: params.sessionId }, sessionId);
  });
  const { targetId } = await ask('Target.createTarget', { url: 'about:blank', ...BROWSER_VIEWPORT });
  const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params: object = {}) => ask(method, params, sessionId);
  await page('Page.enable');
  await page('Emulation.setDeviceMetricsOverride', { ...BROWSER_VIEWPORT, deviceScaleFactor: 1, mobile: false });
  const { width: maxWidth, height: maxHeight } = BROWSER_VIEWPORT;
  return {
    rate: async (to: string) => {
      await page('Page.navigate', { url: to });
      await sleep(WARM_MS);
      await page('Page.startScreencast', { format: 'jpeg', quality: 80, maxWidth, maxHeight });
      const rate = await rateOf(() => pictures);
      await page('Page.stopScreencast');
      await page('Page.navigate', { url: 'about:blank' });
      return rate;
    },
    close: async () => {
      socket.close();
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

/** A user who watches, and a model that opens the page. */
async function liveView() {
  const origin = new URL(server.mcpUrl).origin;
  const model = await connectModern(server);
  await model.call('browser_navigate', { url: `${site.url}/none` });
  const browser = new Browser(origin, (url, init) => fetch(url, init));
  const signIn = pageOf(await browser.get(`${origin}/live/default`));
  const { html } = pageOf(await browser.submit(signIn, '/sign-in', { passphrase: PASSPHRASE }));
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const ticketFor = async (here: '0' | '1') => {
    const answer = await fetch(`${origin}/live/default`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form, wake: '0', here }),
    });
    return (await answer.json<{ ticket: string }>()).ticket;
  };
  const ticket = await ticketFor('0');
  const asked = new URLSearchParams({ ticket, page: crypto.randomUUID() }).toString();
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/live/default?${asked}`, {
    headers: { cookie, origin },
  });
  let pictures = 0;
  socket.on('message', (_, isBinary) => {
    if (!isBinary) return;
    pictures += 1;
    socket.send(JSON.stringify({ kind: 'drawn' }));
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return {
    rate: async (to: string) => {
      // Sends the same message as the page of the live view: it is still open, and its user may still watch.
      socket.send(JSON.stringify({ kind: 'here', ticket: await ticketFor('1') }));
      await model.call('browser_navigate', { url: to });
      const rate = await rateOf(() => pictures);
      await model.call('browser_navigate', { url: `${site.url}/none` });
      return rate;
    },
    close: async () => {
      socket.close();
      await model.close();
    },
  };
}
