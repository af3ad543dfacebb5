import { folded } from './fold.ts';

/** A run of words that both texts have, or only one of them. */
export type DiffPart = { kind: 'same' | 'gone' | 'new'; text: string };

/** A word with the space behind it; of scripts without spaces, one character. */
const PIECES =
  /(?:[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[\S--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]]+)\s*/gv;

/**
 * What became of the words of a text: the longest words in common, in order, are the same. Case, quotes and dashes do not
 * matter. The work grows with the product of both lengths, so callers bound them.
 */
export function wordDiff(before: string, after: string): DiffPart[] {
  const old = piecesOf(before);
  const now = piecesOf(after);
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
  for (const [kind, piece] of middleOf(oldMiddle, nowMiddle)) push(kind, [piece]);
  push('same', now.slice(now.length - tail));
  return parts;
}

type Piece = { text: string; key: string };

function piecesOf(text: string): Piece[] {
  return (text.match(PIECES) ?? []).map((piece) => ({ text: piece, key: folded(piece).trim() }));
}

function commonLength(a: readonly Piece[], b: readonly Piece[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length]?.key === b[length]?.key) length += 1;
  return length;
}

/** The longest common subsequence, by the table of Wagner and Fischer. */
function* middleOf(old: readonly Piece[], now: readonly Piece[]): Generator<[DiffPart['kind'], Piece]> {
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
