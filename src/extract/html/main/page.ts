import { HEADING_TAGS } from '#extract/html/tags.ts';
import { HEADING_TRAITS } from './heading-traits.ts';
import { flag, log, share } from './numbers.ts';
import type { Frame, Segment, SiblingGroup } from './segments.ts';
import type { PageTraits } from './traits.ts';

const REACT = /^(?:reply|quote|report|like|likes|upvote|vote|share|permalink|flag)\b/i;
const PRICE = /[$€£¥₹]\s?\d/;
const DATE = /\b20\d\d\b|\bago\b/;
type PathStats = { count: number; chars: number; linkChars: number };

/** What is known of a page once all its segments are. */
export type Page = {
  segments: readonly Segment[];
  chars: number;
  blocks: number;
  linkShare: number;
  paths: Map<number, PathStats>;
  copies: Map<string, number>;
  /** As `copies`, whatever the numbers in the text. */
  likes: Map<string, number>;
  /** For each segment, bit by bit what the headings above its own say; see `HEADING_TRAITS`. */
  outline: number[];
  /** For each heading trait and segment, how many segments ago something was headed so; -1: never. */
  since: number[][];
  charsBefore: number[];
  headingBefore: number[];
  h1: number;
  features: number[];
  traits: PageTraits;
  toPrice: number[];
  toDate: number[];
  toReact: number[];
  /** Index of the first segment in a frame. */
  firstIn: Map<Frame, number>;
  /** Place of a sibling group among all of three or more, by text. */
  ranks: Map<SiblingGroup, number>;
};

/** Longer texts are alike only when they are the same. */
const LIKE_CHARS_MAX = 80;
/** What is headed by a text that is no heading, only drawn like one. */
const HEADING_CHARS_MAX = 40;

/** Farther than this many segments is not near. */
export const NOT_NEAR = 10;

/** A paragraph: long enough to say something. */
const LONG_CHARS_MIN = 140;

/** Names of `Page.features`, in order; part of the model. */
export const PAGE_NAMES: readonly string[] =
  'page:longShare page:article page:product page:forum page:list page:path page:root page:slug page:hasMain page:articles page:described page:opinions'.split(
    ' ',
  );

export function pageOf(segments: readonly Segment[], traits: PageTraits): Page {
  const paths = new Map<number, PathStats>();
  const copies = new Map<string, number>();
  const likes = new Map<string, number>();
  const charsBefore: number[] = [];
  const headingBefore: number[] = [];
  const sums = { chars: 0, linkChars: 0, longChars: 0 };
  let h1 = -1;
  let lastHeading = -1;
  for (const segment of segments) {
    const { text, frame, index } = segment;
    charsBefore.push(sums.chars);
    headingBefore.push(lastHeading);
    const path = paths.get(frame.path) ?? { count: 0, chars: 0, linkChars: 0 };
    path.count += 1;
    path.chars += text.length;
    path.linkChars += segment.linkChars;
    paths.set(frame.path, path);
    copies.set(text, (copies.get(text) ?? 0) + 1);
    const like = likeOf(text);
    likes.set(like, (likes.get(like) ?? 0) + 1);
    sums.chars += text.length;
    sums.linkChars += segment.linkChars;
    if (text.length >= LONG_CHARS_MIN && segment.linkChars < text.length / 3) {
      sums.longChars += text.length;
    }
    if (HEADING_TAGS.has(frame.element.localName)) {
      lastHeading = index;
      if (h1 < 0 && frame.element.localName === 'h1') h1 = index;
    }
  }
  return {
    segments,
    chars: sums.chars,
    blocks: segments.length,
    linkShare: share(sums.linkChars, sums.chars),
    paths,
    copies,
    likes,
    ...headedBy(segments),
    charsBefore,
    headingBefore,
    h1,
    features: pageFeatures(share(sums.longChars, sums.chars), traits),
    traits,
    toPrice: distancesTo(segments, (text) => text.length < 60 && PRICE.test(text)),
    toDate: distancesTo(segments, (text) => text.length < 80 && DATE.test(text)),
    toReact: distancesTo(segments, (text) => text.length < 40 && REACT.test(text)),
    ...unitsOf(segments),
  };
}

/** As `PAGE_NAMES` has them. */
function pageFeatures(longShare: number, traits: PageTraits): number[] {
  return [
    longShare,
    flag(traits.isArticle),
    flag(traits.isProduct),
    flag(traits.isForum),
    flag(traits.isList),
    traits.pathDepth,
    flag(traits.isRoot),
    flag(traits.hasSlug),
    flag(traits.hasMain),
    log(traits.articles),
    log(traits.described.content.size),
    log(traits.described.opinion.size),
  ];
}

function unitsOf(segments: readonly Segment[]): { firstIn: Map<Frame, number>; ranks: Map<SiblingGroup, number> } {
  const firstIn = new Map<Frame, number>();
  const groups = new Set<SiblingGroup>();
  for (const segment of segments) {
    for (let frame: Frame | null = segment.frame; frame !== null && !firstIn.has(frame); frame = frame.parent) {
      firstIn.set(frame, segment.index);
      if (frame.siblings !== null && frame.siblings.count >= 3) groups.add(frame.siblings);
    }
  }
  const order = [...groups].sort((a, b) => b.chars - a.chars);
  return { firstIn, ranks: new Map(order.map((group, rank) => [group, Math.min(20, rank)])) };
}

/** For each segment, how many segments away the nearest fitting one is. */
function distancesTo(segments: readonly Segment[], fits: (text: string) => boolean): number[] {
  const distances = segments.map(() => NOT_NEAR);
  let last = -NOT_NEAR;
  for (const [index, segment] of segments.entries()) {
    if (fits(segment.text)) last = index;
    distances[index] = Math.min(NOT_NEAR, index - last);
  }
  last = segments.length + NOT_NEAR;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    if ((distances[index] ?? NOT_NEAR) === 0) last = index;
    distances[index] = Math.min(distances[index] ?? NOT_NEAR, last - index);
  }
  return distances;
}

/** The text of a segment with its numbers made alike. */
export function likeOf(text: string): string {
  return text.length > LIKE_CHARS_MAX ? text : text.replace(/\d+/g, '0');
}

function headedBy(segments: readonly Segment[]): { outline: number[]; since: number[][] } {
  const outline: number[] = [];
  const since = HEADING_TRAITS.map((): number[] => []);
  const last = HEADING_TRAITS.map(() => -1);
  /** What the open headings of each level say. */
  const open: number[] = [];
  let above = 0;
  for (const { text, frame, index, links } of segments) {
    const name = frame.element.localName;
    const level = HEADING_TAGS.has(name) ? Number(name.charAt(1)) : 0;
    const says = level > 0 || (links === 0 && text.length < HEADING_CHARS_MAX) ? traitsIn(text) : 0;
    if (level > 0) {
      open.length = level;
      above = 0;
      for (const said of open) above |= said ?? 0;
      open[level] = says;
    }
    outline.push(above);
    for (let trait = 0; trait < last.length; trait += 1) {
      if ((says & (1 << trait)) !== 0) last[trait] = index;
      const at = last[trait] ?? -1;
      since[trait]?.push(at < 0 ? -1 : log(index - at));
    }
  }
  return { outline, since };
}

function traitsIn(text: string): number {
  let says = 0;
  for (const [trait, [, pattern]] of HEADING_TRAITS.entries()) if (pattern.test(text)) says |= 1 << trait;
  return says;
}
