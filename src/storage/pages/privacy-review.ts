import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { isPrivatePage, PRIVACY_RULE_VERSION } from '#core/privacy.ts';
import * as z from 'zod';
import type { Db } from '#storage/db.ts';
import type { PurgeRow } from './purge.ts';
import { documents, snapshots } from '#storage/schema.ts';
import type { Snapshot } from './stored-page.ts';

/**
 * Public snapshots stored under an older privacy rule. They are reviewed in batches; until then, those that today's
 * rule makes private are shown to nobody, because their opener is no longer known.
 */
const NOT_JUDGED = lt(snapshots.privacyRule, PRIVACY_RULE_VERSION);

/** Whether today's rule makes a stored page private, as far as its fetch was recorded. */
export function isPrivateSnapshot({ url, finalUrl, meta }: Pick<Snapshot, 'url' | 'finalUrl' | 'meta'>): boolean {
  const { redirects, headers, documentUrl } = recorded.parse(meta);
  const addresses = [url, finalUrl, documentUrl ?? '', ...redirects.map((redirect) => redirect.url)];
  return isPrivatePage(addresses, { get: (name) => headers[name] ?? null });
}

/** Metadata of any version. */
const recorded = z.object({
  redirects: z.array(z.object({ url: z.string() })).catch([]),
  headers: z.record(z.string(), z.string()).catch({}),
  documentUrl: z.string().nullish().catch(null),
});

/** Of these documents, the public ones that await review and are private under today's rule. */
export async function privateAmong(db: Db, documentIds: readonly string[]): Promise<Set<string>> {
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

/** Applies today's privacy rule to stored pages. */
export class PrivacyReview {
  readonly #db: Db;
  constructor(db: Db) {
    this.#db = db;
  }

  /** The next `limit` snapshots to review, divided into those that stay and those that must go. */
  async next(limit: number): Promise<{ stay: string[]; go: PurgeRow[] }> {
    const rows = await this.#db
      .select({ snapshot: snapshots, owner: documents.owner, bytes: documents.byteCount })
      .from(snapshots)
      .innerJoin(documents, eq(documents.id, snapshots.documentId))
      .where(NOT_JUDGED)
      .limit(limit);
    const mustGo = rows.filter(({ snapshot, owner }) => owner === null && isPrivateSnapshot(snapshot));
    const privateKeys = new Set(mustGo.map(({ snapshot }) => snapshot.key));
    return {
      stay: rows.map(({ snapshot }) => snapshot.key).filter((key) => !privateKeys.has(key)),
      go: mustGo.map(({ snapshot: { key, url, fetchedAt, documentId }, bytes }) => ({
        key,
        url,
        fetchedAt,
        documentId,
        bytes,
      })),
    };
  }

  /** Marks snapshots as reviewed. */
  async stamp(keys: readonly string[]): Promise<void> {
    await this.#db
      .update(snapshots)
      .set({ privacyRule: PRIVACY_RULE_VERSION })
      .where(and(NOT_JUDGED, sql`${snapshots.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`));
  }
}
