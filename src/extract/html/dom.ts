import { PageTree } from './tree.ts';

/** The part of the DOM that extraction uses. */
export type DomNode = {
  readonly nodeType: number;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  readonly textContent: string | null;
};

export type DomElement = DomNode & {
  readonly localName: string;
  readonly parentElement: DomElement | null;
  readonly nextElementSibling: DomElement | null;
  readonly children: Iterable<DomElement> & { readonly length: number };
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement> & { readonly length: number };
  closest(selector: string): DomElement | null;
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

/** @param html as `prepareHtml` gives it: of bounded size, and well nested */
export function parseDocument(html: string): DomDocument {
  return new PageTree(html);
}

/** Turns `element` into another kind of element. */
export function renameElement(element: { localName: string }, name: string): void {
  element.localName = name;
}

/** The class attribute; `''` if there is none. */
export function classOf(element: DomElement): string {
  return element.getAttribute('class') ?? '';
}

/** The next node in document order inside `root`; `null` at the end. */
export function nextInside(root: DomNode, node: DomNode): DomNode | null {
  if (node.firstChild !== null) return node.firstChild;
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode) {
    const { nextSibling } = at;
    if (nextSibling !== null) return nextSibling;
  }
  return null;
}

/** The elements with these names inside `root`, in document order. Selectors cost several times as much. */
export function* elementsInside(root: DomNode, names: ReadonlySet<string>): Generator<DomElement> {
  for (let node = root.firstChild; node !== null; node = nextInside(root, node)) {
    if (isElement(node) && names.has(node.localName)) yield node;
  }
}

/** The element itself or its nearest ancestor with this name. Selectors cost several times as much. */
export function nearestOf(name: string, element: DomElement): DomElement | null {
  let at: DomElement | null = element;
  while (at !== null && at.localName !== name) at = at.parentElement;
  return at;
}

/** Whether `root` has text, and every piece of it matches `pattern`. Reading stops at the first piece that does not. */
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

/** Whether `root` holds an element with one of these names. */
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
  return node.nodeType === TEXT;
}
