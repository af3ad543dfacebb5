import { purgeExpiredGrants } from '#auth/grants.ts';
import { parseConfig } from '#core/config.ts';
import { DROP_GRACE_MS, INDEX_PER_HOUR_BYTES, TOKEN_EXPIRED_KEPT_MS } from '#core/limits.ts';
import { AccessTokenRows } from '#storage/access-tokens.ts';
import { openDb } from '#storage/db.ts';
import { Eviction, sweepDocuments } from '#storage/eviction.ts';
import { RobotsRows } from '#storage/robots.ts';
import { SearchCache } from '#storage/search-cache.ts';
import { indexDue } from '#storage/search-index.ts';
import { SiteFactsRows } from '#storage/site-facts.ts';
import { logSweep, logUnexpected } from '#telemetry/log.ts';

/**
 * What the hourly trigger does: drops documents that nobody can reach, keeps the page store below its ceiling, indexes
 * what an earlier version has stored in another form, and clears out what has expired. Each part is bounded, and one that fails does not keep the others from their work.
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
  const sweep = await attempt(sweepDocuments(new Eviction(db), now - DROP_GRACE_MS, ceiling));
  await attempt(indexDue(db, INDEX_PER_HOUR_BYTES));
  const robotsExpired = await attempt(new RobotsRows(db).purgeExpired(now));
  await attempt(new SearchCache(db).purgeExpired(now));
  await attempt(new SiteFactsRows(db).purgeExpired(now));
  await attempt(new AccessTokenRows(db).purgeExpired(now - TOKEN_EXPIRED_KEPT_MS));
  await attempt(purgeExpiredGrants(env));
  logSweep({ runId, ms: Date.now() - now, ceiling, sweep, robotsExpired });
}
