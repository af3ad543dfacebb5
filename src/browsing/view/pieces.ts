import { STRIKE_MARK } from '#core/text/visible-text.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CHECKABLE_ROLES, CONTROL_ROLES, INLINE_ROLES } from '#browsing/tree/roles.ts';
import { showsAllContent, textWithin } from '#browsing/view/line/element-line.ts';
import type { OutlinePiece } from './join-pieces.ts';
import { containsControls, isInteractive } from './interactive.ts';
import { VIEW_ELEMENT_DETAIL_CHARS_MAX } from './limits.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { quotePageText } from './words.ts';

/** Separates texts of different boxes, such as two table cells, so that their words do not run together. */
export const BOX_GAP: OutlinePiece = { text: ' ' };
/**
 * Precedes text that is drawn below the previous text, so that it begins a new line. Compared by identity with
 * `BOX_GAP`.
 */
export const LINE_BREAK_PIECE: OutlinePiece = { text: ' ' };

export function isInline(element: AxElement, page: Page): boolean {
  if (isIcon(element, page) || isInSentence(element, page)) return true;
  return INLINE_ROLES.has(element.role) && !isBlockInside(element, page);
}

/** True for an icon whose only text is its `title`. */
function isIcon(element: AxElement, page: Page): boolean {
  return element.role === 'generic' && page.titleOf(element) !== '' && !isInteractive(element, page);
}

/**
 * True for a button or a clickable word in a sentence, which shares the line of the surrounding text. A sentence
 * continues after its control. Controls after a complete text have their own lines.
 */
function isInSentence(element: AxElement, page: Page): boolean {
  const { parent } = element;
  if (parent === null || !isSmallControl(element, page) || beginsBelow(element, page)) return false;
  const beside = [...listShownChildren(parent, page)].filter(({ role }) => role !== 'ListMarker');
  if (beside.length > SENTENCE_PARTS_MAX) return false;
  if (!beside.every((part) => INLINE_ROLES.has(part.role) || isSmallControl(part, page))) return false;
  const first = beside.findIndex(({ role }) => role !== 'StaticText');
  return first > 0 && beside.slice(first).some(({ role, name }) => role === 'StaticText' && /\p{L}{2}/u.test(name));
}

const SENTENCE_PARTS_MAX = 12;
const SENTENCE_CONTROL_CHARS_MAX = 60;

/** True for a control that is only words. A control with a state keeps its own line. */
function isSmallControl(element: AxElement, page: Page): boolean {
  const { role, properties } = element;
  if (role !== 'button' && role !== 'generic' && !(INLINE_ROLES.has(role) && role !== 'link')) return false;
  if (role === 'StaticText' || role === 'image' || !isInteractive(element, page)) return false;
  if (properties.has('pressed') || properties.has('expanded') || properties.has('editable')) return false;
  const words = textWithin(element);
  return words !== '' && words.length <= SENTENCE_CONTROL_CHARS_MAX && holdsOnlyWords(element);
}

function holdsOnlyWords(element: AxElement): boolean {
  for (const inner of everyElement(element)) {
    if (inner !== element && !inner.ignored && (!INLINE_ROLES.has(inner.role) || inner.role === 'link')) return false;
  }
  return true;
}

/**
 * The children of an element as shown. A child that exists only for layout is replaced by its own children.
 * @param isWhole true for a child that is not replaced
 */
export function* listShownChildren(
  parent: AxElement,
  page: Page,
  isWhole: (child: AxElement) => boolean = () => false,
): Generator<AxElement> {
  for (const child of parent.children) {
    if (child.ignored && !isInteractive(child, page) && !isWhole(child)) yield* listShownChildren(child, page, isWhole);
    else yield child;
  }
}

export function* inlinePieces(element: AxElement, page: Page): Generator<OutlinePiece> {
  if (element.role === 'StaticText') yield* textPieces(element, page);
  else if (isInSentence(element, page)) yield { element };
  else if (isIcon(element, page)) {
    for (const child of listShownChildren(element, page)) yield* inlinePieces(child, page);
    yield { text: ` (${quotePageText(page.titleOf(element), VIEW_ELEMENT_DETAIL_CHARS_MAX)}) ` };
  } else if (element.role === 'image') {
    if (element.name !== '' || isInteractive(element, page)) yield { element };
    // The clickable areas of an image map are children of the image.
    for (const area of listShownChildren(element, page))
      if (area.role === 'link') yield* [{ text: ' ' }, { element: area }];
  } else if (element.role === 'link') {
    if (beginsBelow(element, page)) yield LINE_BREAK_PIECE;
    yield { element };
    for (const control of ownControls(element, page)) yield* [{ text: ' ' }, { element: control }];
  } else if (element.role === 'deletion' && textWithin(element).trim() !== '') {
    yield { text: STRIKE_MARK };
    for (const child of listShownChildren(element, page)) yield* inlinePieces(child, page);
    yield { text: STRIKE_MARK };
  } else for (const child of listShownChildren(element, page)) yield* inlinePieces(child, page);
}

function* textPieces(text: AxElement, page: Page): Generator<OutlinePiece> {
  if (page.isUnseen(text)) return;
  if (page.isBelow(text)) yield LINE_BREAK_PIECE;
  else if (page.isApart(text) && !ENDS_SENTENCE.test(text.name)) yield BOX_GAP;
  yield { text: text.name, unread: page.unreadChars(text) };
}

/** Punctuation that belongs to the preceding word, even if that word is a button with a margin. */
const ENDS_SENTENCE = /^\s*[.,;:!?)\]]/u;

function beginsBelow(element: AxElement, page: Page): boolean {
  for (const inner of everyElement(element)) if (inner.role === 'StaticText') return page.isBelow(inner);
  return false;
}

export function hasOnlyInvisibleText(element: AxElement, page: Page): boolean {
  const texts = [...everyElement(element)].filter(({ role }) => role === 'StaticText');
  return texts.length > 0 && texts.every((text) => page.isUnseen(text));
}

/** True for a clickable element without text that contains controls. Only the controls are shown. */
function isAroundControls(element: AxElement, page: Page): boolean {
  if (element.role !== 'generic' || element.name !== '') return false;
  const hasText = [...everyElement(element)].some(({ role, name }) => role === 'StaticText' && name.trim() !== '');
  return !hasText && containsControls(element, page);
}

/** Controls inside an interactive element that must be clicked separately, such as a button on a clickable card. */
function* ownControls(element: AxElement, page: Page): Generator<AxElement> {
  if (showsAllContent(element)) return;
  for (const child of element.children) yield* controlsFrom(child, element, page);
}

/**
 * Yields the controls inside an element. An inner element with the same text as the control around it is omitted,
 * because a click on either does the same.
 */
function* controlsFrom(element: AxElement, around: AxElement, page: Page): Generator<AxElement> {
  const isOwn = isInteractive(element, page) && (isOtherControl(element) || textWithin(element) !== textWithin(around));
  if (isOwn) yield element;
  if (isOwn && showsAllContent(element)) return;
  for (const child of element.children) yield* controlsFrom(child, isOwn ? element : around, page);
}

function isOtherControl({ role, properties }: AxElement): boolean {
  return CONTROL_ROLES.has(role) || CHECKABLE_ROLES.has(role) || properties.has('editable');
}

/** Adds the pieces of an element that contains blocks, such as a table cell with paragraphs, as one run of text. */
export function collectPieces(element: AxElement, page: Page, pieces: OutlinePiece[]): void {
  for (const child of listShownChildren(element, page)) {
    if (INLINE_ROLES.has(child.role) || isIcon(child, page))
      pieces.push(...inlinePieces(child, page), ...(child.parent === element ? [] : [BOX_GAP]));
    else if (isInteractive(child, page) && !isAroundControls(child, page)) {
      pieces.push({ element: child });
      for (const control of ownControls(child, page)) pieces.push({ text: ' ' }, { element: control });
    } else if (child.role !== 'ListMarker') {
      pieces.push(BOX_GAP);
      collectPieces(child, page, pieces);
      pieces.push(BOX_GAP);
    }
  }
}

/** True for a link around several blocks of text, such as a card, whose name omits some of this text. */
export function nameOmitsText(link: AxElement, page: Page): boolean {
  if (link.role !== 'link') return false;
  const bare = (words: string) => words.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
  const texts = [...everyElement(link)].filter(
    (one) => one.role === 'StaticText' && !page.isUnseen(one) && bare(one.name) !== '',
  );
  const name = bare(link.name);
  return texts.some((text) => !name.includes(bare(text.name))) && areInBoxes(texts, link, page);
}

/** True if a link's texts are in separate blocks. False for a sentence, even if a badge in it has its own box. */
function areInBoxes(texts: readonly AxElement[], link: AxElement, page: Page): boolean {
  if (texts.slice(1).some((text) => page.isBelow(text))) return true;
  const boxes = new Set(texts.map((text) => boxAround(text, link)));
  const isAnyBlock = [...boxes].some((box) => box !== link && box.role !== 'generic');
  return boxes.size > 1 && (isAnyBlock || !boxes.has(link));
}

function boxAround(text: AxElement, outer: AxElement): AxElement {
  let box = text;
  while (box !== outer && (box.ignored || INLINE_ROLES.has(box.role))) box = box.parent ?? outer;
  return box;
}

/** True if an element with an inline role contains a control or a block, so that it needs its own lines. */
function isBlockInside(element: AxElement, page: Page): boolean {
  if (element.role === 'StaticText' || element.role === 'image') return false;
  if (element.role === 'link') return nameOmitsText(element, page) || !ownControls(element, page).next().done;
  for (const inner of everyElement(element)) {
    if (inner !== element && !inner.ignored && !INLINE_ROLES.has(inner.role)) return true;
  }
  return isInteractive(element, page);
}
