import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { findFreePort } from '#scripts/local/port.ts';
import { databaseAlone } from '#scripts/local/runtime.ts';
import { readWorkerConfig } from '#scripts/local/worker-config.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { send, startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { scratchHome } from '#support/server.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** A page with this text hangs the Worker of this test. */
const ENDLESS = 'An endless page.';

/** This version, but for a page that never comes to its end. */
function endlessVersion(project: string): string {
  for (const name of ['src', 'scripts', 'package.json', 'package-lock.json', 'wrangler.toml', 'tsconfig.json']) {
    cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  }
  for (const name of ['node_modules', 'generated', 'migrations']) symlinkSync(join(PROJECT, name), join(project, name));
  const file = join(project, 'src/reading/open/extract-page.ts');
  const text = readFileSync(file, 'utf8');
  const at = text.indexOf('  const isShort = input.text');
  expect(at).toBeGreaterThan(0);
  writeFileSync(file, `${text.slice(0, at)}  while (input.text.includes('${ENDLESS}'));\n${text.slice(at)}`);
  return project;
}

describe('a Worker that hangs', () => {
  const SOON = { timeout: 240_000, interval: 500 };
  const QUESTION = 'Which words stay out of the log?';
  let site: Origin;
  let server: LaunchedServer;
  let start: () => Promise<LaunchedServer>;
  let remove: () => void;
  let data = '';
  let edition = 'A fine page.';

  const html = (text: string) => `<!doctype html><title>Page</title><main><h1>Page</h1><p>${text}</p></main>`;
  const hangs = () => server.output().split('"event":"worker_hung"').length - 1;
  const isWell = async () => (await fetch(new URL('/healthz', server.mcpUrl)).catch(() => null))?.status === 200;

  async function call(name: string, args: Record<string, unknown>, signal?: AbortSignal) {
    const client = await connectModern(server);
    try {
      return await client.call(name, args, signal);
    } finally {
      await client.close().catch(() => undefined);
    }
  }

  /**
   * Makes calls that the server does not survive, each once the page of the one before is asked for. A client would wait for
   * their answers until its own time-out.
   */
  async function unanswered(calls: [page: string, name: string, args: Record<string, unknown>][]): Promise<void> {
    const before = hangs();
    const patience = new AbortController();
    const outcomes: Promise<string>[] = [];
    for (const [page, name, args] of calls) {
      const asked = site.requests.length;
      outcomes.push(
        call(name, args, patience.signal).then(
          ({ text }) => text,
          () => 'no answer',
        ),
      );
      await expect
        .poll(() => site.requests.slice(asked).map(({ path }) => path), SOON)
        .toContainEqual(expect.stringContaining(page));
    }
    await expect.poll(hangs, SOON).toBe(before + 1);
    patience.abort(new Error('The server hung.'));
    expect(await Promise.all(outcomes)).toEqual(calls.map(() => 'no answer'));
  }

  beforeAll(async () => {
    site = await startOrigin({
      '/fine': send(html('A fine page.')),
      '/endless': send(html(ENDLESS)),
      '/slow': () => undefined,
      '/followed': (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(html(`${edition} It is followed.`)),
      '/in': send(html('Signed in'), { 'set-cookie': 'deck=upper; HttpOnly; Path=/' }),
      '/who': (request, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(html(`Cookie: ${request.headers.cookie ?? 'none'}`)),
    });
    const scratch = scratchHome();
    ({ remove } = scratch);
    data = join(scratch.home, '.wrangler/state/v3');
    const project = endlessVersion(join(scratch.home, 'endless-version'));
    const port = await findFreePort();
    const settings = {
      ALLOWED_PRIVATE_HOSTS: site.host,
      FOLLOW_PAUSE_MS: '100',
      FOLLOW_REREAD_SECONDS: '1',
      HANG_SECONDS: '10',
    };
    start = () => launchServer({ home: scratch.home, port, settings, project });
    server = await start();
  });
  afterAll(async () => {
    await server?.stop();
    await site?.close();
    remove?.();
  });

  it('is restarted with all stored data and sign-ins, and the log lists the running work', async () => {
    const { cursor } = (await call('open_url', { url: `${site.url}/fine` })).structured;
    await call('browser_navigate', { url: `${site.url}/in` });
    await unanswered([
      ['/slow', 'find_passages', { question: QUESTION, urls: [`${site.url}/slow`] }],
      ['/endless', 'open_url', { url: `${site.url}/endless?access_token=hunter2hunter2` }],
    ]);
    const line =
      server
        .output()
        .split('\n')
        .find((one) => one.includes('worker_hung')) ?? '';
    const told: { in_flight: string[]; skipped: string[] } = JSON.parse(line);
    expect(told.skipped).toEqual([]);
    expect(told.in_flight).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^open_url [\da-f-]{36} http:\/\/[\d.:]+\/endless\?access_token=REDACTED$/),
        expect.stringMatching(/^find_passages [\da-f-]{36} http:\/\/[\d.:]+\/slow$/),
      ]),
    );
    expect(server.output()).not.toMatch(/hunter2|Which words|"work"/);
    await expect.poll(isWell, SOON).toBe(true);
    expect((await call('scroll', { cursor, loc: 0 })).text).toContain('A fine page.');
    const session = await call('browser_navigate', { url: `${site.url}/who`, snapshot: true });
    expect(session.structured).toMatchObject({ restored: true });
    expect(session.text).toContain('deck=upper');
  });

  it('skips work at which it hung twice, with an error that explains this, also after the next start', async () => {
    const url = `${site.url}/endless?access_token=hunter2hunter2`;
    await unanswered([['/endless', 'open_url', { url }]]);
    expect(hangs()).toBe(2);
    await expect.poll(isWell, SOON).toBe(true);
    const skipped = async () => (await call('open_url', { url })).text;
    expect(await skipped()).toMatch(/^Error skipped: .*access_token=REDACTED is skipped: the server hung twice/);
    expect((await call('open_url', { url: `${site.url}/fine` })).isError).toBe(false);
    expect(hangs()).toBe(2);
    await server.kill();
    server = await start();
    expect(await skipped()).toContain('Error skipped');
  });

  it('skips a followed page at which a round hung twice, reports it to the user, and continues', async () => {
    await call('follow', { url: `${site.url}/followed` });
    const state = async () => (await call('follow', { url: `${site.url}/followed` })).structured['state'];
    await expect.poll(state, SOON).toBe('up_to_date');
    await server.kill();
    edition = ENDLESS;
    const { database, stop } = await databaseAlone(readWorkerConfig(join(PROJECT, 'wrangler.toml')), data);
    await database.prepare('UPDATE follows SET next_at = 0').run();
    await stop();
    server = await start();
    server.tidy();
    await expect.poll(hangs, SOON).toBe(2);
    await expect.poll(isWell, SOON).toBe(true);
    const told = async () => JSON.stringify((await call('changes', {})).structured['changes']);
    await expect.poll(told, SOON).toContain('Reading this page crashed the server twice');
    expect(hangs()).toBe(2);
    expect(server.output()).toMatch(/"round l_[\w-]+, page 1, read http:[^"]+\/followed"/);
  });
});
