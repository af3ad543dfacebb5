import { RATE_PACE_LIMIT_MAX, RATE_PACE_SLACK_MS, RATE_PACE_WINDOW_MAX_MS, RATE_QUOTA_PROBE_MS } from './limits.ts';

/**
 * When a deployment may send its next request to a service that counts requests over sliding windows. Decides purely:
 * state and `now` (ms) in, state out. Short windows are a pace that callers queue for; long ones are a quota that runs
 * out.
 */

/** One window as the service reports it; durations in ms from now. */
export type RateWindow = {
  /** Requests the window holds. 0 says that the service does not count this one. */
  limit: number;
  windowMs: number;
  remaining: number | null;
  resetMs: number | null;
};

/** Go at `waitMs` from now, or come back later. */
export type Grant = { granted: true; waitMs: number } | { granted: false; retryAfterMs: number };

type Pace = { limit: number; windowMs: number };
type Quota = {
  remaining: number;
  resetAt: number;
  /** When one request may find out whether the quota is really still used up. */
  probeAt: number;
};

export type RateState = {
  paces: Pace[];
  /** Times (ms) of the newest places given out, in order; some lie ahead. */
  taken: number[];
  quota: Quota | null;
  /** The service said "too many": nobody goes before this (ms). */
  pausedUntil: number;
};

/** Before the service has said anything: one request a second, the pace of the smallest plans. */
export function freshState(): RateState {
  return { paces: [{ limit: 1, windowMs: 1000 }], taken: [], quota: null, pausedUntil: 0 };
}

/**
 * Gives out the next free place, or refuses when it lies further ahead than `waitMaxMs`. A refusal says when a caller
 * with the same patience would get one.
 */
export function reserve(state: RateState, now: number, waitMaxMs: number): { state: RateState; grant: Grant } {
  const { quota } = state;
  if (quota !== null && quota.remaining <= 0 && now < Math.min(quota.resetAt, quota.probeAt)) {
    return { state, grant: { granted: false, retryAfterMs: quota.resetAt - now } };
  }
  const at = Math.max(now, state.pausedUntil, ...state.paces.map((pace) => freeAt(state.taken, pace)));
  const waitMs = at - now;
  if (waitMs > waitMaxMs) return { state, grant: { granted: false, retryAfterMs: waitMs - waitMaxMs } };
  return {
    state: { ...state, taken: withPlace(state.taken, at), quota: quota === null ? null : spend(quota, now) },
    grant: { granted: true, waitMs },
  };
}

/**
 * Takes in what the service reported with an answer.
 * @param refused the answer was "too many requests"
 */
export function learn(state: RateState, windows: readonly RateWindow[], refused: boolean, now: number): RateState {
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
 * The first time at which a pace has room. Any window that ends there then holds at most `limit - 1` others, whatever
 * lies ahead already.
 */
function freeAt(taken: readonly number[], { limit, windowMs }: Pace): number {
  const oldest = taken[taken.length - limit];
  return oldest === undefined ? 0 : oldest + windowMs + RATE_PACE_SLACK_MS;
}

function withPlace(taken: readonly number[], at: number): number[] {
  return [...taken, at].sort((a, b) => a - b).slice(-RATE_PACE_LIMIT_MAX);
}

function spend(quota: Quota, now: number): Quota {
  return { ...quota, remaining: Math.max(0, quota.remaining - 1), probeAt: now + RATE_QUOTA_PROBE_MS };
}

/** The long window that is nearest to its end; one that does not say what remains is no help. */
function scarcest(long: readonly RateWindow[], now: number): Quota | null {
  let found: Quota | null = null;
  for (const { remaining, resetMs, windowMs } of long) {
    if (remaining === null || (found !== null && found.remaining <= remaining)) continue;
    found = { remaining, resetAt: now + (resetMs ?? windowMs), probeAt: now + RATE_QUOTA_PROBE_MS };
  }
  return found;
}

/** A refusal lasts as long as the service says, within the windows that have a pace. */
function pauseMs(short: readonly RateWindow[], paces: readonly Pace[]): number {
  const told = short.filter((window) => window.remaining === 0).map((window) => window.resetMs ?? window.windowMs);
  const pause = told.length > 0 ? Math.max(...told) : Math.max(...paces.map((pace) => pace.windowMs));
  return Math.min(pause, RATE_PACE_WINDOW_MAX_MS) + RATE_PACE_SLACK_MS;
}

/**
 * Something that may happen `max` times in a row and then once every `windowMs / max`: the generic cell rate algorithm
 * of ATM. Whoever has used it up waits for one step, never for a whole window. Decides purely: what is kept and `now`
 * (ms) in, what is to be kept out.
 */
export type Bucket = { key: string; max: number; windowMs: number };

/** Whether it may happen once more, or how long until it may. */
export type Attempt = { granted: true } | { granted: false; retryAfterMs: number };

type Paced = Pick<Bucket, 'max' | 'windowMs'>;

/** How long until an attempt is free. @param emptyAt (ms) when the bucket will have nothing in it, as it was kept */
export function msUntilRoom({ max, windowMs }: Paced, emptyAt: number, now: number): number {
  return Math.max(0, Math.ceil(Math.max(now, emptyAt) + windowMs / max - windowMs - now));
}

/** When the bucket is empty after one attempt more. */
export function afterAttempt({ max, windowMs }: Paced, emptyAt: number, now: number): number {
  return Math.max(now, emptyAt) + Math.ceil(windowMs / max);
}

/** When it is empty after one attempt less. */
export function withoutAttempt({ max, windowMs }: Paced, emptyAt: number): number {
  return emptyAt - Math.ceil(windowMs / max);
}
