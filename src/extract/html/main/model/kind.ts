import { HEADING_TAGS } from '#extract/html/tree.ts';
import { FEATURE_NAMES } from './features.ts';
import { scoreFeatureRow } from './forest.ts';
import type { DecisionForest } from './forest.ts';
import { approximateLog2 } from './row-writer.ts';
import type { TextSegment } from '#extract/html/main/segments.ts';

/** The kinds of pages. The order is part of the model. */
export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** The chance of each kind in `PAGE_KINDS`, in that order. They are rounded and add up to about 1. */
export type KindChances = readonly number[];

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
/**
 * Maximum steps from a text up to an element with a name, such as `nav`, for the text to count as near that element.
 */
const NEAR_MAX = 2;

const COUNTED: readonly ((segment: TextSegment) => boolean)[] = [
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

export function predictPageKinds(
  forests: readonly DecisionForest[],
  segments: readonly TextSegment[],
  rows: readonly Float32Array[],
  url: string,
): KindChances {
  const row = buildKindRow(segments, rows, url);
  const odds = forests.map((forest) => 1 / (1 + Math.exp(-scoreFeatureRow(forest, row))));
  return sumToOne(odds);
}

/** Scales values to a sum of 1, rounded to two digits. */
export function sumToOne(odds: readonly number[]): KindChances {
  const sum = odds.reduce((total, chance) => total + chance, 0);
  return odds.map((chance) => Math.round((chance / sum) * 100) / 100);
}

/** Builds in `out` a row for the model of texts: the features of a text, then the chances of the page kinds. */
export function appendKindChances(
  row: Float32Array,
  kinds: KindChances,
  out = new Float32Array(row.length + kinds.length),
): Float32Array {
  out.set(row);
  out.set(kinds, row.length);
  return out;
}

/** Builds the row for the model of page kinds: features of the whole page. */
export function buildKindRow(
  segments: readonly TextSegment[],
  rows: readonly Float32Array[],
  url: string,
): Float32Array {
  const out: number[] = [];
  const { chars, plain, bySize, near } = sumFeatures(segments, rows);
  for (let at = 0; at < AVERAGED.length; at += 1) {
    out.push(rounded((plain[at] ?? 0) / Math.max(1, segments.length)));
    out.push(rounded((bySize[at] ?? 0) / Math.max(1, chars)));
  }
  for (const sum of near) out.push(rounded(sum / Math.max(1, chars)));
  out.push(approximateLog2(chars), approximateLog2(segments.length));
  for (const counts of COUNTED) out.push(approximateLog2(segments.filter(counts).length));
  for (const feature of PER_PAGE) out.push(rows[0]?.[feature] ?? 0);
  const address = url.toLowerCase().replace(/^https?:\/\//, '');
  for (const words of ADDRESS_WORDS) out.push(words.test(address) ? 1 : 0);
  return Float32Array.from(out);
}

/**
 * Sums each `AVERAGED` feature over the texts: once per text, and once per character. Also sums the characters near
 * each element of `NEARNESS`.
 */
function sumFeatures(segments: readonly TextSegment[], rows: readonly Float32Array[]) {
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
    // Skipped for speed, because most features are 0.
    if (value === 0) continue;
    plain[at] = (plain[at] ?? 0) + value;
    bySize[at] = (bySize[at] ?? 0) + value * size;
  }
  for (let at = 0; at < NEARNESS.length; at += 1) {
    if ((row[NEARNESS[at] ?? -1] ?? NEAR_MAX + 1) <= NEAR_MAX) near[at] = (near[at] ?? 0) + size;
  }
}

/** Rounds to three digits, because the last digits of a sum depend on the order of its terms. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function indices(pattern: RegExp): number[] {
  return FEATURE_NAMES.flatMap((name, index) => (pattern.test(name) ? [index] : []));
}

/** Corrects the model by page kind: log odds are multiplied by `slope`, then `shift` is added. */
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
 * `ContentSelection.reach` is `REACH`, plus `REACH_IN_DOCUMENTATION` times the chance that the page is documentation.
 */
const REACH = 0.5;
const REACH_IN_DOCUMENTATION = 4;

/** A page with this share of words in code is documentation with a chance of at least `CHANCE_WITH_CODE`. */
const CODE_SHARE_MIN = 0.4;
const CHANCE_WITH_CODE = 0.7;

/** Returns `ContentSelection.reach`. It is larger for documentation, in which almost all text belongs together. */
export function computeSelectionReach(kinds: KindChances, segments: readonly TextSegment[]): number {
  let words = 0;
  let inCode = 0;
  for (const segment of segments) {
    words += segment.words;
    if (segment.kind === 'code') inCode += segment.words;
  }
  const least = inCode >= words * CODE_SHARE_MIN ? CHANCE_WITH_CODE : 0;
  return REACH + REACH_IN_DOCUMENTATION * Math.max(least, kinds[PAGE_KINDS.indexOf('documentation')] ?? 0);
}

/** Chance that a page is an article above which comments are removed. In a forum, they are the main content. */
const SURELY = 0.8;

export function isSurelyArticle(kinds: KindChances): boolean {
  return (kinds[PAGE_KINDS.indexOf('article')] ?? 0) > SURELY;
}

const LIKELY = 0.4;

/**
 * True for a page that is probably part of a shop. In shops, links to products are content, and class names are
 * unreliable.
 */
export function isLikelyShop(kinds: KindChances): boolean {
  const chance = (kind: PageKind) => kinds[PAGE_KINDS.indexOf(kind)] ?? 0;
  return chance('collection') + chance('product') > LIKELY;
}

export function averageCalibration(kinds: KindChances): { slope: number; shift: number } {
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
