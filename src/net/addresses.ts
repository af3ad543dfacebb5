import ipaddr from 'ipaddr.js';

/** Azure's platform address is public unicast by number and answers only inside its hosts. */
const AZURE_PLATFORM = '168.63.129.16';
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a packet to this address can only reach the public Internet: public unicast in the IANA special-purpose
 * registries (RFC 6890 and its updates). Text that is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicV4(address);
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  // `range()` names only what is registered: ::7f00:1 and 4000::1 count as unicast there, but no route leads to them.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6);
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM;
}

/** The address a URL's host spells, or `null` when it is a name. WHATWG hosts have one spelling for each address. */
export function addressOfHost(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : null;
}

/** Whether text is an address in any form a resolver writes. */
export function isAddress(text: string): boolean {
  return ipaddr.isValid(text);
}
