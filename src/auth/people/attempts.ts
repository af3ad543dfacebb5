import type { Bucket } from '#client/deployment/sign-in-state.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import {
  REGISTRATION_WINDOW_MS,
  REGISTRATIONS_MAX,
  REGISTRATIONS_PER_ADDRESS_MAX,
  SIGN_IN_ADDRESS_WINDOW_MS,
  SIGN_IN_TRIES_MAX,
  SIGN_IN_TRIES_PER_ADDRESS_MAX,
  SIGN_IN_WINDOW_MS,
  UPSTREAM_STARTS_PER_ADDRESS_MAX,
} from '#auth/limits.ts';

/** From all addresses together, in an hour. At most 170 of them are kept at a time. */
const UPSTREAM_STARTS_MAX = 1_000;

/** How sign-in attempts are attributed. */
export type AttemptSource = {
  /** `null` where no source can be trusted: then only the total is limited. */
  address: string | null;
  /** Names this browser's own allowance of attempts, or `null`. */
  own: string | null;
};

/**
 * The limits that a sign-in attempt counts against: its address and the whole deployment. In a browser with its own
 * allowance only that counts, so that strangers cannot use up the owner's attempts.
 */
export function signInBuckets({ address, own }: AttemptSource): Bucket[] {
  const nearby = { max: SIGN_IN_TRIES_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (own !== null) return [{ key: `sign-in:${own}`, ...nearby }];
  const all = { key: 'sign-in:all', max: SIGN_IN_TRIES_MAX, windowMs: SIGN_IN_WINDOW_MS };
  return address === null ? [all] : [all, { key: `sign-in:address:${address}`, ...nearby }];
}

/** Limits for sign-in at a provider. Nothing can be guessed there, but each attempt is stored for a while. */
export function upstreamBuckets({ address, own }: AttemptSource): Bucket[] {
  const nearby = { max: UPSTREAM_STARTS_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (own !== null) return [{ key: `upstream:${own}`, ...nearby }];
  const all = { key: 'upstream:all', max: UPSTREAM_STARTS_MAX, windowMs: SIGN_IN_WINDOW_MS };
  return address === null ? [all] : [all, { key: `upstream:${address}`, ...nearby }];
}

export function registrationBuckets(address: string | null): Bucket[] {
  const windowMs = REGISTRATION_WINDOW_MS;
  const all = { key: 'register:all', max: REGISTRATIONS_MAX, windowMs };
  if (address === null) return [all];
  return [all, { key: `register:${address}`, max: REGISTRATIONS_PER_ADDRESS_MAX, windowMs }];
}

/**
 * The client's address, or `null` when only the caller says so. Cloudflare's edge sets the header, whatever the caller
 * sent. Elsewhere anybody may send it, and `request.cf` can be made up. So the deployment says it
 * (`TRUST_CONNECTING_IP`); a loopback host is never Cloudflare.
 */
export function clientAddress(request: Request, config: Pick<Config, 'TRUST_CONNECTING_IP'>): string | null {
  const address = request.headers.get('cf-connecting-ip');
  if (address === null || !isOnCloudflare(config, new URL(request.url).hostname)) return null;
  return networkOf(address);
}

/** Whoever has one address of a /64 has all of them (RFC 6177), so they count as one address. */
const NETWORK_GROUPS = 4;

function networkOf(address: string): string {
  if (!URL.canParse(`http://[${address}]/`)) return address;
  // The parser writes every spelling the same way, but for the `::` in it.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const head = left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}

/**
 * The deployment's setting decides; `npm start` turns it off. A loopback host is never Cloudflare.
 * @param hostname under which it is reached
 */
export function isOnCloudflare(
  { TRUST_CONNECTING_IP }: Pick<Config, 'TRUST_CONNECTING_IP'>,
  hostname: string,
): boolean {
  return TRUST_CONNECTING_IP && !isLoopbackHost(hostname);
}
