import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db } from '#storage/db.ts';
import { hasDocumentId } from './eviction.ts';
import { documents, snapshots } from '#storage/schema.ts';
import { createUnindexStatements } from '#storage/search/search-index.ts';
import { IS_CITED, IS_FOLLOWED, IS_CITED_OR_FOLLOWED, HAS_NO_SNAPSHOT } from './snapshots.ts';
import { DocumentTextCache } from './text-memory.ts';

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
