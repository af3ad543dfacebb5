import { isFileAddress } from '#core/document/file-facts.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { USER_INFO_IN_URL_PROBLEM } from '#core/failures/page-failures.ts';
import { redactForFailure } from './canonical-url.ts';
import type { Resolver } from './dns.ts';
import type { NetPolicy } from './fetch-settings.ts';
import ipaddr from 'ipaddr.js';

/**
 * The result of a gate check. Every URL is checked before anything is sent to it: fetches, redirect hops, robots.txt
 * and each request of a browser. A URL that cannot be checked is refused. The check cannot prevent DNS rebinding after
 * it. The platform covers that case, because it allows requests only to public addresses (docs/security).
 */
type Verdict =
  /**
   * The kind of an allowed host. `exempt` and `literal` hosts need no DNS lookup. A `name` is allowed only if all its
   * addresses are also allowed.
   */
  { allowed: true; host: 'exempt' | 'literal' | 'name' } | { allowed: false; reason: string };

const PORTS = new Set(['80', '443', '8080', '8443']);
/**
 * Top-level domains that are never public: reserved by RFC 6761, 6762, 7686, 8375 or 9476, not delegated in the public
 * DNS, or used privately for a long time.
 */
const PRIVATE_SUFFIXES = new Set(
  'localhost local internal intranet lan home corp private localdomain svc test invalid example onion alt arpa'.split(
    ' ',
  ),
);
/** Domains of cloud metadata services. The names are public, but resolve only inside a cloud. */
const METADATA_DOMAINS = ['metadata.goog'];
const LABEL_CHARS_MAX = 63;
const NAME_CHARS_MAX = 253;

/**
 * Checks everything that needs no DNS lookup: scheme, credentials, port, host syntax, and the operator's lists of
 * domains.
 */
export function judgeUrl(text: string, policy: NetPolicy): Verdict {
  if (!URL.canParse(text)) return refuse('it does not parse as an address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('only http and https addresses can be opened');
  if (url.username !== '' || url.password !== '') return refuse(USER_INFO_IN_URL_PROBLEM);
  const host = withoutDot(url.hostname);
  if (covers(policy.denyDomains, host)) return refuse('the operator does not allow this site');
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port;
  if (policy.privateHosts.has(`${url.hostname}:${port}`)) return { allowed: true, host: 'exempt' };
  if (!PORTS.has(port)) return refuse(`port ${port} is not one that web sites use`);
  if (policy.ownHosts.has(host)) return refuse('it leads back to this server');
  const address = addressOfHost(url.hostname);
  const problem = address === null ? problemOfName(host) : problemOfAddress(address);
  if (problem !== null) return refuse(problem);
  if (policy.allowDomains.length > 0 && !covers(policy.allowDomains, host)) {
    return refuse('the operator allows only listed sites, and this is not one of them');
  }
  return { allowed: true, host: address === null ? 'name' : 'literal' };
}

/**
 * Checks the result of a DNS lookup. It needs at least one address, and all addresses must be public. Names are
 * allowed, because some resolvers list CNAME targets before the addresses. Any other text is refused.
 */
export function judgeAddresses(answers: readonly string[]): Verdict {
  const addresses = answers.filter(isAddress);
  if (addresses.length === 0) return refuse('the host name has no address');
  if (answers.some((answer) => !isAddress(answer) && !isName(withoutDot(answer))))
    return refuse('its address cannot be read');
  if (!addresses.every(isPublicAddress)) return refuse('the host name leads to an address that is not public');
  return { allowed: true, host: 'name' };
}

/**
 * The first check of any URL, requested or stored: {@link judgeUrl}. {@link checkUrl} repeats it with DNS before each
 * request. An uploaded file has no site, so its URL always passes.
 * @throws {PeriscopeError} `ssrf_blocked`
 */
export function checkUrlWithoutDns(url: string, policy: NetPolicy): void {
  if (isFileAddress(url)) return;
  const verdict = judgeUrl(url, policy);
  if (!verdict.allowed) block(url, verdict.reason);
}

export type AddressGateDeps = { policy: NetPolicy; resolve: Resolver };

/**
 * Checks a URL with {@link judgeUrl}, and its addresses with {@link judgeAddresses} if the host is a name.
 * @throws {PeriscopeError} `ssrf_blocked`; `fetch_failed` or `timeout` if the name does not exist or cannot be looked
 * up
 */
export async function checkUrl(url: string, deps: AddressGateDeps, signal: AbortSignal): Promise<void> {
  const verdict = judgeUrl(url, deps.policy);
  if (!verdict.allowed) return block(url, verdict.reason);
  if (verdict.host !== 'name') return;
  const answers = await lookUp(url, deps.resolve, signal);
  if (answers.length === 0) {
    fail({
      code: 'fetch_failed',
      url: redactForFailure(url),
      reason: 'the host name does not exist or has no address',
    });
  }
  const resolved = judgeAddresses(answers);
  if (!resolved.allowed) block(url, resolved.reason);
}

async function lookUp(url: string, resolve: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await resolve(withoutDot(new URL(url).hostname), signal);
  } catch (error) {
    if (signal.aborted || (error instanceof PeriscopeError && error.failure.code === 'timeout')) throw error;
    return fail(
      { code: 'fetch_failed', url: redactForFailure(url), reason: 'the host name could not be looked up' },
      { cause: error },
    );
  }
}

function problemOfAddress(address: string): string | null {
  return isPublicAddress(address) ? null : 'the address is not public';
}

function problemOfName(host: string): string | null {
  if (!isName(host) || host.length > NAME_CHARS_MAX) return 'the host name is malformed';
  const labels = host.split('.');
  if (labels.length < 2) return 'the host name is not public';
  if (labels.some((label) => label.length > LABEL_CHARS_MAX)) return 'the host name is malformed';
  if (PRIVATE_SUFFIXES.has(labels.at(-1) ?? '') || covers(METADATA_DOMAINS, host)) return 'the host name is not public';
  return null;
}

function isName(text: string): boolean {
  return /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/i.test(text) && /[a-z]/i.test(text);
}

function withoutDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

function covers(domains: readonly string[], host: string): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

function refuse(reason: string): Verdict {
  return { allowed: false, reason };
}

function block(url: string, reason: string): never {
  fail({ code: 'ssrf_blocked', url: redactForFailure(url), reason });
}

/** The address of Azure's platform services. It looks public but responds only inside Azure. */
const AZURE_PLATFORM = '168.63.129.16';
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns true if packets to this address can only reach the public Internet: it is public unicast in the IANA
 * special-purpose registries (RFC 6890 and its updates). Returns false for text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  // `range()` knows only registered ranges. It classifies ::7f00:1 and 4000::1 as unicast, but no route leads to them.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM;
}

/**
 * Returns the IP address in a URL's host, or `null` if the host is a name. The URL parser has already converted other
 * notations of an address, such as `0x7f.1`.
 */
function addressOfHost(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : null;
}

function isAddress(text: string): boolean {
  return ipaddr.isValid(text);
}
