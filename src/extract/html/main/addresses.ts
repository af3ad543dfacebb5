import { classOf } from '#extract/html/tree.ts';
import type { DomElement } from '#extract/html/tree.ts';
import type { SegmentAncestor } from './segments.ts';
import type { ContentSelection } from './selection.ts';

/** Maximum pieces of text in an address with its name, telephone number and the like. */
const PIECES_MAX = 12;
/** Maximum words of an address. More are running text. */
const WORDS_MAX = 60;
/** Maximum share of link text in an address, such as its mail and map. With more, it is a menu. */
const LINKS_MAX = 0.7;
/** Matches classes of an address, and names of its parts in microformats and schema.org. */
const ADDRESS = /(?:^|[\s_-])(?:address|adr|vcard|h-card)(?:$|[\s_-])/i;
const ADDRESS_TYPE = /schema\.org\/PostalAddress$/i;
const ADDRESS_PART =
  /(?:^|[\s_-])(?:street|street-?address|locality|postal-?code|zip-?code|postcode|address-?locality)(?:$|[\s_-])/i;

/**
 * Chooses addresses as a whole, because a name without its street and city is no address. An address of which nothing
 * is main content stays left out, and so does one in the footer of the page.
 */
export function addWholeAddresses(
  selection: ContentSelection,
  frames: readonly SegmentAncestor[],
  foot: readonly boolean[],
): void {
  const withParts = new Set(
    frames.flatMap(({ element, parent }) => (parent !== null && isPart(element) ? [parent] : [])),
  );
  for (const frame of frames) {
    const { element, first, last } = frame;
    if (last - first >= PIECES_MAX || first === last || foot[first] === true) continue;
    if (!isAddress(element) && !withParts.has(frame)) continue;
    const words = selection.segments.slice(first, last + 1).reduce((sum, segment) => sum + segment.words, 0);
    if (words > WORDS_MAX || selection.linksIn(first, last) > LINKS_MAX) continue;
    if (selection.hasAny(first, last)) selection.add(first, last);
  }
}

function isAddress(element: DomElement): boolean {
  if (element.localName === 'address' || ADDRESS.test(classOf(element))) return true;
  return ADDRESS_TYPE.test(element.getAttribute('itemtype') ?? '');
}

function isPart(element: DomElement): boolean {
  return ADDRESS_PART.test(`${classOf(element)} ${element.getAttribute('itemprop') ?? ''}`);
}
