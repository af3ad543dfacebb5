/** An element of any kind, as a caller names it: what only some kinds have is asked for before it is used. */
export type AnyElement = HTMLElement &
  Partial<
    Pick<
      HTMLInputElement,
      'autocomplete' | 'checked' | 'labels' | 'readOnly' | 'select' | 'setSelectionRange' | 'type' | 'value'
    >
  > &
  Partial<Pick<HTMLSelectElement, 'multiple' | 'options'>>;

/** What a script runs on; `null` when that is the document. */
export function calledOn(target: AnyElement | Window): AnyElement | null {
  return isWindow(target) ? null : target;
}

function isWindow(target: object): target is Window {
  return target === globalThis;
}

/** The control of a label, or the element itself when it is no label. */
export function controlOf(element: AnyElement): AnyElement {
  return isLabel(element) ? (element.control ?? element) : element;
}

function isLabel(element: Element): element is HTMLLabelElement {
  return element.localName === 'label';
}

/** The labels of a field. A form has none, but may hold a field named `labels`. */
export function labelsOf(element: AnyElement): readonly HTMLLabelElement[] {
  return element.localName === 'form' ? [] : [...(element.labels ?? [])];
}

/** The document or shadow root that an element is in. The top of a detached tree is an element. */
export type Root = Node & Partial<Pick<ShadowRoot, 'host'>> & Partial<Pick<ShadowRoot, 'elementFromPoint'>>;

/** Named elements of a page hide the members of its document, but not those of the prototype. */
export function hitAt(root: Root, x: number, y: number): Element | null {
  if (root === document) return Document.prototype.elementFromPoint.call(document, x, y);
  return root.elementFromPoint?.(x, y) ?? null;
}
