import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const REDIRECTS_MAX = 5;
/** Includes the first attempt. */
export const FETCH_ATTEMPTS_MAX = 3;
/** RFC 9309 §2.5 requires at least 500 KiB; the rest is ignored. */
export const ROBOTS_BYTES_MAX = 512_000;
export const ROBOTS_TTL_MS = 24 * HOUR_MS;
/**
 * An unreachable robots.txt closes the site (RFC 9309 §2.3.1.4). It is fetched again after this time, not after a day.
 */
export const ROBOTS_UNREACHABLE_TTL_MS = 5 * MINUTE_MS;
export const DNS_CACHE_TTL_MAX_MS = 5 * MINUTE_MS;
/**
 * Politeness: at most `max` concurrent requests to one host from one isolate. The holder of a permit renews it every
 * `beatMs`, so the permit of a killed holder is soon free. The lease is longer than any work blocks the thread. Waiters
 * poll, because promises must not cross requests.
 */
export const HOST_PERMITS = {
  max: 4,
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  pollMsMax: 40,
  restMs: 0,
} as const;
/** Longer lines of a robots.txt are cut here, as the largest crawler does: eight times 2,083, the former URL limit. */
export const ROBOTS_LINE_BYTES_MAX = 2_083 * 8 - 1;
/**
 * Byte comparisons that one robots.txt decision may take: under 0.2 s of CPU. A file that needs more closes the site.
 */
export const ROBOTS_STEPS_MAX = 20_000_000;
/** Bot checks and sign-in pages are smaller. Larger pages are content and are not scanned. */
export const CHALLENGE_SCAN_CHARS_MAX = 400_000;
export const HEADER_CHARS_MAX = 1_000;
