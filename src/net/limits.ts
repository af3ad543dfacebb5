import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const REDIRECTS_MAX = 5;
/** Including the first try. */
export const FETCH_ATTEMPTS_MAX = 3;
/** A site that says "too many requests" is asked once more: further tries are what it asks to be spared. */
export const RATE_LIMITED_ATTEMPTS_MAX = 2;
export const RETRY_BASE_DELAY_MS = 250;
/** RFC 9309 §2.5 asks for at least 500 KiB; the rest is ignored. */
export const ROBOTS_BYTES_MAX = 512_000;
export const ROBOTS_TTL_MS = 24 * HOUR_MS;
/** An unreachable robots.txt closes the site (RFC 9309 §2.3.1.4). It is requested again after this, not after a day. */
export const ROBOTS_UNREACHABLE_TTL_MS = 5 * MINUTE_MS;
export const ROBOTS_DEADLINE_MS = 8 * SECOND_MS;
export const DNS_DEADLINE_MS = 5 * SECOND_MS;
export const DNS_CACHE_TTL_MAX_MS = 5 * MINUTE_MS;
/**
 * Politeness: at most `max` requests to one host at a time from one isolate. The holder of a permit confirms it every
 * `beatMs`, so a permit whose holder was killed is soon free. The lease is longer than any work keeps the thread busy.
 * Those who wait look at the clock, because promises must not cross requests.
 */
export const HOST_PERMITS = {
  max: 4,
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  pollMsMax: 40,
  restMs: 0,
} as const;
/**
 * Longer lines of a robots.txt are cut here, as the largest crawler does: eight times 2,083, the old limit for URLs.
 */
export const ROBOTS_LINE_BYTES_MAX = 2_083 * 8 - 1;
/**
 * Byte comparisons that one robots.txt decision may take: under 0.2 s of CPU. A file that needs more closes the site.
 */
export const ROBOTS_STEPS_MAX = 20_000_000;
export const ROBOTS_MEMORY_BODY_BYTES_MAX = 32 * KIB;
/** Bot walls and sign-in pages are smaller. Larger pages are content and are not searched. */
export const CHALLENGE_SCAN_CHARS_MAX = 400_000;
/** A response header is recorded up to this length. */
export const HEADER_CHARS_MAX = 1_000;
