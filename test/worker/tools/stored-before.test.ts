import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { snapshotKey } from '#storage/pages/snapshots.ts';
import { callTool, structured } from '../../support/mcp-call.ts';
import { signInObject } from '../../support/stored-people.ts';

/** What a deployment had stored when documents had no rest, no places and no outline. */
const FIRST_WITH_REST = '0007_rest_of_pages.sql';
const URL_ = 'https://old.acme.dev/manual';
const CURSOR = 'c_oldoldoldoldold1';
const DOCUMENT = 'd'.repeat(64);
const SNAPSHOT = await snapshotKey(URL_, 'accept: text/markdown first', 'auto');
const LINES = Array.from({ length: 200 }, (_, n) =>
  n % 50 === 0 ? `## Part ${n / 50}` : n % 2 === 1 ? '' : `Line ${n} tells of a capstan.`,
);
/** Stored in two rows, as long documents are. */
const CUT = 120;
const DAY_MS = 86_400_000;

const META = {
  status: 200,
  headers: {},
  mediaType: 'text/html',
  charset: 'utf-8',
  redirects: [],
  robots: { allowed: true, checked: true, rule: null },
  noindex: [],
  timings: { fetchMs: 1, extractMs: 1 },
  extractor: 'html@1',
  siteconfig: null,
  language: 'en',
  llmsTxt: null,
  markdownTwin: null,
  needsScripts: false,
  explanation: { strategy: 'main', candidates: [] },
};

const call = async (name: string, args: Record<string, unknown>) => structured(await callTool('modern', name, args));

beforeAll(async () => {
  await dropEverything();
  const at = env.TEST_MIGRATIONS.findIndex(({ name }) => name === FIRST_WITH_REST);
  if (at < 1) throw new Error('That migration is not there.');
  await run(env.TEST_MIGRATIONS.slice(0, at).flatMap(({ queries }) => queries));
  await storeAsBefore(Date.now());
  await run(env.TEST_MIGRATIONS.slice(at).flatMap(({ queries }) => queries));
  await giveCursorAsBefore(Date.now());
});

async function dropEverything(): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table')
     AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'd1_%' AND name NOT LIKE 'search_words_%'`,
  ).all<{ type: string; name: string }>();
  const dropped = results.map(({ type, name }) => `DROP ${type} "${name}"`);
  await run(['PRAGMA defer_foreign_keys = on', ...dropped]);
}

async function run(queries: readonly string[]): Promise<void> {
  await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
}

async function storeAsBefore(now: number): Promise<void> {
  const chunk = (id: number, from: number, end: number) =>
    env.DB.prepare(
      `INSERT INTO document_chunks (id, document_id, first_line, last_line, body) VALUES (?, ?, ?, ?, ?)`,
    ).bind(id, DOCUMENT, from, end - 1, LINES.slice(from, end).join('\n'));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO documents (id, title, line_count, byte_count, extractor, cuts, created_at, held_until, indexed)
       VALUES (?, 'The old manual', ?, 4000, 'html@1', '[]', ?, ?, 1)`,
    ).bind(DOCUMENT, LINES.length, now, now + DAY_MS),
    chunk(1, 0, CUT),
    chunk(2, CUT, LINES.length),
    env.DB.prepare(
      `INSERT INTO snapshots (key, url, final_url, mode, document_id, etag, fetched_at, validated_at, meta)
       VALUES (?, ?, ?, 'auto', ?, '"old"', ?, ?, ?)`,
    ).bind(SNAPSHOT, URL_, URL_, DOCUMENT, now, now, JSON.stringify(META)),
    env.DB.prepare(`INSERT INTO search_index (rowid, title, body) SELECT id, title, body FROM search_source`),
  ]);
}

/** In the table of cursors as it was when pages had no rest. */
async function giveCursorAsBefore(now: number): Promise<void> {
  const { ownerSubject } = await deploymentIdentity(signInObject());
  const stub = env.CLIENT.get(env.CLIENT.idFromName(ownerSubject));
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    sql.exec(`DROP TABLE cursors`);
    sql.exec(`CREATE TABLE cursors (
      id TEXT PRIMARY KEY, list_id TEXT, document_id TEXT, url TEXT, title TEXT, line_count INTEGER NOT NULL,
      view_start INTEGER NOT NULL, held_until INTEGER NOT NULL, used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL)`);
    sql.exec(
      `INSERT INTO cursors VALUES (?, NULL, ?, ?, 'The old manual', ?, 40, ?, ?, ?)`,
      CURSOR,
      DOCUMENT,
      URL_,
      LINES.length,
      now + DAY_MS,
      now,
      now + DAY_MS,
    );
  });
  // The object starts anew with the next call, as after a deployment.
  await evictDurableObject(stub);
}

describe('what was stored before pages had a rest, places and an outline', () => {
  it('is shown by the cursors that were given on it, line by line', async () => {
    const view = await call('scroll', { cursor: CURSOR, loc: 100, num_lines: 50 });
    expect(view['text']).toBe(LINES.slice(100, 150).join('\n'));
    expect(view['render']).toContain(`Lines 100–149 of 200:`);
    const next = await call('scroll', { cursor: CURSOR, delta: 50, num_lines: 80 });
    expect(next['viewport']).toEqual({ start: 150, end: 199 });
    expect(next['render']).toContain('This is the end of the page.');
  });

  it('is searched by find on them', async () => {
    const found = await call('find', { cursor: CURSOR, pattern: 'Line 148 tells' });
    expect((found['matches'] as { loc: number }[]).map(({ loc }) => loc)).toEqual([148]);
    expect(found['render']).toContain('In the section L100: Part 2');
    expect(found['render']).not.toContain('the rest of the page');
  });

  it('is opened while its site says that it has not changed, and what is not known of it is said', async () => {
    const shown = await call('open_url', { url: `${URL_}#levers`, num_lines: 200 });
    expect(shown['text']).toBe(LINES.join('\n'));
    expect(shown['url']).toBe(`${URL_}#levers`);
    expect(shown['render']).toContain('web_open with refresh fetches the page again');
    expect(shown['render']).not.toContain('Outline');
    const page = await call('web_open', { url: URL_ });
    expect(page['markdown']).toContain(LINES.join('\n'));
  });

  it('is got whole by its snapshot, once it is opened', async () => {
    const page = await call('cache_get', { snapshot: SNAPSHOT });
    expect(page['total_lines']).toBe(200);
    expect(page['markdown']).toContain(LINES.join('\n'));
    expect(page['outline']).toBeUndefined();
    expect(page['rest_lines']).toBeUndefined();
  });

  it('is indexed again and found, and opens at its snippet', async () => {
    while (await new PageIndex(openDb(env.DB)).catchUp());
    const { cursor, results } = await call('web_search', { query: 'capstan "part 3"' });
    expect((results as { url: string }[]).map(({ url }) => url)).toEqual([URL_]);
    expect(cursor).toMatch(/^c_/);
  });
});
