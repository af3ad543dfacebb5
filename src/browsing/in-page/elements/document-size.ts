import { createDomReaders, elementById, nodeWalker, labelsWithControls } from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';
import { LONG_CHARS } from '#browsing/in-page/fields/long-field.ts';

/** Characters of text for which Chromium describes about as much as for an element: it describes each line of text. */
const TEXT_CHARS = 80;
/** The same for a text area, whose lines are short. */
const TEXT_AREA_CHARS = 10;
/** The same for an address, which costs only its own bytes. */
const ADDRESS_CHARS = 400;
/** The same for a field of one line or a name in an attribute, which is described four times. */
const FIELD_CHARS = 100;
/** The same for the text of the elements that name, describe or belong to an element, which is described four times. */
const REFERENCED_CHARS = 100;
/** References to such elements that take as long to follow as an element to describe. */
const REFERENCES = 8;
/** Size of a field or text from which it is described without its lines. */
const LONG_SIZE = 300;

/**
 * Size of a document with its open shadow trees: the number of its elements. A long text, address or field value
 * counts as several elements, and so do references to many elements or to long texts. Counting stops beyond `enough`.
 */
export function documentSize(enough: number): number {
  const read = createDomReaders();
  let size = 0;
  const roots: Node[] = [document];
  for (let root = roots.pop(); root !== undefined && size <= enough; root = roots.pop()) {
    const walker = nodeWalker(root);
    for (let node = walker.nextNode(); node !== null && size <= enough; node = walker.nextNode()) {
      size += sizeOfNode(node, read);
      const shadow = read.nodeType(node) === 1 ? read.shadowRoot(node) : null;
      if (shadow !== null) roots.push(shadow);
    }
  }
  return size;
}

/** Size of a node without its children, in elements. */
export function sizeOfNode(node: Node, read: DomReaders): number {
  const kind = read.nodeType(node);
  if (kind === 3) return sizeOfText(node, read);
  if (kind !== 1) return 0;
  return sizeOfElement(node, read) + sizeOfReferences(node, read);
}

function sizeOfElement(node: Node, read: DomReaders): number {
  const names = Math.floor(nameChars(node, read) / FIELD_CHARS);
  if (read.localName(node) === 'a') return 1 + names + shareOf(read.attribute(node, 'href'), ADDRESS_CHARS);
  if (node instanceof HTMLTextAreaElement)
    return 1 + names + shareOf(Reflect.get(HTMLTextAreaElement.prototype, 'value', node), TEXT_AREA_CHARS);
  if (node instanceof HTMLInputElement)
    return 1 + names + shareOf(Reflect.get(HTMLInputElement.prototype, 'value', node), FIELD_CHARS);
  return 1 + names;
}

/** Attributes that name or describe an element, the first ones also if it has text. */
export const NAME_ATTRIBUTES = ['aria-label', 'alt', 'label', 'title', 'placeholder'];
const LONG_ATTRIBUTES = [...NAME_ATTRIBUTES, 'href', 'value'];

function nameChars(element: Node, read: DomReaders, names = NAME_ATTRIBUTES): number {
  return names.reduce((sum, name) => sum + (read.attribute(element, name) ?? '').length, 0);
}

/** True for an element with long attributes, which Chromium would send with each description of the element. */
export function hasLongAttributes(node: Node, read: DomReaders): boolean {
  return read.nodeType(node) === 1 && nameChars(node, read, LONG_ATTRIBUTES) >= LONG_CHARS;
}

/** Chromium writes the text of all referenced elements into the name of each element that references them. */
function sizeOfReferences(element: Node, read: DomReaders): number {
  let size = 0;
  for (const name of REFERRING) {
    const ids = read.attribute(element, name);
    const root = ids === null ? null : Node.prototype.getRootNode.call(element);
    if (ids === null || !(root instanceof Document || root instanceof ShadowRoot)) continue;
    for (const id of ids.split(/\s+/u))
      size += 1 / REFERENCES + (charsIn(root, read).get(elementById(root, id) ?? root) ?? 0) / REFERENCED_CHARS;
  }
  return Math.floor(size);
}

const REFERRING = ['aria-labelledby', 'aria-describedby', 'aria-owns'];
/** True for a text whose lines, which no view shows, would take seconds to describe. Chromium omits `aria-hidden` text. */
export function isLongText(node: Node, read: DomReaders): boolean {
  const isLong = read.nodeType(node) === 3 && shareOf(node.nodeValue, TEXT_CHARS) >= LONG_SIZE;
  return isLong && !isAriaHidden(node, read);
}

function isAriaHidden(node: Node, read: DomReaders): boolean {
  for (let at = parentOrHost(node, read); at !== null; at = parentOrHost(at, read))
    if (read.nodeType(at) === 1 && read.attribute(at, 'aria-hidden') === 'true') return true;
  return false;
}

function parentOrHost(node: Node, read: DomReaders): Node | null {
  const parent = read.parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}

/** True for a field with a long value. The lines in it, which no view shows, would take seconds to describe. */
export function isLongField(node: Node, read: DomReaders): boolean {
  const isField = node instanceof HTMLTextAreaElement || node instanceof HTMLInputElement;
  return isField && sizeOfElement(node, read) > LONG_SIZE;
}

function sizeOfText(text: Node, read: DomReaders): number {
  const size = shareOf(text.nodeValue, TEXT_CHARS);
  const parent = size === 0 ? null : read.parentNode(text);
  if (parent === null || read.nodeType(parent) !== 1) return size;
  const isOmitted = UNSEEN.test(read.localName(parent)) || !read.isRendered(listAround(parent, read));
  return isOmitted || (size >= LONG_SIZE && isAriaHidden(text, read)) ? 0 : size;
}

/** The list of an option, because Chromium renders no options of a closed list, but describes them. */
function listAround(element: Node, read: DomReaders): Node {
  if (read.localName(element) !== 'option') return element;
  return Reflect.get(Element.prototype, 'closest').call(element, 'select') ?? element;
}

/** The text of a text area is only its first value. */
const UNSEEN = /^(?:script|style|noscript|template|textarea)$/u;

function shareOf(text: string | null, chars: number): number {
  return Math.floor((text ?? '').length / chars);
}

const known = new Map<Node, ReadonlyMap<Node, number>>();

/**
 * Number of characters in each element and its labels. Reads a tree once, because nested elements and fields with labels
 * would otherwise take quadratic time.
 */
function charsIn(root: Document | ShadowRoot, read: DomReaders): ReadonlyMap<Node, number> {
  const before = known.get(root);
  if (before !== undefined) return before;
  const chars = countTexts(root, read);
  const ofLabels = new Map<Element, number>();
  for (const [label, control] of labelsWithControls(root))
    ofLabels.set(control, (ofLabels.get(control) ?? 0) + (chars.get(label) ?? 0));
  for (const [control, count] of ofLabels) chars.set(control, (chars.get(control) ?? 0) + count);
  known.set(root, chars);
  return chars;
}

function countTexts(root: Node, read: DomReaders): Map<Node, number> {
  const chars = new Map<Node, number>();
  const open: { element: Node; from: number }[] = [];
  let passed = 0;
  const walker = nodeWalker(root);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    closeUntil(read.parentNode(node));
    if (read.nodeType(node) === 1) open.push({ element: node, from: passed });
    else passed += (node.nodeValue ?? '').length;
  }
  closeUntil(null);
  return chars;

  function closeUntil(parent: Node | null): void {
    for (let last = open.at(-1); last !== undefined && last.element !== parent; last = open.at(-1)) {
      chars.set(last.element, passed - last.from);
      open.pop();
    }
  }
}
