import { ANCHOR_CHARS_MAX } from '#extract/html/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** The name by which links lead to an element (WHATWG HTML §7.4.6.3); `null` if it has none. */
export function placeName(element: DomElement): string | null {
  const name = element.getAttribute('id') ?? (element.localName === 'a' ? element.getAttribute('name') : null);
  return name === null || name === '' || name.length > ANCHOR_CHARS_MAX ? null : name;
}
