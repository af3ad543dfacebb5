import { getDomain } from 'tldts-icann';

/**
 * The site of a URL: its registrable domain by the ICANN part of the public suffix list (all customers of a hosting
 * domain are one site), or its host if it has none (IP addresses, `localhost`). Ignores scheme and port, because
 * cookies do.
 * @returns `null` for URLs without a host of their own: `about:`, `blob:`, `data:`
 */
export function registrableDomain(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|wss?):$/u.test(parsed.protocol)) return null;
  const host = parsed.hostname.replace(/\.$/u, '');
  // The URL parser has validated the name. The list's stricter check would make a refused name a site of its own.
  return getDomain(host, { validateHostname: false }) ?? host;
}
