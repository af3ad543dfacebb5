import { getDomain } from 'tldts-icann';

/**
 * The site of an address: its registrable domain by the public suffix list (its ICANN part, so all who share a hosting
 * domain are one site), or its host where it has none: IP addresses, `localhost`. Scheme and port do not matter, as
 * cookies cross them.
 * @returns `null` for addresses without a host of their own: `about:`, `blob:`, `data:`
 */
export function siteOf(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|wss?):$/u.test(parsed.protocol)) return null;
  const host = parsed.hostname.replace(/\.$/u, '');
  // The address has been checked by the parser: a name that the list's own check refuses would be a site of its own.
  return getDomain(host, { validateHostname: false }) ?? host;
}
