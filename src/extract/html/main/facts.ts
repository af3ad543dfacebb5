import { BLOCK_TAGS, classOf } from '#extract/html/tree.ts';
import { isControl } from './cards.ts';
import { namesOf } from './furniture.ts';
import type { SegmentFrame, SiblingGroup, TextSegment } from './segments.ts';
import type { Selection } from './selection.ts';

/** Elements whose tag says that they hold facts. Tables are recognised by the kind of their segment. */
const FACTS: ReadonlySet<string> = new Set(['dl', 'ul', 'ol', 'details', 'address']);
/** Elements whose tag reveals nothing about their content, so they form rows only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'center']);
const ROWS_MIN = 3;
/** Minimum share of the children of a block that must look alike, so that the block consists of rows. */
const ROWS_SHARE_MIN = 0.8;
/** A block with more segments, more words or a longer mean text is a part of the page with content of its own. */
const SEGMENTS_MAX = 80;
const WORDS_MAX = 400;
const MEAN_CHARS_MAX = 200;
/** Maximum words of a block that is already partly kept. In longer blocks, the missing texts are usually controls. */
const PARTLY_KEPT_WORDS_MAX = 150;
/** Maximum steps up from a block to the element that holds the main text. */
const STEPS_MAX = 4;
/** Minimum share of the kept words of the page that are in that element. */
const HOLDS_MIN = 0.6;
/** Minimum share of the words of that element that are kept. Words in blocks of facts do not count. */
const PURITY_MIN = 0.7;
/** Limits of `Selection.leanOf` and `Selection.linksIn` for a block. */
const LEAN_MIN = -2;
const LINKS_MAX = 0.35;
const TEXT_LINKS_MAX = 0.8;
/** Maximum paragraphs after a block of facts that are kept with it. */
const NOTES_MAX = 3;
/** Matches names of parts that are not main text, although they may be next to it. */
const PART =
  /(?<![a-z])(?:nav|menu|aside|side|sidebar|footer|header|form|related|recommended|recommendations?|similar|popular|recent|more|comments?|share|sharing|social|newsletter|subscribe|author|bio|users?|members?|profile|poster|widgets?|tags?|breadcrumbs?|crumbs|meta|cookies?|banner|promo|popup|modal|toc|pagination|pager|carousel|slider|gallery|references|login|search|filters?|sort|view)(?![a-z])/i;

/**
 * Keeps tables, lists, questions and rows of facts that are next to the main text, such as specifications, prices and
 * opening hours. They have no sentences, so that the model often takes them for page furniture. Linear.
 * @param frames all frames, outer ones before inner ones
 * @param foot marks the segments of the page's footer
 */
export function keepFacts(selection: Selection, frames: readonly SegmentFrame[], foot: readonly boolean[]): void {
  const { segments } = selection;
  const blocks = factsIn(selection, frames);
  const isFact = segments.map(() => false);
  for (const { first, last } of blocks) isFact.fill(true, first, last + 1);
  const kept = sumsOf(segments, (index) => selection.has(index));
  const others = sumsOf(segments, (index) => isFact[index] !== true && !selection.has(index));
  for (const block of blocks) {
    if (!isInMainText(block, kept, others)) continue;
    for (const segment of segments.slice(block.first, block.last + 1)) {
      const { index } = segment;
      const isText = selection.linksIn(index, index) < TEXT_LINKS_MAX && !isControl(segment, block);
      if (isText && foot[index] !== true) selection.add(index, index);
    }
    keepNotes(selection, block, foot);
  }
}

/** Keeps the paragraphs directly after a block of facts, such as footnotes. */
function keepNotes(selection: Selection, { parent, last }: SegmentFrame, foot: readonly boolean[]): void {
  for (const { index, frame } of selection.segments.slice(last + 1, last + 1 + NOTES_MAX)) {
    if (frame.element.localName !== 'p' || frame.parent !== parent || foot[index] === true) return;
    if ((selection.lean[index] ?? 0) < LEAN_MIN || selection.linksIn(index, index) > LINKS_MAX) return;
    selection.add(index, index);
  }
}

/** Lists the outermost blocks of facts that are not kept, or only partly. */
function factsIn(selection: Selection, frames: readonly SegmentFrame[]): SegmentFrame[] {
  const kept = sumsOf(selection.segments, (index) => selection.has(index));
  const all = sumsOf(selection.segments, () => true);
  const keptOfPage = kept.at(-1) ?? 0;
  const rows = rowsIn(frames);
  const found: SegmentFrame[] = [];
  let end = -1;
  for (const frame of frames) {
    const { first, last } = frame;
    if (last <= end || last - first >= SEGMENTS_MAX || !isFacts(frame, selection, rows)) continue;
    const words = within(all, frame);
    const keptWords = within(kept, frame);
    if (words > (keptWords > 0 ? PARTLY_KEPT_WORDS_MAX : WORDS_MAX) || keptWords > keptOfPage * (1 - HOLDS_MIN))
      continue;
    if (selection.leanOf(first, last) < LEAN_MIN || selection.linksIn(first, last) > LINKS_MAX) continue;
    end = last;
    if (keptWords < words) found.push(frame);
  }
  return found;
}

function sumsOf(segments: readonly TextSegment[], counts: (index: number) => boolean): Float64Array {
  const sums = new Float64Array(segments.length + 1);
  for (const { index, words } of segments) sums[index + 1] = (sums[index] ?? 0) + (counts(index) ? words : 0);
  return sums;
}

function within(sums: Float64Array, { first, last }: SegmentFrame): number {
  return (sums[last + 1] ?? 0) - (sums[first] ?? 0);
}

/** Returns the blocks whose children are mostly rows: blocks with the same tag and class. */
function rowsIn(frames: readonly SegmentFrame[]): ReadonlySet<SegmentFrame> {
  const children = new Map<SegmentFrame, number>();
  const alike = new Map<SiblingGroup, number>();
  const found = new Set<SegmentFrame>();
  for (const { parent } of frames) if (parent !== null) children.set(parent, (children.get(parent) ?? 0) + 1);
  for (const { parent, siblings, element } of frames) {
    if (parent === null || siblings === null || !BLOCK_TAGS.has(element.localName) || element.localName === 'p')
      continue;
    if (NAMELESS.has(element.localName) && classOf(element) === '') continue;
    const count = (alike.get(siblings) ?? 0) + 1;
    alike.set(siblings, count);
    if (count >= ROWS_MIN && count >= (children.get(parent) ?? 0) * ROWS_SHARE_MIN) found.add(parent);
  }
  return found;
}

function isFacts(frame: SegmentFrame, { segments }: Selection, rows: ReadonlySet<SegmentFrame>): boolean {
  const segment = segments[frame.first];
  if (FACTS.has(frame.element.localName) || (segment?.kind === 'table' && segment.frame === frame)) return true;
  return rows.has(frame) && frame.chars <= (frame.last - frame.first + 1) * MEAN_CHARS_MAX;
}

/** True if the block follows kept text in an element that holds most of the kept text and little else. */
function isInMainText(block: SegmentFrame, kept: Float64Array, others: Float64Array): boolean {
  const keptOfPage = (kept.at(-1) ?? 0) - within(kept, block);
  let around = block;
  for (
    let step = 0;
    step <= STEPS_MAX && !PART.test(`${around.element.localName} ${namesOf(around.element)}`);
    step += 1
  ) {
    const holder = around.parent;
    if (holder === null) return false;
    const keptWords = within(kept, holder) - within(kept, block);
    if (keptWords >= keptOfPage * HOLDS_MIN) {
      const follows = (kept[block.first] ?? 0) > (kept[holder.first] ?? 0);
      return follows && keptWords >= (keptWords + within(others, holder)) * PURITY_MIN;
    }
    around = holder;
  }
  return false;
}
