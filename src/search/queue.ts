import type { Grant, SearchLimiter } from '#client/pace/search-limiter.ts';
import { fail } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { ProviderName, SearchHttp, SearchTime } from './provider.ts';

/**
 * Time in ms that is reserved for the request itself. A search does not wait in the queue during this time before its
 * deadline.
 */
const SEARCH_EXCHANGE_RESERVE_MS = 3 * SECOND_MS;

export type Limiter = Pick<ObjectCalls<SearchLimiter>, 'reserve' | 'learn'>;

/**
 * Waits until the queue allows a request. If the queue itself fails, the search continues without it, because the
 * search service also limits the rate.
 * @throws {PeriscopeError} `search_rate_limited` if the queue allows no request in time
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
