import type { Segment } from './segments.ts';

/** Shares of the width of the area that is divided. */
const SPANS_SHARE = 0.55;
const EDGE_SHARE = 0.15;
const SLOTS = 240;
/** The gap between columns, in multiples of the text size. */
const GUTTER_MIN = 0.7;
/** Share of all segments that may cross the gap: titles, captions, wide tables. */
const CROSSING_SHARE_MAX = 0.12;
const COLUMN_SEGMENTS_MIN = 6;
/** Lines of text fill their column; cells of a table do not. */
const FILLED_SHARE_MIN = 0.55;
const DEPTH_MAX = 3;

/** Divides a page into regions in reading order: parts that span the page, and columns from left to right. */
export function regionsOf(segments: readonly Segment[], depth = 0): Segment[][] {
  const gutter = depth < DEPTH_MAX ? gutterOf(segments) : null;
  if (gutter === null) return segments.length === 0 ? [] : [[...segments]];
  const isRtl = segments.filter((segment) => segment.rtl).length * 2 > segments.length;
  const regions: Segment[][] = [];
  let left: Segment[] = [];
  let right: Segment[] = [];
  let across: Segment[] = [];
  const endBand = () => {
    const [first, second] = isRtl ? [right, left] : [left, right];
    regions.push(...regionsOf(first, depth + 1), ...regionsOf(second, depth + 1));
    left = [];
    right = [];
  };
  const endAcross = () => {
    if (across.length > 0) regions.push(across);
    across = [];
  };
  for (const segment of [...segments].sort((one, other) => one.y - other.y)) {
    const isAcross = segment.left < gutter && segment.right > gutter;
    if (isAcross) {
      endBand();
      across.push(segment);
      continue;
    }
    endAcross();
    (segment.left >= gutter ? right : left).push(segment);
  }
  endAcross();
  endBand();
  return regions;
}

/** Where two columns are separated; `null` when the text is one column, or a table. */
function gutterOf(segments: readonly Segment[]): number | null {
  if (segments.length < COLUMN_SEGMENTS_MIN * 2) return null;
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const width = to - from;
  if (!(width > 0)) return null;
  const narrow = segments.filter((segment) => segment.right - segment.left < SPANS_SHARE * width);
  const slots = coverage(narrow, from, width);
  const sizes = segments.map((segment) => segment.size).sort((one, other) => one - other);
  const size = sizes[Math.floor(sizes.length / 2)] ?? 0;
  for (const middle of emptyRuns(slots, narrow.length * CROSSING_SHARE_MAX, (GUTTER_MIN * size * SLOTS) / width)) {
    const gutter = from + (middle * width) / SLOTS;
    const left = segments.filter((segment) => segment.right <= gutter);
    const right = segments.filter((segment) => segment.left >= gutter);
    if (isColumn(left) && isColumn(right) && left.length + right.length > segments.length / 2) return gutter;
  }
  return null;
}

function coverage(segments: readonly Segment[], from: number, width: number): number[] {
  const steps = Array.from({ length: SLOTS + 1 }, () => 0);
  for (const segment of segments) {
    const start = Math.max(0, Math.floor(((segment.left - from) / width) * SLOTS));
    const end = Math.min(SLOTS, Math.ceil(((segment.right - from) / width) * SLOTS));
    steps[start] = (steps[start] ?? 0) + 1;
    steps[end] = (steps[end] ?? 0) - 1;
  }
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** The middles of runs of slots that almost nothing covers, away from the edges, the widest first. */
function emptyRuns(slots: readonly number[], crossingMax: number, widthMin: number): number[] {
  const runs: { middle: number; width: number }[] = [];
  let start = -1;
  for (let at = 0; at <= SLOTS; at += 1) {
    const isEmpty = at < SLOTS && (slots[at] ?? 0) <= crossingMax;
    if (isEmpty && start < 0) start = at;
    if (isEmpty || start < 0) continue;
    const middle = (start + at) / 2;
    const inside = middle > EDGE_SHARE * SLOTS && middle < (1 - EDGE_SHARE) * SLOTS;
    if (inside && at - start >= widthMin) runs.push({ middle, width: at - start });
    start = -1;
  }
  return runs.sort((one, other) => other.width - one.width).map((run) => run.middle);
}

function isColumn(segments: readonly Segment[]): boolean {
  if (segments.length < COLUMN_SEGMENTS_MIN) return false;
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const filled = segments.reduce((sum, { left, right }) => sum + right - left, 0) / segments.length;
  return filled >= FILLED_SHARE_MIN * (to - from);
}
