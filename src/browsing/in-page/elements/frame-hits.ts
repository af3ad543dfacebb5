import { deepestAt, hitAt } from './safe-dom.ts';
import type { AnyElement, Root } from './safe-dom.ts';

/**
 * Called on an `<iframe>`: true if it is the page's hit target at a point of its document's viewport. The hit test runs
 * in every tree from the frame up to the document: a closed shadow root shows only its host outside.
 */
export function frameHit(this: Element, x: number, y: number): boolean {
  let wanted = this.closest('*');
  while (wanted !== null) {
    const root: Root = wanted.getRootNode();
    if (hitAt(root, x, y) !== wanted) return false;
    if (root === document || root.host === undefined) return true;
    wanted = root.host;
  }
  return false;
}

/** The innermost element at a point, through open shadow trees. */
export function elementAt(this: AnyElement, x: number, y: number): Element | null {
  return deepestAt(this.getRootNode(), x, y);
}

export function isFrame(element: Element | null): boolean {
  return element !== null && /^(?:iframe|frame|object|embed|fencedframe)$/u.test(element.localName);
}

/** True for a component whose shadow tree, if any, is closed. */
export function isClosedHost(element: Element | null): boolean {
  return element !== null && element.localName.includes('-') && element.shadowRoot === null;
}

/** Returns the root of the document or, for text, the body if it is editable as a whole. */
export function wholeDocument(isForText: boolean): Element {
  const body: unknown = Reflect.get(Document.prototype, 'body', document);
  const isEditor = isForText && body instanceof HTMLElement && body.isContentEditable;
  return isEditor ? body : document.documentElement;
}
