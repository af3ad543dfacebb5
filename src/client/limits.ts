import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/**
 * Calls that one person may start at a time in one isolate, so that others get their turn. A call that takes longer
 * than the lease is waiting for something, and no longer counts.
 */
export const CALL_PLACES = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** How long a call waits for its place. Together with the longest call it is still below what hosts wait for. */
export const CALL_WAIT_MS = 14 * SECOND_MS;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Pages that a person opened recently, as resources. The oldest are dropped first. */
export const RECENTS_PER_SUBJECT_MAX = 500;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Windows up to this length are a pace that searches can queue for. Longer ones are a quota. */
export const RATE_PACE_WINDOW_MAX_MS = 1 * MINUTE_MS;
/**
 * Requests that are sent one window apart arrive a little closer or further apart. Without this, some would be too
 * early.
 */
export const RATE_PACE_SLACK_MS = 100;
/** Requests of one window that are spaced out. A faster plan needs no queue. */
export const RATE_PACE_LIMIT_MAX = 100;
/** How often a used-up quota is tried again, because a plan can be raised before its month ends. */
export const RATE_QUOTA_PROBE_MS = 15 * MINUTE_MS;

// ── Budgets ─────────────────────────────────────────────────────────────────────────────────────────────
/**
 * A day is counted in slots, and whole slots leave the window. That is 97 numbers for each budget, and room returns up
 * to a quarter of an hour late.
 */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
export const BUDGET_MINUTE_MS = 1 * MINUTE_MS;
export const BUDGET_MINUTE_SLOT_MS = 1 * SECOND_MS;
/** Units that a subject takes in advance, so that most calls ask no other object and write nothing. */
export const BUDGET_BLOCK_MAX = { calls: 64, searches: 16, browser_ms: 1 * MINUTE_MS } as const;
/** The largest share of what is left that is taken in advance. Unused units are lost, so it must be small. */
export const BUDGET_BLOCK_SHARE = 1 / 1024;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/** Rows that a subject may hold. The least recently used are dropped first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** Consent decisions that are kept: more clients than a person connects in years. */
export const CONSENT_MEMORIES_MAX = 500;
/** Unused clients in the store, at most 32 MB. The oldest are dropped first, so a flood does not stop new ones. */
export const UNUSED_CLIENTS_MAX = 2_000;

// ── Refresh tokens ──────────────────────────────────────────────────────────────────────────────────────
/**
 * Replaced tokens of a grant that are still recognised, so that a stolen one ends the grant. That is more than three
 * years of daily refreshes; of a client that refreshes all the time, the oldest are dropped first.
 */
export const REPLACED_TOKENS_PER_GRANT_MAX = 1_000;
/**
 * Access tokens of a grant that are remembered by name, to end them with it. The key-value store lists older ones; it
 * may take a minute to list new ones.
 */
export const ISSUED_TOKENS_PER_GRANT_MAX = 1_000;
/** How long an ended grant is remembered: far longer than the key-value store may still show it, which is a minute. */
export const GRANT_ENDED_MS = 24 * HOUR_MS;

// ── Secrets ─────────────────────────────────────────────────────────────────────────────────────────────
/** Secrets that one person may keep: more than anybody lets a model use. */
export const SECRETS_PER_SUBJECT_MAX = 100;
/** A shorter value would be found in words that have nothing to do with it, and could be guessed. */
export const SECRET_VALUE_CHARS_MIN = 6;
/** Length of a secret's value: a long passphrase. */
export const SECRET_VALUE_CHARS_MAX = 500;
/** Sites of one secret: a service with its sign-in host and a few others. */
export const SECRET_SITES_MAX = 10;
