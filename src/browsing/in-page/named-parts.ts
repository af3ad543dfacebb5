import { withoutBlanks } from '#core/blank.ts';
import { countElements } from './page-part.ts';

/** Elements that a name may lead to, those that are called exactly so apart from the others. */
type Places = { max: number; exact: Set<Element>; others: Set<Element> };

/**
 * The parts of a document that a name may stand in, so that a large one need not be described. Gives a list: how many elements
 * the document has; whether these are all such parts; the parts, with all that they hold; `null`; what stands around them.
 * White space and case are left out of the comparison. Parts that are called exactly so come first.
 */
export function partsNamed(words: string, max: number): readonly unknown[] {
  const wanted = bare(words);
  const places: Places = { max, exact: new Set(), others: new Set() };
  if (wanted !== '') {
    for (const root of rootsIn()) {
      findInTexts(root, wanted, places);
      findInNames(root, wanted, places);
    }
  }
  const all = [...places.exact, ...places.others];
  const found = all.slice(0, max);
  return listOf(found, all.length === found.length);
}

/** The same for elements that are known: the parts that they stand in. */
export function partsAround(...elements: readonly Element[]): readonly unknown[] {
  return listOf(elements, true);
}

function listOf(elements: readonly Element[], isAll: boolean): readonly unknown[] {
  const parts = [...new Set(elements.map(partAround))];
  const around = new Set<Node>([document]);
  for (const part of parts) {
    const chain: Node[] = [];
    for (let at = outer(part); at !== null; at = outer(at)) chain.unshift(at);
    for (const one of chain) around.add(one);
  }
  return [countElements(0), isAll, ...parts.flatMap(withContent), null, ...around, null];
}

/** The accessibility tree may have the content of a part of a line in its place. */
function withContent(part: Element): Node[] {
  return /^(?:inline|contents)$/u.test(getComputedStyle(part).display) ? [part, ...part.childNodes] : [part];
}

/** As much as belongs together: the row, the form, the card. */
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

/** The document and its open shadow trees. */
function rootsIn(): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of queryAll(root, '*')) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
  return roots;
}

/** Looks through all text at once, because a name may stand in several elements. */
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
    const label = element.closest('label');
    if (label?.control) add(label.control, false, places);
  }
}

/** The last of the rising numbers that is not above one. */
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
  for (let element = first?.parentElement ?? null; element !== null; element = element.parentElement) {
    if (holds(element, last)) return isSmall(element) ? element : null;
  }
  return null;
}

function holds(element: Element, node: Node): boolean {
  return Node.prototype.contains.call(element, node);
}

/** Names that are no text of the page. */
function findInNames(root: Document | ShadowRoot, wanted: string, places: Places): void {
  for (const element of queryAll(root, NAMED)) {
    if (isFull(places)) return;
    const names = namesOf(element, root).map(bare);
    if (names.some((name) => name.includes(wanted))) add(element, names.includes(wanted), places);
  }
}

const NAMED = '[aria-label],[aria-labelledby],[title],[alt],[placeholder],input';
const ATTRIBUTES = ['aria-label', 'title', 'alt', 'placeholder'];

function namesOf(element: Element, root: Document | ShadowRoot): string[] {
  const names = ATTRIBUTES.map((attribute) => element.getAttribute(attribute) ?? '');
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/u).filter((id) => id !== '');
  names.push(ids.map((id) => root.getElementById(id)?.textContent ?? '').join(' '));
  if (element instanceof HTMLInputElement && /^(?:button|submit|reset)$/u.test(element.type)) names.push(element.value);
  return names;
}

function add(element: Element, isExact: boolean, { max, exact, others }: Places): void {
  const kind = isExact ? exact : others;
  if (kind.size <= max) kind.add(element);
}

function isFull({ max, exact }: Places): boolean {
  return exact.size > max;
}

function queryAll(root: Document | ShadowRoot, selector: string): Iterable<Element> {
  const prototype = root instanceof ShadowRoot ? ShadowRoot.prototype : Document.prototype;
  const find: Document['querySelectorAll'] = Reflect.get(prototype, 'querySelectorAll');
  return find.call(root, selector);
}

function bare(text: string): string {
  return withoutBlanks(text.normalize('NFKC')).toLowerCase();
}
