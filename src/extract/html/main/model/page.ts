import { SENTENCE_END } from './words.ts';
import { HEADING_TAGS } from '#extract/html/tree.ts';
import { HEADING_TRAITS } from '#extract/html/main/headings.ts';
import { booleanToNumber, approximateLog2, roundedShare } from './row-writer.ts';
import type { SegmentAncestor, TextSegment, SiblingGroup } from '#extract/html/main/segments.ts';
import type { PageTraits } from './traits.ts';

const REACT = /^(?:reply|quote|report|like|likes|upvote|vote|share|permalink|flag)\b/i;
const PRICE = /[$€£¥₹]\s?\d/;
const DATE = /\b20\d\d\b|\bago\b/;
type PathStats = { count: number; chars: number; linkChars: number };

/** Facts about a page's texts that depend on other texts. Arrays are indexed by text. */
export type SegmentedPage = {
  segments: readonly TextSegment[];
  chars: number;
  logChars: number;
  blocks: number;
  logBlocks: number;
  linkShare: number;
  paths: ReadonlyMap<number, PathStats>;
  /** For each segment, the index of the first segment with the same text. */
  firstWith: Int32Array;
  /** For the first segment with a text, the number of segments with this text. */
  copies: Int32Array;
  /**
   * For each segment, the index of the first segment whose text is equal or differs only in numbers, such as "Page 1"
   * and "Page 2".
   */
  firstLike: Int32Array;
  likes: Int32Array;
  /** 1 for a text that ends like a sentence, else 0. */
  ends: Uint8Array;
  /** Traits of a heading, or of a short line without links, as bits, such as `comments` (see `HEADING_TRAITS`). */
  says: Uint8Array;
  /** For each text, the traits of the headings of higher levels that enclose its nearest heading, as bits. */
  outline: Uint8Array;
  /**
   * For each trait, the distance of each text from the last heading with this trait, as a logarithm; -1 without such a
   * heading.
   */
  since: readonly Float64Array[];
  /** Prefix sums: characters of all texts before each index. */
  charsBefore: Float64Array;
  linkCharsBefore: Float64Array;
  headingBefore: Int32Array;
  h1: number;
  features: Float32Array;
  traits: PageTraits;
  toPrice: Uint8Array;
  toDate: Uint8Array;
  toReact: Uint8Array;
  /** Indexed by the number of an element. Only elements with text have an entry. */
  frames: readonly (FrameFacts | undefined)[];
  /** Rank of each group of at least three siblings with the same tag and class, ordered by their amount of text. */
  ranks: ReadonlyMap<SiblingGroup, number>;
};

/** Maximum characters of texts that are compared without their numbers. */
const LIKE_CHARS_MAX = 80;
/** Maximum characters of a line that may be a heading although it has no heading tag. */
const HEADING_CHARS_MAX = 40;

/** Maximum distance between two texts, counted in texts. A larger distance counts as this one. */
export const TEXT_DISTANCE_MAX = 10;

/** Minimum characters of a long paragraph. */
const LONG_CHARS_MIN = 140;

/** Names of `SegmentedPage.features`. Their order is part of the model. */
export const PAGE_FEATURE_NAMES: readonly string[] =
  'page:longShare page:article page:product page:forum page:list page:path page:root page:slug page:hasMain page:articles page:described page:opinions'.split(
    ' ',
  );

export function describePage(segments: readonly TextSegment[], traits: PageTraits): SegmentedPage {
  const paths = new Map<number, PathStats>();
  const charsBefore = new Float64Array(segments.length + 1);
  const linkCharsBefore = new Float64Array(segments.length + 1);
  const headingBefore = new Int32Array(segments.length);
  const ends = new Uint8Array(segments.length);
  const sums = { chars: 0, linkChars: 0, longChars: 0 };
  let h1 = -1;
  let lastHeading = -1;
  for (const { text, linkChars, frame, index } of segments) {
    headingBefore[index] = lastHeading;
    ends[index] = booleanToNumber(SENTENCE_END.test(text));
    let path = paths.get(frame.path);
    if (path === undefined) paths.set(frame.path, (path = { count: 0, chars: 0, linkChars: 0 }));
    path.count += 1;
    path.chars += text.length;
    path.linkChars += linkChars;
    sums.chars += text.length;
    sums.linkChars += linkChars;
    charsBefore[index + 1] = sums.chars;
    linkCharsBefore[index + 1] = sums.linkChars;
    if (text.length >= LONG_CHARS_MIN && linkChars < text.length / 3) sums.longChars += text.length;
    if (HEADING_TAGS.has(frame.element.localName)) {
      lastHeading = index;
      if (h1 < 0 && frame.element.localName === 'h1') h1 = index;
    }
  }
  const repeated = repeatsIn(segments);
  return {
    segments,
    chars: sums.chars,
    logChars: approximateLog2(sums.chars),
    blocks: segments.length,
    logBlocks: approximateLog2(segments.length),
    linkShare: roundedShare(sums.linkChars, sums.chars),
    paths,
    ...repeated,
    ends,
    ...headedBy(segments, repeated.firstWith),
    charsBefore,
    linkCharsBefore,
    headingBefore,
    h1,
    features: Float32Array.from(pageFeatures(roundedShare(sums.longChars, sums.chars), traits)),
    traits,
    toPrice: distancesTo(segments, (text) => text.length < 60 && PRICE.test(text)),
    toDate: distancesTo(segments, (text) => text.length < 80 && DATE.test(text)),
    toReact: distancesTo(segments, (text) => text.length < 40 && REACT.test(text)),
    ...frameFactsOf(segments, sums.chars),
  };
}

type Repeated = Pick<SegmentedPage, 'firstWith' | 'copies' | 'firstLike' | 'likes'>;

function repeatsIn(segments: readonly TextSegment[]): Repeated {
  const firstWith = new Int32Array(segments.length);
  const copies = new Int32Array(segments.length);
  const firstLike = new Int32Array(segments.length);
  const likes = new Int32Array(segments.length);
  const texts = new Map<string, number>();
  const likeTexts = new Map<string, number>();
  for (const { text, index } of segments) {
    const first = firstIn(texts, text, index);
    const like = first === index ? firstIn(likeTexts, likeOf(text), index) : (firstLike[first] ?? index);
    firstWith[index] = first;
    firstLike[index] = like;
    copies[first] = (copies[first] ?? 0) + 1;
    likes[like] = (likes[like] ?? 0) + 1;
  }
  return { firstWith, copies, firstLike, likes };
}

function firstIn(firsts: Map<string, number>, text: string, index: number): number {
  const known = firsts.get(text);
  if (known !== undefined) return known;
  firsts.set(text, index);
  return index;
}

function pageFeatures(longShare: number, traits: PageTraits): number[] {
  return [
    longShare,
    booleanToNumber(traits.isArticle),
    booleanToNumber(traits.isProduct),
    booleanToNumber(traits.isForum),
    booleanToNumber(traits.isList),
    traits.pathDepth,
    booleanToNumber(traits.isRoot),
    booleanToNumber(traits.hasSlug),
    booleanToNumber(traits.hasMain),
    approximateLog2(traits.articles),
    approximateLog2(traits.described.content.size),
    approximateLog2(traits.described.opinion.size),
  ];
}

/** For each text, returns the distance to the nearest text that fits, in texts. */
function distancesTo(segments: readonly TextSegment[], fits: (text: string) => boolean): Uint8Array {
  const distances = new Uint8Array(segments.length).fill(TEXT_DISTANCE_MAX);
  let last = -TEXT_DISTANCE_MAX;
  for (const { text, index } of segments) {
    if (fits(text)) last = index;
    distances[index] = Math.min(TEXT_DISTANCE_MAX, index - last);
  }
  last = segments.length + TEXT_DISTANCE_MAX;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const before = distances[index] ?? TEXT_DISTANCE_MAX;
    if (before === 0) last = index;
    distances[index] = Math.min(before, last - index);
  }
  return distances;
}

/** Replaces numbers by 0, to compare texts such as "Page 1" and "Page 2". Long texts stay unchanged. */
function likeOf(text: string): string {
  return text.length > LIKE_CHARS_MAX ? text : text.replace(/\d+/g, '0');
}

function headedBy(
  segments: readonly TextSegment[],
  firstWith: Int32Array,
): Pick<SegmentedPage, 'says' | 'outline' | 'since'> {
  const says = new Uint8Array(segments.length);
  const outline = new Uint8Array(segments.length);
  const since = HEADING_TRAITS.map(() => new Float64Array(segments.length));
  const last = HEADING_TRAITS.map(() => -1);
  const known = new Map<number, number>();
  const open: number[] = [];
  let above = 0;
  for (const { text, frame, index, links } of segments) {
    const name = frame.element.localName;
    const level = HEADING_TAGS.has(name) ? Number(name.charAt(1)) : 0;
    let said = 0;
    if (level > 0 || (links === 0 && text.length < HEADING_CHARS_MAX)) {
      const first = firstWith[index] ?? index;
      said = known.get(first) ?? traitsIn(text);
      known.set(first, said);
    }
    if (level > 0) {
      open.length = level;
      above = 0;
      for (const outer of open) above |= outer ?? 0;
      open[level] = said;
    }
    says[index] = said;
    outline[index] = above;
    for (let trait = 0; trait < last.length; trait += 1) {
      if ((said & (1 << trait)) !== 0) last[trait] = index;
      const at = last[trait] ?? -1;
      const distances = since[trait];
      if (distances !== undefined) distances[index] = at < 0 ? -1 : approximateLog2(index - at);
    }
  }
  return { says, outline, since };
}

function traitsIn(text: string): number {
  let says = 0;
  for (const [trait, [, pattern]] of HEADING_TRAITS.entries()) if (pattern.test(text)) says |= 1 << trait;
  return says;
}

type FrameFacts = {
  logChars: number;
  linkShare: number;
  logBlocks: number;
  share: number;
  /** Logarithm of the number of siblings with the same tag and class. */
  logAlike: number;
  first: number;
  /** Facts about the nearest ancestor with more content. Wrappers around a single child are skipped. */
  up: FrameFacts | null;
  /**
   * The element itself or an ancestor. `inner` is the nearest of several blocks among siblings that look like it.
   * `outer` is the nearest whose group of siblings has a large share of the page.
   */
  inner: SegmentAncestor | null;
  outer: SegmentAncestor | null;
};

/** Minimum siblings with the same tag and class that form a list. */
const ALIKE_MIN = 3;
const OUTER_SHARE_MIN = 0.15;
const RANK_MAX = 20;

type AllFacts = { frames: (FrameFacts | undefined)[]; ranks: Map<SiblingGroup, number> };

function frameFactsOf(segments: readonly TextSegment[], pageChars: number): AllFacts {
  const frames: (FrameFacts | undefined)[] = [];
  const groups = new Set<SiblingGroup>();
  const waiting: SegmentAncestor[] = [];
  for (const segment of segments) {
    let frame: SegmentAncestor | null = segment.frame;
    for (; frame !== null && frames[frame.number] === undefined; frame = frame.parent) {
      waiting.push(frame);
      if (frame.siblings !== null && frame.siblings.count >= ALIKE_MIN) groups.add(frame.siblings);
    }
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const around = next.parent === null ? undefined : frames[next.parent.number];
      frames[next.number] = factsOf(next, around, segment.index, pageChars);
    }
  }
  const order = [...groups].sort((a, b) => b.chars - a.chars);
  return { frames, ranks: new Map(order.map((group, rank) => [group, Math.min(RANK_MAX, rank)])) };
}

function factsOf(frame: SegmentAncestor, around: FrameFacts | undefined, first: number, pageChars: number): FrameFacts {
  const { parent, siblings, chars, linkChars, blocks } = frame;
  const isAmongLike = siblings !== null && siblings.count >= ALIKE_MIN && siblings.chars > 0;
  const isWrapped = parent !== null && parent.chars === chars && parent.parent !== null;
  return {
    logChars: approximateLog2(chars),
    linkShare: roundedShare(linkChars, chars),
    logBlocks: approximateLog2(blocks),
    share: roundedShare(chars, pageChars),
    logAlike: approximateLog2(siblings?.count ?? 0),
    first,
    up: (isWrapped ? around?.up : around) ?? null,
    inner: isAmongLike && blocks > 1 ? frame : (around?.inner ?? null),
    outer: isAmongLike && siblings.chars > pageChars * OUTER_SHARE_MIN ? frame : (around?.outer ?? null),
  };
}
