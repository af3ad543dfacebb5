import { parentElementOf } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';

/** Calls the prototype's method, because a form field named `matches` would hide the method of its form. */
export function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

export function closestTo(element: Element, selector: string): AnyElement | null {
  return Element.prototype.closest.call<Element, [string], AnyElement | null>(element, selector);
}

export function attribute(element: Element, name: string): string {
  return Element.prototype.getAttribute.call(element, name) ?? '';
}

export function allIn(element: Element, selector: string, max: number): AnyElement[] {
  const found = Element.prototype.querySelectorAll.call(element, selector);
  const listed: AnyElement[] = [];
  for (let at = 0; at < found.length && listed.length < max; at += 1) {
    const one = found[at];
    if (one !== undefined) listed.push(asAny(one));
  }
  return listed;
}

export function readLocalName(element: Element): string {
  return Reflect.get(Element.prototype, 'localName', element);
}

export function asAny(element: Element): AnyElement {
  const found = closestTo(element, '*');
  if (found === null) throw new TypeError('an element is its own closest element');
  return found;
}

/** The parent element; for the top element of a shadow tree, its host. */
export function parentOrHost(element: Element): Element | null {
  const parent = parentElementOf(element);
  if (parent !== null) return parent;
  const root: Node & { host?: Element } = Node.prototype.getRootNode.call(element);
  return root.host ?? null;
}

export function resolveUrl(text: string): URL | null {
  return URL.parse(text, Reflect.get(Node.prototype, 'baseURI', document));
}
