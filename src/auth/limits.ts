import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Typing errors of one person in a row. After that, one try every 90 s. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 10;
export const SIGN_IN_ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/**
 * From all addresses together, in a row. After that, one try every 36 s: a botnet gets these and 2,400 guesses a day.
 */
export const SIGN_IN_TRIES_MAX = 100;
export const SIGN_IN_WINDOW_MS = 1 * HOUR_MS;
/**
 * Sign-ins at a provider that one address may start in a quarter of an hour. Each is kept until it returns or is given
 * up.
 */
export const UPSTREAM_STARTS_PER_ADDRESS_MAX = 30;
/** Time to sign in at the provider, including a second factor and a new password. */
export const UPSTREAM_SIGN_IN_TTL_MS = 10 * MINUTE_MS;
/** For all requests to a provider while a person waits for one page. */
export const UPSTREAM_DEADLINE_MS = 15 * SECOND_MS;
/** Ten times the largest metadata, key set or token answer of the large providers. */
export const UPSTREAM_BODY_BYTES_MAX = 512 * KIB;
/** How long a browser stays signed in. Connecting clients is rare, and the passphrase is long. */
export const SIGN_IN_TTL_MS = 7 * 24 * HOUR_MS;
/** A browser that has signed in before has tries of its own, so that guessers cannot lock the owner out. */
export const KNOWN_BROWSER_TTL_MS = 180 * 24 * HOUR_MS;
/** "Do not ask again" on the consent page. */
export const CONSENT_QUIET_MS = 30 * 24 * HOUR_MS;
/** A client chooses its own name. A longer one could hide the rest of the page. */
export const CLIENT_NAME_CHARS_MAX = 80;
/** Several accounts and devices of one person behind one client id. When there are more, the oldest connection ends. */
export const GRANTS_PER_CLIENT_MAX = 10;
/** Since the last refresh. A connection ends when nobody has used it for this long, and never before. */
export const REFRESH_TOKEN_IDLE_TTL_SECONDS = 7_776_000;
/** 256 bits. Nobody can guess one, so storing a plain hash of it is enough. */
export const TOKEN_SECRET_BYTES = 32;
export const TOKEN_NAME_CHARS_MAX = 60;
/** A quarter of a year: long enough not to be a burden, short enough for a forgotten token to end. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 365;
/** One for each agent and machine of a person, with room to spare. More come from a script that keeps losing them. */
export const TOKENS_PER_SUBJECT_MAX = 50;
/** "Last used" is written at most this often, because agents call many times a minute. */
export const TOKEN_USED_EVERY_MS = 1 * MINUTE_MS;
/** Registration is open, because clients need it. Each one writes to the store. */
export const REGISTRATIONS_PER_ADDRESS_MAX = 60;
export const REGISTRATIONS_MAX = 300;
export const REGISTRATION_WINDOW_MS = 1 * HOUR_MS;
/** A client's description of itself, as JSON. Real ones have 0.3 to 2 KB. */
export const REGISTRATION_BYTES_MAX = 16 * KIB;
