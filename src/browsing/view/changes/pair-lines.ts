import type { ComparableLine } from './known.ts';
import { findLinesOfNewBlocks } from './new-blocks.ts';

/** For each line of the current view, the index of the matching line in the earlier view; -1 for none. */
export type LinePairing = {
  /** Matches with equal text. */
  same: readonly number[];
  /** Matches with different text: the same element, or a new element with the same role and name that replaced it. */
  changed: readonly number[];
  /** Current lines with a match in `same` that belong to a new block, such as the title of a card. */
  inNewBlock: ReadonlySet<number>;
};

/**
 * Pairs the lines of two views by their text, so that elements that the page re-created do not count as new. First
 * pairs lines with equal refs and text, then lines whose text is unique, then their neighbours (P. Heckel, "A technique
 * for isolating differences between files", 1978). Takes n log n steps for n lines.
 * @param still refs that the current view lacks although their elements still exist in the page
 */
export function pairLinesOfViews(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  still: ReadonlySet<string>,
): LinePairing {
  const pairing = new Pairing(then, now, still);
  pairing.byKey(({ refs, words }) => (refs.length === 0 ? '' : `${refs.join(' ')} ${words}`), false);
  pairing.byKey(({ words }) => words, true);
  pairing.neighbours();
  // Lines are first matched by the lines above them, because an equal line may be in another row.
  pairing.byLinesAbove();
  pairing.changes();
  pairing.byKey(({ words }) => words, false);
  pairing.changes();
  const { same, changed } = pairing;
  return { same, changed, inNewBlock: findLinesOfNewBlocks(then, now, { same, changed }) };
}

class Pairing {
  readonly same: number[];
  readonly changed: number[];
  readonly #then: readonly ComparableLine[];
  readonly #now: readonly ComparableLine[];
  /** For each line of the earlier view, the index of the matching line in the current view; -1 for none. */
  readonly #later: number[];
  readonly #refsThen: ReadonlySet<string>;
  readonly #refsNow: ReadonlySet<string>;
  readonly #still: ReadonlySet<string>;

  constructor(then: readonly ComparableLine[], now: readonly ComparableLine[], still: ReadonlySet<string>) {
    this.#then = then;
    this.#now = now;
    this.same = now.map(() => -1);
    this.changed = now.map(() => -1);
    this.#later = then.map(() => -1);
    this.#refsThen = new Set(then.flatMap(({ refs }) => refs));
    this.#refsNow = new Set(now.flatMap(({ refs }) => refs));
    this.#still = still;
  }

  /** Pairs lines with equal keys, in order. @param onlyOnce true to pair only lines with a unique key */
  byKey(keyOf: (line: ComparableLine, place: number, isNow: boolean) => string, onlyOnce: boolean): void {
    const earlier = grouped(this.#then, (line, place) => (this.#later[place] === -1 ? keyOf(line, place, false) : ''));
    const later = grouped(this.#now, (line, place) => (this.#isFree(place) ? keyOf(line, place, true) : ''));
    for (const [key, places] of later) {
      const before = earlier.get(key) ?? [];
      if (onlyOnce && (before.length !== 1 || places.length !== 1)) continue;
      for (const [at, place] of places.slice(0, before.length).entries()) this.#pair(before[at] ?? -1, place);
    }
  }

  /** Pairs lines with equal text that follow equal lines: the same line above, and the same nearest pair above. */
  byLinesAbove(): void {
    const { before, after } = this.#pairsAbove();
    this.byKey(({ words }, place, isNow) => {
      const [above, lines] = isNow ? [after, this.#now] : [before, this.#then];
      return `${above[place]}\n${lines[place - 1]?.words ?? ''}\n${words}`;
    }, false);
  }

  /** Extends pairs to the lines next to them. Also pairs the first lines and the last lines of both views. */
  neighbours(): void {
    this.#pair(0, 0);
    for (let at = 0; at < this.#now.length; at += 1) this.#pair(stepFrom(this.same[at], 1), at + 1);
    this.#pair(this.#then.length - 1, this.#now.length - 1);
    for (let at = this.#now.length - 1; at > 0; at -= 1) this.#pair(stepFrom(this.same[at], -1), at - 1);
  }

  /** Pairs elements with their earlier line, whose text may differ. */
  changes(): void {
    const above = this.#pairsAbove();
    const beforeOf = new Map<string, number[]>();
    const byRef = new Map<string, number>();
    for (const [at, line] of this.#then.entries()) {
      if (this.#later[at] !== -1 || line.named === '') continue;
      const [ref = ''] = line.refs;
      if (this.#refsNow.has(ref)) byRef.set(ref, at);
      else if (!this.#still.has(ref)) push(beforeOf, `${above.before[at]} ${isInLayer(line)} ${line.named}`, at);
    }
    for (const [at, line] of this.#now.entries()) {
      if (!this.#isFree(at) || line.named === '') continue;
      const [ref = ''] = line.refs;
      const isNew = !this.#refsThen.has(ref);
      const key = `${above.after[at]} ${isInLayer(line)} ${line.named}`;
      const before = (isNew ? beforeOf.get(key)?.shift() : byRef.get(ref)) ?? -1;
      this.#pair(before, at);
      if (before === -1 || this.same[at] !== -1) continue;
      this.changed[at] = before;
      this.#later[before] = at;
    }
  }

  /** For each line of both views, the earlier index of the nearest pair above it; -1 for none. */
  #pairsAbove(): { before: number[]; after: number[] } {
    let above = -1;
    const nearest = (before: number) => (above = before === -1 ? above : before);
    const before = this.#later.map((later, at) => nearest(later === -1 ? -1 : at));
    above = -1;
    const after = this.same.map((same, at) => nearest(same === -1 ? (this.changed[at] ?? -1) : same));
    return { before, after };
  }

  #isFree(place: number): boolean {
    return this.same[place] === -1 && this.changed[place] === -1;
  }

  #pair(before: number, at: number): void {
    const then = this.#then[before];
    const now = this.#now[at];
    if (then === undefined || now === undefined || !this.#isFree(at) || this.#later[before] !== -1) return;
    if (then.words !== now.words || !this.#isSameOrAnew(then, now)) return;
    this.same[at] = before;
    this.#later[before] = at;
  }

  /** True if two lines may belong together. An element that still exists never pairs with another element. */
  #isSameOrAnew(then: ComparableLine, now: ComparableLine): boolean {
    if (then.refs.length !== now.refs.length) return false;
    // Lines of a dialog or menu that opened are new, even if the page behind it has the same text.
    if (isInLayer(then) !== isInLayer(now) && (then.refs.length === 0 || then.refs[0] !== now.refs[0])) return false;
    return then.refs.every((ref, at) => {
      const other = now.refs[at] ?? '';
      return ref === other || !(this.#refsNow.has(ref) || this.#still.has(ref) || this.#refsThen.has(other));
    });
  }
}

function isInLayer({ over = null }: ComparableLine): boolean {
  return over !== null;
}

function stepFrom(place: number | undefined, step: number): number {
  return place === undefined || place === -1 ? -1 : place + step;
}

/** Indexes of lines by key. Lines with an empty key are omitted. */
function grouped(
  lines: readonly ComparableLine[],
  keyOf: (line: ComparableLine, place: number) => string,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const key = keyOf(line, at);
    if (key !== '') push(groups, key, at);
  }
  return groups;
}

function push(groups: Map<string, number[]>, key: string, at: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [at]);
  else group.push(at);
}
