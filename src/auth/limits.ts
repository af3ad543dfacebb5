import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '#core/units.ts';

/** A longer one is no passphrase: it only costs hashing. */
export const PASSPHRASE_CHARS_MAX = 1_000;
/** Typing errors of one person in a row; then one try every 90 s. */
export const SIGN_IN_TRIES_PER_ADDRESS_MAX = 10;
export const SIGN_IN_ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/** From all addresses together, in a row; then one every 36 s: a botnet gets 2,400 guesses a day and these. */
export const SIGN_IN_TRIES_MAX = 100;
export const SIGN_IN_WINDOW_MS = 1 * HOUR_MS;
/** A browser that came with the sign-in link: long enough to sign in, and to connect a client after that. */
export const SIGN_IN_LINK_TTL_MS = 24 * HOUR_MS;
/** Ways to a provider begun from one address in a quarter of an hour: each is kept until it comes back or is given up. */
export const UPSTREAM_STARTS_PER_ADDRESS_MAX = 30;
/** From all addresses together, in an hour: 170 of them are kept at a time at most. */
export const UPSTREAM_STARTS_MAX = 1_000;
/** Signing in at the provider, a second factor and a new password included. */
export const UPSTREAM_SIGN_IN_TTL_MS = 10 * MINUTE_MS;
/** For all that is asked of a provider while a person waits for one page. */
export const UPSTREAM_DEADLINE_MS = 15 * SECOND_MS;
/** Ten times the largest metadata, key set or token answer of the large providers. */
export const UPSTREAM_BODY_BYTES_MAX = 512 * KIB;
/** A provider's metadata: endpoints move once in years, and then announced. Its keys are kept for five minutes. */
export const UPSTREAM_METADATA_TTL_MS = 1 * HOUR_MS;
/** A provider's clock may be so far ahead of ours. */
export const UPSTREAM_CLOCK_AHEAD_SECONDS = 60;
/** A browser that stays signed in: connecting clients is rare, and the passphrase is long. */
export const SIGN_IN_TTL_MS = 7 * 24 * HOUR_MS;
/** A browser that signed in before keeps tries of its own, so that guessers cannot lock the owner out. */
export const KNOWN_BROWSER_TTL_MS = 180 * 24 * HOUR_MS;
/** "Do not ask again" on the consent page. */
export const CONSENT_QUIET_MS = 30 * 24 * HOUR_MS;
/** Whoever asks for access names itself; a longer name is there to hide the rest of the page. */
export const CLIENT_NAME_CHARS_MAX = 80;
/** Several accounts and devices of one person behind one client id; the oldest connection ends when there are more. */
export const GRANTS_PER_CLIENT_MAX = 10;
export const ACCESS_TOKEN_TTL_SECONDS = 3_600;
/** Since the last refresh: a connection ends when nobody has used it for this long, and never before. */
export const REFRESH_TOKEN_IDLE_TTL_SECONDS = 7_776_000;
/** 256 bits: nobody guesses one, so a plain hash of it is enough to keep. */
export const TOKEN_SECRET_BYTES = 32;
export const TOKEN_NAME_CHARS_MAX = 60;
/** A quarter: long enough to forget about it, short enough for a forgotten one to end. */
export const TOKEN_DAYS_DEFAULT = 90;
export const TOKEN_DAYS_MAX = 365;
/** One for each agent and machine of a person, with room; more is a script that makes them and loses them. */
export const TOKENS_PER_SUBJECT_MAX = 50;
/** "Last used" is written at most so often: agents call many times a minute. */
export const TOKEN_USED_EVERY_MS = 1 * MINUTE_MS;
/** Registration is open, as clients need it; each one writes to the store. */
export const REGISTRATIONS_PER_ADDRESS_MAX = 60;
export const REGISTRATIONS_MAX = 300;
export const REGISTRATION_WINDOW_MS = 1 * HOUR_MS;
/** What a client says of itself, as JSON: real ones say 0.3 to 2 KB. */
export const REGISTRATION_BYTES_MAX = 16 * KIB;
/** Addresses to return to, one for each editor or port a client knows of: real ones name up to eight. */
export const CLIENT_REDIRECTS_MAX = 20;
/** Of any address in a registration: what browsers and proxies pass on without trouble. */
export const CLIENT_URL_CHARS_MAX = 2_000;
/** Of names, versions and the like; a consent page shows a line of them. */
export const CLIENT_TEXT_CHARS_MAX = 200;
/** Contacts, grant types, languages of a name: more than any client has. */
export const CLIENT_LIST_MAX = 20;
/** The longest name that Workers KV looks up, in bytes; it throws at a longer one. */
export const STORE_NAME_BYTES_MAX = 512;
/** Grants and tokens looked at by one run of the hourly purge: each is a read of the store. */
export const GRANT_PURGE_BATCH = 100;
