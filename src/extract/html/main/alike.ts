import { classOf } from '#extract/html/tree.ts';
import type { Frame } from './segments.ts';
import type { Selection } from './selection.ts';

/** Fewer elements do not make a kind. */
const ALIKE_MIN = 3;
/** Share of the elements that are drawn alike of which something must be kept. */
const KEPT_SHARE_MIN = 0.5;
/** A part that consists almost only of links, such as one to the source, stays out. */
const LINKS_MAX = 0.8;
/** Without a class, these elements say nothing about their content. */
const NAMELESS: ReadonlySet<string> = new Set(['div', 'span']);

type Kind = { all: number; kept: number };

/**
 * In reference documentation, entries (functions, methods, implementations) look alike wherever they stand. If
 * something is kept of most entries of one kind, it is kept of the others, too. Linear.
 */
export function keepAlike(selection: Selection, frames: readonly Frame[], foot: readonly boolean[]): void {
  const keptBefore = sumsOf(selection.keep);
  const kinds = new Map<number, Kind>();
  for (const frame of frames) {
    if (!isNamed(frame)) continue;
    const kind = kinds.get(frame.path) ?? { all: 0, kept: 0 };
    kinds.set(frame.path, kind);
    kind.all += 1;
    if ((keptBefore[frame.last + 1] ?? 0) > (keptBefore[frame.first] ?? 0)) kind.kept += 1;
  }
  let end = -1;
  for (const { path, first, last } of frames) {
    const { all, kept } = kinds.get(path) ?? { all: 0, kept: 0 };
    if (last <= end || all < ALIKE_MIN || kept < all * KEPT_SHARE_MIN) continue;
    for (let index = Math.max(first, end + 1); index <= last; index += 1)
      if (foot[index] !== true) keepWithin(selection, index);
    end = last;
  }
}

function keepWithin(selection: Selection, index: number): void {
  if (selection.has(index)) return;
  const isFar = (selection.lean[index] ?? 0) < -selection.reach;
  if (!isFar && selection.linksIn(index, index) < LINKS_MAX) selection.add(index, index);
}

function isNamed({ element }: Frame): boolean {
  return !NAMELESS.has(element.localName) || classOf(element) !== '';
}

/** For each segment, how many segments before it are kept. */
function sumsOf(keep: readonly boolean[]): Float64Array {
  const sums = new Float64Array(keep.length + 1);
  for (const [index, isKept] of keep.entries()) sums[index + 1] = (sums[index] ?? 0) + (isKept ? 1 : 0);
  return sums;
}
