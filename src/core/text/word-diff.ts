export type DiffPart = { kind: 'same' | 'gone' | 'new'; text: string };

/** A word with the space behind it; of scripts without spaces, one character. */
const PIECES =
  /(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[\S--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+)\s*/gv;
/** Pairs of words that are compared: 16 MB of a table. Of longer texts, what is between their common ends counts as replaced. */
const CELLS_MAX = 8_000_000;

/**
 * Matches the longest common subsequence of words.
 * @param keyOf words with the same key are one, such as those that differ in case
 */
export function wordDiff(before: string, after: string, keyOf = (word: string) => word): DiffPart[] {
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
  if (oldMiddle.length * nowMiddle.length > CELLS_MAX) {
    push('gone', oldMiddle);
    push('new', nowMiddle);
  } else for (const [kind, piece] of diffByTable(oldMiddle, nowMiddle)) push(kind, [piece]);
  push('same', now.slice(now.length - tail));
  return parts;
}

type Piece = { text: string; key: string };

function piecesOf(text: string, keyOf: (word: string) => string): Piece[] {
  return (text.match(PIECES) ?? []).map((piece) => ({ text: piece, key: keyOf(piece.trim()) }));
}

function commonLength(a: readonly Piece[], b: readonly Piece[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length]?.key === b[length]?.key) length += 1;
  return length;
}

function* diffByTable(old: readonly Piece[], now: readonly Piece[]): Generator<[DiffPart['kind'], Piece]> {
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const isSame = old[i]?.key === now[j]?.key;
      common[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
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
