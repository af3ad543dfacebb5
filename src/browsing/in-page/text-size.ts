import { readers } from './readers.ts';

/** Open shadow trees count, scripts do not. */
export function textSize(): { chars: number; height: number } {
  const { nodeType, firstChild, nextSibling, localName, shadowRoot } = readers();
  let chars = 0;
  const open: Node[] = [document];
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
