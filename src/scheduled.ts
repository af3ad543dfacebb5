import { purgeExpiredGrants } from '#auth/grants.ts';
import { parseConfig } from '#core/config.ts';
import { INDEX_PER_HOUR_BYTES, TOKEN_EXPIRED_KEPT_MS } from '#core/limits.ts';
import { DROP_GRACE_MS } from '#reading/limits.ts';
import { judgePages } from '#reading/judge-pages.ts';
import { AccessTokenRows } from '#storage/access-tokens.ts';
import { openDb } from '#storage/db.ts';
import type { Db } from '#storage/db.ts';
import { carefulStore } from '#storage/careful-store.ts';
import { Eviction, sweepDocuments } from '#storage/eviction.ts';
import { Judged } from '#storage/judged.ts';
import { Purge } from '#storage/purge.ts';
import { SearchCache } from '#storage/search-cache.ts';
import { indexDue } from '#storage/search-index.ts';
import { SiteRows } from '#storage/sites.ts';
import { logSweep, logUnexpected } from '#telemetry/log.ts';

/**
 * What the hourly trigger does: drops pages that a new rule keeps private and documents that nobody can reach, keeps the
 * page store below its ceiling, indexes what an earlier version has stored in another form, and clears out what has
 * expired. Each part is bounded, and one that fails does not keep the others from their work.
 */
export async function tidy(_controller: ScheduledController, env: Env): Promise<void> {
  const now = Date.now();
  const db = openDb(env.DB);
  const { CACHE_MAX_BYTES: ceiling } = parseConfig({ ...env });
  const runId = crypto.randomUUID();
  const attempt = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      logUnexpected(runId, error);
      return null;
    });
  const sweep = await attempt(tidyPages(db, now - DROP_GRACE_MS, ceiling));
  await attempt(indexDue(db, INDEX_PER_HOUR_BYTES));
  const robotsExpired = await attempt(new SiteRows(db).purgeExpired(now));
  await attempt(new SearchCache(db).purgeExpired(now));
  await attempt(new AccessTokenRows(db).purgeExpired(now - TOKEN_EXPIRED_KEPT_MS));
  await attempt(purgeExpiredGrants({ ...env, OAUTH_KV: carefulStore(env.OAUTH_KV) }));
  logSweep({ runId, ms: Date.now() - now, ceiling, sweep, robotsExpired });
}

async function tidyPages(db: Db, now: number, ceiling: number) {
  const madePrivate = await judgePages({ judged: new Judged(db), purge: new Purge(db) }, now);
  return { madePrivate, ...(await sweepDocuments(new Eviction(db), now, ceiling)) };
}
