import { and, asc, lte, not, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { DROP_BYTES_PER_BATCH, DROP_DOCUMENTS_PER_BATCH } from '#core/limits.ts';
import { SWEEP_BATCHES_MAX } from '#storage/limits.ts';
import type { Db } from '#storage/db.ts';
import { documents, snapshots } from '#storage/schema.ts';
import { unindexText } from '#storage/search/search-index.ts';
import { IS_CITED, ONLY_LIVE } from './snapshots.ts';

/** A document that may go. */
export type Candidate = { id: string; byteCount: number };

/** What went in one transaction. */
export type Dropped = { documents: number; snapshots: number; bytes: number };

/**
 * Removes documents from the store for good. A document is removed only if, within the transaction that drops it, nobody
 * has cited it and no cursor can show it any more (`held_until` is over): a cursor minted a moment before keeps it, one minted a moment
 * after does not find it. Text, snapshots and search index change together.
 */
export class Eviction {
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

  /** A batch of documents that no cursor shows and no snapshot shows, except snapshots of live pages. */
  unreachable(now: number): Promise<Candidate[]> {
    return this.#candidates(and(lte(documents.heldUntil, now), not(IS_CITED), ONLY_LIVE));
  }

  /** Documents that no cursor shows, those first whose last cursor ended longest ago, a batch of them. */
  leastRecentlyHeld(now: number): Promise<Candidate[]> {
    return this.#candidates(and(lte(documents.heldUntil, now), not(IS_CITED)));
  }

  /** Drops those of the documents that no cursor shows at `now`, with the snapshots that point to them. */
  drop(ids: readonly string[], now: number): Promise<Dropped> {
    return this.#drop(sql`${among(ids)} AND documents.held_until <= ${now} AND NOT ${IS_CITED}`);
  }

  /** The same for those that no snapshot points to, but for those of live pages. */
  dropUnreachable(ids: readonly string[], now: number): Promise<Dropped> {
    return this.#drop(sql`${among(ids)} AND documents.held_until <= ${now} AND NOT ${IS_CITED} AND ${ONLY_LIVE}`);
  }

  #candidates(which: SQL | undefined): Promise<Candidate[]> {
    return this.#db
      .select({ id: documents.id, byteCount: documents.byteCount })
      .from(documents)
      .where(which)
      .orderBy(asc(documents.heldUntil))
      .limit(DROP_DOCUMENTS_PER_BATCH);
  }

  async #drop(which: SQL): Promise<Dropped> {
    const db = this.#db;
    const [, , snapshotsGone, documentsGone] = await db.batch([
      ...unindexText(db, which),
      db
        .delete(snapshots)
        .where(sql`snapshots.document_id IN (SELECT documents.id FROM documents WHERE ${which})`)
        .returning({ key: snapshots.key }),
      // The chunks go with their document (foreign key, on delete cascade).
      db.delete(documents).where(which).returning({ byteCount: documents.byteCount }),
    ]);
    return {
      documents: documentsGone.length,
      snapshots: snapshotsGone.length,
      bytes: documentsGone.reduce((sum, { byteCount }) => sum + byteCount, 0),
    };
  }
}

/** A condition on `documents`; one parameter, however many ids. */
export function among(ids: readonly string[]): SQL {
  return sql`documents.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}

/** What one sweep did. */
export type Sweep = {
  unreachable: Dropped;
  evicted: Dropped;
  /** Text in the store afterwards, in UTF-8 bytes. */
  textBytes: number;
  /** Whether another run is needed, or the rest is held by cursors. */
  state: 'done' | 'to be continued' | 'over the ceiling, all held';
};

/**
 * Drops what nobody can reach, then the least recently held documents until the store is below its ceiling. Bounded:
 * what is left after so many batches waits for the next run.
 *
 * @param maxBytes ceiling of all stored text, in UTF-8 bytes
 */
export async function sweepDocuments(store: Eviction, now: number, maxBytes: number): Promise<Sweep> {
  const unreachable = nothing();
  const evicted = nothing();
  let batches = 0;
  let seen = await store.unreachable(now);
  while (seen.length > 0 && batches < SWEEP_BATCHES_MAX) {
    batches += 1;
    add(unreachable, await store.dropUnreachable(firstOf(seen, DROP_BYTES_PER_BATCH), now));
    seen = await store.unreachable(now);
  }
  let textBytes = await store.textBytes();
  while (textBytes > maxBytes && batches < SWEEP_BATCHES_MAX) {
    const candidates = await store.leastRecentlyHeld(now);
    if (candidates.length === 0) return { unreachable, evicted, textBytes, state: 'over the ceiling, all held' };
    batches += 1;
    const dropped = await store.drop(firstOf(candidates, Math.min(textBytes - maxBytes, DROP_BYTES_PER_BATCH)), now);
    add(evicted, dropped);
    textBytes -= dropped.bytes;
  }
  return { unreachable, evicted, textBytes, state: batches < SWEEP_BATCHES_MAX ? 'done' : 'to be continued' };
}

function nothing(): Dropped {
  return { documents: 0, snapshots: 0, bytes: 0 };
}

function add(sum: Dropped, more: Dropped): void {
  sum.documents += more.documents;
  sum.snapshots += more.snapshots;
  sum.bytes += more.bytes;
}

/** As many from the front as it takes to reach so many bytes, one at least. Pure. */
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
