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

/** The control that a label stands for; every other element for itself. */
export function controlOf(element: AnyElement): AnyElement {
  return isLabel(element) ? (element.control ?? element) : element;
}

function isLabel(element: Element): element is HTMLLabelElement {
  return element.localName === 'label';
}

/** The labels of a field. A form has none, though a field in it may be called so. */
export function labelsOf(element: AnyElement): readonly HTMLLabelElement[] {
  return element.localName === 'form' ? [] : [...(element.labels ?? [])];
}

/** A document or a shadow root: what an element stands in. A tree that is in no document has an element at its top. */
export type Root = Node & Partial<Pick<ShadowRoot, 'host'>> & Partial<Pick<ShadowRoot, 'elementFromPoint'>>;

/** Named elements of a page stand in for the members of its document, but not for those of the prototype. */
export function hitAt(root: Root, x: number, y: number): Element | null {
  if (root === document) return Document.prototype.elementFromPoint.call(document, x, y);
  return root.elementFromPoint?.(x, y) ?? null;
}
