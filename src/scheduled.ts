import { deploymentPart } from '#client/deployment/deployment.ts';
import { purgeExpiredGrants } from '#auth/server/connections.ts';
import { oauthApi } from '#auth/server/provider.ts';
import { parseConfig } from '#core/config/config.ts';
import { EXPIRED_TOKEN_LISTED_MS, MIB } from '#core/limits.ts';
import { DOCUMENT_KEEP_GRACE_MS } from '#reading/limits.ts';
import { sendDueReports } from '#library/feed/report-changes.ts';
import { sweepDocuments } from '#storage/pages/purge.ts';
import { indexQueuedDocuments } from '#storage/search/search-index.ts';
import { logDayTotals, logSweep, logUnexpected } from '#telemetry/log.ts';
import { createAuthDeps, createCallParts, reportDepsOf } from './compose.ts';
import { retryErasures } from '#account/erase-person.ts';
import type { CallParts } from './compose.ts';
import { dueRoundsDeps, startDueRounds } from '#library/follow-parts.ts';

/** Maximum bytes of text indexed per hourly run: about ten seconds of CPU. */
const INDEX_PER_HOUR_BYTES = 128 * MIB;

/** Placeholder for the origin, which a cron trigger does not know. The stores do not need it. */
const NO_ORIGIN = 'https://periscope.invalid';

/**
 * Starts due checks of followed pages, reports changes, drops unreachable documents, keeps the page store below its
 * ceiling, indexes queued documents, clears expired rows, and repeats interrupted deletions of users. Each step is
 * bounded, and a failed step does not stop the others.
 */
export async function runHourly(_controller: ScheduledController, env: Env): Promise<void> {
  const now = Date.now();
  const parts = createCallParts(env, parseConfig({ ...env }), NO_ORIGIN);
  const runId = crypto.randomUUID();
  const attempt = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      logUnexpected(runId, error);
      return null;
    });
  await attempt(startDueRounds(dueRoundsDeps(parts)));
  await attempt(sendDueReports(reportDepsOf(parts)));
  const sweep = await attempt(
    sweepDocuments(parts.eviction, now - DOCUMENT_KEEP_GRACE_MS, parts.config.CACHE_MAX_BYTES),
  );
  await attempt(indexQueuedDocuments(parts.db, INDEX_PER_HOUR_BYTES));
  const robotsExpired = await attempt(parts.sites.purgeExpired(now));
  await attempt(parts.searchCache.purgeExpired(now));
  await attempt(parts.accessTokens.purgeExpired(now - EXPIRED_TOKEN_LISTED_MS));
  await attempt(parts.people.admissions.purgeExpired());
  const auth = createAuthDeps(parts, NO_ORIGIN);
  const oauth = oauthApi(auth, parts.env);
  await attempt(retryErasures(now, { parts, oauth }));
  await attempt(purgeExpiredGrants(oauth, parts.env.OAUTH_KV));
  logSweep({ runId, ms: Date.now() - now, ceiling: parts.config.CACHE_MAX_BYTES, sweep, robotsExpired });
  await attempt(sayDaySoFar(parts, runId, now));
}

async function sayDaySoFar({ counters, env }: CallParts, runId: string, now: number): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const open = deploymentPart(env, 'sessions').list(null);
  const [sums, sessions] = await Promise.all([counters.daySum(day), open.catch(() => null)]);
  logDayTotals(runId, { day, ...sums, browsers: sessions?.length ?? null });
}
