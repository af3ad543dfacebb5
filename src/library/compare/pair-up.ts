import type { Block } from './blocks.ts';

/** Pairs of blocks of one gap whose likeness is looked at; in a larger gap each is paired with a near one. */
const CELLS_MAX = 40_000;
/** Blocks that are looked at for a partner, in a larger gap. */
const NEAR = 8;
/** Share of words that two texts have in common, from which on one is the other, changed. */
const LIKENESS_MIN = 0.5;
/** Where a block stands alone between the same neighbours, less does. */
const LIKENESS_ALONE_MIN = 0.2;

type Pair = readonly [gone: Block | null, come: Block | null];

/** Which block became which, in order; each of the others went or came. */
export function pairUp(gone: readonly Block[], come: readonly Block[]): Pair[] {
  const alone = gone.length === 1 && come.length === 1;
  const old = gone.map(measured);
  const now = come.map(measured);
  const like = (one: Measured, other: Measured) => {
    const likeness = likenessOf(one, other);
    return likeness >= (alone ? LIKENESS_ALONE_MIN : LIKENESS_MIN) ? likeness : 0;
  };
  const partners = old.length * now.length <= CELLS_MAX ? best(old, now, like) : near(old, now, like);
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

/** A heading becomes a heading, a row a row; a paragraph and an item may become each other. */
function measured({ kind, text }: Block): Measured {
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

/** Dice's coefficient over words. Rows that begin with the same cell are one. */
function likenessOf(one: Measured, other: Measured): number {
  if (one.kind !== other.kind) return 0;
  if (one.name !== null && one.name === other.name) return 1;
  let common = 0;
  const [small, large] = one.words.size <= other.words.size ? [one, other] : [other, one];
  for (const [word, count] of small.words) common += Math.min(count, large.words.get(word) ?? 0);
  return (2 * common) / Math.max(1, one.size + other.size);
}

/** The pairing with the most likeness, without crossing. */
function best(old: readonly Measured[], now: readonly Measured[], like: Like): number[] {
  const width = now.length + 1;
  const sums = new Float64Array((old.length + 1) * width);
  const likes = new Float64Array(old.length * now.length);
  const at = (row: number, column: number) => sums[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const [one, other] = [old[row], now[column]];
      const likeness = one === undefined || other === undefined ? 0 : like(one, other);
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

function near(old: readonly Measured[], now: readonly Measured[], like: Like): number[] {
  let from = 0;
  return now.map((other) => {
    let found = -1;
    let most = 0;
    for (let at = from; at < Math.min(old.length, from + NEAR); at += 1) {
      const one = old[at];
      const likeness = one === undefined ? 0 : like(one, other);
      if (likeness > most) [found, most] = [at, likeness];
    }
    if (found >= 0) from = found + 1;
    return found;
  });
}
