import { purgeExpiredGrants } from '#auth/server/connections.ts';
import { oauthApi } from '#auth/server/provider.ts';
import { parseConfig } from '#core/config.ts';
import {
  DROP_BYTES_PER_BATCH,
  DROP_DOCUMENTS_PER_BATCH,
  INDEX_PER_HOUR_BYTES,
  TOKEN_EXPIRED_KEPT_MS,
} from '#core/limits.ts';
import { DROP_GRACE_MS, JUDGE_BATCHES_MAX } from '#reading/limits.ts';
import { sweepDocuments } from '#storage/pages/eviction.ts';
import { indexDue } from '#storage/search/search-index.ts';
import { logSweep, logUnexpected } from '#telemetry/log.ts';
import { authDepsOf, partsOf } from './compose.ts';
import type { Parts } from './compose.ts';
import type { Judged } from '#storage/pages/judged.ts';
import type { Purge, PurgeRow } from '#storage/pages/purge.ts';

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

type JudgeDeps = { judged: Judged; purge: Purge };

/**
 * Judges public pages that were stored under an older rule of privacy. Who opened those that the rule keeps private is
 * not known any more, so their snapshots go; what a cursor may show stays until its hold is over. Bounded: what is left
 * waits for the next run.
 * @returns how many snapshots went
 */
export async function judgePages({ judged, purge }: JudgeDeps, now: number): Promise<number> {
  let gone = 0;
  for (let batch = 0; batch < JUDGE_BATCHES_MAX; batch += 1) {
    const { stay, go } = await judged.next(DROP_DOCUMENTS_PER_BATCH);
    if (stay.length + go.length === 0) break;
    await judged.stamp(stay);
    for (const group of inGroups(go)) gone += (await purge.remove(group, now)).keys.length;
  }
  return gone;
}

/** What one transaction can take out of the index. */
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
