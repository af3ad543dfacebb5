import { KIB } from '#core/units.ts';

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** Code and table lines are never broken below this; beyond it a single line could not be shown at all. */
export const LINE_BYTES_MAX = 32 * KIB;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** What stands beside the main part of a page: menus and a thousand comments; a page of nothing else is all main part. */
export const REST_BYTES_MAX = 512 * KIB;
