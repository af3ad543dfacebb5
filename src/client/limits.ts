import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/**
 * Maximum calls of one user that an isolate runs at once, so that other users get their share. A call that runs longer
 * than the lease is waiting for something, and no longer counts.
 */
export const CALL_PERMITS = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** Longest wait of a call for its permit. Together with the longest call, it is below the timeout of MCP hosts. */
export const CALL_WAIT_MS = 14 * SECOND_MS;
/** Maximum recently opened pages of a user that are offered as resources. The oldest are dropped first. */
export const RECENTS_PER_SUBJECT_MAX = 500;
/** Allowance for network jitter. Without it, some requests that are sent one window apart would arrive too early. */
export const RATE_PACE_SLACK_MS = 100;
/** Interval for retrying an exhausted quota, because a plan can be upgraded before its month ends. */
export const RATE_QUOTA_PROBE_MS = 15 * MINUTE_MS;
/**
 * Length of a budget's day. It is counted in slots that leave the window as a whole: 97 numbers per budget. Room
 * becomes free up to a quarter of an hour late.
 */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
/** Maximum cursors of a subject. The least recently used are dropped first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;
/** Maximum unused clients in the store, at most 32 MB. The oldest are dropped, so a flood does not block new ones. */
export const UNUSED_CLIENTS_MAX = 2_000;
/** Maximum secrets of one user: more than anyone lets a model use. */
export const SECRETS_PER_SUBJECT_MAX = 100;
/** Minimum characters of a secret. A shorter value would match unrelated words, and could be guessed. */
export const SECRET_VALUE_CHARS_MIN = 6;
export const SECRET_VALUE_CHARS_MAX = 500;
/** Maximum sites of one secret: a service with its sign-in host and a few others. */
export const SECRET_SITES_MAX = 10;
