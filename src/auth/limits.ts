import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Consecutive failed attempts from one address. After these, one attempt every 90 s. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 10;
export const SIGN_IN_ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/**
 * Consecutive failed attempts from all addresses. After these, one attempt every 36 s: a botnet gets 2,400 guesses a
 * day.
 */
export const SIGN_IN_TRIES_MAX = 100;
export const SIGN_IN_WINDOW_MS = 1 * HOUR_MS;
/** Provider sign-ins that one address may start in a quarter of an hour. Each is stored until it returns or expires. */
export const UPSTREAM_STARTS_PER_ADDRESS_MAX = 30;
/** Time to sign in at the provider, including a second factor and a password change. */
export const UPSTREAM_SIGN_IN_TTL_MS = 10 * MINUTE_MS;
/** Total for all requests to a provider while the user waits for one page. */
export const UPSTREAM_DEADLINE_MS = 15 * SECOND_MS;
/** Ten times the largest metadata, key set or token response of the large providers. */
export const UPSTREAM_BODY_BYTES_MAX = 512 * KIB;
/** Sign-in cookie lifetime. Long, because the passphrase is long and people connect clients rarely. */
export const SIGN_IN_TTL_MS = 7 * 24 * HOUR_MS;
/** A browser that has signed in before has its own limit on attempts, so that guessers cannot lock the owner out. */
export const KNOWN_BROWSER_TTL_MS = 180 * 24 * HOUR_MS;
/** Duration of "Do not ask again" on the consent page. */
export const CONSENT_QUIET_MS = 30 * 24 * HOUR_MS;
/** A client chooses its own name. A longer one could hide the rest of the page. */
export const CLIENT_NAME_CHARS_MAX = 80;
/** Allows for several accounts and devices of one user behind one client ID. Beyond it, the oldest connection ends. */
export const GRANTS_PER_CLIENT_MAX = 10;
/** Idle time since the last refresh, after which a connection ends (90 days). */
export const REFRESH_TOKEN_IDLE_TTL_SECONDS = 7_776_000;
/** 256 bits cannot be guessed, so storing a plain hash is enough. */
export const TOKEN_SECRET_BYTES = 32;
/** A quarter of a year: long enough not to annoy, short enough for a forgotten token to expire. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 365;
/** One for each agent and machine of a user, with room to spare. More come from a script that loses its tokens. */
export const TOKENS_PER_SUBJECT_MAX = 50;
/** Minimum time between writes of "Last used", because agents call many times a minute. */
export const TOKEN_USED_EVERY_MS = 1 * MINUTE_MS;
/** Registration is open, because clients need it. Each registration writes to the store. */
export const REGISTRATIONS_PER_ADDRESS_MAX = 60;
export const REGISTRATIONS_MAX = 300;
export const REGISTRATION_WINDOW_MS = 1 * HOUR_MS;
/** Limit on the client metadata, as JSON. Real clients send 0.3 to 2 KB. */
export const REGISTRATION_BYTES_MAX = 16 * KIB;
