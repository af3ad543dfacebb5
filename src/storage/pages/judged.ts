import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { isPrivatePage, PRIVACY_RULE } from '#core/origin-store.ts';
import * as z from 'zod';
import type { Db } from '#storage/db.ts';
import type { PurgeRow } from './purge.ts';
import { documents, snapshots } from '#storage/schema.ts';
import type { Snapshot } from './snapshots.ts';

/**
 * Public snapshots that were stored before the rule that holds now. They are judged some at a time; until then nobody is
 * shown those that the rule keeps for their opener, who is not known any more.
 */
const NOT_JUDGED = lt(snapshots.privacyRule, PRIVACY_RULE);

/** Whether the rule keeps a stored page for its opener, as far as was recorded of how it was fetched. */
export function isPrivateSnapshot({ url, finalUrl, meta }: Pick<Snapshot, 'url' | 'finalUrl' | 'meta'>): boolean {
  const { redirects, headers, documentUrl } = recorded.parse(meta);
  const addresses = [url, finalUrl, documentUrl ?? '', ...redirects.map((redirect) => redirect.url)];
  return isPrivatePage(addresses, { get: (name) => headers[name] ?? null });
}

/** What any version may have written. */
const recorded = z.object({
  redirects: z.array(z.object({ url: z.string() })).catch([]),
  headers: z.record(z.string(), z.string()).catch({}),
  documentUrl: z.string().nullish().catch(null),
});

/** Of these documents, the public ones that a snapshot not yet judged shows and the rule does not. */
export async function withheld(db: Db, documentIds: readonly string[]): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set();
  const rows = await db
    .select({ id: documents.id, url: snapshots.url, finalUrl: snapshots.finalUrl, meta: snapshots.meta })
    .from(snapshots)
    .innerJoin(documents, eq(documents.id, snapshots.documentId))
    .where(
      and(
        sql`${documents.id} IN (SELECT value FROM json_each(${JSON.stringify(documentIds)}))`,
        isNull(documents.owner),
        NOT_JUDGED,
      ),
    );
  return new Set(rows.filter(isPrivateSnapshot).map(({ id }) => id));
}

/** Judges stored pages by the rule that holds now. */
export class Judged {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** Up to `limit` snapshots that are not judged yet: those that may stay, and those that the rule keeps private. */
  async next(limit: number): Promise<{ stay: string[]; go: PurgeRow[] }> {
    const rows = await this.#db
      .select({ snapshot: snapshots, owner: documents.owner, bytes: documents.byteCount })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(NOT_JUDGED)
      .limit(limit);
    const mustGo = rows.filter(({ snapshot, owner }) => owner === null && isPrivateSnapshot(snapshot));
    const gone = new Set(mustGo.map(({ snapshot }) => snapshot.key));
    return {
      stay: rows.map(({ snapshot }) => snapshot.key).filter((key) => !gone.has(key)),
      go: mustGo.map(({ snapshot: { key, url, fetchedAt, documentId }, bytes }) => ({
        key,
        url,
        fetchedAt,
        documentId,
        bytes,
      })),
    };
  }

  /** These may stay as they are. */
  async stamp(keys: readonly string[]): Promise<void> {
    await this.#db
      .update(snapshots)
      .set({ privacyRule: PRIVACY_RULE })
      .where(and(NOT_JUDGED, sql`${snapshots.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`));
  }
}
