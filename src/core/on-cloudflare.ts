import { isLoopbackHost } from './config.ts';
import type { Config } from './config.ts';

/**
 * Whether requests arrive through Cloudflare: the deployment says so, and `npm start` says no. A loopback host is never
 * Cloudflare.
 * @param hostname under which it is reached
 */
export function isOnCloudflare(
  { TRUST_CONNECTING_IP }: Pick<Config, 'TRUST_CONNECTING_IP'>,
  hostname: string,
): boolean {
  return TRUST_CONNECTING_IP && !isLoopbackHost(hostname);
}
