import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';

/**
 * True if a secret URL led to the page, or the server sent the page to one user. Such a page is stored only for the
 * user who opened it.
 */
export function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecretInUrl) || isSentPrivately(headers);
}

/**
 * True for `Cache-Control: private` or `no-store`, even for single fields, and for `Vary: *` (RFC 9111 §5.2.2, RFC 9110
 * §12.5.5). Set-Cookie does not count, because this server never sends a cookie back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);
