import { hasSecret } from './secret-addresses.ts';

/** Raised whenever the rule below tells more pages: those that were stored under an older one are judged anew. */
export const PRIVACY_RULE = 1;

/**
 * Whether a page is for whoever opened it alone: one of the addresses that led to it is a secret, or it was sent to one
 * person. Such a page is stored for its opener and shown to nobody else.
 */
export function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecret) || isSentPrivately(headers);
}

/**
 * Whether a server says that an answer is for one person: `Cache-Control: private` or `no-store`, also when it names
 * fields only, or `Vary: *` (RFC 9111 §5.2.2, RFC 9110 §12.5.5). A cookie says nothing: none is ever sent back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);
