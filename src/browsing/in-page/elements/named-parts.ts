import type { DocumentPart } from '#browsing/in-page/script-types.ts';
import { removeBlanks } from '#core/text/blank.ts';
import {
  elementWalker,
  labelledBy,
  openRoots,
  parentElementOf,
  queryAll,
  createDomReaders,
  rootElement,
} from './safe-dom.ts';
import type { DomReaders } from './safe-dom.ts';
import { documentSize, hasLongAttributes, isLongField, isLongText, sizeOfNode } from './document-size.ts';
import { isLongEditor } from '#browsing/in-page/fields/long-field.ts';
import { EXCERPT_SIZE, LongTexts } from './long-texts.ts';

/** Elements with the searched words. `exact`: elements whose whole name or text is these words. */
type Places = { max: number; exact: Set<Element>; others: Set<Element> };

/** The elements of a document with these words as text or name, ignoring white space and case. Exact matches first. */
export function findPartsByText(words: string, max: number): DocumentPart<Node> {
  const { exact, others } = findPlacesByText(words, max, true);
  const all = [...exact, ...others];
  const found = all.slice(0, max);
  return partsWith(found, all.length === found.length, words);
}

/** Elements with these words as their text or name. @param values true to search the values of fields as well */
export function findPlacesByText(words: string, max: number, values: boolean): Places {
  const wanted = bare(words);
  const places: Places = { max, exact: new Set(), others: new Set() };
  if (wanted === '') return places;
  for (const root of openRoots()) {
    findInTexts(root, wanted, places);
    findInNames(root, wanted, places, values);
  }
  return places;
}

export function findPartsAround(...elements: readonly Element[]): DocumentPart<Node> {
  return partsWith(elements, true);
}

function partsWith(elements: readonly Element[], isThere: boolean, words = ''): DocumentPart<Node> {
  const parts = [...new Set(elements.map(partAround))];
  const around = new Set<Node>([document]);
  for (const part of parts) {
    const chain: Node[] = [];
    for (let at = outer(part); at !== null; at = outer(at)) chain.unshift(at);
    for (const one of chain) around.add(one);
  }
  const whole: Node[] = [];
  const long: Node[] = [];
  const read = createDomReaders();
  const texts = new LongTexts(read, words);
  for (const part of parts.flatMap(withContent)) addWithoutLong(part, { whole, around, long, texts }, read);
  return withTexts(texts, { ...sizes(), isThere, whole, long, around: [...around], next: null });
}

function sizes(): Pick<DocumentPart<Node>, 'elements' | 'size'> {
  return { elements: countElements(), size: documentSize(Number.POSITIVE_INFINITY) };
}

function withTexts(texts: LongTexts, part: Omit<DocumentPart<Node>, 'texts'>): DocumentPart<Node> {
  const around = part.around.filter((node) => texts.addLong(node) === null);
  return Object.defineProperty({ ...part, around, texts: texts.all }, 'textNodes', { value: texts.nodes });
}

/**
 * The node of a long text, by its index in {@link DocumentPart.texts}. An element gets a listener in this isolated world
 * for a while: its listeners are the only description in which Chromium sends the element's id without its attributes.
 */
export function getLongText({ textNodes }: DocumentPart<Node>, at: number, event: string, ms: number): Node | null {
  const node = textNodes?.[at] ?? null;
  if (!(node instanceof Element)) return node;
  const nothing = () => undefined;
  EventTarget.prototype.addEventListener.call(node, event, nothing);
  setTimeout(() => EventTarget.prototype.removeEventListener.call(node, event, nothing), ms);
  return node;
}

type Parts = { whole: Node[]; around: Set<Node>; long: Node[]; texts: LongTexts };

/** Adds a node with its content. An element around a long field or text is divided, so that this is read alone. */
function addWithoutLong(node: Node, part: Parts, read: DomReaders): void {
  if (isLongText(node, read)) {
    part.texts.addText(node);
    return;
  }
  const kind = part.texts.addLong(node);
  if (kind === 'field' && !hasPartsBelow(node)) return;
  const isOneLong = kind === null && isLongField(node, read);
  if (isOneLong) part.long.push(node);
  if (isOneLong || (kind === null && !holdsLong(node, read))) {
    part.whole.push(node);
    return;
  }
  if (kind === null && !part.texts.addElement(node)) part.around.add(node);
  for (const child of childrenOf(node, read)) addWithoutLong(child, part, read);
}

function hasPartsBelow(field: Node): boolean {
  return (
    field instanceof HTMLSelectElement || (field instanceof HTMLElement && field.isContentEditable && isSmall(field))
  );
}

/** Answers for the nodes examined so far. Without them, each level of a deep page would be examined once for each level. */
const holding = new Map<Node, boolean>();

function holdsLong(node: Node, read: DomReaders): boolean {
  const known = holding.get(node);
  if (known !== undefined) return known;
  const has = childrenOf(node, read).some((child) => isLong(child, read) || holdsLong(child, read));
  holding.set(node, has);
  return has;
}

function isLong(node: Node, read: DomReaders): boolean {
  return isLongField(node, read) || isLongText(node, read) || hasLongAttributes(node, read) || isLongEditor(node, read);
}

/**
 * An inline element and its children, because the accessibility tree may contain the children instead of the element.
 */
function withContent(part: Element): Node[] {
  return /^(?:inline|contents)$/u.test(getComputedStyle(part).display) ? [part, ...part.childNodes] : [part];
}

function partAround(element: Element): Element {
  let part = element;
  for (let at = outer(part); at instanceof Element && isSmall(at); at = outer(at)) part = at;
  return part;
}

function isSmall(element: Element): boolean {
  return Element.prototype.getElementsByTagName.call(element, '*').length <= PART_ELEMENTS_MAX;
}

const PART_ELEMENTS_MAX = 60;

function outer(node: Node): Node | null {
  const parent: unknown = Reflect.get(Node.prototype, 'parentNode', node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Node ? parent : null;
}

/** Searches the joined text of all nodes, because the words may span several elements. */
function findInTexts(root: Document | ShadowRoot, wanted: string, places: Places): void {
  const texts: Node[] = [];
  const starts: number[] = [];
  const pieces: string[] = [];
  let chars = 0;
  const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const words = bare(text.nodeValue ?? '');
    if (words === '' || /^(?:script|style|noscript|title)$/u.test(text.parentElement?.localName ?? '')) continue;
    texts.push(text);
    starts.push(chars);
    pieces.push(words);
    chars += words.length;
  }
  const line = pieces.join('');
  for (let at = line.indexOf(wanted); at !== -1 && !isFull(places); at = line.indexOf(wanted, at + 1)) {
    const [first, last] = [indexAt(starts, at), indexAt(starts, at + wanted.length - 1)];
    const element = commonElement(texts[first], texts[last]);
    if (element === null) continue;
    const isWhole = starts[first] === at && (starts[last + 1] ?? chars) === at + wanted.length;
    const isAlone = [texts[first - 1], texts[last + 1]].every((beside) => !beside || !holds(element, beside));
    add(element, isWhole && isAlone, places);
    const label = Element.prototype.closest.call(element, 'label');
    if (label instanceof HTMLLabelElement && label.control) add(label.control, false, places);
  }
}

/** Index of the last number that is at most `place`, in an ascending list. */
function indexAt(starts: readonly number[], place: number): number {
  let from = 0;
  let to = starts.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((starts[middle] ?? 0) <= place) from = middle;
    else to = middle;
  }
  return from;
}

function commonElement(first: Node | undefined, last: Node | undefined): Element | null {
  if (last === undefined) return null;
  for (
    let element = first === undefined ? null : parentElementOf(first);
    element !== null;
    element = parentElementOf(element)
  ) {
    if (holds(element, last)) return isSmall(element) ? element : null;
  }
  return null;
}

function holds(element: Element, node: Node): boolean {
  return Node.prototype.contains.call(element, node);
}

/**
 * Finds elements by names in attributes such as `aria-label` and by button labels; with `values`, also by field values.
 */
function findInNames(root: Document | ShadowRoot, wanted: string, places: Places, values: boolean): void {
  for (const element of queryAll(root, NAMED)) {
    if (isFull(places)) return;
    const names = namesOf(element, root, values).map(bare);
    if (names.some((name) => name.includes(wanted))) add(element, names.includes(wanted), places);
  }
}

const NAMED = '[aria-label],[aria-labelledby],[title],[alt],[placeholder],input,textarea';
const ATTRIBUTES = ['aria-label', 'title', 'alt', 'placeholder'];

function namesOf(element: Element, root: Document | ShadowRoot, values: boolean): string[] {
  const { attribute } = createDomReaders();
  const names = ATTRIBUTES.map((name) => attribute(element, name) ?? '');
  names.push(labelledBy(element, root));
  if (element instanceof HTMLInputElement && (values ? element.type !== 'password' : isButton(element)))
    names.push(element.value);
  if (values && element instanceof HTMLTextAreaElement) names.push(element.value);
  return names;
}

function isButton({ type }: HTMLInputElement): boolean {
  return type === 'button' || type === 'submit' || type === 'reset';
}

function add(element: Element, isExact: boolean, { max, exact, others }: Places): void {
  const kind = isExact ? exact : others;
  if (kind.size <= max) kind.add(element);
}

function isFull({ max, exact }: Places): boolean {
  return exact.size > max;
}
function bare(text: string): string {
  return removeBlanks(text.normalize('NFKC')).toLowerCase();
}

/** Number of elements in a document and its open shadow trees. */
function countElements(): number {
  let count = 0;
  for (const root of openRoots()) {
    const walker = elementWalker(root);
    while (walker.nextNode() !== null) count += 1;
  }
  return count;
}

/** A node whose children are being visited. */
type Level = {
  node: Node;
  children: readonly Node[];
  at: number;
  /** True if the node begins in this part, so that the part has its children from the first on. */
  isNew: boolean;
  /** True if the accessibility tree may contain the node's children in its place. */
  isLoose: boolean;
  nodesBefore: number;
  wholeBefore: number;
};

/**
 * A part of a large document in reading order: about `max` displayed nodes, fewer if their texts are long.
 * @param from first node of the part; `null` for the beginning
 * @param within the element whose content is read in parts; `null` for the document
 */
export function readDocumentPart(max: number, from: Node | null, within: Element | null): DocumentPart<Node> {
  const read = createDomReaders();
  const isThere = from === null || from.isConnected;
  const levels = levelsTo((isThere ? from : null) ?? within ?? rootElement(), within, read);
  const whole: Node[] = [];
  const long: Node[] = [];
  const texts = new LongTexts(read);
  const passed: Node[] = [];
  let nodes = 0;
  let next: Node | null = null;
  for (let level = levels.at(-1); level !== undefined && next === null; level = levels.at(-1)) {
    const node = level.children[level.at];
    if (node === undefined) {
      levels.pop();
      if (level.isNew) whole.splice(level.wholeBefore, level.isLoose ? 0 : whole.length, level.node);
      else passed.push(level.node);
    } else if (isLongText(node, read)) {
      level.at += 1;
      readAlone(levels, texts);
      if (texts.addText(node)) nodes += EXCERPT_SIZE;
    } else if (nodes >= max) {
      next = cutBefore(node, levels, max * SHARE_UNDIVIDED, whole);
    } else {
      level.at += 1;
      const display = read.nodeType(node) === 1 ? read.style(node).display : '';
      if (display === 'none') continue;
      const kind = texts.addLong(node);
      const isDescribed = kind !== null;
      const isOneLong = !isDescribed && isLongField(node, read);
      nodes += isOneLong ? 1 : isDescribed ? EXCERPT_SIZE : Math.max(sizeOfNode(node, read), 1);
      if (isOneLong) {
        whole.push(node);
        long.push(node);
        readAlone(levels, texts);
        continue;
      }
      if (kind === 'field' && !(node instanceof HTMLSelectElement)) {
        readAlone(levels, texts);
        continue;
      }
      const isLoose = (display === 'inline' || display === 'contents') && read.localName(node) !== 'a';
      const children = childrenOf(node, read);
      if (isDescribed) readAlone(levels, texts);
      if (!isDescribed && children.length === 0) whole.push(node);
      else
        levels.push({
          node,
          children,
          at: 0,
          isNew: !isDescribed,
          isLoose,
          nodesBefore: nodes,
          wholeBefore: whole.length,
        });
    }
  }
  const around = [...levels.map(({ node }) => node), ...passed.reverse()];
  return withTexts(texts, { ...sizes(), isThere, whole, long, around, next });
}

/** Reads the elements around a long field or text alone, because they would bring it with its lines. */
function readAlone(levels: readonly Level[], texts: LongTexts): void {
  for (const one of levels) {
    one.isNew = false;
    texts.addElement(one.node);
  }
}

/** The ancestors of a node up to `within`, outermost first, each with the index of the child that leads to the node. */
function levelsTo(start: Node, within: Element | null, read: DomReaders): Level[] {
  const levels: Level[] = [];
  let child = start;
  let isInside = within !== null;
  for (let node = parentAcrossShadow(child, read); node !== null; node = parentAcrossShadow(child, read)) {
    if (child === within) isInside = false;
    const children = childrenOf(node, read);
    const at = children.indexOf(child);
    const isEnd = within !== null && !isInside;
    levels.unshift({
      node,
      children: isEnd ? children.slice(0, at + 1) : children,
      at: child === start ? at : at + 1,
      isNew: false,
      isLoose: false,
      nodesBefore: 0,
      wholeBefore: 0,
    });
    child = node;
  }
  return levels;
}

/** Ends the part before an element that begins in its last tenth, so that a table row stays in one part. */
function cutBefore(node: Node, levels: Level[], least: number, whole: Node[]): Node {
  const at = levels.findIndex(({ isNew, nodesBefore }) => isNew && nodesBefore > least);
  const begun = levels[at];
  if (begun === undefined) return node;
  whole.length = begun.wholeBefore;
  levels.length = at;
  return begun.node;
}

const SHARE_UNDIVIDED = 0.9;

/** Children in layout order: a shadow tree replaces its host's children, and a slot shows its assigned nodes. */
function childrenOf(node: Node, read: DomReaders): Node[] {
  const isElement = read.nodeType(node) === 1;
  const assigned = isElement && read.localName(node) === 'slot' ? read.assigned(node) : [];
  if (assigned.length > 0) return assigned.filter((child) => isShownKind(child, read));
  const parent = (isElement ? read.shadowRoot(node) : null) ?? node;
  const children: Node[] = [];
  for (let child = read.firstChild(parent); child !== null; child = read.nextSibling(child)) {
    if (isShownKind(child, read)) children.push(child);
  }
  return children;
}

function isShownKind(node: Node, read: DomReaders): boolean {
  return read.nodeType(node) === 1 || read.nodeType(node) === 3;
}

export function parentAcrossShadow(node: Node, read: DomReaders): Node | null {
  const kind = read.nodeType(node);
  if (kind === 9) return null;
  const slot: Node | null = Reflect.get(kind === 1 ? Element.prototype : Text.prototype, 'assignedSlot', node);
  const parent = slot ?? read.parentNode(node);
  return parent instanceof ShadowRoot ? parent.host : parent;
}
