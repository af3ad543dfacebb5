import { shareIn } from './described.ts';
import { HEADING_TRAITS } from './heading-traits.ts';
import { flag, log, share } from './numbers.ts';
import { NOT_NEAR, PAGE_NAMES, likeOf, pageOf } from './page.ts';
import type { Page } from './page.ts';
import { TELLING_TAGS } from './segments.ts';
import type { Frame, Segment } from './segments.ts';
import { SENTENCE_END, TEXT_NAMES, pushText } from './text-features.ts';
import type { PageTraits } from './traits.ts';
import { wordsOf } from './words-of.ts';
import { WORD_GROUPS } from './words.ts';

const LEVELS = 6;
/** Names of the features in the order of `featuresOf`'s rows; part of the model. */
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
  ...PAGE_NAMES,
];

function names(prefix: string, list: string): string[] {
  return list.split(' ').map((name) => prefix + name);
}

/** One row of numbers for each segment. Linear in segments; the same for the same page. */
export function featuresOf(segments: readonly Segment[], traits: PageTraits): Float32Array[] {
  const page = pageOf(segments, traits);
  // One buffer for all: a page may have thousands of segments.
  const row: number[] = [];
  return segments.map((segment, index) => {
    row.length = 0;
    pushText(row, segment);
    pushNear(row, segment.frame);
    pushAncestors(row, segment, page);
    const units: (Frame | null)[] = [];
    pushRepeats(row, segment, page, units);
    pushPosition(row, segment, page);
    pushNames(row, segment, page);
    pushUnits(row, segment, page, units);
    pushNeighbours(row, segments, index);
    pushPage(row, page);
    return Float32Array.from(row);
  });
}

function pushNear(row: number[], frame: Frame): void {
  for (const distance of frame.near) row.push(distance);
}

function pushAncestors(row: number[], segment: Segment, page: Page): void {
  let frame: Frame | null = segment.frame;
  for (let level = 0; level < LEVELS; level += 1) {
    // Wrappers around a single child say nothing new.
    const from: Frame | null = frame;
    row.push(
      log(from?.chars ?? page.chars),
      from === null ? page.linkShare : share(from.linkChars, from.chars),
      log(from?.blocks ?? page.blocks),
      from === null ? 1 : share(from.chars, page.chars),
      log(from?.siblings?.count ?? 0),
    );
    const chars: number = from?.chars ?? 0;
    frame = from?.parent ?? null;
    while (frame !== null && frame.chars === chars && frame.parent !== null) frame = frame.parent;
  }
}

function pushRepeats(row: number[], segment: Segment, page: Page, units: (Frame | null)[]): void {
  const path = page.paths.get(segment.frame.path) ?? { count: 1, chars: 0, linkChars: 0 };
  row.push(
    segment.frame.depth,
    log(path.count),
    log(path.chars),
    share(path.linkChars, path.chars),
    log(path.chars / path.count),
  );
  let inner: Frame | null = null;
  let outer: Frame | null = null;
  for (let frame: Frame | null = segment.frame; frame !== null; frame = frame.parent) {
    if (frame.siblings === null || frame.siblings.count < 3 || frame.siblings.chars === 0) continue;
    if (inner === null && frame.blocks > 1) inner = frame;
    if (frame.siblings.chars > page.chars * 0.15) outer ??= frame;
  }
  units.push(inner, outer);
  for (const frame of [inner, outer]) {
    const group = frame?.siblings;
    row.push(log(group?.count ?? 0), log(group === null || group === undefined ? 0 : group.chars / group.count));
    row.push(group === null || group === undefined ? 0 : share(group.linkChars, group.chars));
  }
}

function pushPosition(row: number[], segment: Segment, page: Page): void {
  const { index } = segment;
  const h1 = page.h1;
  const heading = page.headingBefore[index] ?? -1;
  row.push(
    index / Math.max(1, page.blocks),
    share(page.charsBefore[index] ?? 0, page.chars),
    log(index),
    log(page.blocks - index),
    h1 < 0 ? -1 : log(Math.max(0, index - h1)),
    h1 < 0 ? -1 : log(Math.max(0, h1 - index)),
    heading < 0 ? -1 : log(index - heading),
    heading < 0 ? 0 : log((page.charsBefore[index] ?? 0) - (page.charsBefore[heading] ?? 0)),
    log(page.copies.get(segment.text) ?? 1),
  );
}

function pushNames(row: number[], segment: Segment, page: Page): void {
  const words = wordsOf(segment.text.slice(0, 500));
  for (const known of [page.traits.titleWords, page.traits.descriptionWords]) {
    const found = new Set(words.filter((word) => known.has(word))).size;
    row.push(share(found, words.length), share(found, known.size));
  }
  for (const distances of [page.toPrice, page.toDate, page.toReact]) row.push(distances[segment.index] ?? NOT_NEAR);
  const heading = page.segments[page.headingBefore[segment.index] ?? -1];
  row.push(heading === undefined ? 0 : Number(heading.frame.element.localName.charAt(1)));
  for (const [, pattern] of HEADING_TRAITS) row.push(flag(heading !== undefined && pattern.test(heading.text)));
  const above = page.outline[segment.index] ?? 0;
  for (let trait = 0; trait < HEADING_TRAITS.length; trait += 1) row.push(flag((above & (1 << trait)) !== 0));
  for (const since of page.since) row.push(since[segment.index] ?? -1);
  row.push(
    log(page.likes.get(likeOf(segment.text)) ?? 1),
    shareIn(page.traits.described.content, segment.text),
    shareIn(page.traits.described.opinion, segment.text),
  );
}

function pushUnits(row: number[], segment: Segment, page: Page, units: readonly (Frame | null)[]): void {
  for (const unit of units) {
    if (unit === null || unit.siblings === null) {
      row.push(0, -1, 1, -1, -1, 0);
      continue;
    }
    const first = page.firstIn.get(unit) ?? segment.index;
    row.push(
      share(unit.siblings.chars, page.chars),
      page.ranks.get(unit.siblings) ?? 20,
      share(segment.text.length, unit.chars),
      Math.min(20, segment.index - first),
      Math.min(5, unit.images),
      log(unit.blocks),
    );
  }
}

function pushNeighbours(row: number[], segments: readonly Segment[], index: number): void {
  const own = segments[index];
  for (const offset of [-1, -2, 1, 2]) {
    const near = segments[index + offset];
    row.push(
      near === undefined ? -1 : log(near.text.length),
      near === undefined ? 0 : share(near.linkChars, near.text.length),
      flag(near !== undefined && near.frame.path === own?.frame.path),
      flag(near !== undefined && SENTENCE_END.test(near.text)),
    );
  }
  for (const reach of [3, 10]) {
    let chars = 0;
    let linkChars = 0;
    for (let at = Math.max(0, index - reach); at <= index + reach; at += 1) {
      chars += segments[at]?.text.length ?? 0;
      linkChars += segments[at]?.linkChars ?? 0;
    }
    row.push(log(chars), share(linkChars, chars));
  }
  const parent = own?.frame.parent;
  row.push(
    parent === null || parent === undefined ? 0 : log((parent.chars - parent.linkChars) / Math.max(1, parent.blocks)),
  );
}

function pushPage(row: number[], page: Page): void {
  for (const value of page.features) row.push(value);
}
