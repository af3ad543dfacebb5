import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { DELETED_DOCUMENTS_PER_BATCH_MAX } from '#core/limits.ts';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/pages/documents.ts';
import { DocumentEviction, sweepDocuments } from '#storage/pages/purge.ts';
import { SnapshotStore } from '#storage/pages/snapshots.ts';
import { storeDocument } from '#support/store-document.ts';
import { checkIndex, countRows, emptyStore, indexedRows, META, storePage } from '../../support/stored-pages.ts';

const NOW = 1_000_000;
const HOUR_MS = 3_600_000;
const NO_CEILING = Number.MAX_SAFE_INTEGER;

const db = openDb(env.DB);
const eviction = new DocumentEviction(db);
const documents = new DocumentStore(db);
const snapshots = new SnapshotStore(db);

/** One line of this many bytes, with a word to find it by. */
const text = (word: string, bytes: number) => [word + ' x'.repeat((bytes - word.length) / 2)];

async function held(id: string): Promise<boolean> {
  return (await documents.find(id, 'anyone')) !== null;
}

beforeEach(emptyStore);

describe('a sweep', () => {
  it('drops documents that no snapshot points to once their hold is over, with their text', async () => {
    const first = await storePage({ url: 'https://a.dev/', lines: ['the walrus'], heldUntil: NOW });
    const second = await storePage({ url: 'https://a.dev/', lines: ['the penguin'], heldUntil: NOW });
    const { unreachable } = await sweepDocuments(eviction, NOW, NO_CEILING);
    expect(unreachable).toEqual({ documents: 1, snapshots: 0, bytes: 'the walrus'.length });
    expect(await held(first.documentId)).toBe(false);
    expect(await held(second.documentId)).toBe(true);
    expect(await countRows('document_chunks')).toBe(1);
    await checkIndex();
  });

  it('keeps an unreachable document as long as a cursor may show it', async () => {
    const { documentId } = await storePage({ url: 'https://a.dev/', lines: ['the walrus'], heldUntil: NOW + 1 });
    await storePage({ url: 'https://a.dev/', lines: ['the penguin'], heldUntil: NOW });
    expect((await sweepDocuments(eviction, NOW, NO_CEILING)).unreachable.documents).toBe(0);
    expect(await documents.readLines(documentId, 0, 0)).toEqual(['the walrus']);
    expect((await sweepDocuments(eviction, NOW + 1, NO_CEILING)).unreachable.documents).toBe(1);
  });

  it('drops the text of a live page with its cursor, whatever refers to it', async () => {
    const page = { url: 'https://a.dev/', owner: 'somebody', mode: 'live' };
    const over = await storePage({ ...page, lines: ['the walrus'], heldUntil: NOW });
    const shown = await storePage({ ...page, url: 'https://a.dev/b', lines: ['the penguin'], heldUntil: NOW + 1 });
    expect((await sweepDocuments(eviction, NOW, NO_CEILING)).unreachable).toMatchObject({ documents: 1, snapshots: 1 });
    expect(await documents.find(over.documentId, 'somebody')).toBeNull();
    expect(await documents.find(shown.documentId, 'somebody')).not.toBeNull();
  });

  it('treats private and shared pages alike', async () => {
    const { documentId } = await storePage({ url: 'https://a.dev/?token=x', owner: 'somebody', lines: ['the walrus'] });
    expect((await sweepDocuments(eviction, NOW, NO_CEILING)).unreachable.documents).toBe(0);
    expect(await documents.find(documentId, 'somebody')).not.toBeNull();
  });

  it('keeps pages while the store is below its ceiling, however old they are', async () => {
    await storePage({ url: 'https://a.dev/', lines: ['the walrus'] });
    const { evicted, state } = await sweepDocuments(eviction, NOW, NO_CEILING);
    expect(evicted.documents).toBe(0);
    expect(state).toBe('done');
    expect(await countRows('snapshots')).toBe(1);
  });

  it('drops the least recently pinned pages, and only as many as the ceiling requires', async () => {
    const pages = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name, n) =>
        storePage({ url: `https://a.dev/${name}`, lines: text(name, 1000), heldUntil: NOW - 10 + n }),
      ),
    );
    const { evicted, textBytes } = await sweepDocuments(eviction, NOW, 2500);
    expect(evicted).toMatchObject({ documents: 2, snapshots: 2 });
    expect(textBytes).toBeLessThanOrEqual(2500);
    expect(textBytes).toBe(await eviction.textBytes());
    expect(await Promise.all(pages.map((page) => held(page.documentId)))).toEqual([false, false, true, true]);
    expect(await Promise.all(pages.map(async ({ key }) => (await snapshots.find(key)) !== null))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('removes dropped pages from the search index, which stays consistent', async () => {
    await storePage({ url: 'https://a.dev/old', lines: ['the walrus'], heldUntil: 1 });
    await storePage({ url: 'https://a.dev/new', lines: ['the penguin'], heldUntil: 2 });
    await sweepDocuments(eviction, NOW, 11);
    expect(await indexedRows('walrus')).toBe(0);
    expect(await indexedRows('penguin')).toBe(1);
    await checkIndex();
  });

  it('stays above the ceiling rather than drop text that a cursor may show, and reports this', async () => {
    await storePage({ url: 'https://a.dev/', lines: text('walrus', 1000), heldUntil: NOW + 1 });
    const { evicted, textBytes, state } = await sweepDocuments(eviction, NOW, 10);
    expect(evicted.documents).toBe(0);
    expect(textBytes).toBeGreaterThan(10);
    expect(state).toBe('over the ceiling, all held');
  });

  it('can drop more documents than fit into one transaction', async () => {
    const many = DELETED_DOCUMENTS_PER_BATCH_MAX + 5;
    await env.DB.prepare(
      `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
       INSERT INTO documents (id, line_count, byte_count, outline, extractor, cuts, created_at, held_until)
       SELECT 'document ' || n, 1, 1, '[]', 'test@1', '[]', 0, 0 FROM count`,
    )
      .bind(many)
      .run();
    const { unreachable } = await sweepDocuments(eviction, NOW, NO_CEILING);
    expect(unreachable.documents).toBe(many);
    expect(await countRows('documents')).toBe(0);
  });

  it('ends after a bounded number of batches, when candidates never run out', async () => {
    class Endless extends DocumentEviction {
      asked = 0;
      override async leastRecentlyHeld() {
        this.asked += 1;
        return [{ id: 'nowhere', byteCount: 1 }];
      }
    }
    await storePage({ url: 'https://a.dev/', lines: text('walrus', 1000), heldUntil: NOW + 1 });
    const store = new Endless(db);
    expect((await sweepDocuments(store, NOW, 10)).state).toBe('to be continued');
    expect(store.asked).toBeLessThanOrEqual(100);
  });
});

describe('dropping a document', () => {
  it('spares a document whose hold was renewed after it was selected', async () => {
    const { documentId, key } = await storePage({ url: 'https://a.dev/', lines: ['the walrus'], heldUntil: NOW });
    const candidates = await eviction.leastRecentlyHeld(NOW);
    expect(candidates.map(({ id }) => id)).toEqual([documentId]);
    expect(await documents.hold(documentId, NOW + HOUR_MS)).toBe(true);
    expect(await eviction.drop([documentId], NOW)).toEqual({ documents: 0, snapshots: 0, bytes: 0 });
    expect((await snapshots.find(key))?.document.id).toBe(documentId);
    expect(await indexedRows('walrus')).toBe(1);
    expect(await documents.readLines(documentId, 0, 0)).toEqual(['the walrus']);
  });

  it('spares an unreachable document that a page shows again', async () => {
    const { documentId } = await storePage({ url: 'https://a.dev/', lines: ['the walrus'] });
    await storePage({ url: 'https://a.dev/', lines: ['the penguin'] });
    const [candidate] = await eviction.unreachable(NOW);
    expect(candidate?.id).toBe(documentId);
    await storePage({ url: 'https://a.dev/again', lines: ['the walrus'] });
    expect((await eviction.dropUnreachable([documentId], NOW)).documents).toBe(0);
    expect(await indexedRows('walrus')).toBe(1);
  });

  it('may lose or win a race with a hold, but never leaves a cursor without its text', async () => {
    const pages = await Promise.all(
      Array.from({ length: 20 }, (_, n) => storePage({ url: `https://a.dev/${n}`, lines: [`walrus ${n}`] })),
    );
    const ids = pages.map((page) => page.documentId);
    const [, ...holds] = await Promise.all([
      eviction.drop(ids, NOW),
      ...ids.map((id) => documents.hold(id, NOW + HOUR_MS)),
    ]);
    for (const [n, id] of ids.entries()) {
      expect(await held(id)).toBe(holds[n]);
      if (holds[n] === true) expect(await documents.readLines(id, 0, 0)).toEqual([`walrus ${n}`]);
    }
    await checkIndex();
  });

  it('removes all URLs of a document', async () => {
    const { documentId } = await storePage({ url: 'https://a.dev/one', lines: ['the walrus'] });
    await storePage({ url: 'https://a.dev/two', lines: ['the walrus'] });
    expect(await eviction.drop([documentId], NOW)).toMatchObject({ documents: 1, snapshots: 2 });
    expect(await countRows('snapshots')).toBe(0);
  });
});

describe('saving a page', () => {
  it('stores the text again when the document is dropped meanwhile', async () => {
    const extraction = { title: 'A page', language: null, lines: ['the walrus'], extractor: 'test@1', cuts: [] };
    for (let round = 0; round < 10; round += 1) {
      const { id } = await storeDocument(db, extraction, { now: NOW, until: NOW });
      const [saved] = await Promise.all([
        storeDocument(db, extraction, { now: NOW, until: NOW + HOUR_MS + round }),
        eviction.drop([id], NOW),
      ]);
      expect(await documents.readLines(saved.id, 0, 0)).toEqual(['the walrus']);
      await eviction.drop([id], NOW + 2 * HOUR_MS);
    }
  });

  it('indexes the page again after its document was dropped', async () => {
    const page = { url: 'https://a.dev/', lines: ['the walrus'] };
    const { documentId, key } = await storePage(page);
    await eviction.drop([documentId], NOW);
    await storePage(page);
    expect((await snapshots.find(key))?.snapshot.meta).toEqual(META);
    expect(await indexedRows('walrus')).toBe(1);
    await checkIndex();
  });
});
