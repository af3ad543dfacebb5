import type { DomDocument, DomNode } from './dom.ts';
import { pageScript } from './page-script.ts';

declare const document: DomDocument;
declare const Node: { prototype: object };
declare const Element: { prototype: object };

/**
 * How much text the document holds in all, whether it is seen or not, and how high it is in CSS pixels; open shadow
 * trees count, scripts do not.
 */
export const TEXT_SIZE = pageScript(textSize);

function textSize(): { chars: number; height: number } {
  const read = (prototype: object, name: string) => (node: DomNode) => Reflect.get(prototype, name, node);
  const nodeType = read(Node.prototype, 'nodeType');
  const firstChild = read(Node.prototype, 'firstChild');
  const nextSibling = read(Node.prototype, 'nextSibling');
  const localName = read(Element.prototype, 'localName');
  const shadowRoot = read(Element.prototype, 'shadowRoot');
  let chars = 0;
  const open: DomNode[] = [document];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    for (let child = firstChild(top); child !== null; child = nextSibling(child)) {
      const kind = nodeType(child);
      if (kind === 3) chars += (child.nodeValue ?? '').trim().length;
      if (kind !== 1 || /^(?:script|style|noscript|template)$/u.test(localName(child))) continue;
      open.push(child);
      const shadow = shadowRoot(child);
      if (shadow !== null) open.push(shadow);
    }
  }
  return { chars, height: document.scrollingElement?.scrollHeight ?? 0 };
}
