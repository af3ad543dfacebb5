import { SECOND_MS } from '#core/units.ts';

// ── Browser: views and refs ─────────────────────────────────────────────────────────────────────────
/** What the gate decided for a host is asked again after this: far below any DNS answer's usual life. */
export const BROWSER_GATE_MEMORY_MS = 30 * SECOND_MS;
/** Hosts of one page are a few dozen. */
export const BROWSER_GATE_MEMORY_MAX = 500;
/** A request whose host cannot be looked up in this time is refused. */
export const BROWSER_GATE_MS = 5 * SECOND_MS;

// ── Rendering pages for reading ─────────────────────────────────────────────────────────────────────────
/** Requests of one browser that are looked at: heavy pages send a thousand in a few seconds. */
export const BROWSER_REQUEST_RATE = { burst: 2_000, perSecond: 200 } as const;
