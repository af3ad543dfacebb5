import type { Config } from '#core/config/config.ts';

export type NetPolicy = {
  userAgent: string;
  /** The name that selects the rules of a robots.txt (RFC 9309 §2.2.1). */
  productToken: string;
  /** Maximum size of a body after decompression, in bytes. */
  maxBytes: number;
  /** Time limit in ms for one page with its redirects, retries and robots.txt. */
  timeoutMs: number;
  respectRobots: boolean;
  respectSignals: boolean;
  /** Domains that may be fetched, in lower case, including their subdomains. An empty list allows every public host. */
  allowDomains: readonly string[];
  denyDomains: readonly string[];
  /**
   * `host:port` pairs whose port and address the gate does not check, for development. The host is spelled as in a
   * parsed URL.
   */
  privateHosts: ReadonlySet<string>;
  ownHosts: ReadonlySet<string>;
  /** True if URLs with an IP address as host can be fetched. Cloudflare's `fetch` refuses them; its browsers do not. */
  fetchesNumbers: boolean;
};

const PRODUCT = 'Periscope';

/**
 * Builds the network policy from the deployment's settings.
 * @param ownHosts hosts of this Worker, with or without port; the host of `PUBLIC_URL` is added
 * @param version the product's version, for the User-Agent
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

/**
 * Returns the product that a User-Agent names: the word after `compatible;`, or the first word. `Mozilla` is not a
 * product, so the default product replaces it.
 */
export function productTokenOf(userAgent: string): string {
  const compatible = /compatible;\s*([A-Za-z_-]+)/.exec(userAgent)?.[1];
  const first = /^[A-Za-z_-]+/.exec(userAgent)?.[0];
  if (compatible !== undefined) return compatible;
  return first === undefined || first === 'Mozilla' ? PRODUCT : first;
}

/**
 * Spells a configured host like a parsed URL, for example `[0:0::1]:80` as `[::1]:80`, so that the two can be compared.
 */
function asUrlWritesIt(hostAndPort: string): string {
  const text = `http://${hostAndPort}/`;
  if (!URL.canParse(text)) return hostAndPort;
  const url = new URL(text);
  return `${url.hostname}:${url.port === '' ? '80' : url.port}`;
}
