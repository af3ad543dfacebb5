import { hasSecret } from '#core/secrets/secret-addresses.ts';

/**
 * A secret address led to the page, or the server sent it to one person. Such a page is stored for its opener alone.
 */
export function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecret) || isSentPrivately(headers);
}

/**
 * `Cache-Control: private` or `no-store`, even for single fields, or `Vary: *` (RFC 9111 §5.2.2, RFC 9110 §12.5.5). A
 * cookie proves nothing, because none is ever sent back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);
