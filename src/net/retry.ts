import { FETCH_ATTEMPTS_MAX, RETRY_AFTER_SECONDS_MAX, RETRY_BASE_DELAY_MS } from './limits.ts';
import { SECOND_MS } from '#core/units.ts';

const BUSY_STATUSES = new Set([429, 502, 503, 504]);

/** Whether an answer asks, or allows, to be tried again. A challenge does not: it would be the same one. */
export function isBusyAnswer(response: Response): boolean {
  return BUSY_STATUSES.has(response.status) && !response.headers.has('cf-mitigated');
}

/**
 * How long to wait before the next try, in ms; `null` when there is no next try, because they are used up or the wait
 * would exceed the deadline. `Retry-After` decides if it is given. Otherwise the delay doubles, with jitter, so that
 * callers who failed together do not return together.
 */
export function retryDelay(input: {
  /** Tries made, 1 or more. */
  attempt: number;
  retryAfterSeconds: number | null;
  /** ms until the deadline. */
  leftMs: number;
  /** 0 ≤ x < 1. */
  random: number;
}): number | null {
  if (input.attempt >= FETCH_ATTEMPTS_MAX) return null;
  const backoff = RETRY_BASE_DELAY_MS * 2 ** (input.attempt - 1) * (0.5 + input.random);
  const delay = Math.max(backoff, (input.retryAfterSeconds ?? 0) * SECOND_MS);
  return delay < input.leftMs ? delay : null;
}

/**
 * `Retry-After` in whole seconds from `now`, from either form of RFC 9110 §10.2.3; `null` when absent or unreadable.
 * @param now ms since the epoch.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value), RETRY_AFTER_SECONDS_MAX);
  const at = Date.parse(value);
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(0, Math.ceil((at - now) / SECOND_MS)), RETRY_AFTER_SECONDS_MAX);
}
