import { MINUTE_MS } from '#core/limits.ts';
import * as z from 'zod';
import { BUDGET_DAY_WINDOW } from '#client/deployment/deployment-budgets.ts';
import { availableAmount, computeRetryAfterMs, slotAt, addToSlot } from '#core/flow/rate-limits.ts';
import { RATE_JITTER_ALLOWANCE_MS, QUOTA_PROBE_INTERVAL_MS } from '#client/limits.ts';

/** Longest rate-limit window for which searches queue. Longer windows are quotas, such as searches per month. */
const RATE_PACE_WINDOW_MAX_MS = 1 * MINUTE_MS;
/** Maximum requests per window that the limiter counts. A higher limit is treated as this one, which is fast enough. */
const RATE_PACE_LIMIT_MAX = 100;

/** A rate-limit window as the search service reports it, with durations in ms from now. */
export type RateWindow = {
  /** Requests per window; 0 if the service does not enforce this window. */
  limit: number;
  windowMs: number;
  remaining: number | null;
  resetMs: number | null;
};

/** `waitMs` is the delay before the request may be sent. */
export type RateGrant = { granted: true; waitMs: number } | { granted: false; retryAfterMs: number };

const storedState = z.object({
  paces: z.array(z.object({ limit: z.number(), windowMs: z.number() })),
  /** Times of the latest reservations in ms, in order; some are in the future. */
  taken: z.array(z.number()),
  /** `probeAt`: time at which one request may test whether the quota is still exhausted. */
  quota: z.object({ remaining: z.number(), resetAt: z.number(), probeAt: z.number() }).nullable(),
  /** Time before which no request is sent, set after "too many requests", as Unix time in ms. */
  pausedUntil: z.number(),
});

export type SearchRateState = z.output<typeof storedState>;
type Pace = SearchRateState['paces'][number];
type Quota = NonNullable<SearchRateState['quota']>;

const STATE_KEY = 'state';
const DAY_KEY = 'day';
const storedDay = z.array(z.tuple([z.number(), z.number()]));

/**
 * Rate limiter for a search API key whose service counts requests over sliding windows. All isolates of the deployment
 * share it. Callers queue for short windows; long windows are quotas that run out. Returns times and blocks no caller:
 * callers wait on their side. Each change is written, so a restart loses no reservation.
 */
export class SearchLimiter {
  readonly #values: SyncKvStorage;
  #state: SearchRateState;

  constructor(values: SyncKvStorage) {
    this.#values = values;
    const stored = storedState.safeParse(values.get(STATE_KEY));
    this.#state = stored.success ? stored.data : createSearchRateState();
  }

  reserve(waitMaxMs: number): RateGrant {
    const { state, grant } = reserveRequestTime(this.#state, Date.now(), waitMaxMs);
    if (grant.granted) this.#keep(state);
    return grant;
  }

  learn(windows: RateWindow[], refused: boolean): void {
    this.#keep(learnRateLimits(this.#state, windows, refused, Date.now()));
  }

  /**
   * Takes one of the requests that the owner allows in any 24 hours for a paid service.
   * @returns `null` if taken, or the time (ms) until one is free
   */
  takeOfDay(limit: number): number | null {
    const now = Date.now();
    const taken = storedDay.safeParse(this.#values.get(DAY_KEY)).data ?? [];
    if (availableAmount(taken, limit, now, BUDGET_DAY_WINDOW) < 1)
      return computeRetryAfterMs(taken, limit, 1, now, BUDGET_DAY_WINDOW);
    this.#values.put(DAY_KEY, addToSlot(taken, slotAt(now, BUDGET_DAY_WINDOW), 1, BUDGET_DAY_WINDOW));
    return null;
  }

  #keep(state: SearchRateState): void {
    this.#state = state;
    this.#values.put(STATE_KEY, state);
  }
}

/** State before the service has reported its limits: one request per second, as on the smallest plans. */
export function createSearchRateState(): SearchRateState {
  return { paces: [{ limit: 1, windowMs: 1000 }], taken: [], quota: null, pausedUntil: 0 };
}

/**
 * Reserves the next free time, or refuses if it is more than `waitMaxMs` ahead. After a refusal, the same call will
 * succeed once `retryAfterMs` have passed, unless other calls have reserved that time.
 */
export function reserveRequestTime(
  state: SearchRateState,
  now: number,
  waitMaxMs: number,
): { state: SearchRateState; grant: RateGrant } {
  const { quota } = state;
  if (quota !== null && quota.remaining <= 0 && now < Math.min(quota.resetAt, quota.probeAt)) {
    return { state, grant: { granted: false, retryAfterMs: quota.resetAt - now } };
  }
  const at = Math.max(now, state.pausedUntil, ...state.paces.map((pace) => freeAt(state.taken, pace, now)));
  const waitMs = at - now;
  if (waitMs > waitMaxMs) return { state, grant: { granted: false, retryAfterMs: waitMs - waitMaxMs } };
  return {
    state: { ...state, taken: withPlace(state.taken, at), quota: quota === null ? null : spend(quota, now) },
    grant: { granted: true, waitMs },
  };
}

/**
 * Records the limits that the service reported.
 * @param refused true for "too many requests"
 */
export function learnRateLimits(
  state: SearchRateState,
  windows: readonly RateWindow[],
  refused: boolean,
  now: number,
): SearchRateState {
  const counted = windows.filter((window) => window.limit > 0 && window.windowMs > 0);
  const short = counted.filter((window) => window.windowMs <= RATE_PACE_WINDOW_MAX_MS);
  const long = counted.filter((window) => window.windowMs > RATE_PACE_WINDOW_MAX_MS);
  const paces = short.map(({ limit, windowMs }) => ({ limit: Math.min(limit, RATE_PACE_LIMIT_MAX), windowMs }));
  const quota = windows.length === 0 ? state.quota : scarcest(long, now);
  const usedUp = quota !== null && quota.remaining <= 0;
  return {
    paces: paces.length === 0 ? state.paces : paces,
    taken: state.taken,
    quota,
    pausedUntil:
      refused && !usedUp ? Math.max(state.pausedUntil, now + pauseMs(short, state.paces)) : state.pausedUntil,
  };
}

/**
 * Earliest time for a request. The window that ends at this time contains at most `limit - 1` others, including future
 * ones.
 */
function freeAt(taken: readonly number[], { limit, windowMs }: Pace, now: number): number {
  // Each reservation is a slot of one ms. It counts until the whole slot has left the window.
  const window = { windowMs: windowMs + RATE_JITTER_ALLOWANCE_MS - 1, slotMs: 1 };
  return (
    now +
    computeRetryAfterMs(
      taken.map((at) => [at, 1] as const),
      limit,
      1,
      now,
      window,
    )
  );
}

function withPlace(taken: readonly number[], at: number): number[] {
  return [...taken, at].sort((a, b) => a - b).slice(-RATE_PACE_LIMIT_MAX);
}

function spend(quota: Quota, now: number): Quota {
  return { ...quota, remaining: Math.max(0, quota.remaining - 1), probeAt: now + QUOTA_PROBE_INTERVAL_MS };
}

/** The long window with the fewest remaining requests, among those that report the number; `null` for none. */
function scarcest(long: readonly RateWindow[], now: number): Quota | null {
  let found: Quota | null = null;
  for (const { remaining, resetMs, windowMs } of long) {
    if (remaining === null || (found !== null && found.remaining <= remaining)) continue;
    found = { remaining, resetAt: now + (resetMs ?? windowMs), probeAt: now + QUOTA_PROBE_INTERVAL_MS };
  }
  return found;
}

function pauseMs(short: readonly RateWindow[], paces: readonly Pace[]): number {
  const told = short.filter((window) => window.remaining === 0).map((window) => window.resetMs ?? window.windowMs);
  const pause = told.length > 0 ? Math.max(...told) : Math.max(...paces.map((pace) => pace.windowMs));
  return Math.min(pause, RATE_PACE_WINDOW_MAX_MS) + RATE_JITTER_ALLOWANCE_MS;
}
