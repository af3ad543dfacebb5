import { childrenOf, isElement, isInside, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { setDepths } from './shadow-roots.ts';

/** Tag name that represents the comment `<!--/$-->`, the end of a React Suspense boundary. */
export const SUSPENSE_END_TAG = 'x-boundary-end';
/** Tag name that represents comments such as `<!--$-->`, the start of a React Suspense boundary. */
export const SUSPENSE_START_TAG = 'x-boundary-start';
/** Matches the id of React's placeholder for streamed content: `B:` with fallback content, `P:` without. */
export const STREAM_PLACEHOLDER_ID = /^[BP]:[\da-f]+$/;
/** Matches the id of the streamed content that replaces a placeholder of React. */
export const STREAMED_PART_ID = /^S:[\da-f]+$/;

/** Parts of a table that React wraps in a hidden `table`. */
const TABLE_PARTS: ReadonlySet<string> = new Set(['tbody', 'tr', 'colgroup']);

/**
 * Moves content that React streams after the page to its placeholder, as React's own script would: the content of
 * `div[hidden]#S:n` replaces `template#B:n` and the fallback after it. Rows are in `table[hidden] > tbody#S:n`. Linear
 * in the tree.
 */
export function placeStreamedParts(root: DomElement): void {
  const places = new Map<string, DomElement>();
  const parts: DomElement[] = [];
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    if (!isElement(node) || !node.hasAttributes()) continue;
    const id = node.getAttribute('id') ?? '';
    if (node.localName === 'template' && STREAM_PLACEHOLDER_ID.test(id)) places.set(id, node);
    else if (STREAMED_PART_ID.test(id) && isHidden(node)) parts.push(node);
  }
  for (const part of parts) {
    const number = (part.getAttribute('id') ?? '').slice(2);
    const id = places.has(`B:${number}`) ? `B:${number}` : `P:${number}`;
    const place = places.get(id);
    if (place === undefined || isInside(place, part)) continue;
    places.delete(id);
    if (id.startsWith('B')) removeFallback(place);
    fill(place, part);
  }
  for (const place of places.values()) place.remove();
  removeMarks(root);
}

/** True if the element is hidden, or if a hidden table around it only makes it valid HTML. */
function isHidden(part: DomElement): boolean {
  for (let node: DomElement | null = part; node !== null; node = node.parentNode) {
    if (node.hasAttribute('hidden')) return true;
    if (!TABLE_PARTS.has(node.localName)) return false;
  }
  return false;
}

function removeFallback(place: DomElement): void {
  let open = 0;
  for (let node = place.nextSibling; node !== null;) {
    const name = isElement(node) ? node.localName : '';
    if (name === SUSPENSE_END_TAG && open === 0) return;
    if (name === SUSPENSE_START_TAG) open += 1;
    if (name === SUSPENSE_END_TAG) open -= 1;
    const next: DomNode | null = node.nextSibling;
    node.remove();
    node = next;
  }
}

function fill(place: DomElement, part: DomElement): void {
  const { parentNode } = place;
  if (parentNode === null) return;
  for (const child of childrenOf(part)) {
    child.remove();
    parentNode.insertBefore(child, place);
    setDepths(child, parentNode.depth + 1);
  }
  place.remove();
  part.remove();
}

function removeMarks(root: DomElement): void {
  for (let node = nextInside(root, root); node !== null;) {
    const isMark = isElement(node) && (node.localName === SUSPENSE_END_TAG || node.localName === SUSPENSE_START_TAG);
    const next = isMark ? nextAfter(root, node) : nextInside(root, node);
    if (isMark) node.remove();
    node = next;
  }
}
