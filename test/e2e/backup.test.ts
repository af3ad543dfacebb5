import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openConsole } from '#scripts/token/console.ts';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import { Browser, pageOf } from '#support/oauth-browser.ts';
import { runProgram } from '#support/run-program.ts';
import { scratchHome, startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';

/** The owner's commands against `npm start`: all is lost, and a new start with empty storage takes the backup. */

const PASSPHRASE = 'nine barrels behind the mill';
const SECRET = 'a secret for backups that is long enough';
const SCRIPTS = join(import.meta.dirname, '../../scripts');
const QUOTE = 'The ferry leaves at seven.';
const SOON = { timeout: 180_000, interval: 500 };

let site: Origin;
let lost: TestServer;
let found: TestServer;
let file: string;
let removeFile: () => void;
const clients: TestClient[] = [];
const kept = { cursor: '', token: '', change: '' };
let price = 5;

const html =
  (body: string, headers: Record<string, string> = {}): Parameters<typeof startOrigin>[0][string] =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);

const settings = () => ({
  ALLOWED_PRIVATE_HOSTS: site.host,
  OWNER_PASSPHRASE: PASSPHRASE,
  SESSION_SECRET: SECRET,
  FOLLOW_PAUSE_MS: '100',
  FOLLOW_REREAD_SECONDS: '1',
});

async function client(server: TestServer, token = server.token): Promise<TestClient> {
  const made = await connectModern({ mcpUrl: server.mcpUrl, token });
  clients.push(made);
  return made;
}

const run = (command: string, server: TestServer, secret = SECRET) =>
  runProgram(join(SCRIPTS, `${command}.ts`), [file, '--url', new URL(server.mcpUrl).origin], {
    SESSION_SECRET: secret,
  });

beforeAll(async () => {
  site = await startOrigin({
    '/ferry': html(`<!doctype html><title>Ferry</title><main><h1>Ferry</h1><p>${QUOTE} It takes bicycles.</p></main>`),
    '/prices': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>Prices</title><main><h1>Prices</h1><p>A ticket costs ${price} dollars.</p></main>`),
    '/in': html('<!doctype html><title>In</title><h1>Signed in</h1>', { 'set-cookie': 'deck=upper; HttpOnly; Path=/' }),
    '/who': (request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>Who</title><p>Cookie: ${request.headers.cookie ?? 'none'}</p>`),
  });
  const { home, remove } = scratchHome();
  file = join(home, 'all.backup');
  removeFile = remove;
  lost = await startServer(settings());
  const model = await client(lost);
  const opened = await model.call('open_url', { url: `${site.url}/ferry` });
  kept.cursor = String(opened.structured['cursor']);
  await model.call('cite', { cursor: kept.cursor, quote: QUOTE });
  await model.call('browser_navigate', { url: `${site.url}/in` });
  await model.call('follow', { url: `${site.url}/prices` });
  await isUpToDate(model);
  price = 6;
  await lookNow();
  kept.change = await changed(model);
  const console = await openConsole(new URL(lost.mcpUrl), PASSPHRASE);
  kept.token = (await console.create({ name: 'agent', scopes: ['web:read'], days: '30' })).token;
});
afterAll(async () => {
  for (const one of clients) await one.close().catch(() => undefined);
  await found?.close();
  await lost?.close();
  await site?.close();
  removeFile?.();
});

async function isUpToDate(model: TestClient): Promise<void> {
  const state = async () => (await model.call('follow', { url: `${site.url}/prices` })).structured['state'];
  await vi.waitFor(async () => expect(await state()).toBe('up_to_date'), SOON);
}

/** Starts a round in the console, as a user does. */
async function lookNow(): Promise<void> {
  const { origin } = new URL(lost.mcpUrl);
  const browser = new Browser(origin, (url, init) => fetch(url, init));
  await browser.submit(pageOf(await browser.get(`${origin}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
  const library = pageOf(await browser.get(`${origin}/console/library`));
  const id = /name="id" value="(l_[\w-]+)"/u.exec(library.html)?.[1] ?? '';
  await browser.submit(library, '/console/library', { do: 'look', id });
}

/** The words of the only reported change. */
async function changed(model: TestClient): Promise<string> {
  const told = async () => JSON.stringify((await model.call('changes', {})).structured['changes']);
  await vi.waitFor(async () => expect(await told()).toContain('A ticket costs 6 dollars.'), SOON);
  const { changes }: { changes: { url: string; blocks: { words: string }[] }[] } = JSON.parse(
    `{"changes":${await told()}}`,
  );
  expect(changes).toHaveLength(1);
  return changes.map(({ url, blocks }) => [url, ...blocks.map(({ words }) => words)].join(' ')).join('\n');
}

describe('npm run backup and npm run restore', () => {
  it('refuse another secret, and leave no file', async () => {
    const ran = await run('backup', lost, 'another secret that is also long enough');
    expect([ran.code, ran.stderr.trim()]).toEqual([1, 'That is not the SESSION_SECRET of this deployment.']);
    expect(existsSync(file)).toBe(false);
  });

  it('write one file that reveals nothing, and never overwrite one', async () => {
    const ran = await run('backup', lost);
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('It opens with the SESSION_SECRET of that deployment alone');
    const text = readFileSync(file, 'latin1');
    for (const word of ['ferry', 'Ferry', 'deck', site.host, kept.token]) expect(text).not.toContain(word);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect((await run('backup', lost)).stderr).toContain('exists already');
  });

  it('restore nothing from a damaged file', async () => {
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 4);
    const ran = await run('restore', lost);
    expect([ran.code, ran.stderr.trim()]).toEqual([1, `${file} is damaged: its end is missing.`]);
    writeFileSync(file, whole);
  });

  it('restore everything to a new deployment with empty storage', async () => {
    await lost.close();
    rmSync(lost.home, { recursive: true, force: true });
    found = await startServer(settings());
    const stranger = await client(found);
    expect((await stranger.call('scroll', { cursor: kept.cursor })).isError).toBe(true);
    const ran = await run('restore', found);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('Restart it to finish');
    await found.killAndRestart();
  });

  it('restore the pages, citations, tokens and browser sessions of a user', async () => {
    const owner = await client(found);
    expect((await owner.call('scroll', { cursor: kept.cursor, loc: 0 })).text).toContain(QUOTE);
    const session = await owner.call('browser_navigate', { url: `${site.url}/who`, snapshot: true });
    expect(session.structured).toMatchObject({ restored: true });
    expect(session.text).toContain('deck=upper');

    const agent = await client(found, kept.token);
    expect(await agent.toolNames()).toContain('open_url');
    const console = await openConsole(new URL(found.mcpUrl), PASSPHRASE);
    expect((await console.list()).map(({ name }) => name)).toEqual(['agent']);
    const cited = await owner.call('cite', { cursor: kept.cursor, quote: QUOTE });
    expect(cited.isError).toBe(false);
  });

  it('restore followed pages and their changes', async () => {
    const owner = await client(found);
    const state = (await owner.call('follow', { url: `${site.url}/prices` })).structured;
    expect(state).toMatchObject({ state: 'up_to_date', pages: { found: 1, read: 1 } });
    expect(await changed(owner)).toBe(kept.change);
    const inIt = { question: 'What does a ticket cost?', library: `${site.url}/prices` };
    const { passages } = (await owner.call('find_passages', inIt)).structured;
    expect(JSON.stringify(passages)).toContain('A ticket costs 6 dollars.');
  });
});
