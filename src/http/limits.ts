import { SECOND_MS } from '#core/units.ts';

// ── Fetching ────────────────────────────────────────────────────────────────────────────────────────────
/** `/healthz` asks the database once in so long in each isolate, whoever asks how often, and waits so long for it. */
export const READINESS_KEPT_MS = 5 * SECOND_MS;
/** That it is not is kept for less: whoever makes it ready asks again. */
export const PROBLEM_KEPT_MS = SECOND_MS;
export const READINESS_ASK_MS = 5 * SECOND_MS;

// ── Health ──────────────────────────────────────────────────────────────────────────────────────────────
/** For one part; a person waits for the page, and all parts are looked at together. */
export const HEALTH_CHECK_DEADLINE_MS = 10 * SECOND_MS;
