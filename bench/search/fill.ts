import { sql } from 'drizzle-orm';
import { indexQueuedDocuments, createQueueStatement } from '#storage/search/search-index.ts';
import { storeDocument } from '#support/store-document.ts';
import { openLocalD1 } from './local-d1.ts';
import { hostilePage, ordinaryPage } from './pages.ts';
import type { StoredPage } from './pages.ts';

/** Pages stored between two commits. */
const PAGES_PER_COMMIT = 2_000;

/** Stores ordinary pages with hostile ones spread among them, each at its own address, and indexes them all. */
export async function fillStore(home: string, pages: number, hostile: number): Promise<void> {
  const { db, exec, close } = openLocalD1(home);
  const every = Math.max(1, Math.floor(pages / Math.max(1, hostile)));
  const store = async ({ url, title, lines }: StoredPage) => {
    const extraction = { title, language: null, lines, extractor: 'bench@1', cuts: [] };
    const { id } = await storeDocument(db, extraction);
    await db.run(sql`INSERT INTO snapshots (key, url, final_url, mode, document_id, fetched_at, validated_at, meta)
      VALUES (${url}, ${url}, ${url}, 'readable', ${id}, 0, 0, '{}')`);
    await db.batch([createQueueStatement(db, sql`documents.id = ${id}`)]);
  };
  for (let first = 0; first < pages; first += PAGES_PER_COMMIT) {
    exec('BEGIN');
    for (let number = first; number < Math.min(pages, first + PAGES_PER_COMMIT); number += 1) {
      await store(ordinaryPage(number));
      const place = Math.floor(number / every);
      if (number % every === 0 && place < hostile) await store(hostilePage(place));
    }
    await indexQueuedDocuments(db, Infinity);
    exec('COMMIT');
  }
  close();
}
