import type { PdfPiece } from './pieces.ts';

const INITIAL = /^["'“„«‹‘]?\p{L}["'’]?$/u;
const WORDS: ReadonlySet<string> = new Set(['a', 'e', 'i', 'o', 'u', 'y', 'à', 'é']);
const INITIALS_MAX = 20;
/** Sizes and distances of an initial, in multiples of the size of the text next to it. */
const SIZE_MIN = 1.5;
const GAP_MAX = 1.2;
const OVERLAP_MAX = 0.3;
const BASELINE_MAX = 0.3;
const LINES_MIN = 2;

/** Joins the large initial of a paragraph with its first line. Its height would otherwise join several lines to one. */
export function joinDropCaps(pieces: readonly PdfPiece[]): PdfPiece[] {
  const initials = pieces.filter(({ text }) => INITIAL.test(text.trim())).slice(0, INITIALS_MAX);
  let all = [...pieces];
  for (const initial of initials) {
    const first = firstBeside(initial, all);
    if (first === null) continue;
    const text = initial.text.trim() + (isWord(initial, first, all) ? ' ' : '') + first.text.trimStart();
    const joined = { ...first, text, x: initial.x, width: first.x + first.width - initial.x };
    all = all.filter((piece) => piece !== initial).map((piece) => (piece === first ? joined : piece));
  }
  return all;
}

/** Returns the first line next to a large initial; `null` if fewer than `LINES_MIN` lines are next to it. */
function firstBeside(initial: PdfPiece, pieces: readonly PdfPiece[]): PdfPiece | null {
  const right = initial.x + initial.width;
  const beside = pieces.filter(
    ({ x, y, size }) =>
      initial.size >= SIZE_MIN * size &&
      x >= right - OVERLAP_MAX * size &&
      x <= right + GAP_MAX * size &&
      y <= initial.y + BASELINE_MAX * size &&
      y >= initial.y - initial.size,
  );
  const [first, ...others] = beside.sort((one, other) => one.y - other.y);
  if (first === undefined) return null;
  const lines = new Set([first, ...others].map(({ y, size }) => Math.round((y - first.y) / size)));
  return lines.size >= LINES_MIN ? first : null;
}

/** True if the initial is a word: `A` before `harbour`, but not before `LL`. */
function isWord(initial: PdfPiece, first: PdfPiece, pieces: readonly PdfPiece[]): boolean {
  const letter = initial.text.trim().toLowerCase();
  if (!WORDS.has(letter)) return false;
  if (first.text.startsWith(' ')) return true;
  const rest = /^[\p{L}\p{M}'’]+/u.exec(first.text)?.[0].toLowerCase();
  if (rest === undefined || rest.startsWith("'") || rest.startsWith('’')) return false;
  const words = new Set<string>();
  for (const piece of pieces) {
    const text = piece === first ? piece.text.slice(rest.length) : piece.text;
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}'’]+/gu)) words.add(word);
  }
  return words.has(rest) && !words.has(letter + rest);
}
