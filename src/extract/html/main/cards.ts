import { BLOCK_TAGS, classOf, isElement } from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';
import type { SegmentFrame, TextSegment } from './segments.ts';
import { framesIn } from './selection.ts';
import type { Selection } from './selection.ts';

const CARDS_MIN = 3;
/** Minimum share of the cards of a list that must be partly kept. */
const CARDS_KEPT_MIN = 0.8;
/** A block with more segments than this is a part of the page and not a card. */
const SEGMENTS_MAX = 40;
/** Minimum share of the cards that must have a text in the same place. */
const CARDS_WITH_TEXT_MIN = 0.5;
/** The texts of one place are kept if at least this share of them is kept already. */
const TEXTS_KEPT_MIN = 0.5;
/** They are also kept if their mean `lean` is this close to the bar. They are then not controls, labels or links. */
const MEAN_LEAN_MIN = -0.5;
/** Minimum share of different texts of one place. Labels repeat. Numbers and amounts may repeat, too. */
const DISTINCT_SHARE_MIN = 0.3;
const LINKS_MAX = 0.8;
/** A text with a lower `lean` or more characters is added only if it is united with one that is added, as in a list. */
const LEAN_MIN = -1.5;
const CHARS_MAX = 120;
/** Elements whose tag reveals nothing about their content, so they form lists only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'center']);
const CONTROLS: ReadonlySet<string> = new Set(['button', 'label', 'form', 'nav', 'footer']);

/**
 * Completes the cards of a list, such as the posts of a feed, so that no author or amount is separated from its card.
 * Cards are children of one parent with the same tag and first class. If nearly all cards of a list are partly kept,
 * short texts that most cards have in the same place are kept in all of them. Only adds segments. Linear.
 * @param foot marks the segments of the page's footer
 */
export function keepCards(selection: Selection, foot: readonly boolean[]): void {
  const kept = selection.countKept();
  const keptIn = ({ first, last }: SegmentFrame) => (kept[last + 1] ?? 0) - (kept[first] ?? 0);
  for (const cards of listsIn(framesIn(selection.segments))) {
    const partly = cards.filter((card) => keptIn(card) > 0);
    if (partly.length < cards.length * CARDS_KEPT_MIN) continue;
    const isComplete = partly.every((card) => keptIn(card) > card.last - card.first);
    if (!isComplete) completeCards(selection, partly, cards.length, foot);
  }
}

function listsIn(frames: readonly SegmentFrame[]): SegmentFrame[][] {
  const lists = new Map<SegmentFrame, Map<string, SegmentFrame[]>>();
  for (const frame of frames) {
    const name = cardName(frame);
    if (frame.parent === null || name === null) continue;
    const own = lists.get(frame.parent) ?? new Map<string, SegmentFrame[]>();
    lists.set(frame.parent, own);
    const list = own.get(name);
    if (list === undefined) own.set(name, [frame]);
    else list.push(frame);
  }
  return [...lists.values()].flatMap((own) => [...own.values()].filter((cards) => cards.length >= CARDS_MIN));
}

/** Returns the tag and first class. Cards of one list often differ in their further classes, such as `card overdue`. */
function cardName({ element }: SegmentFrame): string | null {
  const tag = element.localName;
  if (!BLOCK_TAGS.has(tag)) return null;
  const name = /\S+/.exec(classOf(element))?.[0].replace(/\d+/g, '0') ?? '';
  return name === '' && NAMELESS.has(tag) ? null : `${tag}.${name}`;
}

/** The texts that the cards of one list have in the same place. */
type Place = { texts: { segment: TextSegment; card: SegmentFrame }[]; cards: Set<SegmentFrame> };

function completeCards(
  selection: Selection,
  partly: readonly SegmentFrame[],
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
      if (isKept || !(isControl(segment, card) || selection.linksIn(index, index) >= LINKS_MAX))
        selection.add(index, index);
    }
  }
}

function isNear({ lean }: Selection, texts: readonly TextSegment[]): boolean {
  const different = new Set(texts.map(({ text }) => text)).size;
  const isLabel = different === 1 && !texts.some(({ text }) => /\d/.test(text));
  if (isLabel || different < texts.length * DISTINCT_SHARE_MIN) return false;
  return texts.reduce((sum, { index }) => sum + (lean[index] ?? 0), 0) >= MEAN_LEAN_MIN * texts.length;
}

/** True if all of the text is in controls of the card. */
export function isControl({ nodes }: TextSegment, card: SegmentFrame): boolean {
  return nodes.every((node) => {
    let around: DomNode | null = node;
    while (around !== null && around !== card.element && !isControlElement(around)) around = around.parentNode;
    return around !== null && around !== card.element;
  });
}

function isControlElement(node: DomNode): boolean {
  return isElement(node) && (CONTROLS.has(node.localName) || node.getAttribute('role') === 'button');
}
