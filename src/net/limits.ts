import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum attempts of a request, including the first one. */
export const FETCH_ATTEMPTS_MAX = 3;
/** Bytes of a robots.txt that are read; all further bytes are ignored. RFC 9309 §2.5 requires at least 500 KiB. */
export const ROBOTS_BYTES_MAX = 512_000;
export const ROBOTS_TTL_MS = 24 * HOUR_MS;
/**
 * Time in ms until an unreachable robots.txt is fetched again. A robots.txt that was read is cached for a day. While it
 * is unreachable, the whole site counts as disallowed (RFC 9309 §2.3.1.4), so this time is much shorter.
 */
export const ROBOTS_UNREACHABLE_TTL_MS = 5 * MINUTE_MS;
export const DNS_CACHE_TTL_MAX_MS = 5 * MINUTE_MS;
/**
 * Limits concurrent requests to one host from one isolate to `max`, out of politeness. The holder of a permit renews it
 * every `beatMs`, so that the permit of a killed holder is soon free. The lease is longer than any work that blocks the
 * thread. Waiting requests poll every `pollMs`, because a promise cannot be shared between requests. One person holds at
 * most {@link PERSON_HOST_PERMITS_MAX}, so that a person whose pages never answer does not keep the others from a host.
 */
export const HOST_PERMIT_RULE = {
  max: 5,
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  pollMsMax: 40,
  restMs: 0,
} as const;
export const PERSON_HOST_PERMITS_MAX = 4;
/**
 * Maximum bytes of a line in robots.txt; longer lines are cut. It is the limit of Google's parser: eight times 2,083,
 * which was once the maximum length of a URL.
 */
export const ROBOTS_LINE_BYTES_MAX = 2_083 * 8 - 1;
/**
 * Maximum byte comparisons of one robots.txt decision, which take less than 0.2 s of CPU. A path whose decision needs
 * more counts as disallowed.
 */
export const ROBOTS_COMPARISONS_MAX = 20_000_000;
/**
 * Maximum characters of HTML that are searched for a bot check or sign-in page. A larger page is content, because such
 * pages are smaller.
 */
export const CHALLENGE_SCAN_CHARS_MAX = 400_000;
export const HEADER_VALUE_CHARS_MAX = 1_000;
