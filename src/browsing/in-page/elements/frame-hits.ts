import { hitTestDeep, hitTestRoot } from './safe-dom.ts';
import type { AnyElement, DocumentRoot } from './safe-dom.ts';

/**
 * Called on an `<iframe>`: true if a hit test at this point of its document's viewport finds the iframe. Tests every
 * tree from the iframe up to the document, because outside a closed shadow root a hit test finds only its host.
 */
export function isFrameHitAt(this: Element, x: number, y: number): boolean {
  let wanted = this.closest('*');
  while (wanted !== null) {
    const root: DocumentRoot = wanted.getRootNode();
    if (hitTestRoot(root, x, y) !== wanted) return false;
    if (root === document || root.host === undefined) return true;
    wanted = root.host;
  }
  return false;
}

/** The innermost element at a point, through open shadow trees. */
export function findElementAtPoint(this: AnyElement, x: number, y: number): Element | null {
  return hitTestDeep(this.getRootNode(), x, y);
}

export function isFrame(element: Element | null): boolean {
  return element !== null && /^(?:iframe|frame|object|embed|fencedframe)$/u.test(element.localName);
}

/** True for a custom element without an open shadow tree. It may have a closed one, which scripts cannot search. */
export function mayHaveClosedShadowRoot(element: Element | null): boolean {
  return element !== null && element.localName.includes('-') && element.shadowRoot === null;
}

/** The root element of the document. For text input, its body if the whole body is editable. */
export function findDocumentRoot(isForText: boolean): Element {
  const body: unknown = Reflect.get(Document.prototype, 'body', document);
  const isEditor = isForText && body instanceof HTMLElement && body.isContentEditable;
  return isEditor ? body : document.documentElement;
}
