import { and, asc, lte, not, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { DELETED_BYTES_PER_BATCH_MAX, DELETED_DOCUMENTS_PER_BATCH_MAX } from '#core/limits.ts';
import type { Db } from '#storage/db.ts';
import { SWEEP_BATCHES_MAX } from '#storage/limits.ts';
import { documents, snapshots } from '#storage/schema.ts';
import { createUnindexStatements } from '#storage/search/search-index.ts';
import { IS_CITED_OR_FOLLOWED, HAS_ONLY_LIVE_SNAPSHOTS } from './snapshots.ts';

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
