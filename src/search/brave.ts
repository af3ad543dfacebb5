import type { SearchLimiter } from '#client/rate-limiter.ts';
import type { Grant } from '#client/rate-windows.ts';
import { fail } from '#core/errors.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { SEARCH_EXCHANGE_RESERVE_MS } from './limits.ts';
import { retryAfterSeconds, retryDelay } from '#net/retry.ts';
import { readBraveAnswer } from './brave-answer.ts';
import { braveFailure, mayPass } from './brave-failure.ts';
import { braveRequest } from './brave-request.ts';
import { braveWindows } from './brave-windows.ts';
import { parseJson } from '#core/json.ts';
import { ask, unavailable } from './http.ts';
import type { HttpAnswer, SearchHttp } from './http.ts';
import type { SearchProvider, SearchTime } from './provider.ts';
import { SECOND_MS } from '#core/units.ts';

/** The queue that all isolates of the deployment share. */
export type Slots = Pick<ObjectCalls<SearchLimiter>, 'reserve' | 'learn'>;

export type BraveDeps = { key: string; userAgent: string; slots: Slots; http: SearchHttp };

const TOO_MANY = 429;

/** Brave Search. Every request first takes a place in the deployment's queue; 429 and 5xx are tried again within time. */
export function braveProvider(deps: BraveDeps): SearchProvider {
  return {
    name: 'brave',
    source: 'brave',
    cacheable: true,
    async search(query, time) {
      const request = braveRequest(query, deps.key, deps.userAgent);
      const answer = await send(request, time, deps);
      const found = readBraveAnswer(parseJson(answer.text), query);
      if (found === null) unavailable('brave', 'its answer does not have the documented form');
      return { ...found, notes: [...request.notes, ...found.notes] };
    },
  };
}

async function send(
  request: { url: string; headers: Record<string, string> },
  time: SearchTime,
  deps: BraveDeps,
): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    await waitForPlace(time, deps);
    const answer = await ask('brave', request, time, deps.http, (status, headers) => tell(status, headers, deps.slots));
    if (answer.status === 200) return answer;
    const now = deps.http.now();
    const delay = retryDelay({
      attempt,
      retryAfterSeconds: retryAfterSeconds(answer.headers, now),
      leftMs: time.deadlineAt - now,
      random: deps.http.random(),
    });
    if (delay === null || !mayPass(answer)) fail(braveFailure(answer, braveWindows(answer.headers)));
    await deps.http.sleep(delay, time.signal);
  }
}

/** The queue must not be what breaks a search: without it Brave itself says what is too fast. */
async function waitForPlace(time: SearchTime, { slots, http }: BraveDeps): Promise<void> {
  const patienceMs = Math.max(0, time.deadlineAt - http.now() - SEARCH_EXCHANGE_RESERVE_MS);
  const grant = await slots.reserve(patienceMs).catch((): Grant => ({ granted: true, waitMs: 0 }));
  if (!grant.granted) {
    const seconds = Math.max(1, Math.ceil(grant.retryAfterMs / SECOND_MS));
    fail({ code: 'search_rate_limited', provider: 'brave', retryAfterSeconds: seconds });
  }
  if (grant.waitMs > 0) await http.sleep(grant.waitMs, time.signal);
}

async function tell(status: number, headers: Headers, slots: Slots): Promise<void> {
  const windows = braveWindows(headers);
  const refused = status === TOO_MANY;
  if (windows.length === 0 && !refused) return;
  await slots.learn(windows, refused).catch(() => {});
}
