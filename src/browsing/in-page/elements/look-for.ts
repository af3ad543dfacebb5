import { noteFoundWords } from './found-words.ts';
import { foldText } from './folded-words.ts';
import { truncateWithContext, sliceWithContext } from '#browsing/in-page/view/cut.ts';
import { openRoots, queryAll, createDomReaders, rootElement, textWalker } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';
import type { VisibilityResult, VisibleText } from '#browsing/in-page/script-types.ts';
import { ImageBoxes } from '#browsing/in-page/view/pictures.ts';
import { describeHiddenBox, isTextDrawn, isTransparent } from '#browsing/in-page/view/visible-html.ts';

const NO_WORDS = truncateWithContext('', 0);

/** Searches the visible text of the document. Ignores case, line breaks and runs of spaces. */
export function findVisibleText(wanted: string, aroundChars: number): VisibilityResult {
  const needle = foldText(wanted);
  if (needle === '') return { state: 'invalid', words: NO_WORDS };
  const shown = foldText(shownText());
  const at = shown.indexOf(needle);
  if (at !== -1) {
    return { state: 'seen', words: sliceWithContext(shown, at - aroundChars, at + needle.length + aroundChars) };
  }
  const isHidden = foldText(textWithoutCode()).includes(needle);
  return { state: isHidden ? 'hidden' : 'missing', words: NO_WORDS };
}

/** The text of the document, including hidden text, without scripts and styles. */
function textWithoutCode(): string {
  const read = createDomReaders();
  const walker = textWalker(rootElement());
  const parts: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = read.parentNode(node);
    if (parent === null || !CODE.test(read.localName(parent))) parts.push(node.nodeValue ?? '');
  }
  return parts.join('');
}

const CODE = /^(?:script|style|template|noscript)$/u;

/** The visible text on one line, cut to `charsMax`. `isAll`: the text is complete. */
export function readVisibleText(charsMax: number): VisibleText {
  const shown = shownText().replace(/\s+/gu, ' ').trim();
  return { words: truncateWithContext(shown, charsMax), isAll: shown.length <= charsMax };
}

/** Looks for a visible element that matches a CSS selector, in the document and its open shadow trees. */
export function findVisibleMatch(selector: string): VisibilityResult {
  let hidden = 0;
  for (const root of openRoots()) {
    const matches = matchesIn(root, selector);
    if (matches === null) return { state: 'invalid', words: NO_WORDS };
    for (const element of matches) {
      if (isElementVisible(element)) return { state: 'seen', words: NO_WORDS };
      hidden += 1;
    }
  }
  return { state: hidden > 0 ? 'hidden' : 'missing', words: NO_WORDS };
}

export function checkElementVisibility(this: Element): VisibilityResult {
  if (!this.isConnected) return { state: 'missing', words: NO_WORDS };
  return { state: isElementVisible(this) ? 'seen' : 'hidden', words: NO_WORDS };
}

function matchesIn(root: Document | ShadowRoot, selector: string): Iterable<Element> | null {
  try {
    return queryAll(root, selector);
  } catch {
    return null;
  }
}

/** True if an element, or content that overflows its empty box, is visible. */
export function isElementVisible(element: Element): boolean {
  if (!isDrawn(element)) return false;
  const inside = Element.prototype.getElementsByTagName.call(element, '*');
  return hasArea(element) || [...inside].some((inner) => hasArea(inner) && isDrawn(inner));
}

function isDrawn(element: Element): boolean {
  const options = { visibilityProperty: true, opacityProperty: true };
  return Element.prototype.checkVisibility.call(element, options) || getComputedStyle(element).display === 'contents';
}

function hasArea(element: Element): boolean {
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width > 0 && height > 0;
}

type Open = string | Node;

/** The visible text, with a space between blocks. Iterative, because deep nesting would overflow the stack. */
function shownText(top: Node = rootElement()): string {
  const read = createDomReaders();
  const pictures = new ImageBoxes(read);
  const parts: string[] = [];
  const open: Open[] = [top];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (read.nodeType(next) === 3) parts.push(next.nodeValue ?? '');
    else if (read.nodeType(next) === 1) visit(next, open, read, pictures);
  }
  return parts.join('');
}

const UNSEEN = /^(?:head|style|script|noscript|template|canvas|textarea|title|option|optgroup|datalist|iframe)$/u;

/** Pushes the visible content of an element on the stack in reverse order, as the stack is read from its end. */
function visit(element: Node, open: Open[], read: DomReaders, pictures: ImageBoxes): void {
  const name = read.localName(element);
  if (name === 'br') open.push(' ');
  if (UNSEEN.test(name)) return;
  const style = read.style(element);
  if (isUnseen(element, name, style, read)) return;
  const isBlock = style.display !== 'contents' && !/^inline(?:$|\s)/u.test(style.display);
  if (isBlock) open.push(' ');
  const label = labelOf(element, name, read);
  if (label !== null) open.push(label);
  else {
    const drawsText = isTextDrawn(style, () => pictures.isUnder(element));
    const isFolded = name === 'details' && [...read.attributes(element)].every(({ name: key }) => key !== 'open');
    for (const child of childrenOf(element, name, read)) {
      const isElement = read.nodeType(child) === 1;
      if (isElement ? !isFolded || read.localName(child) === 'summary' : drawsText && !isFolded) open.push(child);
    }
  }
  if (isBlock) open.push(' ');
}

function isUnseen(element: Node, name: string, style: CSSStyleDeclaration, read: DomReaders): boolean {
  if (name === 'html' || name === 'body') return style.display === 'none';
  if (style.display === 'contents') return false;
  if (style.display === 'none' || style.display === '' || isTransparent(style)) return true;
  // Only the browser knows that some content is hidden, such as in a closed `<details>`.
  if (!read.isRendered(element)) return true;
  return style.display !== 'inline' && describeHiddenBox(style, element, read) !== '';
}

/**
 * The label of a button or the chosen option of a `<select>`; `null` for other elements. Typed values do not count as
 * page text.
 */
function labelOf(element: Node, name: string, read: DomReaders): string | null {
  if (name === 'input') {
    const of = (wanted: string) => [...read.attributes(element)].find(({ name: key }) => key === wanted)?.value ?? '';
    return /^(?:submit|button|reset)$/iu.test(of('type')) ? ` ${of('value')} ` : ' ';
  }
  if (name !== 'select') return null;
  return ` ${read.chosen(element)} `;
}

/** Children in reverse order. Content assigned to a slot is visited at the slot, where it is displayed. */
function childrenOf(element: Node, name: string, read: DomReaders): Node[] {
  const assigned = name === 'slot' ? read.assigned(element) : [];
  if (assigned.length > 0) return [...assigned].reverse();
  const children: Node[] = [];
  const parent = read.shadowRoot(element) ?? element;
  for (let child = read.firstChild(parent); child !== null; child = read.nextSibling(child)) children.push(child);
  return children.reverse();
}

/** Called on a node that was found. Notes the words of an element. */
export function isInDocument(this: Node): boolean {
  const isIn = isElementHere(this);
  if (isIn && this instanceof Element) noteFoundWords(this);
  return isIn;
}

export function areInDocument(...nodes: Node[]): boolean[] {
  return nodes.map(isElementHere);
}

function isElementHere(node: Node): boolean {
  return node.nodeType === Node.ELEMENT_NODE && node.isConnected && node.ownerDocument === document;
}

/** Called on a text node that was found. Returns its parent element. */
export function getParentOfTextNode(this: Node): Element | null {
  const { parentElement } = this;
  if (parentElement !== null) noteFoundWords(parentElement);
  return parentElement;
}

/** Called on an element. Returns the element and its ancestors in the same form as `findElements`. */
export function listAncestors(this: Element, max: number): object {
  const found: Record<string, Element> = { m0: this };
  let count = 1;
  for (let at = outerOf(this); at !== null && count < max; at = outerOf(at)) {
    if (!(at instanceof Element)) continue;
    found[`m${count}`] = at;
    count += 1;
  }
  return { count, ...found };
}

function outerOf(node: Node): Node | null {
  return node instanceof ShadowRoot ? node.host : Reflect.get(Node.prototype, 'parentNode', node);
}

/** True if the element is under the mouse pointer or contains the focus. */
export function isHoveredOrFocused(this: Element): boolean {
  return Element.prototype.matches.call(this, ':hover, :focus-within');
}

/**
 * The first `max` matches as members `m0`, `m1`, … and the number of all matches (`count`). Throws for an invalid
 * selector. Searches the document first, then its open shadow trees.
 */
export function findElements(selector: string, max: number): object {
  const found: Record<string, Element> = {};
  let count = 0;
  for (const root of openRoots()) {
    for (const element of queryAll(root, selector)) {
      if (count < max) found[`m${count}`] = element;
      count += 1;
    }
  }
  return { count, ...found };
}
