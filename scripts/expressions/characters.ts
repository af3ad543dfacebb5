/** A set of characters: the first and the last of each run, in ascending order. */
export type Characters = readonly (readonly [first: number, last: number])[];

const CODE_POINT_MAX = 0x10ffff;
const UNIT_MAX = 0xffff;
const SURROGATES = [0xd800, 0xdfff] as const;

/** The characters that a part of an expression matches, such as `[^\s"]` or `\p{Lu}`. */
export class Alphabet {
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly #known = new Map<string, Characters>();

  /** @param flags of the expression */
  constructor(flags: string) {
    this.#flags = flags.replaceAll(/[^iuvs]/g, '');
    this.#isUnicode = /[uv]/.test(flags);
  }

  of(raw: string): Characters {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const found = this.#isUnicode ? codePointsOf(raw, this.#flags) : unitsOf(raw, this.#flags);
    this.#known.set(raw, found);
    return found;
  }

  get last(): number {
    return this.#isUnicode ? CODE_POINT_MAX : UNIT_MAX;
  }

  others(characters: Characters): Characters {
    const max = this.last;
    const others: [number, number][] = [];
    let from = 0;
    for (const [first, last] of characters) {
      if (first > from) others.push([from, first - 1]);
      from = last + 1;
    }
    if (from <= max) others.push([from, max]);
    return others;
  }
}

export function common(one: Characters, other: Characters): Characters {
  const both: [number, number][] = [];
  for (let at = 0, next = 0; at < one.length && next < other.length;) {
    const [first = 0, last = 0] = one[at] ?? [];
    const [start = 0, end = 0] = other[next] ?? [];
    if (Math.max(first, start) <= Math.min(last, end)) both.push([Math.max(first, start), Math.min(last, end)]);
    if (last < end) at += 1;
    else next += 1;
  }
  return both;
}

export function together(sets: readonly Characters[]): Characters {
  const all: [number, number][] = [];
  for (const [first, last] of sets.flat().toSorted(([one], [other]) => one - other)) {
    const run = all.at(-1);
    if (run !== undefined && first <= run[1] + 1) run[1] = Math.max(run[1], last);
    else all.push([first, last]);
  }
  return all;
}

const cache = new Map<string, Characters>();

/** Every character once. Lone surrogates are left out: next to each other, two of them would be one character. */
const codePoints = textOf([
  [0, SURROGATES[0] - 1],
  [SURROGATES[1] + 1, CODE_POINT_MAX],
]);
const units = textOf([[0, UNIT_MAX]]);

function textOf(runs: Characters): string {
  const parts: string[] = [];
  for (const [first, last] of runs)
    for (let from = first; from <= last; from += 4_096) {
      const length = Math.min(4_096, last - from + 1);
      parts.push(String.fromCodePoint(...Array.from({ length }, (_, at) => from + at)));
    }
  return parts.join('');
}

function codePointsOf(raw: string, flags: string): Characters {
  return cached(`${flags} ${raw}`, () =>
    // A run across the range of the surrogates includes them.
    [...codePoints.matchAll(new RegExp(`(?:${raw})+`, `g${flags}`))].map(({ 0: run }): [number, number] => {
      const end = run.codePointAt(run.length - 1) ?? 0;
      const isLow = end >= 0xdc00 && end <= 0xdfff;
      return [run.codePointAt(0) ?? 0, isLow ? (run.codePointAt(run.length - 2) ?? 0) : end];
    }),
  );
}

function unitsOf(raw: string, flags: string): Characters {
  return cached(`${flags} ${raw}`, () =>
    [...units.matchAll(new RegExp(`(?:${raw})+`, `g${flags}`))].map(({ 0: run, index }): [number, number] => [
      index,
      index + run.length - 1,
    ]),
  );
}

function cached(key: string, make: () => Characters): Characters {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}
