import type { WorkSteps } from '#core/flow/turns.ts';

export type DiffPart = { kind: 'same' | 'gone' | 'new'; text: string };

/** Matches a word with the white space after it. In scripts without spaces, such as Chinese, a character is a word. */
const PIECES =
  /(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[\S--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+)\s*/gv;
/** Maximum cells (pairs of words) of one comparison: a table of 16 MB, which takes about 80 ms. */
export const WORD_DIFF_CELLS_MAX = 8_000_000;
const CELLS_PER_CHARACTER = 30;

export type DiffBudget = { cells: number };

/**
 * Compares two texts by the longest common subsequence of their words. If the comparison needs more than `work.cells`,
 * everything between the common beginning and the common end counts as replaced.
 * @param keyOf words with the same key are equal; for example, a key can ignore case
 */
export function* diffWords(
  before: string,
  after: string,
  { keyOf = (word: string) => word, work = { cells: WORD_DIFF_CELLS_MAX } }: { keyOf?: KeyOf; work?: DiffBudget } = {},
): WorkSteps<DiffPart[]> {
  yield before.length + after.length;
  const old = piecesOf(before, keyOf);
  const now = piecesOf(after, keyOf);
  const head = commonLength(old, now);
  const tail = commonLength(old.slice(head).toReversed(), now.slice(head).toReversed());
  const oldMiddle = old.slice(head, old.length - tail);
  const nowMiddle = now.slice(head, now.length - tail);
  const parts: DiffPart[] = [];
  const push = (kind: DiffPart['kind'], pieces: readonly Piece[]) => {
    for (const { text } of pieces) {
      const last = parts.at(-1);
      if (last?.kind === kind) last.text += text;
      else parts.push({ kind, text });
    }
  };
  push('same', now.slice(0, head));
  const cells = oldMiddle.length * nowMiddle.length;
  if (cells > Math.min(work.cells, WORD_DIFF_CELLS_MAX)) {
    push('gone', oldMiddle);
    push('new', nowMiddle);
  } else {
    work.cells -= cells;
    const common = yield* commonSubsequenceTable(...replaceKeysByNumbers(oldMiddle, nowMiddle));
    for (const [kind, piece] of partsOfTable(common, oldMiddle, nowMiddle)) push(kind, [piece]);
  }
  push('same', now.slice(now.length - tail));
  return parts;
}

type Piece = { text: string; key: string };

type KeyOf = (word: string) => string;

function piecesOf(text: string, keyOf: KeyOf): Piece[] {
  return (text.match(PIECES) ?? []).map((piece) => ({ text: piece, key: keyOf(piece.trim()) }));
}

function commonLength(a: readonly Piece[], b: readonly Piece[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length]?.key === b[length]?.key) length += 1;
  return length;
}

type Keyed = { key: string };

/** Replaces keys by numbers, because comparing equal strings takes time in proportion to their length. */
export function replaceKeysByNumbers(before: readonly Keyed[], after: readonly Keyed[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  for (const list of [before, after]) for (const { key } of list) if (!numbers.has(key)) numbers.set(key, numbers.size);
  const numbered = (list: readonly Keyed[]) => Int32Array.from(list, ({ key }) => numbers.get(key) ?? 0);
  return [numbered(before), numbered(after)];
}

/**
 * Builds a table for two lists: the cell (row, column) is the length of the longest common subsequence from there to
 * the ends of both lists. One list must have fewer than 65,536 items, so that a length fits in 16 bits.
 */
export function* commonSubsequenceTable(rows: Int32Array, columns: Int32Array): WorkSteps<Uint16Array> {
  const width = columns.length + 1;
  const common = new Uint16Array((rows.length + 1) * width);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const word = rows[i];
    for (let j = columns.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      common[at] =
        word === columns[j]
          ? (common[at + width + 1] ?? 0) + 1
          : Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
    }
    yield columns.length / CELLS_PER_CHARACTER;
  }
  return common;
}

function* partsOfTable(
  common: Uint16Array,
  old: readonly Piece[],
  now: readonly Piece[],
): Generator<[DiffPart['kind'], Piece]> {
  const at = (i: number, j: number) => common[i * (now.length + 1) + j] ?? 0;
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone, added] = [old[i], now[j]];
    if (gone !== undefined && added !== undefined && gone.key === added.key) {
      yield ['same', added];
      i += 1;
      j += 1;
    } else if (gone !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      yield ['gone', gone];
      i += 1;
    } else if (added !== undefined) {
      yield ['new', added];
      j += 1;
    }
  }
}
