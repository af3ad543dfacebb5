import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseAlone } from '#scripts/local/runtime.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { scratchHome } from '#support/server.ts';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { findFreePort } from '#scripts/local/port.ts';

/** `npm run bench:follow` asks for more of them. */
const HOSTS = Number(process.env['FOLLOW_HOSTS'] ?? 2);
const PAGES = Number(process.env['FOLLOW_PAGES'] ?? 8);
const KILLS = Number(process.env['FOLLOW_KILLS'] ?? 2);
const SOON_MS = 240_000;
const PROJECT = join(import.meta.dirname, '../..');

let edition = 1;
let sites: Origin[] = [];
let server: LaunchedServer;
let start: (project?: string) => Promise<LaunchedServer>;
let home = '';
let data = '';
let remove: () => void;

beforeAll(async () => {
  const other = (path: string) => `<!doctype html><title>Page</title><main><h1>Page ${path}</h1>
    <p>This page has words of its own: ${path.replaceAll('/', ' ')}.</p><p>It is edition ${edition} of the page.</p></main>`;
  sites = await Promise.all(
    Array.from({ length: HOSTS }, () =>
      startOrigin({}, ({ url = '/' }, response) => {
        const number = /^\/docs\/(?:p(\d+))?$/.exec(url);
        if (number === null) return void response.writeHead(404).end();
        const links = Array.from({ length: PAGES }, (_, n) => `<a href="/docs/p${n}">Page ${n}</a>`).join(' ');
        const body =
          number[1] === undefined
            ? `<!doctype html><title>All</title><main><h1>All</h1><p>${links}</p></main>`
            : other(url);
        response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      }),
    ),
  );
  const scratch = scratchHome();
  remove = scratch.remove;
  ({ home } = scratch);
  data = join(scratch.home, '.wrangler/state/v3');
  const port = await findFreePort();
  const settings = {
    ALLOWED_PRIVATE_HOSTS: sites.map(({ host }) => host).join(','),
    FOLLOW_PAUSE_MS: '100',
    FOLLOW_REREAD_SECONDS: '1',
  };
  start = (project = PROJECT) => launchServer({ home, port, settings, project });
  server = await start();
});
afterAll(async () => {
  await server?.stop();
  await Promise.all(sites.map((site) => site.close()));
  remove?.();
});

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const client = await connectModern(server);
  const { structured, isError, text } = await client.call(name, args);
  await client.close();
  if (isError) throw new Error(text);
  return structured;
}

const readPages = async () => {
  const states = await Promise.all(
    sites.map(({ url }) => call('follow', { url: `${url}/docs/`, scope: 'site', max_pages: PAGES + 1 })),
  );
  return states.map(({ pages, state }) => ({ state, pages }));
};

/** Asks of each numbered page, by host. */
const asks = (from: readonly number[]) =>
  sites.map(({ requests }, n) => requests.slice(from[n]).filter(({ path }) => path.startsWith('/docs/p')).length);

const marks = () => sites.map(({ requests }) => requests.length);

async function killedWhileReading(kills: number, from: readonly number[]): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    const wanted = Math.floor((HOSTS * PAGES * kill) / (kills + 1));
    await expect
      .poll(() => asks(from).reduce((sum, n) => sum + n, 0), { timeout: SOON_MS })
      .toBeGreaterThanOrEqual(wanted);
    await server.kill();
    server = await start();
  }
}

describe('a server that is killed while it reads followed pages', () => {
  it('stores each page once, and requests at most one more page from each host after each kill', async () => {
    const from = marks();
    await readPages();
    await killedWhileReading(KILLS, from);
    const all = { found: PAGES + 1, read: PAGES + 1, gone: 0, closed: 0, max: PAGES + 1 };
    await expect
      .poll(readPages, { timeout: SOON_MS, interval: 1_000 })
      .toEqual(sites.map(() => ({ state: 'up_to_date', pages: all })));
    // At the end, up to three pages of each site are read a second time, to learn which texts vary.
    const learnt = Math.min(PAGES, 3);
    for (const asked of asks(from)) expect(asked).toBeLessThanOrEqual(PAGES + KILLS + learnt);
  });

  it('reports each change once', async () => {
    const from = await nextEdition();
    await killedWhileReading(1, from);
    await expect.poll(told, { timeout: SOON_MS, interval: 1_000 }).toEqual(everyPage());
    await ended();
    expect(await told()).toEqual(everyPage());
    for (const asked of asks(from)) expect(asked).toBeLessThanOrEqual(PAGES + 1);
  });

  it('continues in a version whose steps have other names, and reports each change once', async () => {
    const before = await told();
    const from = await nextEdition();
    const half = (HOSTS * PAGES) / 2;
    await expect
      .poll(() => asks(from).reduce((sum, n) => sum + n, 0), { timeout: SOON_MS })
      .toBeGreaterThanOrEqual(half);
    await server.kill();
    server = await start(otherVersion());
    const twice = [...before, ...everyPage()].toSorted();
    await expect.poll(told, { timeout: SOON_MS, interval: 1_000 }).toEqual(twice);
    await ended();
    expect(await told()).toEqual(twice);
    // Pages that were read before were stored, and are not requested again under the new names.
    for (const asked of asks(from)) expect(asked).toBeLessThanOrEqual(PAGES + 1);
  });
});

const everyPage = () =>
  sites.flatMap(({ url }) => Array.from({ length: PAGES }, (_, n) => `${url}/docs/p${n}`)).toSorted();

/** Changes every page and begins the next round. @returns the earlier requests to the sites */
async function nextEdition(): Promise<number[]> {
  await server.kill();
  edition += 1;
  const { database, stop } = await databaseAlone(readWorkerConfig(join(PROJECT, 'wrangler.toml')), data);
  await database.prepare('UPDATE follows SET next_at = 0').run();
  await stop();
  server = await start();
  const from = marks();
  server.tidy();
  return from;
}

async function ended(): Promise<void> {
  await expect
    .poll(async () => (await readPages()).map(({ state }) => state), { timeout: SOON_MS, interval: 1_000 })
    .toEqual(sites.map(() => 'up_to_date'));
}

async function told(): Promise<string[]> {
  const urls: string[] = [];
  let since = '2020-01-01';
  for (;;) {
    const answer = await call('changes', { since });
    const { changes, next_since: next }: { changes: { url: string }[]; next_since: string } = JSON.parse(
      JSON.stringify(answer),
    );
    if (changes.length === 0) return urls.toSorted();
    urls.push(...changes.map(({ url }) => url));
    since = next;
  }
}

const COPIED = ['src', 'scripts', 'package.json', 'package-lock.json', 'wrangler.toml', 'tsconfig.json'];

/** This version with other names of its steps, and one more. */
function otherVersion(): string {
  const project = join(home, 'other-version');
  for (const name of COPIED) {
    cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  }
  for (const name of ['node_modules', 'generated', 'migrations']) symlinkSync(join(PROJECT, name), join(project, name));
  const file = join(project, 'src/library/follow-round.ts');
  const text = readFileSync(file, 'utf8')
    .replace('`page ${place}', '`read page ${place}')
    .replace('`pages after ${after}`', '`pages behind ${after}`')
    .replace(
      'await this.#findPages(',
      "await step.do('a new one', OWN_STEP, async () => 1);\n    await this.#findPages(",
    );
  for (const name of ['read page', 'pages behind', 'a new one']) expect(text).toContain(name);
  writeFileSync(file, text);
  return project;
}
