import { classOf, isElement } from './tree.ts';
import type { DomElement, DomNode } from './tree.ts';

const APART_TAGS = new Set(['span', 'a', 'label', 'time', 'small', 'strong', 'b', 'button', 'em', 'i']);
/** Punctuation of a signature: `run`, `(`, `coro`, `=` are drawn without spaces, even if each is an element. */
const MARKS = /^\s*[()[\]{}<>.,;:=*&?!'"`]+\s*$/;
/** `asyncio.` before `run`: a word that ends in a joining character, followed by a word. */
const QUALIFIER = /^\s*[\p{L}_][\p{L}\p{N}_.]*[._]$/u;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*\s*$/u;

/**
 * Whether style sheets most likely draw two inline neighbours apart. They do if both are named parts of the page, no
 * text stands between or around them, and neither is only the punctuation of the other.
 */
export function areDrawnApart(before: DomNode | undefined, after: DomNode): boolean {
  if (before === undefined) return false;
  let left: DomNode = before;
  while (left.nextSibling === null && left.parentNode !== null) left = left.parentNode;
  const right = left.nextSibling;
  if (right === null || !isElement(left) || !isElement(right) || !isPart(left) || !isPart(right)) return false;
  if (areJoined(before.textContent ?? '', after.textContent ?? '')) return false;
  for (let node: DomNode | null = after; node !== null; node = node.parentNode) {
    if (node === right) return true;
    if (node.parentNode?.firstChild !== node) return false;
  }
  return false;
}

function areJoined(before: string, after: string): boolean {
  return (
    MARKS.test(before) || MARKS.test(after) || (QUALIFIER.test(before) && NAME.test(after)) || after.startsWith('.')
  );
}

function isPart(element: DomElement): boolean {
  return APART_TAGS.has(element.localName) && classOf(element) !== '';
}
