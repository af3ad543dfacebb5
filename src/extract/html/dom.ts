import { DOMParser } from 'linkedom';

/** The part of the DOM that extraction uses. linkedom's own types promise the whole browser; these promise what it has. */
export type DomNode = {
  readonly nodeType: number;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  textContent: string | null;
};

export type DomElement = DomNode & {
  readonly localName: string;
  readonly parentElement: DomElement | null;
  readonly previousElementSibling: DomElement | null;
  readonly nextElementSibling: DomElement | null;
  readonly children: Iterable<DomElement> & { readonly length: number };
  getAttribute(name: string): string | null;
  getAttributeNode(name: string): { readonly value: string } | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
  closest(selector: string): DomElement | null;
  cloneNode(deep: boolean): DomElement;
  remove(): void;
};

export type DomDocument = {
  readonly documentElement: DomElement;
  readonly body: DomElement;
  readonly head: DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
};

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** `html` must come from `prepareHtml`: linkedom loses pages without html and body tags. */
export function parseDocument(html: string): DomDocument {
  const document: DomDocument = new DOMParser().parseFromString(html, 'text/html');
  return document;
}

/** Makes another kind of element of `element`: linkedom reads its kind from this property alone. */
export function renameElement(element: { localName: string }, name: string): void {
  element.localName = name;
}

/**
 * The class attribute, `''` without one. linkedom makes and joins a list of tokens whenever `getAttribute` is asked for
 * it, also of an element that has none.
 */
export function classOf(element: DomElement): string {
  return element.getAttributeNode('class')?.value ?? '';
}

/** The node after this one in document order inside of `root`, `null` at the end. */
export function nextInside(root: DomNode, node: DomNode): DomNode | null {
  if (node.firstChild !== null) return node.firstChild;
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode) {
    const { nextSibling } = at;
    if (nextSibling !== null) return nextSibling;
  }
  return null;
}

/** The elements of these names inside of `root`, in document order. Selectors cost several times as much. */
export function* elementsInside(root: DomNode, names: ReadonlySet<string>): Generator<DomElement> {
  for (let node = root.firstChild; node !== null; node = nextInside(root, node)) {
    if (isElement(node) && names.has(node.localName)) yield node;
  }
}

/** The element itself, or the nearest one around it, of this name. Selectors cost several times as much. */
export function nearestOf(name: string, element: DomElement): DomElement | null {
  let at: DomElement | null = element;
  while (at !== null && at.localName !== name) at = at.parentElement;
  return at;
}

/** Whether `root` has text, and each piece of it fits `pattern`. It is read up to the first that does not. */
export function isAllText(root: DomNode, pattern: RegExp): boolean {
  let hasText = false;
  for (let node: DomNode | null = root; node !== null; node = nextInside(root, node)) {
    const text = isText(node) ? (node.textContent ?? '') : '';
    if (text === '') continue;
    if (!pattern.test(text)) return false;
    hasText = true;
  }
  return hasText;
}

/** Whether any such element stands inside of `root`. */
export function holdsAny(root: DomNode, names: ReadonlySet<string>): boolean {
  for (let node = root.firstChild; node !== null; node = nextInside(root, node)) {
    if (isElement(node) && names.has(node.localName)) return true;
  }
  return false;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === TEXT || node.nodeType === CDATA;
}
