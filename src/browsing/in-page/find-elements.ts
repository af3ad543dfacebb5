/** Scripts that run in the page, in our own world. Self-contained: only their source is sent. */

export const IS_IN_DOCUMENT = `function () {
  return this.nodeType === Node.ELEMENT_NODE && this.isConnected && this.ownerDocument === document;
}`;

/** Throws for what is no selector. Open shadow roots are searched after the document they stand in. */
export const FIND_BY_SELECTOR = `function (selector, max) {
  const found = { count: 0 };
  const roots = [document];
  for (let at = 0; at < roots.length; at += 1) {
    for (const element of roots[at].querySelectorAll(selector)) {
      if (found.count < max) found['m' + found.count] = element;
      found.count += 1;
    }
    const walker = document.createTreeWalker(roots[at], NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
    }
  }
  return found;
}`;
