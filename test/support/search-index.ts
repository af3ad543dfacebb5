import { env } from 'cloudflare:workers';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { storeDocument } from '#support/store-document.ts';
import type { FoundPage } from '#support/search-answers.ts';

/** Stores a page in the local index. Its snapshot is written directly, so its address may be anything. */
export async function storeIndexedPage({ url, title, text }: FoundPage): Promise<void> {
  const extraction = { title, language: null, lines: text.split('\n'), extractor: 'test@1', cuts: [] };
  const { id } = await storeDocument(openDb(env.DB), extraction);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO snapshots (key, url, final_url, mode, document_id, fetched_at, validated_at, meta)
       VALUES (?1, ?1, ?1, 'readable', ?2, 0, 0, '{}')`,
    ).bind(url, id),
    env.DB.prepare(`UPDATE documents SET indexed = 2 WHERE id = ? AND indexed = 0`).bind(id),
  ]);
  while (await new PageIndex(openDb(env.DB)).catchUp());
}

export async function emptyIndex(): Promise<void> {
  await env.DB.batch(
    ['snapshots', 'document_chunks', 'documents'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  await env.DB.prepare(`INSERT INTO search_words (search_words) VALUES ('delete-all')`).run();
}
