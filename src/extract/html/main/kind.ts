import { HEADING_TAGS } from '#extract/html/tree.ts';
import { FEATURE_NAMES } from './features.ts';
import { scoreOf } from './forest.ts';
import type { Forest } from './forest.ts';
import { log } from './row-writer.ts';
import type { Segment } from './segments.ts';

/** The purpose of a page. The order is part of the model. */
export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** The chance of each kind, in the order of `PAGE_KINDS`. Their sum is 1. */
export type KindChances = readonly number[];

/** Words in addresses that suggest a kind of page on any site. */
const ADDRESS_WORDS: readonly RegExp[] = [
  /forum|thread|topic|viewtopic|\/t\/|discuss|community|questions?\/|answers?|board|comments/,
  /docs?\b|documentation|reference|\bapi\b|manual|guide|tutorial|learn|wiki|man\d?\/|library|readme/,
  /products?\/|\/p\/|\/dp\/|\/item|\/ip\/|sku|\/prd|-p-|buy/,
  /collections?|category|categories|\/c\/|\/shop|\/store|\/b\/|catalog|best-sellers|products?\/?$|deals/,
  /blog|news|article|stories|post|\/20\d\d\/|opinion|magazine|press/,
  /tags?\/|topics?\/?|search|list|directory|index|archive|events|jobs|rank|top-|results|find/,
  /services?|solutions?|pricing|features|platform|about|enterprise|consult|contact/,
];

const AVERAGED = indices(/^(?:text:|is:|linkShare|ends|function|capitals|upper|digits|table|code|wordLength)/);
const NEARNESS = indices(/^near:/);
const PER_PAGE = indices(/^page:(?!longShare)/);
/** Steps up within which a part's name counts for its text. */
const NEAR_MAX = 2;

const COUNTED: readonly ((segment: Segment) => boolean)[] = [
  ({ text }) => text.length > 140,
  ({ text }) => text.length > 400,
  ({ text }) => text.length < 40 && /[$€£¥₹]\s?\d/.test(text),
  ({ text }) => text.length < 60 && /\b20\d\d\b|\bago\b/.test(text),
  ({ text }) => text.endsWith('?'),
  ({ text }) => /^(?:reply|quote|report|like|share|permalink)/i.test(text),
  ({ text }) => /add to (?:cart|bag|basket)/i.test(text),
  ({ kind }) => kind === 'table',
  ({ kind }) => kind === 'code',
  ({ frame }) => HEADING_TAGS.has(frame.element.localName),
];

/** The kind of page that segments with these rows of features make up. */
export function kindsOf(
  forests: readonly Forest[],
  segments: readonly Segment[],
  rows: readonly Float32Array[],
  url: string,
): KindChances {
  const row = kindRowOf(segments, rows, url);
  const odds = forests.map((forest) => 1 / (1 + Math.exp(-scoreOf(forest, row))));
  return sumToOne(odds);
}

/** Shares of one, with two digits. */
export function sumToOne(odds: readonly number[]): KindChances {
  const sum = odds.reduce((total, chance) => total + chance, 0);
  return odds.map((chance) => Math.round((chance / sum) * 100) / 100);
}

/**
 * Writes a segment's row followed by the chances of its page's kind into `out`. The model of segments is trained on
 * such rows.
 */
export function withKinds(row: Float32Array, kinds: KindChances, out: Float32Array): Float32Array {
  out.set(row);
  out.set(kinds, row.length);
  return out;
}

/** One row of numbers for a whole page. The model of kinds is trained on such rows. */
export function kindRowOf(segments: readonly Segment[], rows: readonly Float32Array[], url: string): Float32Array {
  const out: number[] = [];
  const { chars, plain, bySize, near } = sumsOf(segments, rows);
  for (let at = 0; at < AVERAGED.length; at += 1) {
    out.push(rounded((plain[at] ?? 0) / Math.max(1, segments.length)));
    out.push(rounded((bySize[at] ?? 0) / Math.max(1, chars)));
  }
  for (const sum of near) out.push(rounded(sum / Math.max(1, chars)));
  out.push(log(chars), log(segments.length));
  for (const counts of COUNTED) out.push(log(segments.filter(counts).length));
  for (const feature of PER_PAGE) out.push(rows[0]?.[feature] ?? 0);
  const address = url.toLowerCase().replace(/^https?:\/\//, '');
  for (const words of ADDRESS_WORDS) out.push(words.test(address) ? 1 : 0);
  return Float32Array.from(out);
}

/**
 * In one pass over the rows: sums of `AVERAGED` over segments and over characters, and the characters that are near.
 */
function sumsOf(segments: readonly Segment[], rows: readonly Float32Array[]) {
  const plain = new Float64Array(AVERAGED.length);
  const bySize = new Float64Array(AVERAGED.length);
  const near = new Float64Array(NEARNESS.length);
  let chars = 0;
  for (const { text, index } of segments) {
    chars += text.length;
    const row = rows[index];
    if (row !== undefined) addRow(row, text.length, plain, bySize, near);
  }
  return { chars, plain, bySize, near };
}

function addRow(row: Float32Array, size: number, plain: Float64Array, bySize: Float64Array, near: Float64Array): void {
  for (let at = 0; at < AVERAGED.length; at += 1) {
    const value = row[AVERAGED[at] ?? -1] ?? 0;
    // Most are flags that are not set.
    if (value === 0) continue;
    plain[at] = (plain[at] ?? 0) + value;
    bySize[at] = (bySize[at] ?? 0) + value * size;
  }
  for (let at = 0; at < NEARNESS.length; at += 1) {
    if ((row[NEARNESS[at] ?? -1] ?? NEAR_MAX + 1) <= NEAR_MAX) near[at] = (near[at] ?? 0) + size;
  }
}

/** To three digits, because sums may differ in the last one. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function indices(pattern: RegExp): number[] {
  return FEATURE_NAMES.flatMap((name, index) => (pattern.test(name) ? [index] : []));
}

/** Calibration for each kind of page: the log odds are multiplied by the slope and raised by the shift. */
const CALIBRATION: Readonly<Record<PageKind, readonly [slope: number, shift: number]>> = {
  article: [1, -1],
  documentation: [1, 0.25],
  service: [1, 0],
  forum: [0.9, -0.4],
  collection: [0.8, 0],
  listing: [0.9, -0.2],
  product: [1.15, -0.2],
};

/**
 * The distance below the bar at which a segment between kept ones stays: on every page, and additionally on
 * documentation.
 */
const REACH = 0.5;
const REACH_IN_DOCUMENTATION = 4;

/** See `Selection.reach`. On reference pages, almost everything among the text belongs to it. */
export function reachOf(kinds: KindChances): number {
  return REACH + REACH_IN_DOCUMENTATION * (kinds[PAGE_KINDS.indexOf('documentation')] ?? 0);
}

/** On the other kinds of pages, what readers write is the main part. */
const SURELY = 0.8;

export function isSurelyArticle(kinds: KindChances): boolean {
  return (kinds[PAGE_KINDS.indexOf('article')] ?? 0) > SURELY;
}

const LIKELY = 0.4;

/** In a shop, links to goods are the content, and the names of parts say little. */
export function isLikelyShop(kinds: KindChances): boolean {
  const chance = (kind: PageKind) => kinds[PAGE_KINDS.indexOf(kind)] ?? 0;
  return chance('collection') + chance('product') > LIKELY;
}

/** Slope and shift for a page that is each kind to some degree. */
export function calibrationOf(kinds: KindChances): { slope: number; shift: number } {
  let slope = 0;
  let shift = 0;
  for (const [index, kind] of PAGE_KINDS.entries()) {
    const [kindSlope, kindShift] = CALIBRATION[kind];
    slope += (kinds[index] ?? 0) * kindSlope;
    shift += (kinds[index] ?? 0) * kindShift;
  }
  return { slope, shift };
}

export function likeliestKind(kinds: KindChances): PageKind {
  let best: PageKind = 'article';
  let chance = -1;
  for (const [index, kind] of PAGE_KINDS.entries()) {
    if ((kinds[index] ?? 0) > chance) {
      best = kind;
      chance = kinds[index] ?? 0;
    }
  }
  return best;
}
