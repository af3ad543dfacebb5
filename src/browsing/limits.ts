import { SECOND_MS } from '#core/limits.ts';

// ── Browser ─────────────────────────────────────────────────────────────────────────────────────────────
/** One step of trying the browser: to start one may take two tries and a wait, everything else takes a second. */
export const TRIAL_STEP_MS_MAX = 40 * SECOND_MS;

// ── Screenshots ─────────────────────────────────────────────────────────────────────────────────────────
/** Events of a page that one result tells: the first ones say most. */
export const PAGE_EVENTS_SHOWN_MAX = 8;
