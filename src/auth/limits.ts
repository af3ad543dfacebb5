import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum failed attempts in a row from one address. After them, one attempt every 90 s is allowed. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 10;
/**
 * Maximum failed attempts in a row from all addresses. After them, one every 36 s is allowed, so that a botnet gets
 * 2,400 guesses a day.
 */
export const SIGN_IN_TRIES_MAX = 100;
/**
 * Maximum provider sign-ins that one address may start in a burst. After them, one every 30 s is allowed. Each is
 * stored until it ends or expires.
 */
export const UPSTREAM_STARTS_PER_IP_MAX = 30;
/** Time that a user has to sign in at the provider, including a second factor and a password change. */
export const UPSTREAM_SIGN_IN_TTL_MS = 10 * MINUTE_MS;
/** Time limit for all requests to a provider during one sign-in step, because the user waits for the page. */
export const UPSTREAM_SIGN_IN_STEP_MS_MAX = 15 * SECOND_MS;
/** Maximum bytes of a provider's response: ten times the largest metadata, key set or token response observed. */
export const UPSTREAM_BODY_BYTES_MAX = 512 * KIB;
/** Sign-in cookie lifetime. Long, because the passphrase is long and people connect clients rarely. */
export const SIGN_IN_COOKIE_TTL_MS = 7 * 24 * HOUR_MS;
/**
 * Lifetime of the cookie that gives the owner's browser its own limit on attempts, so that guessers cannot lock the
 * owner out.
 */
export const KNOWN_BROWSER_COOKIE_TTL_MS = 180 * 24 * HOUR_MS;
/** Duration of "Do not ask again" on the consent page. */
export const CONSENT_REMEMBERED_MS = 30 * 24 * HOUR_MS;
/**
 * Maximum characters of a client's name. The client chooses the name, and a long one could push the consent page out of
 * view.
 */
export const CLIENT_NAME_CHARS_MAX = 80;
/** Maximum connections of one client ID for one user, such as one for each device. The oldest connection ends first. */
export const GRANTS_PER_CLIENT_MAX = 10;
/** Idle time since the last refresh after which a connection ends: 90 days. */
export const REFRESH_TOKEN_IDLE_TTL_SECONDS = 7_776_000;
/** Default lifetime of a token: short enough for a forgotten token to expire, long enough to be convenient. */
export const ACCESS_TOKEN_DAYS_DEFAULT = 90;
export const ACCESS_TOKEN_DAYS_MAX = 365;
/**
 * Maximum access tokens of a user: one for each agent and machine. Limited, because a script that loses its tokens
 * creates more.
 */
export const ACCESS_TOKENS_PER_SUBJECT_MAX = 50;
/** Minimum time between two writes of a token's "Last used", because agents call many times a minute. */
export const TOKEN_LAST_USED_WRITE_EVERY_MS = 1 * MINUTE_MS;
/**
 * Maximum client registrations of one address in a burst. After them, one a minute is allowed. They need no sign-in,
 * and each writes to the store.
 */
export const CLIENT_REGISTRATIONS_PER_IP_MAX = 60;
export const CLIENT_REGISTRATIONS_MAX = 300;
export const CLIENT_REGISTRATION_WINDOW_MS = 1 * HOUR_MS;
/** Maximum bytes of client metadata as JSON. Real clients send 0.3 to 2 KB. */
export const CLIENT_METADATA_BYTES_MAX = 16 * KIB;
