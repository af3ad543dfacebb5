import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/**
 * Calls that one person may start at a time in one isolate, so that others get their turn. A call that takes longer
 * than the lease is waiting for something, and no longer counts.
 */
export const CALL_PERMITS = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** How long a call waits for its permit. Together with the longest call it is still below what hosts wait for. */
export const CALL_WAIT_MS = 14 * SECOND_MS;
/** Pages that a person opened recently, as resources. The oldest are dropped first. */
export const RECENTS_PER_SUBJECT_MAX = 500;
/**
 * Requests that are sent one window apart arrive a little closer or further apart. Without this, some would be too
 * early.
 */
export const RATE_PACE_SLACK_MS = 100;
/** How often a used-up quota is tried again, because a plan can be raised before its month ends. */
export const RATE_QUOTA_PROBE_MS = 15 * MINUTE_MS;
/**
 * A day is counted in slots, and whole slots leave the window. That is 97 numbers for each budget, and room returns up
 * to a quarter of an hour late.
 */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
export const BUDGET_MINUTE_MS = 1 * MINUTE_MS;
export const BUDGET_MINUTE_SLOT_MS = 1 * SECOND_MS;
/** Rows that a subject may hold. The least recently used are dropped first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;
/** Unused clients in the store, at most 32 MB. The oldest are dropped first, so a flood does not stop new ones. */
export const UNUSED_CLIENTS_MAX = 2_000;
/** Secrets that one person may keep: more than anybody lets a model use. */
export const SECRETS_PER_SUBJECT_MAX = 100;
/** A shorter value would be found in words that have nothing to do with it, and could be guessed. */
export const SECRET_VALUE_CHARS_MIN = 6;
/** Length of a secret's value: a long passphrase. */
export const SECRET_VALUE_CHARS_MAX = 500;
/** Sites of one secret: a service with its sign-in host and a few others. */
export const SECRET_SITES_MAX = 10;
