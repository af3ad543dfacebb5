import type { Bucket } from '#client/sign-in-state.ts';
import {
  REGISTRATION_WINDOW_MS,
  REGISTRATIONS_MAX,
  REGISTRATIONS_PER_ADDRESS_MAX,
  SIGN_IN_ADDRESS_WINDOW_MS,
  SIGN_IN_TRIES_MAX,
  SIGN_IN_TRIES_PER_ADDRESS_MAX,
  SIGN_IN_WINDOW_MS,
  UPSTREAM_STARTS_MAX,
  UPSTREAM_STARTS_PER_ADDRESS_MAX,
} from '#core/limits.ts';

/**
 * What a try at signing in counts against: its address and the whole deployment; in a browser that somebody signed in
 * with before, that browser alone, so that strangers cannot use up the owner's tries.
 * @param knownBrowser its id, or `null`
 */
export function signInBuckets(request: Request, knownBrowser: string | null): Bucket[] {
  const own = knownBrowser === null ? `address:${addressOf(request)}` : `browser:${knownBrowser}`;
  const nearby = { key: `sign-in:${own}`, max: SIGN_IN_TRIES_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (knownBrowser !== null) return [nearby];
  return [{ key: 'sign-in:all', max: SIGN_IN_TRIES_MAX, windowMs: SIGN_IN_WINDOW_MS }, nearby];
}

/** What a way to a provider counts against: nothing is guessed on it, but each is kept for a while. */
export function upstreamBuckets(request: Request): Bucket[] {
  const nearby = { max: UPSTREAM_STARTS_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  return [
    { key: 'upstream:all', max: UPSTREAM_STARTS_MAX, windowMs: SIGN_IN_WINDOW_MS },
    { key: `upstream:${addressOf(request)}`, ...nearby },
  ];
}

export function registrationBuckets(request: Request): Bucket[] {
  const windowMs = REGISTRATION_WINDOW_MS;
  return [
    { key: 'register:all', max: REGISTRATIONS_MAX, windowMs },
    { key: `register:${addressOf(request)}`, max: REGISTRATIONS_PER_ADDRESS_MAX, windowMs },
  ];
}

/** Who has a /64 has all of its addresses (RFC 6177), so it is one address here. */
const NETWORK_GROUPS = 4;

function addressOf(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'unknown';
  if (!URL.canParse(`http://[${address}]/`)) return address;
  // The parser writes every spelling the same way, but for the `::` in it.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const head = left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}
