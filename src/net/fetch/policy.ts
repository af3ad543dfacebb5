import type { Config } from '#core/config/config.ts';

/** The deployment's rules for fetching; built once from configuration. */
export type NetPolicy = {
  /** The `User-Agent` header of every request. */
  userAgent: string;
  /** The name that robots.txt groups are matched with (RFC 9309 §2.2.1). */
  productToken: string;
  /** Largest body after decompression, in bytes. */
  maxBytes: number;
  /** For one page with its redirects, retries and robots.txt, in ms. */
  timeoutMs: number;
  respectRobots: boolean;
  respectSignals: boolean;
  /** Lower-case names, each covering its sub-domains. Empty: every public host. */
  allowDomains: readonly string[];
  denyDomains: readonly string[];
  /** `host:port` as a URL writes the host; the development exception. */
  privateHosts: ReadonlySet<string>;
  /** Host names that lead back to this server. */
  ownHosts: ReadonlySet<string>;
  /** Whether IP addresses can be fetched. Cloudflare's `fetch` refuses them; its browsers do not. */
  fetchesNumbers: boolean;
};

const PRODUCT = 'Periscope';

/**
 * @param ownHosts hosts under which this Worker is reached, with or without port; `PUBLIC_URL` is added.
 * @param version of the product, for the User-Agent.
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

/** The product a User-Agent names: its first token, or what a browser-like one says it is `compatible` with. */
export function productTokenOf(userAgent: string): string {
  const compatible = /compatible;\s*([A-Za-z_-]+)/.exec(userAgent)?.[1];
  const first = /^[A-Za-z_-]+/.exec(userAgent)?.[0];
  if (compatible !== undefined) return compatible;
  return first === undefined || first === 'Mozilla' ? PRODUCT : first;
}

/** `[0:0::1]:80` → `[::1]:80`: the exception is compared with parsed URLs, so it is spelled as they are. */
function asUrlWritesIt(hostAndPort: string): string {
  const text = `http://${hostAndPort}/`;
  if (!URL.canParse(text)) return hostAndPort;
  const url = new URL(text);
  return `${url.hostname}:${url.port === '' ? '80' : url.port}`;
}
