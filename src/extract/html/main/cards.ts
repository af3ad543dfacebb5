import { BLOCK_TAGS, classOf, isElement } from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';
import type { SegmentAncestor, TextSegment } from './segments.ts';
import { listSegmentAncestors } from './selection.ts';
import type { ContentSelection } from './selection.ts';

const CARDS_MIN = 3;
/** Minimum share of a list's cards that must be partly main content for the list to be completed. */
const CARDS_KEPT_MIN = 0.8;
/** Maximum pieces of text in a card. An element with more is a part of the page with its own content. */
const SEGMENTS_MAX = 40;
/** Minimum share of cards with a text in the same place, such as a price, for that text to be added. */
const CARDS_WITH_TEXT_MIN = 0.5;
/**
 * Minimum share of texts in the same place of all cards that must already be main content for the others to be added.
 */
const TEXTS_KEPT_MIN = 0.5;
/**
 * Minimum mean content score (`lean`) of texts in the same place of all cards. Slightly below the usual threshold, 0.
 */
const MEAN_LEAN_MIN = -0.5;
/** Minimum share of different texts in one place. A label such as "Price" is the same in all cards. */
const DISTINCT_SHARE_MIN = 0.3;
const LINKS_MAX = 0.8;
/** Minimum content score (`lean`) of a text that is added to a card. */
const LEAN_MIN = -1.5;
/** Maximum characters of a text that is added to a card. Authors and prices are shorter. */
const CHARS_MAX = 120;
/** Elements whose tag says nothing about their content: they count as cards only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'center']);
const CONTROLS: ReadonlySet<string> = new Set(['button', 'label', 'form', 'nav', 'footer']);

/**
 * Completes the cards of a list, such as the posts of a feed, so that each has its author or amount. Cards are children
 * of one element with the same tag and first class. If almost all cards are main content in part, short texts that most
 * of them have in the same place are added. Never removes texts. Linear.
 * @param foot true for texts in the footer of the page
 */
export function completeCardTexts(selection: ContentSelection, foot: readonly boolean[]): void {
  const kept = selection.countKept();
  const keptIn = ({ first, last }: SegmentAncestor) => (kept[last + 1] ?? 0) - (kept[first] ?? 0);
  for (const cards of listsIn(listSegmentAncestors(selection.segments))) {
    const partly = cards.filter((card) => keptIn(card) > 0);
    if (partly.length < cards.length * CARDS_KEPT_MIN) continue;
    const isComplete = partly.every((card) => keptIn(card) > card.last - card.first);
    if (!isComplete) completeCards(selection, partly, cards.length, foot);
  }
}

function listsIn(frames: readonly SegmentAncestor[]): SegmentAncestor[][] {
  const lists = new Map<SegmentAncestor, Map<string, SegmentAncestor[]>>();
  for (const frame of frames) {
    const name = cardName(frame);
    if (frame.parent === null || name === null) continue;
    const own = lists.get(frame.parent) ?? new Map<string, SegmentAncestor[]>();
    lists.set(frame.parent, own);
    const list = own.get(name);
    if (list === undefined) own.set(name, [frame]);
    else list.push(frame);
  }
  return [...lists.values()].flatMap((own) => [...own.values()].filter((cards) => cards.length >= CARDS_MIN));
}

/** Returns tag and first class. Cards of one list often differ in their other classes, such as `card overdue`. */
function cardName({ element }: SegmentAncestor): string | null {
  const tag = element.localName;
  if (!BLOCK_TAGS.has(tag)) return null;
  const name = /\S+/.exec(classOf(element))?.[0].replace(/\d+/g, '0') ?? '';
  return name === '' && NAMELESS.has(tag) ? null : `${tag}.${name}`;
}

/** The texts that cards of a list have in the same place, such as all their prices. */
type Place = { texts: { segment: TextSegment; card: SegmentAncestor }[]; cards: Set<SegmentAncestor> };

function completeCards(
  selection: ContentSelection,
  partly: readonly SegmentAncestor[],
  all: number,
  foot: readonly boolean[],
): void {
  const places = new Map<string, Place>();
  for (const card of partly) {
    if (card.last - card.first >= SEGMENTS_MAX) continue;
    for (const segment of selection.segments.slice(card.first, card.last + 1)) {
      const key = `${segment.frame.depth - card.depth} ${segment.frame.siblings?.look ?? 0}`;
      const place = places.get(key) ?? { texts: [], cards: new Set() };
      places.set(key, place);
      place.texts.push({ segment, card });
      place.cards.add(card);
    }
  }
  for (const { texts, cards } of places.values()) {
    if (cards.size < all * CARDS_WITH_TEXT_MIN) continue;
    const segments = texts.map(({ segment }) => segment);
    const isKept = segments.filter(({ index }) => selection.has(index)).length >= texts.length * TEXTS_KEPT_MIN;
    if (!isKept && !isNear(selection, segments)) continue;
    for (const { segment, card } of texts) {
      const { index, text } = segment;
      if (foot[index] === true || text.length > CHARS_MAX || (selection.lean[index] ?? 0) < LEAN_MIN) continue;
      if (isKept || !(isInsideControls(segment, card) || selection.linksIn(index, index) >= LINKS_MAX))
        selection.add(index, index);
    }
  }
}

function isNear({ lean }: ContentSelection, texts: readonly TextSegment[]): boolean {
  const different = new Set(texts.map(({ text }) => text)).size;
  const isLabel = different === 1 && !texts.some(({ text }) => /\d/.test(text));
  if (isLabel || different < texts.length * DISTINCT_SHARE_MIN) return false;
  return texts.reduce((sum, { index }) => sum + (lean[index] ?? 0), 0) >= MEAN_LEAN_MIN * texts.length;
}

/** True if all of the text is inside buttons, labels, forms, menus or footers of the card. */
export function isInsideControls({ nodes }: TextSegment, card: SegmentAncestor): boolean {
  return nodes.every((node) => {
    let around: DomNode | null = node;
    while (around !== null && around !== card.element && !isControlElement(around)) around = around.parentNode;
    return around !== null && around !== card.element;
  });
}

function isControlElement(node: DomNode): boolean {
  return isElement(node) && (CONTROLS.has(node.localName) || node.getAttribute('role') === 'button');
}
