import type { Grant, SearchLimiter } from '#client/pace/search-limiter.ts';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { ProviderName, SearchHttp, SearchTime } from './provider.ts';

/** Time that a queued search reserves for the request itself. */
const SEARCH_EXCHANGE_RESERVE_MS = 3 * SECOND_MS;

export type Limiter = Pick<ObjectCalls<SearchLimiter>, 'reserve' | 'learn'>;

/**
 * Waits for a place in the queue. A failing queue does not fail the search: the service itself limits the rate.
 * @throws {PeriscopeError} `search_rate_limited` if there is no place in time
 */
export async function waitForPlace(
  provider: ProviderName,
  limiter: Limiter,
  time: SearchTime,
  http: Pick<SearchHttp, 'now' | 'sleep'>,
): Promise<void> {
  const patienceMs = Math.max(0, time.deadlineAt - http.now() - SEARCH_EXCHANGE_RESERVE_MS);
  const grant = await limiter.reserve(patienceMs).catch((): Grant => ({ granted: true, waitMs: 0 }));
  if (!grant.granted) {
    const seconds = Math.max(1, Math.ceil(grant.retryAfterMs / SECOND_MS));
    fail({ code: 'search_rate_limited', provider, retryAfterSeconds: seconds });
  }
  if (grant.waitMs > 0) await http.sleep(grant.waitMs, time.signal);
}
