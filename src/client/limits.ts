import { HOUR_MS, MINUTE_MS } from '#core/limits.ts';

/**
 * Maximum concurrent calls (`max`) of one user in an isolate, so that other users are also served. A call that runs
 * longer than `leaseMs` is probably waiting for a site, so it no longer counts.
 */
export const CALL_PERMIT_RULE = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** Maximum recently opened pages of a user that are offered as resources. The oldest are dropped first. */
export const RECENT_PAGES_PER_SUBJECT_MAX = 500;
/**
 * Tolerance (ms) for network jitter. Without it, some requests sent one rate-limit window apart would arrive too early.
 */
export const RATE_JITTER_ALLOWANCE_MS = 100;
/**
 * Interval for testing whether an exhausted quota has been raised, because the owner may upgrade the plan before the
 * month ends.
 */
export const QUOTA_PROBE_INTERVAL_MS = 15 * MINUTE_MS;
/**
 * Length of a budget's day, a sliding window. Its slots leave the window as a whole, so a budget is stored as at most
 * 97 numbers, and used units become available again up to a quarter of an hour late.
 */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
/** Maximum cursors of a subject. The least recently used are dropped first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;
/**
 * Maximum unused OAuth clients in the store: at most 32 MB. The oldest are removed, so that a flood cannot block new
 * ones.
 */
export const UNUSED_OAUTH_CLIENTS_MAX = 2_000;
/** Maximum secrets of one user. Users let models use fewer. */
export const SECRETS_PER_SUBJECT_MAX = 100;
/** Minimum characters of a secret. A shorter value could be guessed, and masking it would mask unrelated words. */
export const SECRET_VALUE_CHARS_MIN = 6;
export const SECRET_VALUE_CHARS_MAX = 500;
/** Maximum sites of one secret: a service with its sign-in host and a few others. */
export const SITES_PER_SECRET_MAX = 10;
