import { KIB, SECOND_MS } from '#core/limits.ts';

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** How long a decision for a host is remembered: much shorter than the usual lifetime of a DNS answer. */
export const BROWSER_GATE_MEMORY_MS = 30 * SECOND_MS;
/** A page uses a few dozen hosts. */
export const BROWSER_GATE_MEMORY_MAX = 500;
/** A request is refused if its host cannot be looked up in this time. */
export const BROWSER_GATE_MS = 5 * SECOND_MS;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Requests of one browser that are checked. Heavy pages send a thousand within seconds. */
export const BROWSER_REQUEST_RATE = { burst: 2_000, perSecond: 200 } as const;

// ── Files ───────────────────────────────────────────────────────────────────────────────────────────────
/** Of the body of a download that is asked for at once. */
export const FILE_READ_BYTES = 512 * KIB;
