import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Extraction } from '#core/document/document.ts';
import { HOUR_MS } from '#core/limits.ts';
import { CHUNK_BYTES_MAX, CHUNK_BYTES_TARGET } from '#storage/limits.ts';
import { DocumentStore, chunkLines } from '#storage/pages/documents.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { openDb } from '#storage/db.ts';
import { storeDocument } from '#support/store-document.ts';
import { storePage } from '#support/stored-pages.ts';

const db = openDb(env.DB);
const documents = new DocumentStore(db);

function extraction(lines: string[], title: string | null = 'Title'): Extraction {
  return { title, language: null, lines, extractor: 'test@1', cuts: [] };
}

async function allLines(id: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const chunk of documents.scan(id)) lines.push(...chunk.lines);
  return lines;
}

describe('chunkLines', () => {
  it('covers the lines in order without gaps, whatever they are, with every chunk in bounds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 300 }).map((text) => text.replaceAll('\n', ' ')),
          { minLength: 1, maxLength: 200 },
        ),
        (lines) => {
          const chunks = chunkLines(lines, 500);
          expect(chunks.flatMap((chunk) => chunk.body.split('\n'))).toEqual(lines);
          expect(chunks[0]?.firstLine).toBe(0);
          for (const [n, chunk] of chunks.entries()) {
            expect(chunk.lastLine - chunk.firstLine + 1).toBe(chunk.body.split('\n').length);
            if (n > 0) expect(chunk.firstLine).toBe((chunks[n - 1]?.lastLine ?? 0) + 1);
          }
        },
      ),
    );
  });

  it('refuses a line that production could not store', () => {
    expect(() => chunkLines(['x'.repeat(CHUNK_BYTES_MAX)], CHUNK_BYTES_TARGET)).toThrow(RangeError);
  });
});

describe('documents', () => {
  it('are addressed by content and extractor: equal input gives one document, another title or extractor another', async () => {
    const now = Date.now();
    const one = await storeDocument(db, extraction(['a', 'b']), { now, until: now });
    const same = await storeDocument(db, extraction(['a', 'b']), { now, until: now });
    const retitled = await storeDocument(db, extraction(['a', 'b'], 'Other'), { now, until: now });
    const reextracted = await storeDocument(
      db,
      { ...extraction(['a', 'b']), extractor: 'test@2' },
      { now, until: now },
    );
    expect(same.id).toBe(one.id);
    expect(new Set([one.id, retitled.id, reextracted.id]).size).toBe(3);
    expect(await allLines(one.id)).toEqual(['a', 'b']);
  });

  it('of one user are hidden from all others, and salted, so that equal content has different hashes', async () => {
    const now = Date.now();
    const mine = await storeDocument(db, extraction(['secret']), { owner: 'alice' });
    const open = await storeDocument(db, extraction(['secret']), { now, until: now });
    expect(mine.id).not.toBe(open.id);
    expect(await documents.find(mine.id, 'bob')).toBeNull();
    expect((await documents.find(mine.id, 'alice'))?.lineCount).toBe(1);
    expect((await documents.find(open.id, 'bob'))?.lineCount).toBe(1);
  });

  it('of 5 MB are returned line by line from any place, through chunks far below the row limit', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `Line ${n} ${'lorem ipsum dolor sit amet '.repeat(3)}`);
    const { id, lineCount } = await storeDocument(db, extraction(lines));
    expect(lineCount).toBe(60_000);
    for (const start of [0, 1, 31_337, 59_980]) {
      expect(await documents.readLines(id, start, start + 19)).toEqual(lines.slice(start, start + 20));
    }
    const { results } = await env.DB.prepare(
      'SELECT max(length(CAST(body AS BLOB))) AS size FROM document_chunks WHERE document_id = ?',
    )
      .bind(id)
      .all();
    expect(Number(results[0]?.['size'])).toBeLessThanOrEqual(CHUNK_BYTES_TARGET);
    expect(await allLines(id)).toEqual(lines);
  });

  it('are stored once when two callers save them at once', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `twice ${n}`);
    const [a, b] = await Promise.all([storeDocument(db, extraction(lines)), storeDocument(db, extraction(lines))]);
    expect(a.id).toBe(b.id);
    expect(await allLines(a.id)).toEqual(lines);
  });

  it('are pinned at least as long as any caller asked', async () => {
    const { id } = await storeDocument(db, extraction(['held']), { until: 5000 });
    await documents.hold(id, 4000);
    await storeDocument(db, extraction(['held']), { until: 3000 });
    const { results } = await env.DB.prepare('SELECT held_until AS until FROM documents WHERE id = ?').bind(id).all();
    expect(results[0]?.['until']).toBe(5000);
  });

  it('are pinned again on reopening only when an hour of their pin has passed', async () => {
    const { key, documentId } = await storePage({ url: 'https://a.dev/', lines: ['held'], heldUntil: 2 * HOUR_MS });
    const heldAfter = async (until: number) => {
      await new SnapshotStore(db).findToOpen([key, 'other'], until, { sites: null, lines: null });
      return env.DB.prepare('SELECT held_until AS until FROM documents WHERE id = ?').bind(documentId).first('until');
    };
    expect(await heldAfter(3 * HOUR_MS)).toBe(2 * HOUR_MS);
    expect(await heldAfter(3 * HOUR_MS + 1)).toBe(3 * HOUR_MS + 1);
    expect(await heldAfter(HOUR_MS)).toBe(3 * HOUR_MS + 1);
  });

  it('keep empty lines, emoji and control-like text exactly', async () => {
    const lines = ['', '😀 é', '  indented', '', '```js', 'a\tb', '```', ''];
    const { id } = await storeDocument(db, extraction(lines));
    expect(await documents.readLines(id, 0, lines.length - 1)).toEqual(lines);
  });
});
