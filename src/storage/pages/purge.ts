import { and, eq, isNull, lt, or, sql, asc, lte, not } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from '#storage/db.ts';
import { documents, snapshots, BROWSER_SNAPSHOT_MODE } from '#storage/schema.ts';
import { createUnindexStatements } from '#storage/search/search-index.ts';
import { IS_CITED, IS_FOLLOWED } from './snapshots.ts';
import { DocumentTextCache } from './text-memory.ts';
import { DELETED_BYTES_PER_BATCH_MAX, DELETED_DOCUMENTS_PER_BATCH_MAX } from '#core/limits.ts';
import { SWEEP_BATCHES_MAX } from '#storage/limits.ts';

/** True if no snapshot shows the document, so that only existing cursors reach it. A condition on `documents`. */
const HAS_NO_SNAPSHOT = sql`NOT EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id)`;

/** True if the document must not be deleted. A condition on `documents`. */
const IS_CITED_OR_FOLLOWED = sql`(${IS_CITED} OR ${IS_FOLLOWED})`;

/** True if no snapshot except one of a browser session shows the document, so that only cursors protect it. */
const HAS_ONLY_LIVE_SNAPSHOTS = sql`NOT EXISTS (SELECT 1 FROM snapshots
  WHERE snapshots.document_id = documents.id AND snapshots.mode <> ${BROWSER_SNAPSHOT_MODE})`;

/** Maximum snapshots that one purge selects: about 2 MB of rows. The result reports how many are left. */
const PURGE_SNAPSHOTS_MAX = 5_000;

/** Criteria of a purge. A snapshot must match all that are given. */
export type PurgeCriteria = {
  key: string | undefined;
  /** ASCII host name. It includes its subdomains. */
  domain: string | undefined;
  /** Snapshots must have been fetched before this time (ms). */
  fetchedBefore: number | undefined;
  keepNewest: number | undefined;
};

/** A selected snapshot. `bytes`: size of the document's UTF-8 text. */
export type PurgeRow = { key: string; url: string; fetchedAt: number; documentId: string; bytes: number };

/**
 * Number of documents that a purge deletes, and number of those that stay because they are cited, followed, pinned or
 * in another snapshot.
 */
export type PurgeEffect = {
  dropped: number;
  droppedBytes: number;
  cited: number;
  /** Number of followed documents that are not cited. */
  followed: number;
  held: number;
  /** Unix time in ms at which the last pin expires; `null` if no document is pinned. */
  heldUntil: number | null;
  shared: number;
};

/** Deletes selected snapshots. Private documents of other users are never selected. */
export class SnapshotPurge {
  readonly #db: Db;
  readonly #once: Db;
  readonly #memory: DocumentTextCache;

  /**
   * @param once a client without retries, because a repeated deletion would find nothing and could not report the
   * removed rows
   */
  constructor(db: Db, once: Db = db, memory: DocumentTextCache = new DocumentTextCache()) {
    this.#db = db;
    this.#once = once;
    this.#memory = memory;
  }

  async select(criteria: PurgeCriteria, subject: string): Promise<{ rows: PurgeRow[]; total: number }> {
    const chosen = this.#db
      .select({
        key: snapshots.key,
        url: snapshots.canonicalUrl,
        fetchedAt: snapshots.fetchedAt,
        documentId: snapshots.documentId,
        bytes: documents.byteCount,
        total: sql<number>`count(*) OVER ()`,
      })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(and(or(isNull(documents.owner), eq(documents.owner, subject)), ...conditions(criteria)));
    const found = await chosen
      .orderBy(sql`${snapshots.fetchedAt} DESC`, snapshots.key)
      .limit(PURGE_SNAPSHOTS_MAX)
      .offset(criteria.keepNewest ?? 0);
    const total = Math.max(0, (found[0]?.total ?? 0) - (criteria.keepNewest ?? 0));
    return { rows: found, total };
  }

  async foresee(rows: readonly PurgeRow[], now: number): Promise<PurgeEffect> {
    const found = await this.#db
      .select({
        bytes: documents.byteCount,
        heldUntil: documents.heldUntil,
        owner: documents.owner,
        ...WHY_KEPT,
        isShared: sql<number>`EXISTS (SELECT 1 FROM snapshots WHERE snapshots.document_id = documents.id
          AND snapshots.key NOT IN (SELECT value FROM json_each(${JSON.stringify(rows.map((row) => row.key))})))`,
      })
      .from(documents)
      .where(hasDocumentId(rows.map((row) => row.documentId)));
    const alone = found.filter(({ isShared }) => isShared === 0);
    const isOver = ({ heldUntil, owner, isCited, isFollowed }: (typeof alone)[number]) =>
      isCited === 0 && isFollowed === 0 && (heldUntil <= now || owner !== null);
    const dropped = alone.filter(isOver);
    const stays = alone.filter((document) => !isOver(document));
    return { ...fateOf(dropped, stays), shared: found.length - alone.length };
  }

  /**
   * Deletes these snapshots, except those fetched again since they were selected. Removes their text from the search
   * index and deletes their documents, all in one transaction. A document that is cited or followed stays, and so does
   * a pinned public one. It can then be reached only through its citation, follow or cursor.
   * @returns the deleted keys, the effect on their documents, and the deleted private documents
   */
  async remove(
    rows: readonly PurgeRow[],
    now: number,
  ): Promise<{ keys: string[]; fate: PurgeEffect; privateGone: string[] }> {
    const db = this.#once;
    const orphaned = sql`${hasDocumentId(rows.map((row) => row.documentId))} AND ${HAS_NO_SNAPSHOT}`;
    const [removed, , , dropped, stays] = await db.batch([
      db.delete(snapshots).where(asSelected(rows)).returning({ key: snapshots.key, documentId: snapshots.documentId }),
      ...createUnindexStatements(db, orphaned),
      db
        .delete(documents)
        // A pin does not protect a private document, because only its owner, who is deleting it, has cursors on it.
        .where(
          sql`${orphaned} AND NOT ${IS_CITED_OR_FOLLOWED} AND (documents.held_until <= ${now} OR documents.owner IS NOT NULL)`,
        )
        .returning({ id: documents.id, bytes: documents.byteCount, owner: documents.owner }),
      db
        .select({ id: documents.id, heldUntil: documents.heldUntil, ...WHY_KEPT })
        .from(documents)
        .where(orphaned),
    ]);
    this.#memory.drop(dropped.map(({ id }) => id));
    this.#memory.dropPages(removed.map(({ key }) => key));
    const away = new Set([...dropped, ...stays].map(({ id }) => id));
    const shared = new Set(removed.map(({ documentId }) => documentId).filter((id) => !away.has(id)));
    return {
      keys: removed.map(({ key }) => key),
      fate: { ...fateOf(dropped, stays), shared: shared.size },
      privateGone: dropped.filter(({ owner }) => owner !== null).map(({ id }) => id),
    };
  }
}

const WHY_KEPT = { isCited: sql<number>`${IS_CITED}`, isFollowed: sql<number>`${IS_FOLLOWED}` };

type Stays = { heldUntil: number; isCited: number; isFollowed: number };

function fateOf(dropped: readonly { bytes: number }[], stays: readonly Stays[]): Omit<PurgeEffect, 'shared'> {
  const cited = stays.filter(({ isCited }) => isCited === 1);
  const followed = stays.filter(({ isCited, isFollowed }) => isCited === 0 && isFollowed === 1);
  const held = stays.filter(({ isCited, isFollowed }) => isCited === 0 && isFollowed === 0);
  return {
    cited: cited.length,
    followed: followed.length,
    dropped: dropped.length,
    droppedBytes: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
    held: held.length,
    heldUntil: held.length === 0 ? null : Math.max(...held.map(({ heldUntil }) => heldUntil)),
  };
}

function conditions({ key, domain, fetchedBefore }: PurgeCriteria): SQL[] {
  return [
    ...(key === undefined ? [] : [eq(snapshots.key, key)]),
    ...(fetchedBefore === undefined ? [] : [lt(snapshots.fetchedAt, fetchedBefore)]),
    ...(domain === undefined
      ? []
      : [sql`(${isWithin(snapshots.canonicalUrl, domain)} OR ${isWithin(snapshots.finalUrl, domain)})`]),
  ];
}

/** True if the host of a canonical URL (the text between `//` and the next `/` or `:`) is the domain or a subdomain. */
function isWithin(column: SQLiteColumn, domain: string): SQL {
  const rest = sql`substr(${column}, instr(${column}, '//') + 2)`;
  const authority = sql`substr(${rest}, 1, instr(${rest} || '/', '/') - 1)`;
  const host = sql`substr(${authority}, 1, instr(${authority} || ':', ':') - 1)`;
  const suffix = `.${domain}`;
  return sql`substr('.' || ${host}, ${-suffix.length}) = ${suffix}`;
}

/** A condition that excludes snapshots that were fetched again since the selection. */
function asSelected(rows: readonly PurgeRow[]): SQL {
  const seen = JSON.stringify(rows.map(({ key, fetchedAt }) => [key, fetchedAt]));
  return sql`(${snapshots.key}, ${snapshots.fetchedAt}) IN
    (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(${seen}))`;
}

type Candidate = { id: string; byteCount: number };

type DropResult = { documents: number; snapshots: number; bytes: number };

/**
 * Deletes documents. The deleting transaction checks that no citation and no followed page references the document, and
 * that no cursor can show it (`held_until` is over). A cursor created just before therefore protects the document, and
 * a call just after cannot create one. Text, snapshots and search index change together.
 */
export class DocumentEviction {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** UTF-8 bytes of all stored text. */
  async textBytes(): Promise<number> {
    const [row] = await this.#db
      .select({ bytes: sql<number>`coalesce(sum(${documents.byteCount}), 0)` })
      .from(documents);
    return row?.bytes ?? 0;
  }

  /**
   * A batch of documents that no cursor, citation or follow protects, and that have no snapshot except of a page in a
   * browser session.
   */
  unreachable(now: number): Promise<Candidate[]> {
    return this.#candidates(and(lte(documents.heldUntil, now), not(IS_CITED_OR_FOLLOWED), HAS_ONLY_LIVE_SNAPSHOTS));
  }

  /**
   * A batch of documents that no cursor, citation or follow protects. The document whose last cursor ended longest ago
   * comes first.
   */
  leastRecentlyHeld(now: number): Promise<Candidate[]> {
    return this.#candidates(and(lte(documents.heldUntil, now), not(IS_CITED_OR_FOLLOWED)));
  }

  /** Deletes those of the documents that no cursor, citation or follow protects at `now`, with their snapshots. */
  drop(ids: readonly string[], now: number): Promise<DropResult> {
    return this.#drop(sql`${hasDocumentId(ids)} AND documents.held_until <= ${now} AND NOT ${IS_CITED_OR_FOLLOWED}`);
  }

  /**
   * Deletes documents as {@link drop} does, but only those without a snapshot other than of a page in a browser
   * session.
   */
  dropUnreachable(ids: readonly string[], now: number): Promise<DropResult> {
    return this.#drop(
      sql`${hasDocumentId(ids)} AND documents.held_until <= ${now} AND NOT ${IS_CITED_OR_FOLLOWED} AND ${HAS_ONLY_LIVE_SNAPSHOTS}`,
    );
  }

  #candidates(which: SQL | undefined): Promise<Candidate[]> {
    return this.#db
      .select({ id: documents.id, byteCount: documents.byteCount })
      .from(documents)
      .where(which)
      .orderBy(asc(documents.heldUntil))
      .limit(DELETED_DOCUMENTS_PER_BATCH_MAX);
  }

  async #drop(which: SQL): Promise<DropResult> {
    const db = this.#db;
    const [, , snapshotsGone, documentsGone] = await db.batch([
      ...createUnindexStatements(db, which),
      db
        .delete(snapshots)
        .where(sql`snapshots.document_id IN (SELECT documents.id FROM documents WHERE ${which})`)
        .returning({ key: snapshots.key }),
      // The deletion cascades to the chunks.
      db.delete(documents).where(which).returning({ byteCount: documents.byteCount }),
    ]);
    return {
      documents: documentsGone.length,
      snapshots: snapshotsGone.length,
      bytes: documentsGone.reduce((sum, { byteCount }) => sum + byteCount, 0),
    };
  }
}

/** A condition on `documents`. All IDs are in one parameter, because the number of parameters is limited. */
export function hasDocumentId(ids: readonly string[]): SQL {
  return sql`documents.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

type SweepResult = {
  unreachable: DropResult;
  evicted: DropResult;
  /** UTF-8 bytes of stored text after the sweep. */
  textBytes: number;
  state: 'done' | 'to be continued' | 'over the ceiling, all held';
};

/**
 * Deletes unreachable documents, then the least recently pinned ones until the store is below its ceiling. Stops after
 * a number of batches; the next run continues.
 * @param maxBytes ceiling of all stored text, in UTF-8 bytes
 */
export async function sweepDocuments(store: DocumentEviction, now: number, maxBytes: number): Promise<SweepResult> {
  const unreachable = nothing();
  const evicted = nothing();
  let batches = 0;
  let seen = await store.unreachable(now);
  while (seen.length > 0 && batches < SWEEP_BATCHES_MAX) {
    batches += 1;
    add(unreachable, await store.dropUnreachable(firstOf(seen, DELETED_BYTES_PER_BATCH_MAX), now));
    seen = await store.unreachable(now);
  }
  let textBytes = await store.textBytes();
  while (textBytes > maxBytes && batches < SWEEP_BATCHES_MAX) {
    const candidates = await store.leastRecentlyHeld(now);
    if (candidates.length === 0) return { unreachable, evicted, textBytes, state: 'over the ceiling, all held' };
    batches += 1;
    const dropped = await store.drop(
      firstOf(candidates, Math.min(textBytes - maxBytes, DELETED_BYTES_PER_BATCH_MAX)),
      now,
    );
    add(evicted, dropped);
    textBytes -= dropped.bytes;
  }
  return { unreachable, evicted, textBytes, state: batches < SWEEP_BATCHES_MAX ? 'done' : 'to be continued' };
}

function nothing(): DropResult {
  return { documents: 0, snapshots: 0, bytes: 0 };
}

function add(sum: DropResult, more: DropResult): void {
  sum.documents += more.documents;
  sum.snapshots += more.snapshots;
  sum.bytes += more.bytes;
}

function firstOf(candidates: readonly Candidate[], bytes: number): string[] {
  const ids: string[] = [];
  let sum = 0;
  for (const { id, byteCount } of candidates) {
    if (ids.length > 0 && sum >= bytes) break;
    ids.push(id);
    sum += byteCount;
  }
  return ids;
}
