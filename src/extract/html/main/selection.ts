import type { ChosenSegments } from './choose.ts';
import type { SegmentAncestor, TextSegment } from './segments.ts';

/**
 * The texts of a page that are chosen as main content, and the content score of each text. The threshold is the chance
 * of being content above which a text is worth choosing. Ranges include both ends.
 */
export class ContentSelection {
  readonly segments: readonly TextSegment[];
  readonly keep: boolean[];
  /**
   * Content score of each text: its log odds of being content minus those at the threshold. Positive scores are above
   * the threshold.
   */
  readonly lean: Float64Array;
  /**
   * Maximum distance of a text's `lean` below the threshold at which the text is still added if it is between main
   * content.
   */
  readonly reach: number;
  /** First and last text of the range that is chosen or left out with each text (see `unite`). */
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private readonly chances: readonly number[];
  private readonly bar: number;

  constructor(
    segments: readonly TextSegment[],
    chances: readonly number[],
    { keep, bar }: ChosenSegments,
    reach: number,
  ) {
    this.segments = segments;
    this.keep = keep;
    this.chances = chances;
    this.bar = bar;
    this.reach = reach;
    const least = logOdds(bar);
    this.lean = Float64Array.from(chances, (chance) => logOdds(chance) - least);
    this.firsts = Int32Array.from(chances, (_, index) => index);
    this.lasts = Int32Array.from(this.firsts);
  }

  /** Returns prefix sums: the number of chosen texts before each index. */
  countKept(): Float64Array {
    const sums = new Float64Array(this.keep.length + 1);
    for (const [index, isKept] of this.keep.entries()) sums[index + 1] = (sums[index] ?? 0) + (isKept ? 1 : 0);
    return sums;
  }

  has(index: number): boolean {
    return this.keep[index] === true;
  }

  hasAny(first: number, last: number): boolean {
    for (let index = first; index <= last; index += 1) if (this.keep[index] === true) return true;
    return false;
  }

  add(first: number, last: number): void {
    for (let index = first; index <= last; index += 1) {
      if (this.has(index)) continue;
      const end = this.lasts[index] ?? index;
      for (let own = this.firsts[index] ?? index; own <= end; own += 1) this.keep[own] = true;
      index = end;
    }
  }

  /**
   * Makes a range of texts chosen or left out as a whole, such as a list. A range that was chosen in part is chosen if
   * its mean chance to be content, weighted by words, is above the threshold.
   */
  unite(first: number, last: number): void {
    this.firsts.fill(first, first, last + 1);
    this.lasts.fill(last, first, last + 1);
    if (this.hasAny(first, last)) this.keep.fill(this.pays(first, last), first, last + 1);
  }

  /** Returns the last index of the united range that begins here; `null` if none does. */
  endOf(index: number): number | null {
    return this.firsts[index] === index ? (this.lasts[index] ?? index) : null;
  }

  /** True if the range's mean chance to be content, weighted by words, is above the threshold. */
  private pays(first: number, last: number): boolean {
    let gain = 0;
    for (let index = first; index <= last; index += 1) {
      gain += (this.segments[index]?.words ?? 0) * ((this.chances[index] ?? 0) - this.bar);
    }
    return gain > 0;
  }

  /** Returns the mean `lean` of a range, weighted by words. */
  leanOf(first: number, last: number): number {
    let sum = 0;
    let words = 0;
    for (let index = first; index <= last; index += 1) {
      const own = this.segments[index]?.words ?? 0;
      sum += own * (this.lean[index] ?? 0);
      words += own;
    }
    return words === 0 ? 0 : sum / words;
  }

  linksIn(first: number, last: number): number {
    let chars = 0;
    let linkChars = 0;
    for (let index = first; index <= last; index += 1) {
      chars += this.segments[index]?.text.length ?? 0;
      linkChars += this.segments[index]?.linkChars ?? 0;
    }
    return linkChars / Math.max(1, chars);
  }
}

/** Minimum and maximum odds are limited by this chance, because chances are rounded, so 0 does not mean impossible. */
const CHANCE_MIN = 0.000_001;

function logOdds(chance: number): number {
  const some = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, chance));
  return Math.log(some / (1 - some));
}

/** Lists the elements that contain text in document order, outer ones first. */
export function listSegmentAncestors(segments: readonly TextSegment[]): SegmentAncestor[] {
  const frames: SegmentAncestor[] = [];
  const seen = new Set<SegmentAncestor>();
  const waiting: SegmentAncestor[] = [];
  for (const segment of segments) {
    for (let frame: SegmentAncestor | null = segment.frame; frame !== null && !seen.has(frame); frame = frame.parent) {
      seen.add(frame);
      waiting.push(frame);
    }
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) frames.push(next);
  }
  return frames;
}
