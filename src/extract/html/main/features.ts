import type { Steps } from '#core/flow/turns.ts';
import { BODY_NAMES, bodyOf, pushBody } from './body.ts';
import type { Body } from './body.ts';
import { sharesIn } from './traits.ts';
import { HEADING_TRAITS } from './headings.ts';
import { judgedFor } from './choose.ts';
import { Row, flag, log, share } from './row.ts';
import { NOT_NEAR, PAGE_NAMES, pageOf } from './page.ts';
import type { Page } from './page.ts';
import { TELLING_TAGS } from './segments.ts';
import type { Frame, Segment, SiblingGroup } from './segments.ts';
import { TEXT_NAMES, changeSegmentFeatures, pushText } from './text-features.ts';
import type { PageTraits } from './traits.ts';
import { WORD_GROUPS, wordsOf } from './words.ts';

const LEVELS = 6;
/** Names of the features, in the order of the rows of `featuresOf`; part of the model. */
export const FEATURE_NAMES: readonly string[] = [
  ...TEXT_NAMES,
  ...WORD_GROUPS.map((name) => `near:${name}`),
  ...TELLING_TAGS.map((name) => `near:${name}>`),
  ...Array.from({ length: LEVELS }, (_, up) => names(`up${up}:`, 'chars links blocks share alike')).flat(),
  ...names(
    '',
    'depth pathCount pathChars pathLinks pathMean repeatCount repeatChars repeatLinks outerCount outerChars outerLinks',
  ),
  ...names('', 'position charsBefore index fromEnd afterH1 beforeH1 sinceHeading headingChars copies'),
  ...names('', 'inTitle ofTitle inDescription ofDescription toPrice toDate toReact headingLevel'),
  ...HEADING_TRAITS.map(([name]) => `heading:${name}`),
  ...HEADING_TRAITS.map(([name]) => `above:${name}`),
  ...HEADING_TRAITS.map(([name]) => `since:${name}`),
  ...names('', 'likes described opinion'),
  ...['inner', 'outer'].flatMap((unit) => names(`${unit}:`, 'share rank own at images blocks')),
  ...['prev1', 'prev2', 'next1', 'next2'].flatMap((near) => names(`${near}:`, 'chars links same ends')),
  ...names('', 'around3:chars around3:links around10:chars around10:links siblingText'),
  ...BODY_NAMES,
  ...PAGE_NAMES,
];

function names(prefix: string, list: string): string[] {
  return list.split(' ').map((name) => prefix + name);
}

const WIDTH = FEATURE_NAMES.length;
const NEAR_START = TEXT_NAMES.length;
/** What describing one segment costs, as a step. */
const SEGMENT_COST = 60;
/** How much text is compared with the page's title and description. */
const NAMED_CHARS_MAX = 500;
const NO_WORDS: readonly string[] = [];

/**
 * One row of numbers for each segment, or for the segment that is judged in its place. Linear in segments; the same for
 * the same page.
 */
export function* featuresOf(
  segments: readonly Segment[],
  traits: PageTraits,
  judged: Int32Array = judgedFor(segments),
): Steps<Float32Array[]> {
  const own = segments.filter(({ index }) => judged[index] === index);
  const page = pageOf(segments, traits);
  const body = bodyOf(segments, page.frames.length);
  const values = new Float32Array(own.length * WIDTH);
  const row = new Row(values);
  const starts = new Int32Array(segments.length).fill(-1);
  for (const [at, segment] of own.entries()) {
    row.at = at * WIDTH;
    starts[segment.index] = row.at;
    pushAll(row, segment, page, body, startOfSame(segment, page, starts));
    yield SEGMENT_COST;
  }
  return segments.map(({ index }) => {
    const start = starts[judged[index] ?? index] ?? 0;
    return values.subarray(start, start + WIDTH);
  });
}

function pushAll(row: Row, segment: Segment, page: Page, body: Body, start: number): void {
  pushOwnText(row, segment, start);
  row.addAll(segment.frame.near);
  pushAncestors(row, segment, page);
  pushRepeats(row, segment, page);
  pushPosition(row, segment, page);
  pushNames(row, segment, page, start);
  pushUnits(row, segment, page);
  pushNeighbours(row, segment, page);
  pushBody(row, segment, body);
  row.addAll(page.features);
}

/** Where the row of the first segment with the same text begins; -1 if this is the first. */
function startOfSame({ index }: Segment, page: Page, starts: Int32Array): number {
  const first = page.firstWith[index] ?? index;
  return first === index ? -1 : (starts[first] ?? -1);
}

/** What depends on the text alone is computed once, at its first occurrence. */
function pushOwnText(row: Row, segment: Segment, start: number): void {
  if (start < 0) {
    pushText(row, segment);
    return;
  }
  row.repeat(start, NEAR_START);
  changeSegmentFeatures(row, segment);
}

function pushAncestors(row: Row, segment: Segment, page: Page): void {
  let facts = page.frames[segment.frame.number] ?? null;
  for (let level = 0; level < LEVELS; level += 1) {
    if (facts === null) {
      row.add(page.logChars);
      row.add(page.linkShare);
      row.add(page.logBlocks);
      row.add(1);
      row.add(0);
      continue;
    }
    row.add(facts.logChars);
    row.add(facts.linkShare);
    row.add(facts.logBlocks);
    row.add(facts.share);
    row.add(facts.logAlike);
    facts = facts.up;
  }
}

function pushRepeats(row: Row, segment: Segment, page: Page): void {
  const { frame } = segment;
  const path = page.paths.get(frame.path) ?? { count: 1, chars: 0, linkChars: 0 };
  row.add(frame.depth);
  row.add(log(path.count));
  row.add(log(path.chars));
  row.add(share(path.linkChars, path.chars));
  row.add(log(path.chars / path.count));
  const facts = page.frames[frame.number];
  pushGroup(row, facts?.inner?.siblings);
  pushGroup(row, facts?.outer?.siblings);
}

function pushGroup(row: Row, group: SiblingGroup | null | undefined): void {
  const isNone = group === null || group === undefined;
  row.add(isNone ? 0 : log(group.count));
  row.add(isNone ? 0 : log(group.chars / group.count));
  row.add(isNone ? 0 : share(group.linkChars, group.chars));
}

function pushPosition(row: Row, segment: Segment, page: Page): void {
  const { index } = segment;
  const h1 = page.h1;
  const heading = page.headingBefore[index] ?? -1;
  const before = page.charsBefore[index] ?? 0;
  row.add(index / Math.max(1, page.blocks));
  row.add(share(before, page.chars));
  row.add(log(index));
  row.add(log(page.blocks - index));
  row.add(h1 < 0 ? -1 : log(Math.max(0, index - h1)));
  row.add(h1 < 0 ? -1 : log(Math.max(0, h1 - index)));
  row.add(heading < 0 ? -1 : log(index - heading));
  row.add(heading < 0 ? 0 : log(before - (page.charsBefore[heading] ?? 0)));
  row.add(log(page.copies[page.firstWith[index] ?? index] ?? 1));
}

function pushNames(row: Row, segment: Segment, page: Page, start: number): void {
  const { index } = segment;
  // The same text has the same words of the title.
  if (start < 0) pushTitleWords(row, segment, page);
  else row.repeat(start + (row.at % WIDTH), 4);
  for (const distances of [page.toPrice, page.toDate, page.toReact]) row.add(distances[index] ?? NOT_NEAR);
  const before = page.headingBefore[index] ?? -1;
  const heading = page.segments[before];
  row.add(heading === undefined ? 0 : Number(heading.frame.element.localName.charAt(1)));
  row.addBits(heading === undefined ? 0 : (page.says[before] ?? 0), HEADING_TRAITS.length);
  row.addBits(page.outline[index] ?? 0, HEADING_TRAITS.length);
  for (const since of page.since) row.add(since[index] ?? -1);
  row.add(log(page.likes[page.firstLike[index] ?? index] ?? 1));
  if (start < 0) {
    const [content, opinion] = sharesIn(page.traits.described, segment.text);
    row.add(content);
    row.add(opinion);
  } else row.repeat(start + (row.at % WIDTH), 2);
}

function pushTitleWords(row: Row, segment: Segment, page: Page): void {
  const { titleWords, descriptionWords } = page.traits;
  const isNamed = titleWords.size > 0 || descriptionWords.size > 0;
  const words = isNamed ? wordsOf(segment.text.slice(0, NAMED_CHARS_MAX)) : NO_WORDS;
  for (const known of [titleWords, descriptionWords]) {
    let found: Set<string> | null = null;
    for (const word of words) if (known.has(word)) (found ??= new Set()).add(word);
    const size = found?.size ?? 0;
    row.add(share(size, words.length));
    row.add(share(size, known.size));
  }
}

function pushUnits(row: Row, segment: Segment, page: Page): void {
  const facts = page.frames[segment.frame.number];
  pushUnit(row, segment, page, facts?.inner ?? null);
  pushUnit(row, segment, page, facts?.outer ?? null);
}

function pushUnit(row: Row, segment: Segment, page: Page, unit: Frame | null): void {
  if (unit === null || unit.siblings === null) {
    for (const none of [0, -1, 1, -1, -1, 0]) row.add(none);
    return;
  }
  const first = page.frames[unit.number]?.first ?? segment.index;
  row.add(share(unit.siblings.chars, page.chars));
  row.add(page.ranks.get(unit.siblings) ?? 20);
  row.add(share(segment.text.length, unit.chars));
  row.add(Math.min(20, segment.index - first));
  row.add(Math.min(5, unit.images));
  row.add(log(unit.blocks));
}

function pushNeighbours(row: Row, own: Segment, page: Page): void {
  const { index } = own;
  for (const offset of [-1, -2, 1, 2]) {
    const near = page.segments[index + offset];
    row.add(near === undefined ? -1 : log(near.text.length));
    row.add(near === undefined ? 0 : share(near.linkChars, near.text.length));
    row.add(flag(near !== undefined && near.frame.path === own.frame.path));
    row.add(near === undefined ? 0 : (page.ends[index + offset] ?? 0));
  }
  for (const reach of [3, 10]) {
    const from = Math.max(0, index - reach);
    const to = Math.min(page.blocks, index + reach + 1);
    const chars = (page.charsBefore[to] ?? 0) - (page.charsBefore[from] ?? 0);
    row.add(log(chars));
    row.add(share((page.linkCharsBefore[to] ?? 0) - (page.linkCharsBefore[from] ?? 0), chars));
  }
  const { parent } = own.frame;
  row.add(parent === null ? 0 : log((parent.chars - parent.linkChars) / Math.max(1, parent.blocks)));
}
