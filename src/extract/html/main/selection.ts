import type { Choice } from './choose.ts';
import type { Segment } from './segments.ts';

/** The kept segments of a page, and the distance of each from the bar. Ranges include both ends. */
export class Selection {
  readonly segments: readonly Segment[];
  readonly keep: boolean[];
  /** Log odds minus those of the bar. */
  readonly lean: Float64Array;
  /** The distance below the bar at which a segment between kept ones stays. */
  readonly reach: number;
  /** For each segment, the ends of the part that is kept or left out together with it; by default only itself. */
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private readonly chances: readonly number[];
  private readonly bar: number;

  constructor(segments: readonly Segment[], chances: readonly number[], { keep, bar }: Choice, reach: number) {
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

  has(index: number): boolean {
    return this.keep[index] === true;
  }

  hasAny(first: number, last: number): boolean {
    for (let index = first; index <= last; index += 1) if (this.keep[index] === true) return true;
    return false;
  }

  /** Keeps these segments, and those that are kept together with them. */
  add(first: number, last: number): void {
    for (let index = first; index <= last; index += 1) {
      if (this.has(index)) continue;
      const end = this.lasts[index] ?? index;
      for (let own = this.firsts[index] ?? index; own <= end; own += 1) this.keep[own] = true;
      index = end;
    }
  }

  /** From now on these segments stay or go together. If any are kept, all are kept if that gains more than it loses. */
  unite(first: number, last: number): void {
    this.firsts.fill(first, first, last + 1);
    this.lasts.fill(last, first, last + 1);
    if (this.hasAny(first, last)) this.keep.fill(this.pays(first, last), first, last + 1);
  }

  /** The end of the part that begins with this segment and stays together; otherwise `null`. */
  endOf(index: number): number | null {
    return this.firsts[index] === index ? (this.lasts[index] ?? index) : null;
  }

  /** Whether keeping all of these gains more words than it loses. */
  private pays(first: number, last: number): boolean {
    let gain = 0;
    for (let index = first; index <= last; index += 1) {
      gain += (this.segments[index]?.words ?? 0) * ((this.chances[index] ?? 0) - this.bar);
    }
    return gain > 0;
  }

  /** The mean lean of the words. */
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

  /** The share of characters that are links. */
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

/** Chances are rounded, so 0 and 1 do not mean impossible and certain. */
const CHANCE_MIN = 0.000_001;

function logOdds(chance: number): number {
  const some = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, chance));
  return Math.log(some / (1 - some));
}
