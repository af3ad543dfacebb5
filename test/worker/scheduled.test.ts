import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { DOCUMENT_KEEP_GRACE_MS } from '#reading/limits.ts';
import { openDb } from '#storage/db.ts';
import { SearchCache, SiteStore } from '#storage/pages/sites.ts';
import { callTool, structured } from '../support/mcp-call.ts';
import { countRows, emptyStore, storePage } from '../support/stored-pages.ts';

const HOUR_MS = 3_600_000;
const db = openDb(env.DB);

/** Runs the trigger as the platform does. @returns what it logged */
async function trigger(settings: Partial<Env> = {}): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const take = (line: unknown) => void lines.push(String(line));
  vi.spyOn(console, 'log').mockImplementation(take);
  vi.spyOn(console, 'error').mockImplementation(take);
  await worker.scheduled(createScheduledController(), { ...env, ...settings });
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

beforeEach(emptyStore);
afterEach(() => vi.restoreAllMocks());

describe('the hourly trigger', () => {
  it('drops unreachable data and data beyond the ceiling, and logs this in one line', async () => {
    const text = ['x'.repeat(20_000), ...Array.from({ length: 49 }, (_, n) => `${n} `.repeat(10_000))];
    for (const [n, line] of text.entries()) await storePage({ url: `https://a.dev/${n}`, lines: [line], heldUntil: n });
    await storePage({ url: 'https://a.dev/0', lines: ['a new edition'], heldUntil: Date.now() + HOUR_MS });
    const before = await countRows('documents');
    const lines = await trigger({ CACHE_MAX_BYTES: '1000000' } as Partial<Env>);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        event: 'cache_swept',
        state: 'done',
        unreachable_documents: 1,
        unreachable_bytes: 20_000,
        ceiling_bytes: 1_000_000,
        robots_expired: 0,
      }),
      expect.objectContaining({ level: 'info', event: 'day_so_far', browsers: 0 }),
    ]);
    const [{ evicted_documents: evicted, text_bytes: left } = {}] = lines;
    expect(Number(evicted)).toBeGreaterThan(0);
    expect(Number(left)).toBeLessThanOrEqual(1_000_000);
    expect(await countRows('documents')).toBe(before - 1 - Number(evicted));
  });

  it('reports once an hour the results of the calls of the day, for alerts', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const row = (tool: string, outcome: string, calls: number, slow: number) =>
      env.DB.prepare('INSERT INTO tool_counters VALUES (?, ?, ?, ?, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?)').bind(
        day,
        tool,
        outcome,
        calls,
        slow,
      );
    await env.DB.batch([
      env.DB.prepare('DELETE FROM tool_counters'),
      row('open_url', 'ok', 90, 2),
      row('open_url', 'internal', 3, 0),
      row('scroll', 'unknown_cursor', 7, 1),
    ]);
    const [, line] = await trigger();
    expect(line).toMatchObject({ day, calls: 100, errors: 10, internal: 3, cache_hits: 3, over_10_s: 3 });
  });

  it('keeps a purged page for its cursors until they expire', async () => {
    const opened = structured(await callTool('modern', 'web_open', { url: 'https://docs.acme.dev/alarms' }));
    const purged = { snapshot: opened['snapshot'], dry_run: false };
    expect(structured(await callTool('modern', 'cache_purge', purged))).toMatchObject({ documents_held: 1 });
    await trigger();
    structured(await callTool('modern', 'scroll', { cursor: opened['cursor'] }));
    const endHolds = (at: number) => env.DB.prepare('UPDATE documents SET held_until = ?').bind(at).run();
    await endHolds(Date.now() - 1);
    await trigger();
    expect(await countRows('documents')).toBe(1);
    await endHolds(Date.now() - DOCUMENT_KEEP_GRACE_MS);
    await trigger();
    expect(await countRows('documents')).toBe(0);
  });

  it('deletes expired data: robots.txt, search answers and site metadata', async () => {
    const now = Date.now();
    const answers = new SearchCache(db);
    const { robots, facts } = new SiteStore(db);
    for (const [name, expiresAt] of [
      ['https://old.example', now - 1],
      ['https://new.example', now + HOUR_MS],
    ] as const) {
      await robots.put(name, { outcome: 'open', body: new Uint8Array(), expiresAt });
      await answers.put(name, '{}', expiresAt);
      await facts.put(name, { llmsTxt: null, markdownPages: [], expiresAt });
    }
    const [line] = await trigger();
    expect(line).toMatchObject({ robots_expired: 1 });
    // Another one: a store remembers what it was given.
    const left = new SiteStore(db);
    expect(await left.robots.get('https://old.example')).toBeNull();
    expect(await left.robots.get('https://new.example')).not.toBeNull();
    // Read as of the beginning of time, an entry that is there has not expired.
    expect(await answers.get('https://old.example', 0)).toBeNull();
    expect(await answers.get('https://new.example', 0)).toBe('{}');
    expect(await left.facts.get('https://old.example')).toBeNull();
    expect(await left.facts.get('https://new.example')).not.toBeNull();
  });

  it('runs the other parts when one part fails, and reports the failure', async () => {
    await new SiteStore(db).robots.put('https://old.example', {
      outcome: 'open',
      body: new Uint8Array(),
      expiresAt: 1,
    });
    const broken = new Proxy(env.DB, {
      get(target, key) {
        if (key === 'prepare') {
          return (sql: string) => target.prepare(sql.includes('document') ? 'SELECT * FROM nowhere' : sql);
        }
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const lines = await trigger({ DB: broken });
    // The sweep, the index and what followed pages take all read documents.
    expect(lines).toMatchObject([
      { level: 'error', event: 'unexpected_error' },
      { level: 'error', event: 'unexpected_error' },
      { level: 'error', event: 'unexpected_error' },
      { level: 'warn', event: 'cache_swept', state: 'failed', robots_expired: 1 },
      { level: 'info', event: 'day_so_far' },
    ]);
  });
});
