import { elementWalker } from './readers.ts';

export function isInDocument(this: Node): boolean {
  return this.nodeType === Node.ELEMENT_NODE && this.isConnected && this.ownerDocument === document;
}

export function elementOfText(this: Node): Element | null {
  return this.parentElement;
}

export function isUnderHand(this: Element): boolean {
  return Element.prototype.matches.call(this, ':hover, :focus-within');
}

/** Open shadow roots are searched after the document they stand in. */
export function findElements(selector: string, max: number): object {
  const found: Record<string, Element> = {};
  let count = 0;
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll(selector)) {
      if (count < max) found[`m${count}`] = element;
      count += 1;
    }
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
    }
  }
  return { count, ...found };
}
