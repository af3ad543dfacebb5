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

/** Maximum starts from all addresses together in an hour. At most 170 are stored at a time. */
const UPSTREAM_STARTS_MAX = 1_000;

export type AttemptSource = {
  /** The client's address; `null` if it cannot be trusted. Then only the total is limited. */
  address: string | null;
  /** Name of this browser's own rate limit, or `null`. */
  own: string | null;
};

/**
 * Rate limits that a sign-in attempt counts against: its address's and the whole deployment's. A browser with its own
 * limit counts only against that limit, so that strangers cannot use up the owner's attempts.
 */
export function listSignInLimits({ address, own }: AttemptSource): Bucket[] {
  const nearby = { max: SIGN_IN_TRIES_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (own !== null) return [{ key: `sign-in:${own}`, ...nearby }];
  const all = { key: 'sign-in:all', max: SIGN_IN_TRIES_MAX, windowMs: SIGN_IN_WINDOW_MS };
  return address === null ? [all] : [all, { key: `sign-in:address:${address}`, ...nearby }];
}

/** Rate limits for sign-in at a provider. These attempts guess nothing, but each is stored for a while. */
export function listUpstreamLimits({ address, own }: AttemptSource): Bucket[] {
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
 * The client's address, or `null` if the header cannot be trusted. Cloudflare's edge overwrites this header. Elsewhere
 * any caller can send it, and can forge `request.cf`. `TRUST_CONNECTING_IP` tells whether Cloudflare is in front; a
 * loopback host never has it.
 */
export function clientAddress(request: Request, config: Pick<Config, 'TRUST_CONNECTING_IP'>): string | null {
  const address = request.headers.get('cf-connecting-ip');
  if (address === null || !isOnCloudflare(config, new URL(request.url).hostname)) return null;
  return networkOf(address);
}

/** Groups of an IPv6 address that count: a /64 is one address, because one customer usually has it (RFC 6177). */
const NETWORK_GROUPS = 4;

function networkOf(address: string): string {
  if (!URL.canParse(`http://[${address}]/`)) return address;
  // The URL parser normalizes every spelling. Its result may still contain `::`.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const head = left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}

/**
 * True if the deployment is configured as behind Cloudflare. `npm start` turns this off; a loopback host never is.
 * @param hostname of the request
 */
export function isOnCloudflare(
  { TRUST_CONNECTING_IP }: Pick<Config, 'TRUST_CONNECTING_IP'>,
  hostname: string,
): boolean {
  return TRUST_CONNECTING_IP && !isLoopbackHost(hostname);
}
