/**
 * Runs in the page, in our own world: elements that only a look at the DOM tells of. Such that react to a click and do
 * not say so (a pointer over them, an `onclick`), and such that are marked as the current one of their set; then, after
 * a `null`, further fields with something in them. None stands there twice. What is not displayed is passed over with all
 * that is in it.
 *
 * Self-contained: only its source is sent. A form's own properties are hidden by fields of those names, so what could be
 * one is asked through the prototypes.
 */
export const FIND_TELLING_ELEMENTS = `function (max, maxFields) {
  const native = 'a[href],button,input,select,textarea,summary,option,iframe,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=treeitem]';
  const { getAttribute, hasAttribute, matches } = Element.prototype;
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
  const shadowOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  const own = (get, element, ...args) => Reflect.apply(get, element, args);
  const found = [];
  const fields = [];
  const roots = [document];
  for (let root = roots.pop(); root !== undefined && found.length < max; root = roots.pop()) {
    const walker = Reflect.apply(Document.prototype.createTreeWalker, document, [root, NodeFilter.SHOW_ELEMENT]);
    for (let element = walker.nextNode(); element !== null && found.length < max;) {
      const { cursor, display } = getComputedStyle(element);
      const isHidden = display === 'none';
      if (!isHidden) look(element, cursor);
      element = isHidden ? nextBeside(walker) : walker.nextNode();
    }
  }
  return [...found, null, ...fields];
  function look(element, cursor) {
    const shadow = own(shadowOf, element);
    if (shadow !== null) roots.push(shadow);
    const current = own(getAttribute, element, 'aria-current');
    const isCurrent = current !== null && current !== '' && current !== 'false';
    if (isCurrent || ((own(hasAttribute, element, 'onclick') || startsPointer(element, cursor)) && !own(matches, element, native))) found.push(element);
    else if (fields.length < maxFields && isFilled(element)) fields.push(element);
  }
  function startsPointer(element, cursor) {
    if (cursor !== 'pointer') return false;
    const parent = own(parentOf, element);
    const outer = parent instanceof ShadowRoot ? parent.host : parent;
    return !(outer instanceof Element) || getComputedStyle(outer).cursor !== 'pointer';
  }
  function isFilled(element) {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value !== '';
    return element instanceof HTMLSelectElement || (element instanceof HTMLElement && own(hasAttribute, element, 'contenteditable'));
  }
  function nextBeside(walker) {
    for (let beside = walker.nextSibling(); ; beside = walker.nextSibling()) {
      if (beside !== null || walker.parentNode() === null) return beside;
    }
  }
}`;
