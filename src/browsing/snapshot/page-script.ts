/**
 * Runs in the page, in our own world: elements that only a look at the DOM tells of. Such that react to a click and do
 * not say so (a pointer over them, an `onclick`), and such that are marked as the current one of their set.
 * Self-contained: only its source is sent.
 */
export const FIND_TELLING_ELEMENTS = `function (max) {
  const native = 'a[href],button,input,select,textarea,summary,option,iframe,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem]';
  const found = [];
  const roots = [document];
  for (let root = roots.pop(); root !== undefined; root = roots.pop()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element !== null && found.length < max; element = walker.nextNode()) {
      if (element.shadowRoot !== null) roots.push(element.shadowRoot);
      const current = element.getAttribute('aria-current');
      if (current !== null && current !== '' && current !== 'false') found.push(element);
      else if (!element.matches(native) && (element.hasAttribute('onclick') || startsPointer(element))) found.push(element);
    }
  }
  return found;
  function startsPointer(element) {
    if (getComputedStyle(element).cursor !== 'pointer') return false;
    const parent = element.parentElement ?? (element.parentNode instanceof ShadowRoot ? element.parentNode.host : null);
    return parent === null || getComputedStyle(parent).cursor !== 'pointer';
  }
}`;
