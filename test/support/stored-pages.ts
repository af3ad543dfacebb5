import { env } from 'cloudflare:workers';
import { openDb } from '#storage/db.ts';
import { DocumentStore } from '#storage/documents.ts';
import type { SnapshotMeta } from '#storage/schema.ts';
import { SnapshotStore, snapshotKey } from '#storage/snapshots.ts';

/** Pages put straight into the real store, without a site to fetch them from. */

export type StoredPageInput = {
  url: string;
  finalUrl?: string;
  title?: string;
  lines: string[];
  restStart?: number;
  heldUntil?: number;
  fetchedAt?: number;
  owner?: string;
};

const db = openDb(env.DB);

/** Stores a page as an open would have. @returns the snapshot's key and the document's id */
export async function storePage(page: StoredPageInput): Promise<{ key: string; documentId: string }> {
  const { url, finalUrl = url, title = 'A page', lines, restStart, heldUntil = 0, fetchedAt = 0, owner = null } = page;
  const extraction = { title, language: 'en', lines, restStart, extractor: 'test@1', cuts: [] };
  const document = await new DocumentStore(db).save(extraction, fetchedAt, heldUntil, owner);
  const key = await snapshotKey(url, '', 'readable');
  const validators = { etag: null, lastModified: null };
  const times = { fetchedAt, validatedAt: fetchedAt };
  await new SnapshotStore(db).save(
    { key, url, finalUrl, mode: 'readable', ...validators, ...times, meta: META },
    document.id,
  );
  return { key, documentId: document.id };
}

/** Empties the store, the search index included. */
export async function emptyStore(): Promise<void> {
  await env.DB.batch(
    ['snapshots', 'document_chunks', 'documents', 'robots'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  await env.DB.prepare(`INSERT INTO search_index (search_index) VALUES ('rebuild')`).run();
}

/** Rows of a table. */
export async function countRows(table: string): Promise<number> {
  return Number(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n'));
}

/** Rows of the search index that hold the words, whether or not a query would show them. */
export async function indexedRows(words: string): Promise<number> {
  const rows = env.DB.prepare('SELECT count(*) AS n FROM search_index WHERE search_index MATCH ?').bind(words);
  return Number(await rows.first('n'));
}

/**
 * Throws when the search index does not agree with itself. It is compared with the text only when `text` is true: text
 * that is stored but, rightly, not indexed would count as damage.
 */
export async function checkIndex(text = false): Promise<void> {
  await env.DB.prepare(`INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', ?)`)
    .bind(text ? 1 : 0)
    .run();
}

export const META: SnapshotMeta = {
  status: 200,
  headers: {},
  mediaType: 'text/html',
  charset: 'utf-8',
  redirects: [],
  robots: { allowed: true, checked: true, rule: null },
  noindex: [],
  timings: { fetchMs: 0, extractMs: 0 },
  extractor: 'test@1',
  siteconfig: null,
  language: 'en',
  llmsTxt: null,
  markdownTwin: null,
  needsScripts: false,
  explanation: { strategy: 'test', candidates: [] },
};
