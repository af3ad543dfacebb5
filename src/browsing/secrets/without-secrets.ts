import type { Mask } from '#browsing/cdp/connection.ts';
import { hiddenIn } from './mask.ts';
import type { Hide } from './mask.ts';

/** What a session tells, without what was typed there as a secret, wherever the page has put it. */
export function withoutSecrets<T>(told: T, hide: Hide | null): T {
  return hide === null ? told : hiddenIn(told, hide, isOurs);
}

/** Names from lists of ours, ids that we made, and pictures. */
function isOurs(name: string, member: unknown): boolean {
  return typeof member === 'string' && OURS.has(name);
}

const OURS = new Set('code kind state level type answer id next sha256 mark jpegBase64 how wall session'.split(' '));

/** The same for what the browser tells of pages; `null` when there is nothing to hide. */
export function pageMask(hide: Hide | null): Mask | null {
  return hide === null ? null : { said: (said) => hiddenIn(said, hide, isNoPageText), places: hide.places };
}

/** Members of accessibility nodes, and of what our scripts give, that hold numbers and words of the browser. */
function isNoPageText(name: string, member: unknown): boolean {
  return BROWSERS_OWN.has(name) || (name === 'name' && typeof member === 'string' && /^[a-zA-Z]+$/.test(member));
}

const BROWSERS_OWN = new Set('nodeId childIds parentId frameId role chromeRole type kind state'.split(' '));
