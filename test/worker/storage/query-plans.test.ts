import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '#storage/people.ts';
import { CounterStore } from '#storage/counters.ts';
import { openDb } from '#storage/db.ts';
import { DocumentStore, newDocument } from '#storage/pages/documents.ts';
import { EVERY_ROW_TERM, PageIndex } from '#storage/search/page-index.ts';
import { SiteStore } from '#storage/pages/sites.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { ChangeStore, ReportStore } from '#storage/library/changes.ts';

import { storeDocument } from '#support/store-document.ts';
import { META } from '#support/stored-pages.ts';

/** Statements with their parameters, as the stores send them. */
const sent: { sql: string; parameters: unknown[] }[] = [];
const db = openDb(recorded(env.DB));
const documents = new DocumentStore(db);
const snapshots = new SnapshotStore(db);
const lines = Array.from(
  { length: 40_000 },
  (_, n) => `Line ${n} of a page that is long enough for many chunks of text.`,
);
const SHORT = { title: 'Short', language: null, lines: ['A walrus.'], extractor: 'test@1', cuts: [] };
const LONG = { title: 'Long', language: null, lines, extractor: 'test@1', cuts: [] };

function recorded(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => recordedStatement(sql, target.prepare(sql));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function recordedStatement(sql: string, statement: D1PreparedStatement): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  statement.bind = (...parameters) => {
    sent.push({ sql, parameters });
    return bind(...parameters);
  };
  return statement;
}

async function planOf({ sql, parameters }: { sql: string; parameters: unknown[] }): Promise<string[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...parameters)
    .all();
  return results.map((row) => String(row['detail']));
}

const snapshot = (key: string) => {
  const url = `https://docs.acme.dev/${key}`;
  const validators = { etag: null, lastModified: null };
  return {
    key,
    canonicalUrl: url,
    finalUrl: url,
    mode: 'readable',
    ...validators,
    fetchedAt: 0,
    validatedAt: 0,
    meta: META,
  };
};

beforeAll(async () => {
  await snapshots.save(snapshot('long'), await newDocument(LONG, null), 0, null);
});

describe('database queries', () => {
  it('find their rows by an index, never by scanning a table', async () => {
    sent.length = 0;
    const long = await storeDocument(db, LONG);
    await documents.find(long.id, 'someone');
    await documents.hold(long.id, 1);
    await documents.readLines(long.id, 100, 180);
    for await (const chunk of documents.scan(long.id)) expect(chunk.lines.length).toBeGreaterThan(0);
    await snapshots.save(snapshot('changing'), await newDocument(LONG, null), 0, long.id);
    await snapshots.save(snapshot('changing'), await newDocument(SHORT, null), 0, long.id);
    await snapshots.find('changing');
    await snapshots.findAndHold(['changing', 'other'], 1);
    const sites = { store: new SiteStore(db), origin: 'https://docs.acme.dev' };
    await snapshots.findToOpen(['long', 'other'], 1, { sites, lines: { start: 100, end: 180 } });
    await snapshots.revalidated('changing', 1);
    const index = new PageIndex(db);
    const walrus = { kind: 'page', stem: 'walru', foreign: ['walr'] } as const;
    expect(await index.catchUp()).toBe(false);
    const [found] = await index.postings([walrus, EVERY_ROW_TERM]);
    const pages = await index.pages(found?.ids ?? []);
    expect(pages).toHaveLength(1);
    await index.all([walrus]);
    await index.together(walrus, [walrus], 1_000_000);
    await index.chunksWith(pages, [walrus]);
    expect(await index.chunks(found?.ids ?? [])).toHaveLength(1);
    const { robots, facts } = new SiteStore(db);
    await robots.put('https://docs.acme.dev', { outcome: 'open', body: new Uint8Array(), expiresAt: 1 });
    await facts.get('https://docs.acme.dev');
    await facts.put('https://docs.acme.dev', { llmsTxt: null, markdownPages: [], expiresAt: 1 });
    await robots.get('https://docs.acme.dev');
    await new CounterStore(db).add([
      {
        ts: '2026-11-21T00:00:00Z',
        requestId: 'test',
        tool: 'scroll',
        url: null,
        ms: 1,
        cacheHit: null,
        status: 'ok',
        errorCode: null,
      },
    ]);
    const tokens = new AccessTokenStore(db);
    await tokens.find('hash');
    await tokens.list('subject');
    await tokens.count('subject');
    await tokens.used('id', 2, 1);
    await tokens.revoke('subject', 'id');
    await tokens.purgeExpired(1);
    expect(sent.length).toBeGreaterThan(20);
    const tables = /^SCAN (?:documents|document_chunks|snapshots|robots|site_facts|tool_counters|access_tokens)\b/;
    for (const statement of sent) {
      const plan = await planOf(statement);
      expect(plan.filter((step) => tables.test(step))).toEqual([]);
    }
  });

  it('find changes that two follows found by the document, and the earlier changes of a page by the page', async () => {
    sent.length = 0;
    await new ChangeStore(db).neighbours('someone', { at: 1, follow: 'f', key: 'k' });
    await new ReportStore(db).pending('someone', 1);
    expect(sent.length).toBeGreaterThan(0);
    for (const statement of sent) {
      const plan = (await planOf(statement)).join('\n');
      expect(plan).not.toMatch(/^SCAN/mu);
      expect(plan.match(/^SEARCH other USING INDEX follow_changes_by_(?:before|after)\b/gmu)).toHaveLength(2);
      expect(plan.match(/^SEARCH between_them USING .*\(follow=\? AND key=\? AND round<\?\)/gmu)).toHaveLength(2);
    }
  });

  it('read as few rows for a viewport at the end of a long document as for one at its beginning', async () => {
    const { id } = await storeDocument(db, LONG);
    const { results } = await env.DB.prepare('SELECT id FROM document_chunks WHERE document_id = ?').bind(id).all();
    expect(results.length).toBeGreaterThan(50);
    for (const start of [0, 20_000, 39_900]) {
      sent.length = 0;
      expect(await new DocumentStore(db).readLines(id, start, start + 79)).toEqual(lines.slice(start, start + 80));
      const [statement] = sent;
      const { meta } = await env.DB.prepare(statement?.sql ?? '')
        .bind(...(statement?.parameters ?? []))
        .all();
      expect(meta.rows_read).toBeLessThanOrEqual(5);
    }
  });
});
