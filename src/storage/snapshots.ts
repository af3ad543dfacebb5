import { eq, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Document } from '#core/document.ts';
import { sha256Hex } from '#core/text.ts';
import type { Db } from './db.ts';
import { documents, snapshots } from './schema.ts';
import type { SnapshotMeta } from './schema.ts';

export type Snapshot = {
  key: string;
  url: string;
  finalUrl: string;
  mode: string;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: number;
  validatedAt: number;
  meta: SnapshotMeta;
};

export type StoredPage = { snapshot: Snapshot; document: Document };

/** SHA-256 of canonical URL, the request headers a page may vary on, and mode (SPEC §2). */
export function snapshotKey(canonicalUrl: string, varyHeaders: string, mode: string): Promise<string> {
  return sha256Hex([canonicalUrl, varyHeaders, mode].join('\n'));
}

/**
 * The newest document of each URL and mode, and the full-text index, which holds exactly the public documents that
 * some snapshot points to: replacing a snapshot takes the old document out of the index in the same transaction.
 */
export class SnapshotStore {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  async find(key: string): Promise<StoredPage | null> {
    const [row] = await this.#db
      .select({ snapshot: snapshots, document: documents })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(eq(snapshots.key, key));
    if (row === undefined) return null;
    const { documentId: _, ...snapshot } = row.snapshot;
    const { id, title, lineCount, byteCount, extractor, cuts } = row.document;
    return { snapshot, document: { id, title, lineCount, byteCount, extractor, cuts } };
  }

  /** Points the snapshot at a stored document and brings the search index in line. */
  async save(snapshot: Snapshot, documentId: string): Promise<void> {
    const db = this.#db;
    const row = { ...snapshot, documentId };
    const upsert = db.insert(snapshots).values(row).onConflictDoUpdate({ target: snapshots.key, set: row });
    const [before] = await db
      .select({ documentId: snapshots.documentId })
      .from(snapshots)
      .where(eq(snapshots.key, snapshot.key));
    const replaced = before === undefined || before.documentId === documentId ? [] : this.#unindex(before.documentId);
    await db.batch([upsert, ...replaced, ...this.#index(documentId)]);
  }

  /** The origin confirmed that the stored content is still what it serves. */
  async revalidated(key: string, now: number): Promise<void> {
    await this.#db.update(snapshots).set({ validatedAt: now }).where(eq(snapshots.key, key));
  }

  /** Adds a public document that is not in the index yet; otherwise changes nothing. */
  #index(id: string): BatchItem<'sqlite'>[] {
    const wanted = sql`documents.id = ${id} AND documents.indexed = 0 AND documents.owner IS NULL`;
    return [
      this.#db.insert(searchIndex).select(sql`
        SELECT document_chunks.id, documents.title, document_chunks.body
        FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE ${wanted}`),
      this.#db.update(documents).set({ indexed: 1 }).where(wanted),
    ];
  }

  /** Takes a document out of the index when no snapshot points to it any more. */
  #unindex(id: string): BatchItem<'sqlite'>[] {
    const unwanted = sql`documents.id = ${id} AND documents.indexed = 1
      AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = ${id})`;
    return [
      this.#db.insert(searchIndexCommand).select(sql`
        SELECT 'delete', document_chunks.id, documents.title, document_chunks.body
        FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id WHERE ${unwanted}`),
      this.#db.update(documents).set({ indexed: 0 }).where(unwanted),
    ];
  }
}

/** The virtual table of `migrations/`, as rows are added to it, and as its `delete` command is given. */
const searchIndex = sqliteTable('search_index', {
  id: integer('rowid').notNull(),
  title: text('title'),
  body: text('body').notNull(),
});
const searchIndexCommand = sqliteTable('search_index', {
  command: text('search_index').notNull(),
  id: integer('rowid').notNull(),
  title: text('title'),
  body: text('body').notNull(),
});
