import { purgeExpiredGrants } from '#auth/server/connections.ts';
import { oauthApi } from '#auth/server/provider.ts';
import { parseConfig } from '#core/config.ts';
import { INDEX_PER_HOUR_BYTES, TOKEN_EXPIRED_KEPT_MS } from '#core/limits.ts';
import { judgePages } from '#reading/judge-pages.ts';
import { DROP_GRACE_MS } from '#reading/limits.ts';
import { sweepDocuments } from '#storage/eviction.ts';
import { indexDue } from '#storage/search-index.ts';
import { logSweep, logUnexpected } from '#telemetry/log.ts';
import { authDepsOf, partsOf } from './compose.ts';
import type { Parts } from './compose.ts';

/** No request led here, so the host name of this server is unknown; the stores do not need it. */
const NO_ORIGIN = 'https://periscope.invalid';

/**
 * What the hourly trigger does: drops pages that a new rule keeps private and documents that nobody can reach, keeps the
 * page store below its ceiling, indexes what an earlier version has stored in another form, and clears out what has
 * expired. Each part is bounded, and one that fails does not keep the others from their work.
 */
export async function tidy(_controller: ScheduledController, env: Env): Promise<void> {
  const now = Date.now();
  const parts = partsOf(env, parseConfig({ ...env }), NO_ORIGIN);
  const runId = crypto.randomUUID();
  const attempt = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      logUnexpected(runId, error);
      return null;
    });
  const sweep = await attempt(tidyPages(parts, now - DROP_GRACE_MS));
  await attempt(indexDue(parts.db, INDEX_PER_HOUR_BYTES));
  const robotsExpired = await attempt(parts.sites.purgeExpired(now));
  await attempt(parts.searchCache.purgeExpired(now));
  await attempt(parts.accessTokens.purgeExpired(now - TOKEN_EXPIRED_KEPT_MS));
  await attempt(purgeExpiredGrants(oauthApi(authDepsOf(parts, NO_ORIGIN), parts.env), parts.env.OAUTH_KV));
  logSweep({ runId, ms: Date.now() - now, ceiling: parts.config.CACHE_MAX_BYTES, sweep, robotsExpired });
}

async function tidyPages(parts: Parts, now: number) {
  const madePrivate = await judgePages(parts, now);
  return { madePrivate, ...(await sweepDocuments(parts.eviction, now, parts.config.CACHE_MAX_BYTES)) };
}
