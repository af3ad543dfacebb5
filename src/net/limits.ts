import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

export const REDIRECTS_MAX = 5;
/** Including the first try. */
export const FETCH_ATTEMPTS_MAX = 3;
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
 * Politeness: at most `max` requests to one host at a time from one isolate. The holder of a place confirms it every
 * `beatMs`, so a place whose holder was killed is soon free. The lease is longer than any work keeps the thread busy.
 * Those who wait look at the clock, because promises must not cross requests.
 */
export const HOST_PLACES = {
  max: 4,
  leaseMs: 4 * SECOND_MS,
  beatMs: SECOND_MS,
  pollMs: 40,
  pollMsMax: 40,
  restMs: 0,
} as const;
/** Hosts whose addresses an isolate remembers: under 1 MB. */
export const DNS_CACHE_ENTRIES_MAX = 1_000;
/** A larger DNS answer cannot be the answer to one question. */
export const DNS_ANSWER_BYTES_MAX = 64 * KIB;
/**
 * Longer lines of a robots.txt are cut here, as the largest crawler does: eight times 2,083, the old limit for URLs.
 */
export const ROBOTS_LINE_BYTES_MAX = 2_083 * 8 - 1;
/**
 * Byte comparisons that one robots.txt decision may take: under 0.2 s of CPU. A file that needs more closes the site.
 */
export const ROBOTS_STEPS_MAX = 20_000_000;
export const ROBOTS_MEMORY_BODY_BYTES_MAX = 32 * KIB;
/** How much of an error answer is read: enough to tell a bot wall from an ordinary 403. */
export const ERROR_BODY_BYTES_MAX = 256 * KIB;
/** Enough to recognise a media type: signatures, the root element, the first names in a ZIP. */
export const SNIFF_BYTES_MAX = 4 * KIB;
/** The HTML standard says 1,024. Pages often have long comments or scripts before their `<meta>`. */
export const META_PRESCAN_BYTES_MAX = 4 * KIB;
/** Bot walls and sign-in pages are smaller. Larger pages are content and are not searched. */
export const CHALLENGE_SCAN_CHARS_MAX = 400_000;
/** A page with more visible text is content, whatever scripts it has. */
export const CHALLENGE_TEXT_CHARS_MAX = 1_500;
/** A page with a password field and less text than this outside its forms and menus is a sign-in page. */
export const LOGIN_TEXT_CHARS_MAX = 350;
/** A response header is recorded up to this length. */
export const HEADER_CHARS_MAX = 1_000;
/** A robots.txt rule is shown up to this length. */
export const ROBOTS_RULE_CHARS_MAX = 200;
/** Random bytes contain 11 % control characters; text contains almost none. */
export const CONTROL_SHARE_MAX = 0.05;
/** This many well-formed UTF-8 sequences without an ill-formed one do not occur in text of a double-byte charset. */
export const UTF8_SEQUENCES_MIN = 8;
/**
 * Half of Western text in UTF-16 is zero bytes. A third is enough to recognise it, in a sample of the first kilobyte.
 */
export const UTF16_ZERO_SHARE_MIN = 0.3;
export const UTF16_SAMPLE_BYTES = 1 * KIB;
/** Enough text to recognise a charset by letter frequencies. */
export const CHARSET_SAMPLE_BYTES_MAX = 16 * KIB;
/** A longer Retry-After tells a caller nothing more. */
export const RETRY_AFTER_SECONDS_MAX = 86_400;
