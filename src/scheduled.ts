import { purgeExpiredGrants } from '#auth/server/connections.ts';
import { oauthApi } from '#auth/server/provider.ts';
import { parseConfig } from '#core/config/config.ts';
import { DROP_BYTES_PER_BATCH, DROP_DOCUMENTS_PER_BATCH, TOKEN_EXPIRED_KEPT_MS, MIB } from '#core/limits.ts';
import { objectNamed } from '#core/objects.ts';
import { DROP_GRACE_MS } from '#reading/limits.ts';
import { beginDueRounds } from '#library/due-rounds.ts';
import { sweepDocuments } from '#storage/pages/eviction.ts';
import { indexQueued } from '#storage/search/search-index.ts';
import { logDaySoFar, logSweep, logUnexpected } from '#telemetry/log.ts';
import { authDepsOf, partsOf } from './compose.ts';
import { eraseAgain } from './erase-person.ts';
import type { Parts } from './compose.ts';
import { dueRoundsDeps } from './follow-parts.ts';
import type { PrivacyReview } from '#storage/pages/privacy-review.ts';
import type { Purge, PurgeRow } from '#storage/pages/purge.ts';

/** Text that the hourly run may index: about ten seconds of CPU. */
const INDEX_PER_HOUR_BYTES = 128 * MIB;

/**
 * Batches of a hundred stored pages that one run checks against a new rule of privacy: three queries each, a second in
 * all.
 */
const JUDGE_BATCHES_MAX = 100;

/** A trigger has no request, so the host name of this server is unknown; the stores do not need it. */
const NO_ORIGIN = 'https://periscope.invalid';

/**
 * Each step is bounded, and one that fails does not stop the others. Begins the rounds of what people follow. Drops pages that a new privacy rule keeps private
 * and unreachable documents, keeps the page store below its ceiling, indexes what an earlier version stored in another
 * form, clears what has expired, and
 * deletes once more what was left of people who were deleted.
 */
export async function runHourly(_controller: ScheduledController, env: Env): Promise<void> {
  const now = Date.now();
  const parts = partsOf(env, parseConfig({ ...env }), NO_ORIGIN);
  const runId = crypto.randomUUID();
  const attempt = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      logUnexpected(runId, error);
      return null;
    });
  await attempt(beginDueRounds(dueRoundsDeps(parts)));
  const sweep = await attempt(tidyPages(parts, now - DROP_GRACE_MS));
  await attempt(indexQueued(parts.db, INDEX_PER_HOUR_BYTES));
  const robotsExpired = await attempt(parts.sites.purgeExpired(now));
  await attempt(parts.searchCache.purgeExpired(now));
  await attempt(parts.accessTokens.purgeExpired(now - TOKEN_EXPIRED_KEPT_MS));
  await attempt(parts.people.admissions.purgeExpired());
  const auth = authDepsOf(parts, NO_ORIGIN);
  const oauth = oauthApi(auth, parts.env);
  await attempt(eraseAgain(now, { parts, oauth, signIn: auth.signIn }));
  await attempt(purgeExpiredGrants(oauth, parts.env.OAUTH_KV));
  logSweep({ runId, ms: Date.now() - now, ceiling: parts.config.CACHE_MAX_BYTES, sweep, robotsExpired });
  await attempt(sayDaySoFar(parts, runId, now));
}

async function sayDaySoFar({ counters, env }: Parts, runId: string, now: number): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const open = objectNamed(env.SESSIONS, 'deployment').list(null);
  const [sums, sessions] = await Promise.all([counters.daySum(day), open.catch(() => null)]);
  logDaySoFar(runId, { day, ...sums, browsers: sessions?.length ?? null });
}

async function tidyPages(parts: Parts, now: number) {
  const madePrivate = await reviewPrivacy(parts, now);
  return { madePrivate, ...(await sweepDocuments(parts.eviction, now, parts.config.CACHE_MAX_BYTES)) };
}

type PrivacyReviewDeps = { privacyReview: PrivacyReview; purge: Purge };

/**
 * Applies the privacy rule to public pages that were stored under an older one. Who opened them is not known any more,
 * so the snapshots of private ones are removed; a document that a cursor may show stays until its hold ends. Bounded:
 * the next run continues.
 * @returns how many snapshots were removed
 */
export async function reviewPrivacy({ privacyReview, purge }: PrivacyReviewDeps, now: number): Promise<number> {
  let gone = 0;
  for (let batch = 0; batch < JUDGE_BATCHES_MAX; batch += 1) {
    const { stay, go } = await privacyReview.next(DROP_DOCUMENTS_PER_BATCH);
    if (stay.length + go.length === 0) break;
    await privacyReview.stamp(stay);
    for (const group of inGroups(go)) gone += (await purge.remove(group, now)).keys.length;
  }
  return gone;
}

/** As many as one transaction can remove from the index. */
function inGroups(rows: readonly PurgeRow[]): PurgeRow[][] {
  const groups: PurgeRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    bytes += row.bytes;
    if (bytes > DROP_BYTES_PER_BATCH) {
      groups.push([]);
      ({ bytes } = row);
    }
    groups.at(-1)?.push(row);
  }
  return groups;
}
