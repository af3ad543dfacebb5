import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/units.ts';

// ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────
/**
 * Calls that one person may begin at a time in one isolate: more would be worked at together, before anybody else's. A call
 * that takes longer than the lease waits for something, and is not counted any more.
 */
export const CALL_PLACES = { max: 10, leaseMs: 500, pollMs: 20, pollMsMax: 320, restMs: 0 } as const;
/** How long a call waits for its place: with the longest call that is still below what hosts wait for. */
export const CALL_WAIT_MS = 14 * SECOND_MS;

// ── Cache ───────────────────────────────────────────────────────────────────────────────────────────────
/** Pages a person opened lately, as resources; the least recent go first. */
export const RECENTS_PER_SUBJECT_MAX = 500;

// ── Web search ──────────────────────────────────────────────────────────────────────────────────────────
/** Windows up to here are a pace one can queue for; longer ones are a quota. */
export const RATE_PACE_WINDOW_MAX_MS = 1 * MINUTE_MS;
/** Requests sent a window apart arrive a little closer or further: without this every few would be too early. */
export const RATE_PACE_SLACK_MS = 100;
/** Requests of one window that are kept apart; a faster plan needs no queue. */
export const RATE_PACE_LIMIT_MAX = 100;
/** How often a used-up quota is tried again: a plan can be raised before its month ends. */
export const RATE_QUOTA_PROBE_MS = 15 * MINUTE_MS;

// ── Budgets ─────────────────────────────────────────────────────────────────────────────────────────────
/** A day is counted in slots, and a slot leaves the window whole: 97 numbers a budget, and room a quarter of an hour late. */
export const BUDGET_DAY_MS = 24 * HOUR_MS;
export const BUDGET_DAY_SLOT_MS = 15 * MINUTE_MS;
export const BUDGET_MINUTE_MS = 1 * MINUTE_MS;
export const BUDGET_MINUTE_SLOT_MS = 1 * SECOND_MS;
/** Units that a subject takes in advance, so that most calls ask no other object and write nothing. */
export const BUDGET_BLOCK_MAX = { calls: 64, searches: 16, browser_ms: 1 * MINUTE_MS } as const;
/** What is taken in advance is at most this share of what is left: unused it is lost, and must not be missed. */
export const BUDGET_BLOCK_SHARE = 1 / 1024;

// ── Cursors ─────────────────────────────────────────────────────────────────────────────────────────────
/** Rows a subject may hold; the least recently used go first. */
export const CURSORS_PER_SUBJECT_MAX = 2_000;

// ── Sign-in ─────────────────────────────────────────────────────────────────────────────────────────────
/** Decisions kept: more clients than a person connects in years. */
export const CONSENT_MEMORIES_MAX = 500;
/** Clients of that kind in the store, 32 MB at the very most; the oldest go first, so that a flood stops no new one. */
export const UNUSED_CLIENTS_MAX = 2_000;
