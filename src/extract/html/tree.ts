import { compile } from 'css-select';
import type { html } from 'parse5';
import { oneLine } from '#core/text/text.ts';

const NO_ATTRIBUTES: HtmlAttributes = {};

export type DomNode = DomElement | DomText;
export type HtmlAttributes = Readonly<Record<string, string>>;

/**
 * Hiding of an element by its own attributes. `late`: takes up space, but is invisible until a script shows it.
 * `never`: not rendered. `silent`: hidden from screen readers (`aria-hidden`), and therefore probably also by a style
 * sheet. `closed`: true if nothing remains that hides it once a script removes what hides a closed panel, such as
 * `display:none`.
 */
export type ElementHiding = { when: 'late' | 'never' | 'silent'; closed: boolean };

/**
 * Links between nodes. This code has its own small tree, because other DOM libraries spend most time and memory on
 * events.
 */
class Linked {
  parentNode: DomElement | null = null;
  nextSibling: DomNode | null = null;
  previousSibling: DomNode | null = null;

  get parentElement(): DomElement | null {
    return this.parentNode;
  }

  remove(): void {
    const { parentNode: parent, previousSibling: before, nextSibling: after } = this;
    if (parent === null) return;
    if (before === null) parent.firstChild = after;
    else before.nextSibling = after;
    if (after === null) parent.lastChild = before;
    else after.previousSibling = before;
    this.parentNode = null;
    this.previousSibling = null;
    this.nextSibling = null;
  }
}

export class DomText extends Linked {
  readonly kind = 'text';
  readonly firstChild = null;
  textContent: string;

  constructor(textContent: string) {
    super();
    this.textContent = textContent;
  }
}

export class DomElement extends Linked {
  readonly kind = 'element';
  localName: string;
  readonly namespace: html.NS | null;
  firstChild: DomNode | null = null;
  lastChild: DomNode | null = null;
  /** Number of levels below the document while it was parsed. */
  depth = 0;
  /** Hiding by the element's own attributes; `null` if they do not hide it. */
  readonly hiding: ElementHiding | null;
  attributes: HtmlAttributes;

  constructor(
    localName: string,
    attributes: HtmlAttributes = NO_ATTRIBUTES,
    hiding: ElementHiding | null = null,
    namespace: html.NS | null = null,
  ) {
    super();
    this.localName = localName;
    this.attributes = attributes;
    this.hiding = hiding;
    this.namespace = namespace;
  }

  append(node: DomNode): void {
    this.insertBefore(node, null);
  }

  /** @param next the child of this element to insert before; `null` to append */
  insertBefore(node: DomNode, next: DomNode | null): void {
    const before = next === null ? this.lastChild : next.previousSibling;
    node.parentNode = this;
    node.previousSibling = before;
    node.nextSibling = next;
    if (before === null) this.firstChild = node;
    else before.nextSibling = node;
    if (next === null) this.lastChild = node;
    else next.previousSibling = node;
  }

  hasAttributes(): boolean {
    return this.attributes !== NO_ATTRIBUTES;
  }

  getAttribute(name: string): string | null {
    if (this.attributes === NO_ATTRIBUTES) return null;
    // Its type is checked, because a name such as `constructor` finds a property inherited from `Object`.
    const value: unknown = this.attributes[name];
    return typeof value === 'string' ? value : null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  /** Text of the element, without that of fields and drawings, which is not page text (such as options of a list). */
  get textContent(): string {
    let text = '';
    for (let node = nextInside(this, this); node !== null;) {
      if (isText(node)) text += node.textContent;
      node = isElement(node) && REPLACED_TAGS.has(node.localName) ? nextAfter(this, node) : nextInside(this, node);
    }
    return text;
  }

  get children(): readonly DomElement[] {
    return childrenOf(this).filter(isElement);
  }

  get nextElementSibling(): DomElement | null {
    let next = this.nextSibling;
    while (next !== null && !isElement(next)) next = next.nextSibling;
    return next;
  }

  get previousElementSibling(): DomElement | null {
    let before = this.previousSibling;
    while (before !== null && !isElement(before)) before = before.previousSibling;
    return before;
  }

  querySelector(selector: string): DomElement | null {
    return firstOf(this, testOf(selector));
  }

  querySelectorAll(selector: string): readonly DomElement[] {
    const fits = testOf(selector);
    const found: DomElement[] = [];
    for (let node = nextInside(this, this); node !== null; node = nextInside(this, node)) {
      if (isElement(node) && fits(node)) found.push(node);
    }
    return found;
  }

  closest(selector: string): DomElement | null {
    const fits = testOf(selector);
    if (fits(this)) return this;
    let at = this.parentNode;
    while (at !== null && !fits(at)) at = at.parentNode;
    return at;
  }
}

export class DomDocument {
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;

  /** @param root the `html` element, to which a missing `head` or `body` is added */
  constructor(root: DomElement) {
    this.documentElement = root;
    this.head = partOf(root, 'head');
    this.body = partOf(root, 'body');
  }

  querySelector(selector: string): DomElement | null {
    const root = this.documentElement;
    const fits = testOf(selector);
    return fits(root) ? root : firstOf(root, fits);
  }

  querySelectorAll(selector: string): readonly DomElement[] {
    const root = this.documentElement;
    const found = root.querySelectorAll(selector);
    return testOf(selector)(root) ? [root, ...found] : found;
  }
}

export function classOf(element: DomElement): string {
  return element.getAttribute('class') ?? '';
}

export function nextInside(root: DomNode, node: DomNode): DomNode | null {
  return node.firstChild ?? nextAfter(root, node);
}

/** Returns the next node in document order inside `root` after all descendants of `node`; `null` at the end. */
export function nextAfter(root: DomNode, node: DomNode): DomNode | null {
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode) {
    const { nextSibling } = at;
    if (nextSibling !== null) return nextSibling;
  }
  return null;
}

/** Maximum nodes read to find the beginning of a text. The labels that callers look for have few nodes. */
const BEGINNING_NODES_MAX = 60;

/**
 * Returns the beginning of an element's visible text on one line; empty if it has none. `null` if it has many nodes and
 * the first of them have no text.
 */
export function beginningOfText(root: DomElement, charsMax: number): string | null {
  let text = '';
  let node = root.firstChild;
  for (let count = 0; node !== null; count += 1) {
    if (count === BEGINNING_NODES_MAX) return text.trim() === '' ? null : oneLine(text, charsMax);
    if (isText(node)) text += ` ${node.textContent.slice(0, BEGINNING_CHARS_MAX)}`;
    if (text.length > BEGINNING_CHARS_MAX) break;
    const isPassed = isElement(node) && (node.hiding !== null || REPLACED_TAGS.has(node.localName));
    node = isPassed ? nextAfter(root, node) : nextInside(root, node);
  }
  return oneLine(text, charsMax);
}

/** Maximum characters read for the beginning of a text. White space counts, so this is more than a label has. */
const BEGINNING_CHARS_MAX = 1_000;

/** Yields the elements inside `root` with one of these tag names, in order. Several times faster than a selector. */
export function* elementsInside(root: DomNode, names: ReadonlySet<string>): Generator<DomElement> {
  for (let node = root.firstChild; node !== null; node = nextInside(root, node)) {
    if (isElement(node) && names.has(node.localName)) yield node;
  }
}

/** Returns the nearest element with this tag name, `element` or an ancestor. Much faster than a selector. */
export function nearestByTag(name: string, element: DomElement): DomElement | null {
  let at: DomElement | null = element;
  while (at !== null && at.localName !== name) at = at.parentNode;
  return at;
}

export function treeRoot(element: DomElement): DomElement {
  let top = element;
  while (top.parentNode !== null) top = top.parentNode;
  return top;
}

/** True if `root` has text, and every text node in it matches `pattern`. */
export function isAllText(root: DomNode, pattern: RegExp): boolean {
  let hasText = false;
  for (let node: DomNode | null = root; node !== null; node = nextInside(root, node)) {
    const text = isText(node) ? node.textContent : '';
    if (text === '') continue;
    if (!pattern.test(text)) return false;
    hasText = true;
  }
  return hasText;
}

export function firstInside(root: DomNode, names: ReadonlySet<string>): DomElement | null {
  return elementsInside(root, names).next().value ?? null;
}

export function containsAnyTag(root: DomNode, names: ReadonlySet<string>): boolean {
  return firstInside(root, names) !== null;
}

export function isElement(node: DomNode): node is DomElement {
  return node.kind === 'element';
}

export function isText(node: DomNode): node is DomText {
  return node.kind === 'text';
}

function partOf(root: DomElement, name: string): DomElement {
  const found = root.children.find(({ localName }) => localName === name);
  if (found !== undefined) return found;
  const part = new DomElement(name);
  root.append(part);
  return part;
}

function firstOf(root: DomElement, fits: (element: DomElement) => boolean): DomElement | null {
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    if (isElement(node) && fits(node)) return node;
  }
  return null;
}

export function childrenOf(node: DomNode): DomNode[] {
  const children: DomNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** Compiles a CSS selector into a test. @throws for an invalid selector */
function testOf(selector: string): (element: DomElement) => boolean {
  return compile<DomNode, DomElement>(selector, { adapter: ADAPTER, xmlMode: false });
}

const ADAPTER = {
  isTag: isElement,
  getAttributeValue: (element: DomElement, name: string) => element.getAttribute(name) ?? undefined,
  getChildren: childrenOf,
  getName: ({ localName }: DomElement) => localName,
  getParent: ({ parentNode }: DomElement) => parentNode,
  getSiblings: (node: DomNode) => (node.parentNode === null ? [node] : childrenOf(node.parentNode)),
  getText: ({ textContent }: DomNode) => textContent,
  hasAttrib: (element: DomElement, name: string) => element.hasAttribute(name),
  /** Required by the selector library, which calls it only for a search in several roots. */
  removeSubsets: (nodes: DomNode[]) => nodes,
};

export const VOID_TAGS = set('area base br col embed hr img input link meta param source track wbr keygen frame');

/** Elements whose content is not page text or never visible. The tree builder keeps a few, such as titled drawings. */
export const DROPPED_TAGS = set('script style svg template applet canvas noembed noframes portal fencedframe');

export const BLOCK_TAGS = set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul x-tex-block',
);

/**
 * Elements that embed frames, files and media. Browsers show their child elements only if the embedded content cannot
 * be shown.
 */
export const EMBEDDED_TAGS = set('iframe frame object embed video audio');

/** Visible elements without text nodes of their own: fields, frames and drawings. The writer describes them in text. */
export const REPLACED_TAGS = new Set([
  ...set('input select datalist textarea meter progress svg area'),
  ...EMBEDDED_TAGS,
]);

/** Tag name of elements that `parse-page.ts` adds: the accessible name of an icon, as text. */
export const ICON_NAME_TAG = 'x-name';
/** Tag name of elements that `parse-page.ts` adds: the label of a tab, at the start of its panel. */
export const TAB_LABEL_TAG = 'x-tab-label';
/** Tag name of elements that `parse-page.ts` adds: a closed panel, moved to the end of the page. */
export const MOVED_PANEL_TAG = 'x-waiting';

export const TAGS_SPLITTING_CODE = set('pre p ul ol table');

export const HEADING_TAGS = set('h1 h2 h3 h4 h5 h6');

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

const APART_TAGS = new Set(['span', 'a', 'label', 'time', 'small', 'strong', 'b', 'button', 'em', 'i']);
/** Matches punctuation that joins neighbours without a space, even if each is an element, as in `run(coro)=`. */
const MARKS = /^\s*[()[\]{}<>.,;:=*&?!'"`]+\s*$/;
/** Matches a name that continues in the next element, such as `asyncio.` before `run`. */
const QUALIFIER = /^\s*[\p{L}_][\p{L}\p{N}_.]*[._]$/u;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*\s*$/u;

/**
 * Guesses if style sheets put space between two inline neighbours, such as the links of a menu. True if both have a
 * class or are in an address, no text is between them, and none is punctuation as in a function signature.
 */
export function areVisuallySeparate(before: DomNode | undefined, after: DomNode): boolean {
  if (before === undefined) return false;
  let left: DomNode = before;
  while (left.nextSibling === null && left.parentNode !== null) left = left.parentNode;
  const right = left.nextSibling;
  if (right === null || !isElement(left) || !isElement(right) || !isPart(left) || !isPart(right)) return false;
  if (areJoined(before.textContent ?? '', after.textContent ?? '')) return false;
  for (let node: DomNode | null = after; node !== null; node = node.parentNode) {
    if (node === right) return true;
    if (node.parentNode?.firstChild !== node) return false;
  }
  return false;
}

function areJoined(before: string, after: string): boolean {
  return (
    MARKS.test(before) || MARKS.test(after) || (QUALIFIER.test(before) && NAME.test(after)) || after.startsWith('.')
  );
}

function isPart(element: DomElement): boolean {
  const isNamed = classOf(element) !== '' || element.hasAttribute('itemprop');
  return APART_TAGS.has(element.localName) && (isNamed || element.parentNode?.localName === 'address');
}

export function isInside(node: DomElement, outer: DomElement): boolean {
  let at: DomElement | null = node;
  while (at !== null && at !== outer) at = at.parentNode;
  return at === outer;
}

/** True if `element` is inside `outer`. Stops at the depth of `outer`, because it is called for every element. */
export function isBelow(element: DomElement, outer: DomElement): boolean {
  let at: DomElement | null = element;
  while (at !== null && at.depth > outer.depth) at = at.parentNode;
  return at === outer;
}
