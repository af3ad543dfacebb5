import type { AttemptRateLimit } from '#client/deployment/sign-in-state.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import {
  CLIENT_REGISTRATION_WINDOW_MS,
  CLIENT_REGISTRATIONS_MAX,
  CLIENT_REGISTRATIONS_PER_IP_MAX,
  SIGN_IN_TRIES_MAX,
  SIGN_IN_TRIES_PER_ADDRESS_MAX,
  UPSTREAM_STARTS_PER_IP_MAX,
} from '#auth/limits.ts';
import { MINUTE_MS, HOUR_MS } from '#core/limits.ts';

const SIGN_IN_WINDOW_MS = 1 * HOUR_MS;
const SIGN_IN_ADDRESS_WINDOW_MS = 15 * MINUTE_MS;

/**
 * Maximum provider sign-ins started in a burst from all addresses. After them, one every 3.6 s is allowed. Each is
 * stored for at most ten minutes.
 */
const UPSTREAM_STARTS_MAX = 1_000;

export type AttemptSource = {
  /** The client's IP address; `null` if no trusted header has it. Then only the limit for all addresses applies. */
  address: string | null;
  /** Key of this browser's own rate limit; `null` if the browser has none. */
  own: string | null;
};

/**
 * Rate limits that a sign-in attempt counts against: one for its address and one for all addresses. A browser with its
 * own limit counts only against that limit, so that strangers cannot use up the owner's attempts.
 */
export function listSignInLimits({ address, own }: AttemptSource): AttemptRateLimit[] {
  const nearby = { max: SIGN_IN_TRIES_PER_ADDRESS_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (own !== null) return [{ key: `sign-in:${own}`, ...nearby }];
  const all = { key: 'sign-in:all', max: SIGN_IN_TRIES_MAX, windowMs: SIGN_IN_WINDOW_MS };
  return address === null ? [all] : [all, { key: `sign-in:address:${address}`, ...nearby }];
}

/** Rate limits for starting a sign-in at a provider. A start is not a guess, but is stored for some time. */
export function listUpstreamLimits({ address, own }: AttemptSource): AttemptRateLimit[] {
  const nearby = { max: UPSTREAM_STARTS_PER_IP_MAX, windowMs: SIGN_IN_ADDRESS_WINDOW_MS };
  if (own !== null) return [{ key: `upstream:${own}`, ...nearby }];
  const all = { key: 'upstream:all', max: UPSTREAM_STARTS_MAX, windowMs: SIGN_IN_WINDOW_MS };
  return address === null ? [all] : [all, { key: `upstream:${address}`, ...nearby }];
}

export function listRegistrationLimits(address: string | null): AttemptRateLimit[] {
  const windowMs = CLIENT_REGISTRATION_WINDOW_MS;
  const all = { key: 'register:all', max: CLIENT_REGISTRATIONS_MAX, windowMs };
  if (address === null) return [all];
  return [all, { key: `register:${address}`, max: CLIENT_REGISTRATIONS_PER_IP_MAX, windowMs }];
}

/**
 * The client's network address from `CF-Connecting-IP`; `null` without this header, or if Cloudflare is not in front.
 * Cloudflare's edge overwrites the header; without Cloudflare in front, any caller can forge the header and
 * `request.cf`. So `TRUST_CONNECTING_IP` must declare that Cloudflare is in front.
 */
export function clientAddress(request: Request, config: Pick<Config, 'TRUST_CONNECTING_IP'>): string | null {
  const address = request.headers.get('cf-connecting-ip');
  if (address === null || !isBehindCloudflare(config, new URL(request.url).hostname)) return null;
  return networkOf(address);
}

/**
 * Number of leading groups of an IPv6 address that count as the address, because one customer usually has a whole /64
 * (RFC 6177).
 */
const NETWORK_GROUPS = 4;

function networkOf(address: string): string {
  if (!URL.canParse(`http://[${address}]/`)) return address;
  // The URL parser normalizes spellings such as `2001:DB8:0::1`, but its result may still contain `::`.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const head = left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':');
}

/**
 * True if the configuration says that Cloudflare is in front. On a loopback host, Cloudflare never is.
 * @param hostname of the request
 */
export function isBehindCloudflare(
  { TRUST_CONNECTING_IP }: Pick<Config, 'TRUST_CONNECTING_IP'>,
  hostname: string,
): boolean {
  return TRUST_CONNECTING_IP && !isLoopbackHost(hostname);
}
