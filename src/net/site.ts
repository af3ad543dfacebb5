import { getDomain } from 'tldts-icann';

/**
 * Returns the site of a URL: its registrable domain by the ICANN part of the public suffix list, or its host if it has
 * none (IP addresses, `localhost`). All customers of a hosting domain count as one site. Scheme and port are ignored,
 * because cookies ignore them.
 * @returns `null` for other schemes than http, https, ws and wss, such as `about:`, `blob:` and `data:`, and for text
 * that is not a URL
 */
export function registrableDomain(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:https?|wss?):$/u.test(parsed.protocol)) return null;
  const host = parsed.hostname.replace(/\.$/u, '');
  // The URL parser has already validated the name. If `getDomain` also validated it, stricter rules would reject some
  // names, and each of these would count as a separate site.
  return getDomain(host, { validateHostname: false }) ?? host;
}
