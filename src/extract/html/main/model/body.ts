import { approximateLog2, roundedShare } from './row-writer.ts';
import type { FeatureRowWriter } from './row-writer.ts';
import type { SegmentAncestor, TextSegment } from '#extract/html/main/segments.ts';
import { SENTENCE_END, lowerCaseWords } from './words.ts';

/** Names of the features that `pushBodyFeatures`, `pushCommonWords` and `pushProseSums` add, in this order. Their order is part of the model. */
export const BODY_FEATURE_NAMES: readonly string[] = [
  ...['core', 'most'].flatMap((root) =>
    ['in', 'place', 'up', 'share', 'since', 'until', 'own'].map((name) => `${root}:${name}`),
  ),
  ...['before', 'after'].flatMap((side) => ['up', 'far', 'chars'].map((name) => `prose:${side}:${name}`)),
  ...['is', 'up1', 'up2', 'up3', 'path', 'likePath', 'words', 'page', 'rest'].map((name) => `prose:${name}`),
];

/** Minimum characters of running text. Shorter lines are often headings, captions or menu items. */
const PROSE_CHARS_MIN = 80;
const PROSE_LINKS_MAX = 1 / 3;
/**
 * Matches a letter of scripts with few letters per word, such as Chinese. A short text with such a letter counts as
 * `DENSE_TIMES` as long.
 */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const DENSE_TIMES = 2.5;
/**
 * Number of ancestors whose score as the main element is raised by each paragraph. More distant ancestors get smaller
 * shares.
 */
const LEVELS = 5;
const MOST = 0.6;
const UP_MAX = 12;
/** Number of the most common words in all paragraphs, with which each text is compared. */
const COMMON_WORDS = 25;
const SAMPLE_CHARS_MAX = 600;

type Root = { frame: SegmentAncestor | null; first: number; last: number; prose: number };

export type BodyMeasures = {
  isProse: Uint8Array;
  proseBefore: Float64Array;
  before: Int32Array;
  after: Int32Array;
  prose: number;
  byFrame: Float64Array;
  byPath: ReadonlyMap<number, number>;
  byLike: ReadonlyMap<number, number>;
  /**
   * `core`: the element with the highest score from its paragraphs. `most`: the smallest element that contains most of
   * the running text (a share of `MOST`).
   */
  core: Root;
  most: Root;
  common: ReadonlySet<string>;
  words: ReadonlyMap<number, readonly string[]>;
  framesOf: readonly SegmentAncestor[];
};

export function measureBody(segments: readonly TextSegment[], frames: number): BodyMeasures {
  const isProse = new Uint8Array(segments.length);
  const proseBefore = new Float64Array(segments.length + 1);
  const byFrame = new Float64Array(frames + 1);
  const scores = new Float64Array(frames + 1);
  const byPath = new Map<number, number>();
  const byLike = new Map<number, number>();
  const before = new Int32Array(segments.length).fill(-1);
  let last = -1;
  let bestScore = 0;
  let core: SegmentAncestor | null = null;
  for (const segment of segments) {
    const { index, frame } = segment;
    before[index] = last;
    const weight = proseIn(segment);
    proseBefore[index + 1] = (proseBefore[index] ?? 0) + weight;
    if (weight === 0) continue;
    isProse[index] = 1;
    last = index;
    byPath.set(frame.path, (byPath.get(frame.path) ?? 0) + weight);
    const around = frame.parent?.path ?? 0;
    byLike.set(around, (byLike.get(around) ?? 0) + weight);
    let level = 0;
    for (let up: SegmentAncestor | null = frame; up !== null; up = up.parent) {
      byFrame[up.number] = (byFrame[up.number] ?? 0) + weight;
      if (level > 0 && level <= LEVELS) {
        const score = (scores[up.number] ?? 0) + weight / level;
        scores[up.number] = score;
        const fair = score * (1 - roundedShare(up.linkChars, up.chars));
        if (fair > bestScore) {
          bestScore = fair;
          core = up;
        }
      }
      level += 1;
    }
  }
  const prose = proseBefore[segments.length] ?? 0;
  const most = smallestWithMost(segments, isProse, byFrame, prose);
  const words = wordsOfProse(segments, isProse);
  return {
    isProse,
    proseBefore,
    before,
    after: nextOf(isProse),
    prose,
    byFrame,
    byPath,
    byLike,
    core: rootOf(core, segments, isProse, byFrame),
    most: rootOf(most, segments, isProse, byFrame),
    words,
    common: commonIn(words),
    framesOf: segments.map(({ frame }) => frame),
  };
}

/** For each text, returns the index of the next running text; -1 if there is none. */
function nextOf(isProse: Uint8Array): Int32Array {
  const after = new Int32Array(isProse.length).fill(-1);
  let next = -1;
  for (let index = isProse.length - 1; index >= 0; index -= 1) {
    after[index] = next;
    if (isProse[index] === 1) next = index;
  }
  return after;
}

function smallestWithMost(
  segments: readonly TextSegment[],
  isProse: Uint8Array,
  byFrame: Float64Array,
  prose: number,
): SegmentAncestor | null {
  let most: SegmentAncestor | null = null;
  let mostProse = Infinity;
  for (const { frame, index } of segments) {
    if (isProse[index] === 0) continue;
    let up: SegmentAncestor | null = frame;
    while (up !== null && (byFrame[up.number] ?? 0) < prose * MOST) up = up.parent;
    if (up === null) continue;
    const held = byFrame[up.number] ?? 0;
    if (held < mostProse || (held === mostProse && most !== null && up.depth > most.depth)) {
      mostProse = held;
      most = up;
    }
  }
  return most;
}

function proseIn({ text, linkChars, kind, frame }: TextSegment): number {
  if (kind !== 'text' || linkChars > text.length * PROSE_LINKS_MAX) return 0;
  if (frame.element.localName.length === 2 && /^h[1-6]$/.test(frame.element.localName)) return 0;
  const size = text.length * (text.length < 400 && DENSE.test(text) ? DENSE_TIMES : 1);
  if (size < PROSE_CHARS_MIN) return 0;
  return SENTENCE_END.test(text) ? size : size / 2;
}

function rootOf(
  frame: SegmentAncestor | null,
  segments: readonly TextSegment[],
  isProse: Uint8Array,
  byFrame: Float64Array,
): Root {
  let first = -1;
  let last = -1;
  if (frame !== null) {
    for (const segment of segments) {
      if (isProse[segment.index] === 0 || !isIn(segment.frame, frame)) continue;
      if (first < 0) first = segment.index;
      last = segment.index;
    }
  }
  return { frame, first, last, prose: frame === null ? 0 : (byFrame[frame.number] ?? 0) };
}

function isIn(frame: SegmentAncestor, root: SegmentAncestor): boolean {
  let up: SegmentAncestor = frame;
  while (up.depth > root.depth && up.parent !== null) up = up.parent;
  return up === root;
}

function wordsOfProse(segments: readonly TextSegment[], isProse: Uint8Array): Map<number, readonly string[]> {
  const words = new Map<number, readonly string[]>();
  for (const { text, index } of segments) {
    if (isProse[index] === 1) words.set(index, lowerCaseWords(text.slice(0, SAMPLE_CHARS_MAX)));
  }
  return words;
}

function commonIn(words: ReadonlyMap<number, readonly string[]>): ReadonlySet<string> {
  const counts = new Map<string, { texts: number; last: number }>();
  for (const [index, some] of words) {
    for (const word of some) {
      const known = counts.get(word);
      if (known === undefined) counts.set(word, { texts: 1, last: index });
      else if (known.last !== index) {
        known.texts += 1;
        known.last = index;
      }
    }
  }
  const order = [...counts].filter(([, { texts }]) => texts > 1).sort(([, a], [, b]) => b.texts - a.texts);
  return new Set(order.slice(0, COMMON_WORDS).map(([word]) => word));
}

export function pushBodyFeatures(row: FeatureRowWriter, segment: TextSegment, body: BodyMeasures): void {
  const { index, frame } = segment;
  pushRoot(row, segment, body, body.core);
  pushRoot(row, segment, body, body.most);
  for (const near of [body.before[index] ?? -1, body.after[index] ?? -1]) pushNear(row, segment, body, near);
  row.add(body.isProse[index] ?? 0);
  let up = frame.parent;
  for (let level = 0; level < 3; level += 1) {
    row.add(up === null ? 1 : roundedShare(body.byFrame[up.number] ?? 0, body.prose));
    up = up?.parent ?? null;
  }
  row.add(roundedShare(body.byPath.get(frame.path) ?? 0, body.prose));
  row.add(roundedShare(body.byLike.get(frame.parent?.path ?? 0) ?? 0, body.prose));
}

/** Returns the words at the beginning of a text, which `pushCommonWords` compares. */
export function sampleWords({ index, text }: TextSegment, { words }: BodyMeasures): readonly string[] {
  return words.get(index) ?? lowerCaseWords(text.slice(0, SAMPLE_CHARS_MAX));
}

/** Adds the share of words that are common in the running text. */
export function pushCommonWords(row: FeatureRowWriter, words: readonly string[], { common }: BodyMeasures): void {
  let known = 0;
  for (const word of words) if (common.has(word)) known += 1;
  row.add(roundedShare(known, words.length));
}

export function pushProseSums(row: FeatureRowWriter, { index }: TextSegment, body: BodyMeasures): void {
  row.add(approximateLog2(body.prose));
  row.add(roundedShare(body.prose - (body.proseBefore[index] ?? 0), body.prose));
}

function pushRoot(row: FeatureRowWriter, { index, frame }: TextSegment, body: BodyMeasures, root: Root): void {
  if (root.frame === null) {
    for (const none of [0, 0, UP_MAX, 0, -1, -1, 0]) row.add(none);
    return;
  }
  const inside = isIn(frame, root.frame);
  row.add(inside ? 1 : 0);
  row.add(index < root.first ? 0 : index > root.last ? 2 : 1);
  row.add(inside ? 0 : stepsUp(frame, root.frame));
  row.add(roundedShare(root.prose, body.prose));
  row.add(index <= root.last ? -1 : approximateLog2(index - root.last));
  row.add(index >= root.first ? -1 : approximateLog2(root.first - index));
  row.add(inside ? Math.min(UP_MAX, frame.depth - root.frame.depth) : -1);
}

function pushNear(row: FeatureRowWriter, { index, frame }: TextSegment, body: BodyMeasures, near: number): void {
  const other = near;
  if (other < 0) {
    for (const none of [UP_MAX, -1, 0]) row.add(none);
    return;
  }
  row.add(Math.min(UP_MAX, stepsUp(frame, body.framesOf[other] ?? frame)));
  row.add(approximateLog2(Math.abs(index - other)));
  row.add(approximateLog2((body.proseBefore[other + 1] ?? 0) - (body.proseBefore[other] ?? 0)));
}

function stepsUp(frame: SegmentAncestor, other: SegmentAncestor): number {
  let a: SegmentAncestor | null = frame;
  let b: SegmentAncestor | null = other;
  let steps = 0;
  while (a !== null && b !== null && a !== b) {
    if (a.depth >= b.depth) {
      a = a.parent;
      steps += 1;
    } else b = b.parent;
  }
  return Math.min(UP_MAX, steps);
}
