import { KIB } from '#core/limits.ts';

// ── Extraction ──────────────────────────────────────────────────────────────────────────────────────────
/** Code and table lines that are shorter are never broken. A longer line could not be shown at all. */
export const LINE_BYTES_MAX = 32 * KIB;
/** Lines of one document: 1,500 viewports. A line takes some 100 bytes of heap while it is made, however short it is. */
export const LINES_MAX = 300_000;

// ── Documents ───────────────────────────────────────────────────────────────────────────────────────────
/** The rest of a page: menus and a thousand comments. A page that consists of such parts has them as its main part. */
export const REST_BYTES_MAX = 512 * KIB;
