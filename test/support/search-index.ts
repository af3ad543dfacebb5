import { env } from 'cloudflare:workers';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/documents.ts';
import type { FoundPage } from '#support/search-answers.ts';

/** A page as it stands in the local index; its snapshot is written by hand, so that its address may be anything. */
export async function storeIndexedPage({ url, title, text }: FoundPage): Promise<void> {
  const documents = new DocumentStore(openDb(env.DB));
  const extraction = { title, language: null, lines: [text], extractor: 'test@1', cuts: [] };
  const { id } = await documents.save(extraction, 0, 0, null);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO snapshots (key, url, final_url, mode, document_id, fetched_at, validated_at, meta)
       VALUES (?1, ?1, ?1, 'readable', ?2, 0, 0, '{}')`,
    ).bind(url, id),
    env.DB.prepare(
      `INSERT INTO search_index (rowid, title, body) SELECT c.id, d.title, c.body
       FROM document_chunks c JOIN documents d ON d.id = c.document_id WHERE d.id = ? AND d.indexed = 0`,
    ).bind(id),
    env.DB.prepare(`UPDATE documents SET indexed = 1 WHERE id = ?`).bind(id),
  ]);
}

export async function emptyIndex(): Promise<void> {
  await env.DB.batch(
    ['snapshots', 'document_chunks', 'documents'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  await env.DB.prepare(`INSERT INTO search_index (search_index) VALUES ('rebuild')`).run();
}
