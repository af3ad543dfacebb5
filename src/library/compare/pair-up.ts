import type { WorkSteps } from '#core/flow/turns.ts';
import type { DocumentBlock } from './blocks.ts';
import { runToEnd } from '#core/flow/turns.ts';
import { commonSubsequenceTable, replaceKeysByNumbers } from '#core/text/word-diff.ts';

/**
 * Maximum word lookups for comparing all pairs of blocks in the gaps of two documents, about a second. In a gap that
 * needs more, each block is compared only with the `NEAR` blocks around it, in linear time.
 */
export const PAIRING_WORD_LOOKUPS_MAX = 4_000_000;
/** Fixed cost of a pair of blocks, in word lookups. */
const WORDS_OF_PAIR = 4;
/** Number of blocks with which a block is compared in a large gap. */
const NEAR = 8;
/** Minimum share of common words for a removed and an added block to count as one changed block. */
const LIKENESS_MIN = 0.5;
/** Minimum share of common words if a single removed and a single added block are between the same neighbours. */
const LIKENESS_ALONE_MIN = 0.2;

type Pair = readonly [gone: DocumentBlock | null, come: DocumentBlock | null];

export type PairingBudget = { words: number };

/** Pairs removed blocks with added ones, in order. A block without a partner was removed or added, not changed. */
export function* pairBlocks(
  gone: readonly DocumentBlock[],
  come: readonly DocumentBlock[],
  work: PairingBudget,
): WorkSteps<Pair[]> {
  if (gone.length === 0 || come.length === 0)
    return [...gone.map((block): Pair => [block, null]), ...come.map((block): Pair => [null, block])];
  const alone = gone.length === 1 && come.length === 1;
  const old = yield* measuredAll(gone);
  const now = yield* measuredAll(come);
  const leastLike = alone ? LIKENESS_ALONE_MIN : LIKENESS_MIN;
  const like: Like = (one, other) => likenessOf(one, other, leastLike);
  const words = wordsToLookUp(old, now);
  const isThorough = words <= work.words;
  if (isThorough) work.words -= words;
  const partners = yield* isThorough ? best(old, now, like) : near(old, now, like);
  const pairs: Pair[] = [];
  let at = 0;
  for (const [index, block] of come.entries()) {
    const partner = partners[index] ?? -1;
    for (; at < partner; at += 1) pairs.push([gone[at] ?? null, null]);
    pairs.push([partner < 0 ? null : (gone[partner] ?? null), block]);
    if (partner >= 0) at = partner + 1;
  }
  for (; at < gone.length; at += 1) pairs.push([gone[at] ?? null, null]);
  return pairs;
}

type Measured = { kind: string; words: ReadonlyMap<string, number>; size: number; name: string | null };
type Like = (one: Measured, other: Measured) => number;

function* measuredAll(blocks: readonly DocumentBlock[]): WorkSteps<Measured[]> {
  const all: Measured[] = [];
  for (const block of blocks) {
    yield block.text.length;
    all.push(measured(block));
  }
  return all;
}

/** Upper bound of word lookups: for each pair, the words of the smaller block are looked up in the other block. */
function wordsToLookUp(old: readonly Measured[], now: readonly Measured[]): number {
  const wordsOf = (blocks: readonly Measured[]) => blocks.reduce((sum, { words }) => sum + words.size, 0);
  const pairs = old.length * now.length;
  return pairs * WORDS_OF_PAIR + Math.min(wordsOf(old) * now.length, wordsOf(now) * old.length);
}

/**
 * Prepares a block for comparison. Paragraphs and list items count as the same kind, because one may become the other.
 */
function measured({ kind, text }: DocumentBlock): Measured {
  const words = new Map<string, number>();
  let size = 0;
  for (const [word] of text.matchAll(WORD)) {
    words.set(word, (words.get(word) ?? 0) + 1);
    size += 1;
  }
  const name = kind === 'row' ? (text.split(' | ', 1)[0] ?? '').trim() : null;
  return { kind: kind === 'item' ? 'prose' : kind, words, size, name: name === '' ? null : name };
}

const WORD =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+|[^\s\p{L}\p{N}]+/gv;

/**
 * Dice's coefficient over words; 0 if it is below `least`, or if the kinds of the blocks differ. Table rows with the
 * same first cell count as equal.
 */
function likenessOf(one: Measured, other: Measured, least: number): number {
  if (one.kind !== other.kind) return 0;
  if (one.name !== null && one.name === other.name) return 1;
  const words = Math.max(1, one.size + other.size);
  if ((2 * Math.min(one.size, other.size)) / words < least) return 0;
  let common = 0;
  const [small, large] = one.words.size <= other.words.size ? [one, other] : [other, one];
  for (const [word, count] of small.words) common += Math.min(count, large.words.get(word) ?? 0);
  const likeness = (2 * common) / words;
  return likeness >= least ? likeness : 0;
}

function cost({ words }: Measured, others: number): number {
  return (words.size + WORDS_OF_PAIR) * others;
}

/** Finds the pairing with the highest total similarity in which pairs do not cross. */
function* best(old: readonly Measured[], now: readonly Measured[], like: Like): WorkSteps<number[]> {
  const width = now.length + 1;
  const sums = new Float64Array((old.length + 1) * width);
  const likes = new Float64Array(old.length * now.length);
  const at = (row: number, column: number) => sums[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    const one = old[row];
    if (one === undefined) continue;
    yield cost(one, now.length);
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const other = now[column];
      const likeness = other === undefined ? 0 : like(one, other);
      likes[row * now.length + column] = likeness;
      const paired = likeness === 0 ? 0 : likeness + at(row + 1, column + 1);
      sums[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const partners = now.map(() => -1);
  for (let row = 0, column = 0; row < old.length && column < now.length;) {
    const likeness = likes[row * now.length + column] ?? 0;
    if (likeness > 0 && at(row, column) === likeness + at(row + 1, column + 1)) {
      partners[column] = row;
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
  return partners;
}

function* near(old: readonly Measured[], now: readonly Measured[], like: Like): WorkSteps<number[]> {
  const partners: number[] = [];
  let from = 0;
  for (const other of now) {
    yield cost(other, NEAR);
    let found = -1;
    let most = 0;
    for (let at = from; at < Math.min(old.length, from + NEAR); at += 1) {
      const one = old[at];
      const likeness = one === undefined ? 0 : like(one, other);
      if (likeness > most) [found, most] = [at, likeness];
    }
    if (found >= 0) from = found + 1;
    partners.push(found);
  }
  return partners;
}

/**
 * Maximum table cells for aligning all gaps of two documents, which take about 20 ms. A gap that needs more cells than
 * are left is not aligned.
 */
const CELLS_MAX = 4_000_000;
const ROUNDS_MAX = 12;

/**
 * Maps each block of `after` to the index of the equal block in `before`, or -1. Pairs do not cross. First pairs equal
 * blocks at both ends, then blocks that are unique on both sides (patience diff), and repeats this within each gap, up
 * to `ROUNDS_MAX` times. A gap without unique blocks uses a table of longest common subsequences. The work is bounded
 * for any input.
 */
export function alignBlocks(...blocks: Parameters<typeof replaceKeysByNumbers>): Int32Array {
  const [before, after] = replaceKeysByNumbers(...blocks);
  const pairs = new Int32Array(after.length).fill(-1);
  const work = { cells: CELLS_MAX };
  let gaps: Gap[] = [{ from: 0, to: before.length, start: 0, end: after.length }];
  for (let round = 0; round < ROUNDS_MAX && gaps.length > 0; round += 1) {
    gaps = gaps.flatMap((gap) => narrowed(before, after, gap, pairs, work));
  }
  return pairs;
}

/** Blocks `from` to `to` of the old document and `start` to `end` of the new one. `to` and `end` are exclusive. */
type Gap = { from: number; to: number; start: number; end: number };

function narrowed(
  before: Int32Array,
  after: Int32Array,
  whole: Gap,
  pairs: Int32Array,
  work: { cells: number },
): Gap[] {
  const gap = trimmed(before, after, whole, pairs);
  if (gap.from >= gap.to || gap.start >= gap.end) return [];
  const anchors = anchorsOf(before, after, gap);
  if (anchors.length === 0) {
    table(before, after, gap, pairs, work);
    return [];
  }
  const gaps: Gap[] = [];
  let { from, start } = gap;
  for (const [old, now] of anchors) {
    pairs[now] = old;
    gaps.push({ from, to: old, start, end: now });
    from = old + 1;
    start = now + 1;
  }
  return [...gaps, { from, to: gap.to, start, end: gap.end }].filter((one) => one.from < one.to && one.start < one.end);
}

function trimmed(before: Int32Array, after: Int32Array, gap: Gap, pairs: Int32Array): Gap {
  let { from, to, start, end } = gap;
  for (; from < to && start < end && before[from] === after[start]; from += 1, start += 1) pairs[start] = from;
  for (; from < to && start < end && before[to - 1] === after[end - 1]; to -= 1, end -= 1) pairs[end - 1] = to - 1;
  return { from, to, start, end };
}

/** The longest ascending sequence of anchors: blocks that are unique in the gap on both sides. */
function anchorsOf(before: Int32Array, after: Int32Array, { from, to, start, end }: Gap): [number, number][] {
  const once = new Map<number, { old: number; now: number }>();
  for (let at = from; at < to; at += 1) {
    const key = before[at] ?? -1;
    once.set(key, { old: once.has(key) ? -1 : at, now: -1 });
  }
  for (let at = start; at < end; at += 1) {
    const seen = once.get(after[at] ?? -1);
    if (seen !== undefined) seen.now = seen.now === -1 ? at : -2;
  }
  const common = [...once.values()].filter(({ old, now }) => old >= 0 && now >= 0);
  return longestRising(common.map(({ old, now }): [number, number] => [old, now]));
}

/** The longest ascending subsequence. @param pairs sorted by their first number */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, now]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < now) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const rising: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.reverse();
}

/** Aligns a gap by the longest common subsequence, with dynamic programming. */
function table(
  before: Int32Array,
  after: Int32Array,
  { from, to, start, end }: Gap,
  pairs: Int32Array,
  work: { cells: number },
): void {
  const rows = to - from;
  const columns = end - start;
  if (rows * columns > work.cells) return;
  work.cells -= rows * columns;
  const width = columns + 1;
  const common = runToEnd(commonSubsequenceTable(before.subarray(from, to), after.subarray(start, end)));
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  const isSame = (row: number, column: number) => before[from + row] === after[start + column];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (isSame(row, column)) {
      pairs[start + column] = from + row;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
}
