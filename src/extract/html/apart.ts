import { isElement } from './dom.ts';
import type { DomElement, DomNode } from './dom.ts';

const APART_TAGS = new Set(['span', 'a', 'label', 'time', 'small', 'strong', 'b', 'button', 'em', 'i']);

/**
 * Whether style sheets most likely draw two inline neighbours apart: both are named parts of the page, and no text
 * stands between or around them.
 */
export function isApart(before: DomNode | undefined, after: DomNode): boolean {
  if (before === undefined) return false;
  let left: DomNode = before;
  while (left.nextSibling === null && left.parentNode !== null) left = left.parentNode;
  const right = left.nextSibling;
  if (right === null || !isElement(left) || !isElement(right) || !isPart(left) || !isPart(right)) return false;
  for (let node: DomNode | null = after; node !== null; node = node.parentNode) {
    if (node === right) return true;
    if (node.parentNode?.firstChild !== node) return false;
  }
  return false;
}

function isPart(element: DomElement): boolean {
  return APART_TAGS.has(element.localName) && (element.getAttribute('class') ?? '') !== '';
}
