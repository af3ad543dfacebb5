import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { INDEX_BATCH_BYTES_MAX } from '#storage/limits.ts';
import { sha256Hex } from '#core/text/text.ts';
import type { Db } from '#storage/db.ts';
import { sqlInList } from '#storage/db.ts';
import { chunksWithLines, toDocument, pinDocument, insertDocument } from './documents.ts';
import { siteCacheQueries } from './sites.ts';
import type { SiteStore } from './sites.ts';
import type { NewDocument } from './documents.ts';
import { chunksOf, DocumentTextCache } from './text-memory.ts';
import { documentChunks, documents, BROWSER_SNAPSHOT_MODE, snapshots } from '#storage/schema.ts';
import {
  createIndexStatements,
  indexQueuedDocuments,
  createQueueStatement,
  createUnindexStatements,
} from '#storage/search/search-index.ts';
import type { PageSnapshotRecord, StoredPage } from '#storage/schema.ts';
import { OPENED_DOCUMENT_PIN_EXTRA_MS } from '#core/limits.ts';

/** Maximum chunks that are read together with a page: as many as a call shows of a whole page. */
const CHUNKS_WITH_PAGE = 3;

/** True if the document is cited. A condition on `documents`. */
export const IS_CITED = sql`EXISTS (SELECT 1 FROM citations WHERE citations.document_id = documents.id)`;

/** True if the document's page is followed, or if a stored change refers to it. A condition on `documents`. */
export const IS_FOLLOWED = sql`(EXISTS (SELECT 1 FROM follow_pages WHERE follow_pages.document_id = documents.id)
  OR EXISTS (SELECT 1 FROM follow_changes WHERE follow_changes.before_document = documents.id)
  OR EXISTS (SELECT 1 FROM follow_changes WHERE follow_changes.after_document = documents.id))`;

export type ListedStoredPage = {
  key: string;
  url: string;
  title: string | null;
  fetchedAt: number;
  documentId: string;
  bytes: number;
  /** True if the page is stored only for the subject. */
  isPrivate: boolean;
  isLive: boolean;
};

/** @returns true if a script may have set `finalUrl` by navigation or through the history API */
export function mayHaveScriptedUrl({ mode, meta }: Pick<PageSnapshotRecord, 'mode' | 'meta'>): boolean {
  const { rendering, documentUrl } = meta;
  if (mode === BROWSER_SNAPSHOT_MODE) return documentUrl !== null;
  if (rendering?.outcome !== 'shown') return false;
  return documentUrl !== null || rendering.hasNavigated === true;
}

/** Additional data that is needed to open a page. */
export type OpeningReads = {
  /** Store and origin of the site's data to read; `null` if the data is cached. */
  sites: { store: SiteStore; origin: string } | null;
  /** The lines to show; `null` to read none. */
  lines: { start: number; end: number } | null;
};

/** SHA-256 of the canonical URL, the request headers on which a page may vary, and the mode. */
export function computeSnapshotKey(canonicalUrl: string, varyHeaders: string, mode: string): Promise<string> {
  return sha256Hex([canonicalUrl, varyHeaders, mode].join('\n'));
}

/**
 * The newest document of each URL and mode, and the full-text index. The index has exactly the documents of snapshots,
 * except pages of browser sessions and pages whose site forbids indexing. Replacing a snapshot removes its old document
 * from the index in one transaction.
 */
export class SnapshotStore {
  readonly #db: Db;
  readonly #memory: DocumentTextCache;
  constructor(db: Db, memory: DocumentTextCache = new DocumentTextCache()) {
    this.#db = db;
    this.#memory = memory;
  }

  async find(key: string): Promise<StoredPage | null> {
    const [row] = await this.#stored(eq(snapshots.key, key));
    return row === undefined ? null : storedPage(row);
  }

  /** Finds snapshots and pins their documents in one transaction, so that no document is deleted in between. */
  async findAndHold(keys: readonly string[], until: number): Promise<StoredPage[]> {
    const ofThese = sqlInList(keys);
    const [, rows] = await this.#db.batch([
      pinStatement(this.#db, sql`${snapshots.key} IN ${ofThese}`, until),
      this.#stored(sql`${snapshots.key} IN ${ofThese}`),
    ]);
    return rows.map(storedPage);
  }

  /**
   * Finds one page to open. The same query reads the site's cached files and the lines to show.
   * @param until `null` to pin nothing
   */
  async findToOpen(
    keys: readonly string[],
    until: number | null,
    { sites, lines }: OpeningReads,
  ): Promise<StoredPage[]> {
    const db = this.#db;
    const ofThese = sqlInList(keys);
    const isKept = lines === null || keys.some((key) => this.#memory.shows(key, lines.start));
    const newest = sql`${documentChunks.documentId} = (SELECT document_id FROM snapshots
      WHERE key IN ${isKept ? sql`('')` : ofThese} ORDER BY validated_at DESC LIMIT 1)`;
    const [, rows, chunks, ...ofSite] = await db.batch([
      pinStatement(db, until === null ? sql`FALSE` : sql`${snapshots.key} IN ${ofThese}`, until ?? 0),
      this.#stored(sql`${snapshots.key} IN ${ofThese}`),
      chunksWithLines(db, newest, lines?.start ?? 0, lines?.end ?? 0).limit(CHUNKS_WITH_PAGE),
      ...siteCacheQueries(db, sites?.origin ?? null),
    ]);
    sites?.store.took(sites.origin, ...ofSite);
    const found = rows.map(storedPage);
    for (const { snapshot, document } of found) {
      const own = chunks.filter(({ documentId }) => documentId === document.id);
      this.#memory.keep(document.id, chunksOf(own), document.lineCount);
      this.#memory.showsNow(snapshot.key, document.id);
    }
    for (const page of found) this.#memory.keepPage(page);
    return found;
  }

  /** A page as this isolate last read or stored it, without a database query; `null` if it is not cached. */
  remembered(key: string, documentId: string): StoredPage | null {
    return this.#memory.page(key, documentId);
  }

  #stored(which: SQL) {
    return this.#db
      .select({ snapshot: snapshots, document: documents })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(which);
  }

  /** Fetch times (ms) of the snapshots with these keys. Omits pages that are not stored, or private to another user. */
  async fetchedAt(keys: readonly string[], subject: string): Promise<Map<string, number>> {
    const rows = await this.#db
      .select({ key: snapshots.key, fetchedAt: snapshots.fetchedAt })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(
        and(
          sql`${snapshots.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`,
          or(isNull(documents.owner), eq(documents.owner, subject)),
        ),
      );
    return new Map(rows.map(({ key, fetchedAt }) => [key, fetchedAt]));
  }

  /** The snapshots that a subject may see, selected by key or document. Unordered. */
  async listed(
    which: { keys: readonly string[] } | { documents: readonly string[] },
    subject: string,
  ): Promise<ListedStoredPage[]> {
    const wanted =
      'keys' in which
        ? sql`${snapshots.key} IN (SELECT value FROM json_each(${JSON.stringify(which.keys)}))`
        : sql`${snapshots.documentId} IN (SELECT value FROM json_each(${JSON.stringify(which.documents)}))`;
    const rows = await this.#db
      .select({
        key: snapshots.key,
        url: snapshots.finalUrl,
        fetchedAt: snapshots.fetchedAt,
        mode: snapshots.mode,
        documentId: documents.id,
        title: sql<string | null>`substr(${documents.title}, 1, ${TITLE_CHARS_READ})`,
        bytes: documents.byteCount,
        owner: documents.owner,
      })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(and(wanted, or(isNull(documents.owner), eq(documents.owner, subject))));
    return rows.map(({ owner, mode, ...page }) => ({
      ...page,
      isPrivate: owner !== null,
      isLive: mode === BROWSER_SNAPSHOT_MODE,
    }));
  }

  /**
   * Stores a document and points the snapshot at it. A page of ordinary length is searchable immediately, if it may be
   * searched. A long page is indexed afterwards in steps, so that other requests can read and write in between.
   * @param known ID of the document that the snapshot showed before; its text is not sent again
   */
  async save(snapshot: PageSnapshotRecord, page: NewDocument, until: number, known: string | null): Promise<void> {
    const db = this.#db;
    const { id, byteCount } = page.document;
    const row = { ...snapshot, documentId: id };
    const upsert = db.insert(snapshots).values(row).onConflictDoUpdate({ target: snapshots.key, set: row });
    const isThis = sql`documents.id = ${id}`;
    const isSearched = snapshot.mode !== BROWSER_SNAPSHOT_MODE && snapshot.meta.isUnindexed !== true;
    const isLong = byteCount > INDEX_BATCH_BYTES_MAX;
    const indexed = !isSearched || isLong ? [] : await createIndexStatements(db, page);
    const isThere = known === id && (await pinDocument(db, id, until));
    await db.batch([
      ...createUnindexStatements(db, leftBy(snapshot.key, id)),
      ...(isThere ? [] : insertDocument(db, page, snapshot.fetchedAt, until)),
      upsert,
      // If the site has forbidden indexing since the text was indexed, the text is removed from the index.
      ...(snapshot.meta.isUnindexed === true ? createUnindexStatements(db, isThis) : []),
      ...(isSearched ? [createQueueStatement(db, isThis)] : []),
      ...indexed,
    ]);
    // Cached, because the reader of a page is likely to scroll in it.
    this.#memory.keep(id, chunksOf(page.chunks), page.document.lineCount);
    this.#memory.showsNow(snapshot.key, id);
    this.#memory.keepPage({ snapshot, document: page.document, owner: page.owner });
    if (isSearched && isLong) await indexQueuedDocuments(db, Infinity, isThis);
  }

  async revalidated(key: string, now: number): Promise<void> {
    await this.#db.update(snapshots).set({ validatedAt: now }).where(eq(snapshots.key, key));
  }
}

/** Maximum characters read of a title, because a title may have megabytes. */
const TITLE_CHARS_READ = 1_000;

type Row = { snapshot: typeof snapshots.$inferSelect; document: typeof documents.$inferSelect };

function storedPage(row: Row): StoredPage {
  const { documentId: _, ...snapshot } = row.snapshot;
  return { snapshot, document: toDocument(row.document), owner: row.document.owner };
}

/** A condition on `documents`: no snapshot will show the document once the snapshot `key` shows `newId`. */
function leftBy(key: string, newId: string): SQL {
  return sql`documents.id = (SELECT document_id FROM snapshots WHERE key = ${key}) AND documents.id <> ${newId}
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id AND snapshots.key <> ${key})`;
}

/**
 * Pins the documents of snapshots. Skips documents that are already pinned for almost as long, so that a frequently
 * opened page is not written each time.
 * @param which a condition on `snapshots`
 * @param until end of the pin (ms); an existing pin may end up to {@link OPENED_DOCUMENT_PIN_EXTRA_MS} earlier
 */
function pinStatement(db: Db, which: SQL, until: number) {
  return (
    db
      .update(documents)
      .set({ heldUntil: until })
      .from(snapshots)
      // The plus disables the index of this column, because the documents are few and can be found faster by their
      // IDs.
      .where(
        and(
          which,
          eq(documents.id, snapshots.documentId),
          sql`+${documents.heldUntil} < ${until - OPENED_DOCUMENT_PIN_EXTRA_MS}`,
        ),
      )
  );
}
