import { compile } from 'css-select';
import type { html } from 'parse5';
import { oneLine } from '#core/text/text.ts';

const NO_ATTRIBUTES: Attributes = {};

export type DomNode = DomElement | DomText;
export type Attributes = Readonly<Record<string, string>>;

/**
 * How an element's own attributes hide it. `late`: it is in the layout, but invisible until a script shows it. `never`:
 * it is not drawn. `silent`: it is drawn, but hidden from screen readers (`aria-hidden`), so a style sheet may hide it, too.
 * `closed`: it is hidden only in ways that a control on the page undoes.
 */
export type Hiding = { when: 'late' | 'never' | 'silent'; closed: boolean };

/**
 * The links between nodes. Other trees also keep what events and scripts need, which is most of their cost and is never
 * read here.
 */
class Linked {
  parentNode: DomElement | null = null;
  nextSibling: DomNode | null = null;
  previousSibling: DomNode | null = null;

  get parentElement(): DomElement | null {
    return this.parentNode;
  }

  /** Takes it out of its parent. */
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
  /** Levels below the document, as the parser counts them. */
  depth = 0;
  /** `null` if its attributes do not hide it. */
  readonly hiding: Hiding | null;
  attributes: Attributes;

  constructor(
    localName: string,
    attributes: Attributes = NO_ATTRIBUTES,
    hiding: Hiding | null = null,
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

  /** @param next a child of this element; `null` for the end */
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
    // Properties that every object has are not attributes.
    const value: unknown = this.attributes[name];
    return typeof value === 'string' ? value : null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  /** Without the texts of fields and drawings inside it: they are not text of the page. */
  get textContent(): string {
    let text = '';
    for (let node = nextInside(this, this); node !== null;) {
      if (isText(node)) text += node.textContent;
      node = isElement(node) && SHOWN_AS_TEXT.has(node.localName) ? nextAfter(this, node) : nextInside(this, node);
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

/** A page as a tree. */
export class DomDocument {
  readonly documentElement: DomElement;
  readonly head: DomElement;
  readonly body: DomElement;

  /** @param root `html`. It gets a `head` and a `body` if it has none. */
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

/** The class attribute; `''` if there is none. */
export function classOf(element: DomElement): string {
  return element.getAttribute('class') ?? '';
}

/** The next node in document order inside `root`; `null` at the end. */
export function nextInside(root: DomNode, node: DomNode): DomNode | null {
  return node.firstChild ?? nextAfter(root, node);
}

/** The next node in document order inside `root` that is not below `node`; `null` at the end. */
export function nextAfter(root: DomNode, node: DomNode): DomNode | null {
  for (let at: DomNode | null = node; at !== null && at !== root; at = at.parentNode) {
    const { nextSibling } = at;
    if (nextSibling !== null) return nextSibling;
  }
  return null;
}

/** Nodes that are read for the beginning of a text. A label has few. */
const BEGINNING_NODES_MAX = 60;

/**
 * The beginning of what an element shows, on one line; `null` if it is hidden behind too many nodes. Fields and what is
 * hidden do not count.
 */
export function beginningOf(root: DomElement, charsMax: number, without: DomNode | null = null): string | null {
  let text = '';
  let node = root.firstChild;
  for (let count = 0; node !== null; count += 1) {
    if (count === BEGINNING_NODES_MAX) return text.trim() === '' ? null : oneLine(text, charsMax);
    if (isText(node)) text += ` ${node.textContent.slice(0, BEGINNING_CHARS_MAX)}`;
    if (text.length > BEGINNING_CHARS_MAX) break;
    const isPassed =
      node === without || (isElement(node) && (node.hiding !== null || SHOWN_AS_TEXT.has(node.localName)));
    node = isPassed ? nextAfter(root, node) : nextInside(root, node);
  }
  return oneLine(text, charsMax);
}

/** White space of the source counts here, so this is more than a label has. */
const BEGINNING_CHARS_MAX = 1_000;

/** The elements with these names inside `root`, in document order. Selectors cost several times as much. */
export function* elementsInside(root: DomNode, names: ReadonlySet<string>): Generator<DomElement> {
  for (let node = root.firstChild; node !== null; node = nextInside(root, node)) {
    if (isElement(node) && names.has(node.localName)) yield node;
  }
}

/** The element itself or its nearest ancestor with this name. Selectors cost several times as much. */
export function nearestOf(name: string, element: DomElement): DomElement | null {
  let at: DomElement | null = element;
  while (at !== null && at.localName !== name) at = at.parentNode;
  return at;
}

/** The outermost element around an element. */
export function topOf(element: DomElement): DomElement {
  let top = element;
  while (top.parentNode !== null) top = top.parentNode;
  return top;
}

/** Whether `root` has text, and every piece of it matches `pattern`. Reading stops at the first piece that does not. */
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

/** The first element inside `root` with one of these names; `null` if it holds none. */
export function firstInside(root: DomNode, names: ReadonlySet<string>): DomElement | null {
  return elementsInside(root, names).next().value ?? null;
}

/** Whether `root` holds an element with one of these names. */
export function holdsAny(root: DomNode, names: ReadonlySet<string>): boolean {
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

/** All children, in order. */
export function childrenOf(node: DomNode): DomNode[] {
  const children: DomNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** @throws for an invalid selector */
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
  /** The interface asks for it. It is needed only to search several parts at once. */
  removeSubsets: (nodes: DomNode[]) => nodes,
};

/** Element names by what they mean for reading. The preparation and the Markdown writer share them. */

export const VOID_TAGS = set('area base br col embed hr img input link meta param source track wbr keygen frame');

/** Their content is not text of the page, or is never shown to a reader. */
export const DROPPED_TAGS = set('script style svg template applet canvas noembed noframes portal fencedframe');

export const BLOCK_TAGS = set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul x-tex-block',
);

/** Frames, files and recordings that a page shows inside it. What they hold is for browsers that cannot show them. */
export const EMBEDDED = set('iframe frame object embed video audio');

/** Fields of forms, and what else people see although it is no text: frames and drawings. The writer gives each a text. */
export const SHOWN_AS_TEXT = new Set([...set('input select datalist textarea meter progress svg area'), ...EMBEDDED]);

/** What `parse-page.ts` adds to a page: the name of a link or an icon, the label of a tab panel, parts that wait. */
export const ICON_NAME = 'x-name';
export const TAB_LABEL = 'x-tab-label';
export const WAITING = 'x-waiting';

/** Elements that cannot stand inside inline code. */
export const BLOCKS_OF_CODE = set('pre p ul ol table');

export const HEADING_TAGS = set('h1 h2 h3 h4 h5 h6');

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

const APART_TAGS = new Set(['span', 'a', 'label', 'time', 'small', 'strong', 'b', 'button', 'em', 'i']);
/** Punctuation of a signature: `run`, `(`, `coro`, `=` are drawn without spaces, even if each is an element. */
const MARKS = /^\s*[()[\]{}<>.,;:=*&?!'"`]+\s*$/;
/** `asyncio.` before `run`: a word that ends in a joining character, followed by a word. */
const QUALIFIER = /^\s*[\p{L}_][\p{L}\p{N}_.]*[._]$/u;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*\s*$/u;

/**
 * Whether style sheets most likely draw two inline neighbours apart. They do if both are named parts of the page, no
 * text stands between or around them, and neither is only the punctuation of the other.
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
  return APART_TAGS.has(element.localName) && classOf(element) !== '';
}
