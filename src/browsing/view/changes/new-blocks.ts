import type { ComparableLine } from './known.ts';

/**
 * Maximum lines of a pair of runs that may belong to a new block, about one card. A longer run counts as a block by
 * itself.
 */
const RUN_LINES_MAX = 8;
/** Minimum new lines around a run in its old order. Pairs of label and value have two. */
const NEW_AROUND_MIN = 3;
/** Lines examined around a run: enough to be the majority around the longest run. */
const AROUND_LINES_MAX = 2 * RUN_LINES_MAX + 1;
/** Maximum passes. Each may extend a new block. Real cards need fewer. */
const PASSES_MAX = 4;

/** Lines with the same index difference: `from` and `to` in the current view, `first` and `last` in the earlier one. */
type Run = { from: number; to: number; first: number; last: number };

/**
 * Finds lines of new blocks that have the text of an earlier line, such as a name that another list had. Between new
 * lines, a moved run belongs to them. So does a run in its old order if most lines around it were replaced.
 */
export function findLinesOfNewBlocks(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  { same, changed }: { same: readonly number[]; changed: readonly number[] },
): ReadonlySet<number> {
  const found = new Set<number>();
  const hasMoved = findMovedEntries(same);
  const later = new Map([...changed.entries(), ...same.entries()].map(([place, before]) => [before, place]));
  const isNew = (place: number) => found.has(place) || ((same[place] ?? -1) === -1 && (changed[place] ?? -1) === -1);
  const isGone = (before: number) => !(before in then) || isNew(later.get(before) ?? -1);
  const runs = runsOf(then, now, same).filter(({ from, to }) => to - from < RUN_LINES_MAX);
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const size = found.size;
    for (const { from, to, first, last } of runs) {
      if (found.has(from)) continue;
      const above = countNew(from, -1, now, isNew);
      const below = countNew(to, 1, now, isNew);
      const isIsland = hasMoved[from] === true && (above > 0 || from === 0) && (below > 0 || to === now.length - 1);
      const isBetween = (above > 0 || isEdge(now, from, -1)) && (below > 0 || isEdge(now, to, 1));
      const isReplaced = isBetween && above + below >= Math.max(NEW_AROUND_MIN, 2 * (to - from + 1) + 1);
      const wasBetween = (isEdge(then, first, -1) || isGone(first - 1)) && (isEdge(then, last, 1) || isGone(last + 1));
      if (isIsland || (isReplaced && wasBetween)) for (let place = from; place <= to; place += 1) found.add(place);
    }
    if (found.size === size) break;
  }
  return found;
}

/** Runs of pairs that are adjacent in both views. Elements that still exist are omitted, because they are not new. */
function runsOf(then: readonly ComparableLine[], now: readonly ComparableLine[], same: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const [place, before] of same.entries()) {
    const isKept = now[place]?.refs.some((ref, at) => ref === then[before]?.refs[at]) === true;
    if (before === -1 || isKept) continue;
    const run = runs.at(-1);
    if (run?.to === place - 1 && run.last === before - 1) Object.assign(run, { to: place, last: before });
    else runs.push({ from: place, to: place, first: before, last: before });
  }
  return runs;
}

/** True for the first or last line of a dialog or menu, such as its buttons. */
function isEdge(lines: readonly ComparableLine[], place: number, step: number): boolean {
  const layer = lines[place]?.over?.node;
  return layer !== undefined && lines[place + step]?.over?.node !== layer;
}

/** Number of new lines next to a line, in the same dialog or region, up to `AROUND_LINES_MAX`. */
function countNew(
  place: number,
  step: number,
  now: readonly ComparableLine[],
  isNew: (place: number) => boolean,
): number {
  const isAround = (at: number) => at in now && isNew(at) && now[at]?.over?.node === now[place]?.over?.node;
  let count = 0;
  while (count < AROUND_LINES_MAX && isAround(place + step * (count + 1))) count += 1;
  return count;
}

/**
 * Finds the fewest entries to move to sort the list: all but a longest ascending subsequence (M. Fredman, 1975). Ignores
 * entries of -1.
 */
export function findMovedEntries(places: readonly number[]): boolean[] {
  /** `ends[n]`: index of the smallest last entry of an ascending subsequence with n + 1 entries. */
  const ends: number[] = [];
  const before = places.map(() => -1);
  for (const [at, place] of places.entries()) {
    if (place === -1) continue;
    let from = 0;
    let to = ends.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((places[ends[middle] ?? -1] ?? Infinity) < place) from = middle + 1;
      else to = middle;
    }
    before[at] = ends[from - 1] ?? -1;
    ends[from] = at;
  }
  const hasMoved = places.map((place) => place !== -1);
  for (let at = ends.at(-1) ?? -1; at !== -1; at = before[at] ?? -1) hasMoved[at] = false;
  return hasMoved;
}
