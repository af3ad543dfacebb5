import { runToEnd } from '#core/flow/turns.ts';
import { commonSubsequenceTable, replaceKeysByNumbers } from '#core/text/word-diff.ts';

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
