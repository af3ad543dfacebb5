import type { Config } from '#core/config/config.ts';

export type NetPolicy = {
  userAgent: string;
  /** The name matched against robots.txt groups (RFC 9309 §2.2.1). */
  productToken: string;
  /** Largest body after decompression, in bytes. */
  maxBytes: number;
  /** Limit for one page with its redirects, retries and robots.txt, in ms. */
  timeoutMs: number;
  respectRobots: boolean;
  respectSignals: boolean;
  /** Lower-case domains, including their subdomains. Empty allows every public host. */
  allowDomains: readonly string[];
  denyDomains: readonly string[];
  /** `host:port`, with the host spelled as in a parsed URL; exempt from the gate for development. */
  privateHosts: ReadonlySet<string>;
  ownHosts: ReadonlySet<string>;
  /** True if IP addresses can be fetched. Cloudflare's `fetch` refuses them; its browsers do not. */
  fetchesNumbers: boolean;
};

const PRODUCT = 'Periscope';

/**
 * @param ownHosts hosts of this Worker, with or without port; `PUBLIC_URL` is added
 * @param version of the product, for the User-Agent
 */
export function netPolicy(config: Config, ownHosts: readonly string[], version = '0.1'): NetPolicy {
  const contact = config.PUBLIC_URL === undefined ? '' : ` (+${config.PUBLIC_URL}/)`;
  const userAgent = config.USER_AGENT ?? `${PRODUCT}/${version}${contact}`;
  const own = config.PUBLIC_URL === undefined ? ownHosts : [...ownHosts, new URL(config.PUBLIC_URL).hostname];
  return {
    userAgent,
    productToken: productTokenOf(userAgent),
    maxBytes: config.MAX_BYTES,
    timeoutMs: config.TIMEOUT_MS,
    respectRobots: config.RESPECT_ROBOTS,
    respectSignals: config.RESPECT_CONTENT_SIGNALS,
    allowDomains: config.ALLOWLIST_DOMAINS,
    denyDomains: config.DENYLIST_DOMAINS,
    privateHosts: new Set(config.ALLOWED_PRIVATE_HOSTS.map(asUrlWritesIt)),
    ownHosts: new Set(own.map((host) => host.toLowerCase().replace(/:\d+$/, ''))),
    fetchesNumbers: true,
  };
}

/** The product that a User-Agent names: its first token, or the one after `compatible` in a browser-like one. */
export function productTokenOf(userAgent: string): string {
  const compatible = /compatible;\s*([A-Za-z_-]+)/.exec(userAgent)?.[1];
  const first = /^[A-Za-z_-]+/.exec(userAgent)?.[0];
  if (compatible !== undefined) return compatible;
  return first === undefined || first === 'Mozilla' ? PRODUCT : first;
}

/** `[0:0::1]:80` → `[::1]:80`: spelled as in a parsed URL, so that the two compare equal. */
function asUrlWritesIt(hostAndPort: string): string {
  const text = `http://${hostAndPort}/`;
  if (!URL.canParse(text)) return hostAndPort;
  const url = new URL(text);
  return `${url.hostname}:${url.port === '' ? '80' : url.port}`;
}
