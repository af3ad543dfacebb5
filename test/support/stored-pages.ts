import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { stemEnglish } from '#core/words/words.ts';
import { openDb } from '#storage/db.ts';
import { newDocument } from '#storage/pages/documents.ts';
import { indexToken } from '#storage/search/page-words.ts';
import type { SnapshotMeta } from '#storage/schema.ts';
import { SnapshotStore, computeSnapshotKey } from '#storage/pages/snapshots.ts';

/** Writes pages directly into the real store, without a site to fetch them from. */

export type StoredPageInput = {
  url: string;
  finalUrl?: string;
  title?: string;
  lines: string[];
  restStart?: number;
  heldUntil?: number;
  fetchedAt?: number;
  owner?: string;
  mode?: string;
};

const db = openDb(env.DB);

/** Stores a page as opening it does. @returns the snapshot's key and the document's id */
export async function storePage(page: StoredPageInput): Promise<{ key: string; documentId: string }> {
  const {
    url,
    finalUrl = url,
    title = 'A page',
    lines,
    restStart,
    heldUntil = 0,
    fetchedAt = 0,
    owner = null,
    mode = 'readable',
  } = page;
  const extraction = { title, language: 'en', lines, restStart, extractor: 'test@1', cuts: [] };
  const stored = await newDocument(extraction, owner);
  const key = await computeSnapshotKey(url, '', mode);
  const validators = { etag: null, lastModified: null };
  const times = { fetchedAt, validatedAt: fetchedAt };
  const snapshot = { key, canonicalUrl: url, finalUrl, mode, ...validators, ...times, meta: META };
  await new SnapshotStore(db).save(snapshot, stored, heldUntil, null);
  return { key, documentId: stored.document.id };
}

/** Empties the store, including the search index. */
export async function emptyStore(): Promise<void> {
  await env.DB.batch(
    ['snapshots', 'document_chunks', 'documents', 'robots'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
  await env.DB.prepare(`INSERT INTO search_words (search_words) VALUES ('delete-all')`).run();
}

export async function countRows(table: string): Promise<number> {
  return Number(await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n'));
}

/** The number of pages in the search index with one of the words, whether or not a search would show them. */
export async function indexedRows(...words: string[]): Promise<number> {
  const either = words.map((word) => `"${indexToken('page', stemEnglish(word))}"`).join(' OR ');
  const rows = env.DB.prepare('SELECT count(*) AS n FROM search_words WHERE search_words MATCH ?').bind(either);
  return Number(await rows.first('n'));
}

/**
 * Throws if the search index is inconsistent, or holds other pages than those that are marked as indexed. Words of a
 * private page carry their owner, so the public word finds only public pages.
 */
export async function checkIndex(): Promise<void> {
  await env.DB.prepare(`INSERT INTO search_words (search_words) VALUES ('integrity-check')`).run();
  const inIndex = await env.DB.prepare(`SELECT rowid AS id FROM search_words WHERE search_words MATCH ? ORDER BY rowid`)
    .bind(`"${indexToken('every', '')}"`)
    .all();
  const marked = await env.DB.prepare(
    `SELECT c.id AS id FROM document_chunks c JOIN documents d ON d.id = c.document_id
     WHERE d.indexed = 1 AND d.owner IS NULL AND c.first_line = 0 ORDER BY c.id`,
  ).all();
  expect(inIndex.results).toEqual(marked.results);
}

export const META: SnapshotMeta = {
  status: 200,
  headers: {},
  mediaType: 'text/html',
  charset: 'utf-8',
  redirects: [],
  robots: { allowed: true, checked: true, rule: null },
  noindex: [],
  canonical: null,
  documentUrl: null,
  timings: { fetchMs: 0, extractMs: 0 },
  extractor: 'test@1',
  siteconfig: null,
  language: 'en',
  llmsTxt: null,
  markdownTwin: null,
  needsScripts: false,
  explanation: { strategy: 'test', candidates: [] },
};
