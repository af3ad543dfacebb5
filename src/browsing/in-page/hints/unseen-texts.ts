import { textWalker } from '#browsing/in-page/elements/safe-dom.ts';
import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';
import { sizeOfNode } from '#browsing/in-page/elements/document-size.ts';
import { ImageBoxes } from '#browsing/in-page/view/pictures.ts';
import { describeHiddenBox, isTextDrawn, isTransparent } from '#browsing/in-page/view/visible-html.ts';
import { AriaHiddenTexts } from './silent-texts.ts';
import type { AriaHiddenText } from '#browsing/in-page/script-types.ts';

/**
 * People who cannot see a text: nobody, `everybody` (including screen reader users), or only those who look at the
 * page.
 */
type Hiding = 'none' | 'everybody' | 'looks';

type TextFacts = {
  /** Invisible texts that screen readers still get. */
  unseen: Node[];
  /** Texts with a visible gap before them but no space character. */
  apart: Node[];
  /** Texts on a line below or above the previous text, in another box. The accessibility tree lacks this fact. */
  below: Node[];
  /** Visible texts that screen readers do not get. */
  silent: AriaHiddenText<Node>[];
  silentLeft: number;
  /** Size of the texts in elements. Only long texts count. */
  textSize: number;
};

/**
 * Examines the texts of some trees. A text is unseen if scrolling cannot make it visible. Short texts that replace an
 * icon or image count as seen, such as "4 of 5 stars".
 * @param roots documents, shadow trees, or nodes of one document in reading order
 * @param max limit for each kind
 */
export function examineTexts(roots: readonly Node[], max: number, silentMax: number, read: DomReaders): TextFacts {
  const known: Known = { hiding: new Map(), standIn: new Map(), standIns: new Map(), told: new Map() };
  const pictures = new ImageBoxes(read);
  const silent = new AriaHiddenTexts(read);
  const facts: Pick<TextFacts, 'unseen' | 'apart' | 'below'> = { unseen: [], apart: [], below: [] };
  let before: Box | null = null;
  let last: Box | null = null;
  let textSize = 0;
  for (const text of textsIn(roots, read)) {
    const words = text === null ? '' : (text.nodeValue ?? '');
    if (!/\S/u.test(words)) {
      if (words !== '' || text === null) before = null;
      if (text !== null) silent.addGap(text, words);
      if (text === null) last = null;
      continue;
    }
    if (text === null) continue;
    textSize += sizeOfNode(text, read);
    const parent = read.parentNode(text);
    if (parent === null || read.nodeType(parent) !== 1) continue;
    const style = read.style(parent);
    const hiding = hidingOfText(parent, known.hiding, pictures, read);
    const root = silent.rootOf(parent);
    if (root !== null) {
      const { element } = boxOf(text, parent, style, read);
      if (hiding === 'none' && element !== null)
        silent.add(root, element, text, parent, () => isStoodFor(root, known, read));
      continue;
    }
    const isUnseen = hiding === 'looks' && facts.unseen.length < max;
    if (isUnseen && !standsForOther(text, parent, known, read)) facts.unseen.push(text);
    if (hiding !== 'none') continue;
    silent.tell(text, words);
    const box = boxOf(text, parent, style, read);
    const isApart = before !== null && !/^\s/u.test(words) && isBetween(before, box);
    if (isApart && facts.apart.length < max) facts.apart.push(text);
    if (last !== null && facts.below.length < max && isBelow(last, box, known, read)) facts.below.push(text);
    before = /\s$/u.test(words) ? null : box;
    last = box;
  }
  return { ...facts, ...silent.all(silentMax), textSize };
}

export function isTextSeen(text: Node, read: DomReaders): boolean {
  const parent = read.parentNode(text);
  if (parent === null || read.nodeType(parent) !== 1) return true;
  return hidingOfText(parent, new Map(), new ImageBoxes(read), read) === 'none';
}

function hidingOfText(parent: Node, known: Map<Node, Hiding>, pictures: ImageBoxes, read: DomReaders): Hiding {
  const style = read.style(parent);
  const hiding = style.visibility === 'visible' ? hidingAround(parent, known, read) : 'everybody';
  const isDrawn = hiding !== 'none' || isTextDrawn(style, () => pictures.isUnder(parent));
  return isDrawn ? hiding : 'looks';
}

type Known = {
  hiding: Map<Node, Hiding>;
  /** For each hidden element: true if its text replaces something drawn, such as an icon. */
  standIn: Map<Node, boolean>;
  /** For each element around them: the number of such elements. */
  standIns: Map<Node, number>;
  /** For each element: true if the accessibility tree contains it. */
  told: Map<Node, boolean>;
};

/** Yields the text nodes, and `null` where another document or shadow tree begins. */
function* textsIn(roots: readonly Node[], read: DomReaders): Generator<Node | null> {
  for (const root of roots) {
    const kind = read.nodeType(root);
    if (kind === 3) yield root;
    // Node types 9 and 11: document and shadow root.
    if (kind === 9 || kind === 11) yield null;
    const walker = textWalker(root);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) yield text;
  }
}

/** The box around a text. `left`, `right`: margin and padding between the text and the ends of its element. */
type Box = { text: Node; element: Node | null; isInline: boolean; left: number; right: number };

function boxOf(text: Node, parent: Node, style: CSSStyleDeclaration, read: DomReaders): Box {
  const isFirst = read.firstChild(parent) === text;
  const isLast = read.nextSibling(text) === null;
  const [left, right] =
    style.display === 'inline' ? [isFirst ? sideOf(style, 'Left') : 0, isLast ? sideOf(style, 'Right') : 0] : [0, 0];
  for (let at: Node | null = parent; at !== null; at = outer(at, read)) {
    const { display } = at === parent ? style : read.style(at);
    if (display !== 'inline' && display !== 'contents')
      return { text, element: at, isInline: display.startsWith('inline'), left, right };
  }
  return { text, element: null, isInline: false, left, right };
}

function sideOf(style: CSSStyleDeclaration, side: 'Left' | 'Right'): number {
  return Number.parseFloat(style[`margin${side}`]) + Number.parseFloat(style[`padding${side}`]);
}

/**
 * True if the layout shows a gap between two texts that the accessibility tree lacks: different inline boxes, or
 * padding.
 */
function isBetween(before: Box, { element, isInline, left }: Box): boolean {
  if (before.element !== element) return before.isInline || isInline;
  return before.right + left >= SPACE_PX;
}

/** Minimum gap in pixels: about the width of a space. */
const SPACE_PX = 3;

/** True for texts in different boxes, one below or above the other, with no accessible element between them. */
function isBelow(before: Box, box: Box, known: Known, read: DomReaders): boolean {
  if (before.element === null || box.element === null || before.element === box.element) return false;
  if (isBetweenTold(before.element, box.element, known, read)) return false;
  const [over, under] = [placeOf(before.text), placeOf(box.text)];
  return under.top >= over.bottom - LINE_SLACK_PX || under.bottom <= over.top + LINE_SLACK_PX;
}

/** Tolerance in pixels, because the boxes of adjacent lines may overlap slightly. */
const LINE_SLACK_PX = 2;

/** True if an accessible element separates two boxes, or if their common ancestor is too far up to be found. */
function isBetweenTold(one: Node, other: Node, { told }: Known, read: DomReaders): boolean {
  const around = new Set<Node>();
  for (let at: Node | null = one; at !== null && around.size < BOXES_MAX; at = outer(at, read)) around.add(at);
  let common: Node | null = other;
  for (let steps = 0; common !== null && !around.has(common); steps += 1) {
    if (steps >= BOXES_MAX || isTold(common, told, read)) return true;
    common = outer(common, read);
  }
  if (common === null) return true;
  for (let at: Node | null = one; at !== null && at !== common; at = outer(at, read)) {
    if (isTold(at, told, read)) return true;
  }
  return false;
}

/** Maximum levels climbed to find the common ancestor of two texts. */
const BOXES_MAX = 16;

function isTold(element: Node, known: Map<Node, boolean>, read: DomReaders): boolean {
  const before = known.get(element);
  if (before !== undefined) return before;
  const isIt = TOLD.test(read.localName(element)) || read.attribute(element, 'role') !== null;
  known.set(element, isIt);
  return isIt;
}

const TOLD =
  /^(?:p|h[1-6]|li|ul|ol|table|thead|tbody|tfoot|tr|td|th|caption|article|nav|main|header|footer|aside|form|fieldset|legend|figure|figcaption|blockquote|pre|button|summary|details|dialog|label|address|svg)$/u;

function placeOf(text: Node): DOMRect {
  const range = Document.prototype.createRange.call(document);
  Range.prototype.selectNodeContents.call(range, text);
  return Range.prototype.getBoundingClientRect.call(range);
}

/** True if a visually hidden text next to an `aria-hidden` element gives screen readers the same content. */
function isStoodFor(root: Node, known: Known, read: DomReaders): boolean {
  const around = outer(root, read);
  if (around === null) return false;
  let steps = 0;
  for (let child = read.firstChild(around); child !== null && steps < BESIDE_MAX; child = read.nextSibling(child)) {
    steps += 1;
    if (child === root || read.nodeType(child) !== 1) continue;
    const first = read.localName(child) === 'math' ? null : read.firstChild(child);
    if (first === null ? read.localName(child) === 'math' : hidingAround(child, known.hiding, read) === 'looks')
      return true;
    if (first !== null && read.nodeType(first) === 1 && read.localName(first) === 'math') return true;
  }
  return false;
}

const BESIDE_MAX = 20;

function hidingAround(element: Node, known: Map<Node, Hiding>, read: DomReaders): Hiding {
  const chain: Node[] = [];
  let around: Hiding | undefined;
  for (let at: Node | null = element; at !== null && around === undefined; at = outer(at, read)) {
    around = known.get(at);
    if (around === undefined) chain.push(at);
  }
  let hiding = around ?? 'none';
  for (const inner of chain.reverse()) {
    if (hiding === 'none') hiding = hidingOf(inner, read);
    known.set(inner, hiding);
  }
  return hiding;
}

/** The parent element, across shadow roots. */
function outer(node: Node, read: DomReaders): Node | null {
  const parent = read.parentNode(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent !== null && read.nodeType(parent) === 1 ? parent : null;
}

const UNHEARD: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'title',
  'option',
  'textarea',
]);

function hidingOf(element: Node, read: DomReaders): Hiding {
  const name = read.localName(element);
  const style = read.style(element);
  if (style.display === 'none' || UNHEARD.has(name)) return 'everybody';
  // Invisible MathML next to an image of the formula is meant for screen readers.
  if (name === 'math') return 'everybody';
  if (style.display === 'contents' || name === 'body' || name === 'html') return 'none';
  // Pages fade content in when it is scrolled into view, so transparent content outside the viewport counts as visible.
  if (isTransparent(style)) return isInView(read.rect(element)) ? 'looks' : 'none';
  return describeHiddenBox(style, element, read) === '' ? 'none' : 'looks';
}

function isInView({ left, top, right, bottom }: DOMRect): boolean {
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

function standsForOther(text: Node, parent: Node, known: Known, read: DomReaders): boolean {
  if ((text.nodeValue ?? '').trim().length > ALTERNATIVE_CHARS_MAX) return false;
  let hidden = parent;
  for (let at = outer(hidden, read); at !== null && known.hiding.get(at) === 'looks'; at = outer(at, read)) hidden = at;
  const around = outer(hidden, read);
  if (isPicture(hidden, read)) return true;
  if (around === null) return false;
  const before = known.standIn.get(hidden);
  if (before !== undefined) return before;
  const count = known.standIns.get(around) ?? 0;
  const found = count < STAND_INS_MAX && (isBesideForEyes(hidden, read) || isPicture(around, read));
  known.standIn.set(hidden, found);
  known.standIns.set(around, count + (found ? 1 : 0));
  return found;
}

/** True for an element that CSS replaces by an image, such as a logo with hidden text. */
function isPicture(element: Node, read: DomReaders): boolean {
  if (!(element instanceof Element)) return false;
  const { backgroundImage, maskImage } = read.style(element);
  if (backgroundImage !== 'none' || maskImage !== 'none') return true;
  return ['::before', '::after'].some(
    (part) => !/^(?:none|normal|""|)$/u.test(getComputedStyle(element, part).content),
  );
}

/** Maximum hidden elements of one parent that replace something drawn. A page could hide any number of texts there. */
const STAND_INS_MAX = 2;

/** True if the nearest element before or after is drawn, and hidden from screen readers. */
function isBesideForEyes(hidden: Node, read: DomReaders): boolean {
  return [read.previousSibling, read.nextSibling].some((step) => {
    let beside = step(hidden);
    while (beside !== null && read.nodeType(beside) !== 1) beside = step(beside);
    return beside !== null && read.attribute(beside, 'aria-hidden') === 'true' && read.rect(beside).width > 1;
  });
}

/** Maximum characters of a text that replaces an icon, a price or a star rating. */
const ALTERNATIVE_CHARS_MAX = 80;
