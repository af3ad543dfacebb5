import { isBlank } from '#core/text/blank.ts';
import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';

/** Attributes that name the effect of a click, for pages that handle all clicks in one listener. */
const MARKS = ['data-action', 'data-click', 'data-onclick', 'ng-click', 'jsaction', 'hx-get', 'hx-post'];
/** Levels between a control and the row or card around it, which has cells and wrappers. */
const DEPTH_MAX = 8;

/**
 * True for a control that inherits the pointer cursor of a clickable element with other text, such as a word in a row: a
 * link without an address, or an element with a mark that no element around it has.
 */
export function isMarkedInside(element: Element, cursor: string): boolean {
  if (cursor !== 'pointer') return false;
  const marks = MARKS.filter((mark) => get(element, mark) !== null);
  if (marks.length === 0 && !isBareLink(element)) return false;
  if (!hasText(element)) return false;
  let hasOtherText = false;
  let inner = element;
  for (let steps = 0; steps < DEPTH_MAX; steps += 1) {
    const outer = parentElementOf(inner);
    if (outer === null || getComputedStyle(outer).cursor !== 'pointer') break;
    if (outer.localName === 'button' || marks.some((mark) => get(outer, mark) === get(element, mark))) return false;
    hasOtherText ||= hasTextBeside(inner, outer);
    inner = outer;
  }
  return hasOtherText;
}

/** True for a link without an address that is not an anchor for other links. */
function isBareLink(element: Element): boolean {
  return element.localName === 'a' && ['href', 'name', 'id'].every((attribute) => get(element, attribute) === null);
}

function hasTextBeside(element: Element, parent: Element): boolean {
  const nodes: Iterable<Node> = Reflect.get(Node.prototype, 'childNodes', parent);
  return [...nodes].some((node) => node !== element && !(node instanceof Comment) && hasText(node));
}

/** Reads through the prototype, because a form may have a field named `textContent`. */
function hasText(node: Node): boolean {
  const text: string | null = Reflect.get(Node.prototype, 'textContent', node);
  return !isBlank(text ?? '');
}

function get(element: Element, attribute: string): string | null {
  return Element.prototype.getAttribute.call(element, attribute);
}
