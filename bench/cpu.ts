import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseAlone } from '#scripts/local/runtime.ts';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { startOrigin } from '#support/origin.ts';
import { BODIES } from './memory/files.ts';
import { cpuReader } from './spine/cpu.ts';
import { htmlPage } from './spine/pages.ts';
import { columns } from './spine/stats.ts';

/**
 * `npm run bench:cpu [-- --only PATTERN --times 3]`: CPU time of the heaviest calls that the limits allow, of a round
 * of followed pages, and of the hourly run, each alone. The largest determines `limits.cpu_ms` in `wrangler.toml`. The
 * time is that of all threads of workerd. It includes the local database, the objects and the garbage collector, for
 * which a request on Cloudflare does not pay.
 */

const { values } = parseArgs({ options: { only: { type: 'string' }, times: { type: 'string', default: '3' } } });
const only = new RegExp(values.only ?? '');
const TIMES = Number(values.times);

const LARGEST_BYTES = 4_600_000;
const SECOND_MS = 1_000;
const QUIET_MS = 500;
/** CPU share below which the server is idle: work after an answer, such as storing counts, is small. */
const IDLE_SHARE = 0.05;

/** Bodies by name. Each edition is another page. */
const PAGES: typeof BODIES = {
  ...BODIES,
  'HTML 2.9 MB': (edition) => ({ type: HTML_TYPE, bytes: Buffer.from(htmlPage(2_900_000, edition)) }),
  // The largest page that is compared. Each edition differs in every paragraph.
  edited: (edition) => ({ type: HTML_TYPE, bytes: Buffer.from(editedPage(edition)) }),
};
const HTML_TYPE = 'text/html; charset=utf-8';

function editedPage(edition: number): string {
  return htmlPage(LARGEST_BYTES - 1_000_000, 1).replaceAll('<p>', `<p>In edition ${edition} the `);
}

let edition = 0;
let followedEdition = 1;
const site = await startOrigin({}, ({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://origin');
  const name = decodeURIComponent(pathname.slice(1));
  const number = name === 'edited' && searchParams.size === 0 ? followedEdition : Number(searchParams.get('edition'));
  const made = PAGES[name]?.(number);
  if (made === undefined) response.writeHead(404).end();
  else {
    const packed = made.isPacked === true ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(200, { 'content-type': made.type, ...packed }).end(made.bytes);
  }
});
const home = mkdtempSync(join(tmpdir(), 'periscope-cpu-'));
const settings = { ALLOWED_PRIVATE_HOSTS: site.host, FOLLOW_PAUSE_MS: '0', HANG_SECONDS: '600' };
const start = () => launchServer({ home, settings });
let server: LaunchedServer = await start();
let readCpu = cpuReader();

const pageOf = (name: string) => `${site.url}/${encodeURIComponent(name)}?edition=${(edition += 1)}`;
const ten = (name: string) => Array.from({ length: 10 }, () => pageOf(name));

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const client = await connectModern(server);
  try {
    const { structured, isError, text } = await client.call(name, args);
    const failed = /^Error .*$/m.exec(text);
    if (isError || failed !== null) console.log(`${name}: ${failed?.[0] ?? text.slice(0, 300)}`);
    return structured;
  } finally {
    await client.close();
  }
}

const cursorOf = async (url: string) => String((await call('open_url', { url }))['cursor']);

async function cursorsOf(urls: readonly string[]): Promise<string[]> {
  const cursors: string[] = [];
  for (const url of urls) cursors.push(await cursorOf(url));
  return cursors;
}

/** CPU time (ms) until the server is idle again. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  if (readCpu === null) throw new Error('CPU time can be read on Linux alone.');
  const before = readCpu();
  await work();
  await idle();
  return readCpu() - before;
}

async function idle(): Promise<void> {
  for (let before = readCpu?.() ?? 0; ;) {
    await sleep(QUIET_MS);
    const now = readCpu?.() ?? 0;
    if (now - before < QUIET_MS * IDLE_SHARE) return;
    before = now;
  }
}

const QUESTION = 'Which lantern was left in the window of the harbour station?';
const DENSE = 'Markdown 4.6 MB';

/** Prepares a call, which is not measured, and returns a function that makes it. */
type Case = () => Promise<() => Promise<unknown>>;

const atOnce =
  (work: () => Promise<unknown>): Case =>
  async () =>
    work;

const CASES: Record<string, Case> = {
  ...Object.fromEntries(
    Object.keys(BODIES).map((name) => [`open_url, ${name}`, atOnce(() => call('open_url', { url: pageOf(name) }))]),
  ),
  ...Object.fromEntries(
    ['HTML 4.6 MB', DENSE, 'PDF 4.6 MB', 'EPUB 4 MB'].map((name) => [
      `web_batch_open, ten of ${name}`,
      atOnce(() => call('web_batch_open', { urls: ten(name), concurrency: 6 })),
    ]),
  ),
  'web_extract, HTML 4.6 MB': atOnce(() =>
    call('web_extract', { html: htmlPage(LARGEST_BYTES, (edition += 1)), base_url: 'https://a.example/' }),
  ),
  'find, a regular expression in Markdown 4.6 MB': async () => {
    const cursor = await cursorOf(pageOf(DENSE));
    return () => call('find', { cursor, pattern: '(\\w+ly|\\w+ing) (the|a) \\w+ \\d', is_regex: true });
  },
  'find_passages, ten addresses of HTML 4.6 MB': atOnce(() =>
    call('find_passages', { question: QUESTION, urls: ten('HTML 4.6 MB') }),
  ),
  'find_passages, ten addresses of Markdown 4.6 MB': atOnce(() =>
    call('find_passages', { question: QUESTION, urls: ten(DENSE) }),
  ),
  'find_passages, ten cursors of Markdown 4.6 MB': async () => {
    const cursors = await cursorsOf(ten(DENSE));
    return () => call('find_passages', { question: QUESTION, cursors });
  },
  'changes, two pages of 4 MB, each paragraph another': async () => {
    const cursors = await cursorsOf([pageOf('edited'), pageOf('edited')]);
    return () => call('changes', { cursors });
  },
  'a round, one page of 4 MB, each paragraph another': async () => {
    const url = `${site.url}/edited`;
    await call('follow', { url });
    await isUpToDate(url);
    followedEdition += 1;
    await restartedAfter('UPDATE follows SET next_at = 0');
    return async () => {
      server.tidy();
      await isUpToDate(url);
    };
  },
  'the hourly run, 135 MB of text to index': async () => {
    for (let n = 0; n < INDEXED_PAGES; n += 1) await call('open_url', { url: pageOf(DENSE) });
    await restartedAfter('DELETE FROM search_words', 'UPDATE documents SET indexed = 2');
    return async () => {
      server.tidy();
      while (!server.output().includes('"event":"cache_swept"')) await sleep(QUIET_MS);
    };
  },
  'browser_read, HTML 2.9 MB': async () => {
    await call('browser_navigate', { url: pageOf('HTML 2.9 MB') });
    return () => call('browser_read', {});
  },
  'browser_snapshot, HTML 2.9 MB': async () => {
    await call('browser_navigate', { url: pageOf('HTML 2.9 MB') });
    return () => call('browser_snapshot', {});
  },
};

/** Pages of this size that one run indexes at most. */
const INDEXED_PAGES = 30;

async function isUpToDate(url: string): Promise<void> {
  await sleep(SECOND_MS);
  while ((await call('follow', { url }))['state'] !== 'up_to_date') await sleep(SECOND_MS);
}

async function restartedAfter(...statements: string[]): Promise<void> {
  await server.stop();
  const config = readWorkerConfig(join(import.meta.dirname, '../wrangler.toml'));
  const { database, stop } = await databaseAlone(config, join(home, '.wrangler/state/v3'));
  for (const statement of statements) await database.prepare(statement).run();
  await stop();
  server = await start();
  readCpu = cpuReader();
  await idle();
}

try {
  const rows = [['call, alone', 'CPU s, median', 'most']];
  for (const [name, prepared] of Object.entries(CASES)) {
    if (!only.test(name)) continue;
    const spent: number[] = [];
    for (let n = 0; n < TIMES; n += 1) {
      const work = await prepared();
      await idle();
      spent.push(await cpuOf(work));
    }
    const seconds = spent.toSorted((a, b) => a - b).map((ms) => (ms / SECOND_MS).toFixed(2));
    rows.push([name, seconds[Math.floor(TIMES / 2)] ?? '', seconds.at(-1) ?? '']);
    console.log(columns([rows[0] ?? [], rows.at(-1) ?? []]));
  }
  console.log(`\n${columns(rows)}`);
} finally {
  await server.stop();
  await site.close();
  rmSync(home, { recursive: true, force: true });
}
