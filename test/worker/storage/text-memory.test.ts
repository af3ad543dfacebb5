import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { TASK_MEMORY_BYTES_MAX } from '#core/limits.ts';
import { openDb, openNearDb } from '#storage/db.ts';
import { CACHED_TEXT_AGE_MS_MAX, TEXT_CACHE_BYTES_MAX, CACHED_DOCUMENT_BYTES_MAX } from '#storage/limits.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { DocumentTextCache } from '#storage/pages/text-memory.ts';
import { storeDocument } from '#support/store-document.ts';

const db = openDb(env.DB);
const lines = Array.from({ length: 8_000 }, (_, n) => `Line ${n} of a page that takes several chunks.`);
const LONG = { title: 'Long', language: null, lines, extractor: 'test@1', cuts: [] };
/** A third of the cached text of one document. */
const LARGE = { firstLine: 0, lines: ['x'.repeat(CACHED_DOCUMENT_BYTES_MAX / 3)] };

/** A database that cannot be asked, or a copy that has nothing yet. */
function without(kind: 'answers' | 'rows'): D1Database {
  return new Proxy(env.DB, {
    get: (database, member) => {
      if (member !== 'prepare') return Reflect.get(database, member);
      return (query: string) => {
        if (kind === 'answers') throw new Error('the database is asked');
        return database.prepare(query.replace(/ where /u, ' where 0 and '));
      };
    },
  });
}

async function scanned(documents: DocumentStore, id: string): Promise<string[]> {
  const all: string[] = [];
  for await (const chunk of documents.scan(id)) all.push(...chunk.lines);
  return all;
}

describe('the text of a document', () => {
  it('is read from the database once, and then from memory, in whatever order its lines are read', async () => {
    const { id } = await storeDocument(db, LONG);
    const memory = new DocumentTextCache();
    const first = new DocumentStore(db, db, memory);
    expect(await first.readLines(id, 4_000, 4_080)).toEqual(lines.slice(4_000, 4_081));
    expect(await scanned(first, id)).toEqual(lines);
    const dead = openDb(without('answers'));
    const warm = new DocumentStore(dead, dead, memory);
    expect(await scanned(warm, id)).toEqual(lines);
    for (const start of [0, 700, 3_999, 7_900]) {
      expect(await warm.readLines(id, start, start + 99)).toEqual(lines.slice(start, start + 100));
    }
    await expect(warm.readLines('another', 0, 1)).rejects.toThrow('the database is asked');
  });

  it('is read from the primary if the nearest replica does not have it yet', async () => {
    const { id } = await storeDocument(db, LONG);
    const behind = new DocumentStore(db, openDb(without('rows')));
    expect(await behind.readLines(id, 10, 11)).toEqual(lines.slice(10, 12));
    expect(await scanned(new DocumentStore(db, openDb(without('rows'))), id)).toEqual(lines);
    expect(await new DocumentStore(db, openNearDb(env.DB)).readLines(id, 10, 11)).toEqual(lines.slice(10, 12));
  });
});

describe('the text cache', () => {
  it('stays within its limit and first drops the least recently read text', () => {
    const memory = new DocumentTextCache();
    for (const id of ['a', 'b', 'c', 'd']) memory.keep(id, [LARGE]);
    expect(memory.chunkAt('a', 0)).toBeNull();
    expect(memory.chunkAt('b', 0)).not.toBeNull();
    memory.keep('e', [LARGE]);
    expect(['b', 'c', 'd', 'e'].map((id) => memory.chunkAt(id, 0) !== null)).toEqual([true, false, true, true]);
  });

  it('keeps the beginning of a document that is larger than its share', () => {
    const memory = new DocumentTextCache();
    const parts = [0, 1, 2].map((firstLine) => ({ ...LARGE, firstLine }));
    memory.keep('large', parts, 3);
    expect(memory.lines('large', 0, 0)).toEqual(LARGE.lines);
    expect(memory.lines('large', 0, 2)).toBeNull();
  });

  it('keeps the prepared text of a search within the same limits, for the next search', async () => {
    const { id } = await storeDocument(db, LONG);
    const memory = new DocumentTextCache();
    const seen = async (documents: DocumentStore) => {
      const chunks = [];
      for await (const chunk of documents.scanSeen(id)) chunks.push(chunk.seen);
      return chunks;
    };
    const made = await seen(new DocumentStore(db, db, memory));
    const dead = openDb(without('answers'));
    const again = await seen(new DocumentStore(dead, dead, memory));
    expect(again.every((one, index) => one === made[index])).toBe(true);

    const chunk = { ...LARGE, lines: [...LARGE.lines] };
    const [first] = made;
    if (first === undefined) throw new Error('nothing was seen');
    const large = { ...first, text: 'x'.repeat(CACHED_DOCUMENT_BYTES_MAX) };
    memory.keep('large', [chunk]);
    memory.keepSeen('large', chunk, large);
    expect(memory.chunkAt('large', 0)).toEqual(chunk);
    expect(chunk).not.toHaveProperty('seen');
  });

  it('shrinks for pages that are being read, and grows again after them', () => {
    const memory = new DocumentTextCache();
    memory.keep('a', [LARGE]);
    memory.giveWay(-1);
    expect(memory.chunkAt('a', 0)).toBeNull();
    memory.keep('a', [LARGE]);
    expect(memory.chunkAt('a', 0)).toBeNull();
    memory.giveWay(TASK_MEMORY_BYTES_MAX);
    memory.keep('a', [LARGE]);
    expect(memory.chunkAt('a', 0)).not.toBeNull();
    expect(TEXT_CACHE_BYTES_MAX).toBeLessThan(TASK_MEMORY_BYTES_MAX);
  });

  it('asks the store again after a while', () => {
    let now = 0;
    const memory = new DocumentTextCache(() => now);
    memory.keep('a', [LARGE], 1);
    now = CACHED_TEXT_AGE_MS_MAX - 1;
    expect(memory.lines('a', 0, 0)).toEqual(LARGE.lines);
    now = CACHED_TEXT_AGE_MS_MAX;
    expect(memory.lines('a', 0, 0)).toBeNull();
    expect(memory.lineCount('a')).toBeNull();
  });
});
