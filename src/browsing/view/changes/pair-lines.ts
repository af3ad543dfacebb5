import { elementOf, writeParts } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';

export type Known = ViewLine & {
  line: ViewLine;
  /** All refs in the line, in order. The ref of an element that begins the line comes first. */
  refs: readonly string[];
  /** The line's text without refs, the `focused` state and positions (`3rd of 9`), which change without news. */
  words: string;
  /** Role and name of the element that begins the line; `''` for a line of text. */
  named: string;
};

export function toComparable(line: ViewLine): Known {
  const refs: string[] = [];
  const words = writeParts(line.parts, (shown) => {
    if (shown.ref !== null) refs.push(shown.ref);
    return { ...shown, ref: null, place: [], states: shown.states.filter((state) => state !== 'focused') };
  });
  const element = elementOf(line);
  return { ...line, line, refs, words, named: element === null ? '' : `${element.role} ${element.name}` };
}

/** For each line of the current view, the index of the matching line in the earlier view; -1 for none. */
export type Pairs = {
  /** Matches with equal text. */
  same: readonly number[];
  /** Matches with different text: the same element, or a new element with the same role and name that replaced it. */
  changed: readonly number[];
};

/**
 * Pairs the lines of two views by their text, so that elements which a page re-created do not count as new. First pairs
 * lines whose text is unique, then their neighbours (P. Heckel, "A technique for isolating differences between files",
 * 1978). Linear in the number of lines.
 * @param still refs that the current view lacks although their elements still exist in the page
 */
export function pairLines(then: readonly Known[], now: readonly Known[], still: ReadonlySet<string>): Pairs {
  const pairing = new Pairing(then, now, still);
  pairing.byKey(({ refs, words }) => (refs.length === 0 ? '' : `${refs.join(' ')} ${words}`), false);
  pairing.byKey(({ words }) => words, true);
  pairing.neighbours();
  pairing.byKey(({ words }) => words, false);
  return { same: pairing.same, changed: pairing.changes() };
}

class Pairing {
  readonly same: number[];
  readonly #then: readonly Known[];
  readonly #now: readonly Known[];
  /** For each line of the earlier view, the index of the matching line in the current view; -1 for none. */
  readonly #later: number[];
  readonly #refsThen: ReadonlySet<string>;
  readonly #refsNow: ReadonlySet<string>;
  readonly #still: ReadonlySet<string>;

  constructor(then: readonly Known[], now: readonly Known[], still: ReadonlySet<string>) {
    this.#then = then;
    this.#now = now;
    this.same = now.map(() => -1);
    this.#later = then.map(() => -1);
    this.#refsThen = new Set(then.flatMap(({ refs }) => refs));
    this.#refsNow = new Set(now.flatMap(({ refs }) => refs));
    this.#still = still;
  }

  /** Pairs lines with equal keys, in order. @param onlyOnce true to pair only lines with a unique key */
  byKey(keyOf: (line: Known) => string, onlyOnce: boolean): void {
    const earlier = grouped(this.#then, keyOf, this.#later);
    for (const [key, later] of grouped(this.#now, keyOf, this.same)) {
      const before = earlier.get(key) ?? [];
      if (onlyOnce && (before.length !== 1 || later.length !== 1)) continue;
      for (const [at, place] of later.slice(0, before.length).entries()) this.#pair(before[at] ?? -1, place);
    }
  }

  /** Extends pairs to the lines next to them. Also pairs the first lines and the last lines of both views. */
  neighbours(): void {
    this.#pair(0, 0);
    for (let at = 0; at < this.#now.length; at += 1) this.#pair(stepFrom(this.same[at], 1), at + 1);
    this.#pair(this.#then.length - 1, this.#now.length - 1);
    for (let at = this.#now.length - 1; at > 0; at -= 1) this.#pair(stepFrom(this.same[at], -1), at - 1);
  }

  changes(): number[] {
    const changed = this.#now.map(() => -1);
    const beforeOf = new Map<string, number[]>();
    const byRef = new Map<string, number>();
    let over = -1;
    for (const [at, line] of this.#then.entries()) {
      if (this.#later[at] !== -1) over = at;
      else if (line.named !== '') {
        const [ref = ''] = line.refs;
        if (this.#refsNow.has(ref)) byRef.set(ref, at);
        else if (!this.#still.has(ref)) push(beforeOf, `${over} ${isInLayer(line)} ${line.named}`, at);
      }
    }
    over = -1;
    for (const [at, line] of this.#now.entries()) {
      const same = this.same[at] ?? -1;
      if (same !== -1) over = same;
      else if (line.named !== '') {
        const [ref = ''] = line.refs;
        const isNew = !this.#refsThen.has(ref);
        changed[at] =
          (isNew ? beforeOf.get(`${over} ${isInLayer(line)} ${line.named}`)?.shift() : byRef.get(ref)) ?? -1;
      }
    }
    return changed;
  }

  #pair(before: number, at: number): void {
    const then = this.#then[before];
    const now = this.#now[at];
    if (then === undefined || now === undefined || this.same[at] !== -1 || this.#later[before] !== -1) return;
    if (then.words !== now.words || !this.#isSameOrAnew(then, now)) return;
    this.same[at] = before;
    this.#later[before] = at;
  }

  /** True if two lines may be the same. An element that still exists never pairs with another element. */
  #isSameOrAnew(then: Known, now: Known): boolean {
    if (then.refs.length !== now.refs.length) return false;
    // Lines of a dialog or menu that opened are new, even if the page behind it has the same text.
    if (isInLayer(then) !== isInLayer(now) && (then.refs.length === 0 || then.refs[0] !== now.refs[0])) return false;
    return then.refs.every((ref, at) => {
      const other = now.refs[at] ?? '';
      return ref === other || !(this.#refsNow.has(ref) || this.#still.has(ref) || this.#refsThen.has(other));
    });
  }
}

function isInLayer({ over = null }: Known): boolean {
  return over !== null;
}

function stepFrom(place: number | undefined, step: number): number {
  return place === undefined || place === -1 ? -1 : place + step;
}

/** Indexes of lines without a pair, by key. Lines with an empty key are omitted. */
function grouped(
  lines: readonly Known[],
  keyOf: (line: Known) => string,
  pairs: readonly number[],
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const key = pairs[at] === -1 ? keyOf(line) : '';
    if (key !== '') push(groups, key, at);
  }
  return groups;
}

function push(groups: Map<string, number[]>, key: string, at: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [at]);
  else group.push(at);
}

/** The fewest entries to move to sort the list: all but its longest ascending subsequence (M. Fredman, 1975). */
export function countMoved(places: readonly number[]): number {
  /** `ends[n]`: the smallest last number of an ascending subsequence with n + 1 entries. */
  const ends: number[] = [];
  for (const place of places) {
    let from = 0;
    let to = ends.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle] ?? Infinity) < place) from = middle + 1;
      else to = middle;
    }
    ends[from] = place;
  }
  return places.length - ends.length;
}
