import { readers } from './safe-dom.ts';
import type { Readers } from './safe-dom.ts';
import { boxHiding, isTextDrawn } from '#browsing/in-page/view/visible-html.ts';

/** How a text is hidden: not at all, from everybody (assistive technology knows), or only from people who look. */
type Hiding = 'none' | 'everybody' | 'looks';

/** Facts about texts beyond their words. */
export type TextFacts = {
  /** Assistive technology gets them, but nobody sees them. */
  unseen: Node[];
  /** No space character sets them apart from the text before them, but a person sees a gap. */
  apart: Node[];
};

/**
 * Looks at the texts of some trees. A text is unseen when nobody sees it, wherever the page is scrolled to. Short texts that
 * stand for a picture, or for something that is drawn beside them, count as seen.
 * @param roots documents, shadow trees, or nodes of one document in reading order
 */
export function lookAtTexts(roots: readonly Node[], facts: TextFacts, max: number): void {
  const read = readers();
  const known: Known = { hiding: new Map(), standIn: new Map() };
  let before: Box | null = null;
  for (const text of textsIn(roots, read)) {
    const words = text === null ? '' : (text.nodeValue ?? '');
    if (!/\S/u.test(words)) {
      if (words !== '' || text === null) before = null;
      continue;
    }
    const parent = text === null ? null : read.parentNode(text);
    if (text === null || parent === null || read.nodeType(parent) !== 1) continue;
    const style = read.style(parent);
    const hiding = style.visibility === 'visible' ? hidingAround(parent, known.hiding, read) : 'everybody';
    const isUnseen = hiding === 'looks' || (hiding === 'none' && !isTextDrawn(style));
    if (isUnseen && facts.unseen.length < max && !standsForOther(text, parent, known, read)) facts.unseen.push(text);
    if (isUnseen || hiding !== 'none') continue;
    const box = boxOf(text, parent, style, read);
    const isApart = before !== null && !/^\s/u.test(words) && isBetween(before, box);
    if (isApart && facts.apart.length < max) facts.apart.push(text);
    before = /\s$/u.test(words) ? null : box;
  }
}

/** What is known of elements: how they are hidden, and whether hidden texts in them stand for something that is drawn. */
type Known = { hiding: Map<Node, Hiding>; standIn: Map<Node, boolean> };

/** The texts, with a `null` where another tree begins. */
function* textsIn(roots: readonly Node[], read: Readers): Generator<Node | null> {
  for (const root of roots) {
    const kind = read.nodeType(root);
    if (kind === 3) yield root;
    // A document or a shadow tree.
    if (kind === 9 || kind === 11) yield null;
    const walker = textWalker(root);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) yield text;
  }
}

/** The box of a text, and the room that its element keeps on each side. */
type Box = { element: Node | null; isInline: boolean; left: number; right: number };

function boxOf(text: Node, parent: Node, style: CSSStyleDeclaration, read: Readers): Box {
  const isFirst = read.firstChild(parent) === text;
  const isLast = read.nextSibling(text) === null;
  const [left, right] =
    style.display === 'inline' ? [isFirst ? sideOf(style, 'Left') : 0, isLast ? sideOf(style, 'Right') : 0] : [0, 0];
  for (let at: Node | null = parent; at !== null; at = outer(at, read)) {
    const { display } = at === parent ? style : read.style(at);
    if (display !== 'inline' && display !== 'contents')
      return { element: at, isInline: display.startsWith('inline'), left, right };
  }
  return { element: null, isInline: false, left, right };
}

function sideOf(style: CSSStyleDeclaration, side: 'Left' | 'Right'): number {
  return Number.parseFloat(style[`margin${side}`]) + Number.parseFloat(style[`padding${side}`]);
}

/** Assistive technology knows what blocks set apart, but not boxes in a line or the room around words. */
function isBetween(before: Box, { element, isInline, left }: Box): boolean {
  if (before.element !== element) return before.isInline || isInline;
  return before.right + left >= SPACE_PX;
}

/** As wide as a space is. */
const SPACE_PX = 3;

function hidingAround(element: Node, known: Map<Node, Hiding>, read: Readers): Hiding {
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

/** The element around another one, out of shadow trees too. */
function outer(node: Node, read: Readers): Node | null {
  const parent = read.parentNode(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent !== null && read.nodeType(parent) === 1 ? parent : null;
}

function hidingOf(element: Node, read: Readers): Hiding {
  const name = read.localName(element);
  const style = read.style(element);
  if (style.display === 'none' || /^(?:script|style|noscript|template|title|option|textarea)$/u.test(name))
    return 'everybody';
  // A formula for assistive technology, beside a picture of it.
  if (name === 'math') return 'everybody';
  if (style.display === 'contents' || name === 'body' || name === 'html') return 'none';
  // Pages fade in content when it is scrolled into view.
  if (Number(style.opacity) < 0.1) return isInView(read.rect(element)) ? 'looks' : 'none';
  return boxHiding(style, read.rect(element)) === '' ? 'none' : 'looks';
}

function isInView({ left, top, right, bottom }: DOMRect): boolean {
  return right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
}

function standsForOther(text: Node, parent: Node, known: Known, read: Readers): boolean {
  if ((text.nodeValue ?? '').trim().length > ALTERNATIVE_CHARS_MAX) return false;
  let hidden = parent;
  for (let at = outer(hidden, read); at !== null && known.hiding.get(at) === 'looks'; at = outer(at, read)) hidden = at;
  const around = outer(hidden, read);
  if (isPicture(hidden, read)) return true;
  if (around === null) return false;
  // Many hidden texts stand in one element: its other children are looked at once.
  const found = known.standIn.get(around) ?? (isPicture(around, read) || hasForEyes(around, read));
  known.standIn.set(around, found);
  return found;
}

/** An element that a style sheet draws hides the words in it. */
function isPicture(element: Node, read: Readers): boolean {
  if (!(element instanceof Element)) return false;
  const { backgroundImage, maskImage } = read.style(element);
  if (backgroundImage !== 'none' || maskImage !== 'none') return true;
  return ['::before', '::after'].some(
    (part) => !/^(?:none|normal|""|)$/u.test(getComputedStyle(element, part).content),
  );
}

function hasForEyes(around: Node, read: Readers): boolean {
  for (let child = read.firstChild(around); child !== null; child = read.nextSibling(child)) {
    if (read.nodeType(child) !== 1) continue;
    const isForEyes = [...read.attributes(child)].some(({ name, value }) => name === 'aria-hidden' && value === 'true');
    if (isForEyes && read.rect(child).width > 1) return true;
  }
  return false;
}

/** A text that stands for an icon, a price or a number of stars is short. */
const ALTERNATIVE_CHARS_MAX = 80;

function textWalker(root: Node): Record<'nextNode', () => Node | null> {
  const walk: Document['createTreeWalker'] = Reflect.get(Document.prototype, 'createTreeWalker');
  return walk.call(document, root, NodeFilter.SHOW_TEXT);
}
