import { BLOCK_TAGS, classOf } from '#extract/html/tree.ts';
import { isInsideControls } from './cards.ts';
import { classAndIdWords } from './furniture.ts';
import { headingOf } from './headings.ts';
import type { SegmentAncestor, SiblingGroup, TextSegment } from './segments.ts';
import type { ContentSelection } from './selection.ts';

/** Elements whose tag is a sign of facts, such as `dl` with prices. Tables are recognised by the kind of the text. */
const FACTS: ReadonlySet<string> = new Set(['dl', 'ul', 'ol', 'details', 'address']);
/** Elements whose tag says nothing about their content: they count as rows only if they have a class. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'center']);
const ROWS_MIN = 3;
/** Minimum share of an element's children that must have the same tag and class to count as rows. */
const ROWS_SHARE_MIN = 0.8;
/** Maximum pieces of text in a block of facts, such as opening hours. */
const SEGMENTS_MAX = 80;
/** Maximum words of a block of facts, such as opening hours, without any main content in it. */
const WORDS_MAX = 400;
/** Maximum mean characters of the pieces of text in rows of facts. Longer ones are running text. */
const MEAN_CHARS_MAX = 200;
/** Maximum words of a block of facts that is partly main content. In a longer block, only buttons are missing. */
const PARTLY_KEPT_WORDS_MAX = 150;
/** Maximum steps up from the parent of a block of facts to the element that contains the main text. */
const STEPS_MAX = 4;
/** Minimum share of the page's main content in the element that counts as containing the main text. */
const HOLDS_MIN = 0.6;
/** Minimum share of main content among the words of the element around both the main text and the facts. */
const PURITY_MIN = 0.7;
/** Minimum content score (`lean`) of a block of facts that is added to the main content. */
const LEAN_MIN = -2;
/** Maximum share of link text in a block of facts that is added. With more, it is a menu. */
const LINKS_MAX = 0.35;
const TEXT_LINKS_MAX = 0.8;
/** Maximum paragraphs after a block of facts, such as its footnotes, that are added with it. */
const NOTES_MAX = 3;
/**
 * Matches class names of elements that are not main content even if they are next to it, such as `share` or `sidebar`.
 */
const PART =
  /(?<![a-z])(?:nav|menu|aside|side|sidebar|rail|footer|header|form|recommended|recommendations?|recent|more|comments?|share|sharing|social|author|writer|bio|users?|members?|profile|poster|widgets?|tags?|breadcrumbs?|crumbs|meta|banner|promo|cta|service|help|reactions|teasers?|popup|modal|toc|pagination|pager|carousel|slider|gallery|references|login|search|filters?|sort|view)(?![a-z])/i;
/**
 * Matches names and headings of asides, such as "Related". They are not asides if the page's title has the same word,
 * because it is then the topic.
 */
const ASIDE =
  /(?<![a-z])(?:related|similar|also (?:bought|viewed|liked?|read)|may also|most read|popular|trending|latest|reviews|statistics|sponsored|advertisements?|ads?|about the (?:author|writer)|newsletter|newsroom|subscribe|cookies?|consent|weather|jobs|quiz|poll)(?![a-z])/i;
/** Maximum pieces of text that are searched, backwards, for the heading above a block of facts. */
const HEADING_STEPS_MAX = 12;
/** Maximum characters of a line directly above a block of facts that counts as its heading. */
const LABEL_CHARS_MAX = 60;
/** Elements and ids that contain one complete text. Facts outside do not belong to this text. */
const WHOLES: ReadonlySet<string> = new Set(['main', 'article']);
const WHOLE_ID = /^(?:page|main|article)?[-_]?(?:content|main|article)$/i;

/**
 * Adds tables, lists, questions and rows of facts next to the main content, such as specifications, prices and opening
 * hours. As they have no sentences, the model often takes them for menus. Linear.
 * @param frames all elements with text, outer ones first
 * @param foot true for texts in the footer of the page
 */
export function addFactTables(
  selection: ContentSelection,
  frames: readonly SegmentAncestor[],
  foot: readonly boolean[],
): void {
  const { segments } = selection;
  const title = segments.find((segment) => headingOf(segment)?.element.localName === 'h1')?.text ?? '';
  const blocks = factsIn(selection, frames).filter(
    (block) => !isTeasers(selection, block) && !isBesideText(selection, block, title),
  );
  const isFact = segments.map(() => false);
  for (const { first, last } of blocks) isFact.fill(true, first, last + 1);
  const kept = sumsOf(segments, (index) => selection.has(index));
  const others = sumsOf(segments, (index) => isFact[index] !== true && !selection.has(index));
  const whole = frames.findLast((frame) => isWhole(frame) && within(kept, frame) >= (kept.at(-1) ?? 0) * HOLDS_MIN);
  for (const block of blocks) {
    if (whole !== undefined && (block.first < whole.first || block.last > whole.last)) continue;
    if (!isInMainText(block, kept, others, title)) continue;
    for (const segment of segments.slice(block.first, block.last + 1)) {
      const { index } = segment;
      const isText = selection.linksIn(index, index) < TEXT_LINKS_MAX && !isInsideControls(segment, block);
      if (isText && foot[index] !== true) selection.add(index, index);
    }
    keepNotes(selection, block, foot);
  }
}

/** Adds the paragraphs directly after a block of facts, such as its footnotes. */
function keepNotes(selection: ContentSelection, { parent, last }: SegmentAncestor, foot: readonly boolean[]): void {
  for (const { index, frame } of selection.segments.slice(last + 1, last + 1 + NOTES_MAX)) {
    if (frame.element.localName !== 'p' || frame.parent !== parent || foot[index] === true) return;
    if ((selection.lean[index] ?? 0) < LEAN_MIN || selection.linksIn(index, index) > LINKS_MAX) return;
    selection.add(index, index);
  }
}

/** Lists the outermost blocks of facts that are not main content yet, or only in part. */
function factsIn(selection: ContentSelection, frames: readonly SegmentAncestor[]): SegmentAncestor[] {
  const kept = sumsOf(selection.segments, (index) => selection.has(index));
  const all = sumsOf(selection.segments, () => true);
  const keptOfPage = kept.at(-1) ?? 0;
  const rows = rowsIn(frames);
  const found: SegmentAncestor[] = [];
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

function within(sums: Float64Array, { first, last }: SegmentAncestor): number {
  return (sums[last + 1] ?? 0) - (sums[first] ?? 0);
}

/** Returns the elements whose children are mostly rows: at least three with the same tag and class. */
function rowsIn(frames: readonly SegmentAncestor[]): ReadonlySet<SegmentAncestor> {
  const children = new Map<SegmentAncestor, number>();
  const alike = new Map<SiblingGroup, number>();
  const found = new Set<SegmentAncestor>();
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

function isFacts(frame: SegmentAncestor, { segments }: ContentSelection, rows: ReadonlySet<SegmentAncestor>): boolean {
  const segment = segments[frame.first];
  if (FACTS.has(frame.element.localName) || (segment?.kind === 'table' && segment.frame === frame)) return true;
  return rows.has(frame) && frame.chars <= (frame.last - frame.first + 1) * MEAN_CHARS_MAX;
}

function isWhole({ element }: SegmentAncestor): boolean {
  if (WHOLES.has(element.localName) || element.getAttribute('role') === 'main') return true;
  return WHOLE_ID.test(element.getAttribute('id') ?? '');
}

/** True for a list of links to other pages: several of its headings are links. */
function isTeasers(selection: ContentSelection, { first, last }: SegmentAncestor): boolean {
  const heads = selection.segments.slice(first, last + 1).filter((segment) => headingOf(segment) !== null);
  return heads.filter(({ index }) => selection.linksIn(index, index) >= TEXT_LINKS_MAX).length >= ROWS_MIN;
}

/** True if the block's heading, or the line above it, shows that it is not main text, such as "Related". */
function isBesideText(selection: ContentSelection, block: SegmentAncestor, title: string): boolean {
  const own = selection.segments[block.first];
  const isLed = own !== undefined && headingOf(own)?.parent === block;
  return (isLed ? [own.text] : labelsAbove(selection, block.first)).some((label) => isAside(label, title));
}

/** Returns the heading above a block, unless main content is in between, and a short line directly above it. */
function labelsAbove(selection: ContentSelection, first: number): string[] {
  const labels: string[] = [];
  for (let index = first - 1; index >= Math.max(0, first - HEADING_STEPS_MAX); index -= 1) {
    const segment = selection.segments[index];
    if (segment === undefined) break;
    const isHeading = headingOf(segment) !== null;
    if (isHeading || (index === first - 1 && segment.text.length <= LABEL_CHARS_MAX)) labels.push(segment.text);
    if (isHeading || selection.has(index)) break;
  }
  return labels;
}

function isAside(text: string, title: string): boolean {
  const word = ASIDE.exec(text)?.[0].toLowerCase();
  return word !== undefined && !title.toLowerCase().includes(word);
}

/**
 * True if the block comes after main content, in an element that has most of the main content and little other text.
 */
function isInMainText(block: SegmentAncestor, kept: Float64Array, others: Float64Array, title: string): boolean {
  const keptOfPage = (kept.at(-1) ?? 0) - within(kept, block);
  let around = block;
  for (let step = 0; step <= STEPS_MAX && !isPart(around, title); step += 1) {
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

function isPart({ element }: SegmentAncestor, title: string): boolean {
  const names = classAndIdWords(element);
  return PART.test(`${element.localName} ${names}`) || isAside(names, title);
}
