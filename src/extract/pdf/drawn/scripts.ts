import type { PdfPiece } from './pieces.ts';

/** Size of a superscript or subscript, in multiples of the size of the text to which it belongs (its base). */
const SIZE_MIN = 0.4;
const SIZE_MAX = 0.87;
/** Distance of superscripts above the baseline. TeX raises them by 0.29 to 0.45, Word and browsers by a third. */
const RAISED_MIN = 0.18;
const RAISED_MAX = 0.8;
/** Distance of subscripts below the baseline. TeX: 0.15 to 0.25; browsers: a fifth; office suites: up to a third. */
const LOWERED_MIN = 0.07;
const LOWERED_MAX = 0.5;
/** Maximum overlap of a script with the text before it. Letters of logos such as LaTeX's overlap more. */
const OVERLAP_MAX = 0.15;
const GAP_MAX = 0.3;
/** Maximum characters of a script. The longest are lists of reference numbers. */
const CHARS_MAX = 24;
/** Matches digits that may be a superscript although they have the same size as the text before them. */
const EQUAL_SIZE = /^[-−+]?\d{1,3}$/;
const EQUAL_RAISED_MIN = 0.28;
/** Maximum pieces before a script that are searched for its base, which may come before another script. */
const BEFORE_MAX = 3;
const DEPTH_MAX = 3;
const NOTE = '!';
/** Matches the raised ring with which formulas write degrees. */
const RING = /^[◦∘]$/;

/** `root` is the piece as drawn. `base` is the text before a script; `null` if the piece is no script. */
type Marked = { piece: PdfPiece; root: PdfPiece; base: string | null };

/**
 * Marks super- and subscripts and moves them to the baseline of the text to which they belong, so that they are on the
 * same line. A raised number at the start of a note belongs to the text after it.
 */
export function markSuperAndSubscripts(pieces: readonly PdfPiece[]): PdfPiece[] {
  const marked: Marked[] = [];
  for (const [index, piece] of pieces.entries()) {
    marked.push(
      scriptAfter(piece, marked) ?? scriptBefore(piece, pieces[index + 1]) ?? { piece, root: piece, base: null },
    );
  }
  const notes = noteMarksIn(marked);
  return marked.map((one) => asNoteMark(one, notes));
}

function scriptAfter(piece: PdfPiece, before: readonly Marked[]): Marked | null {
  const last = before.at(-1);
  if (last !== undefined && last.piece.script !== '' && continues(piece, last)) {
    return { ...last, piece: { ...piece, script: last.piece.script, y: last.piece.y, isApart: false }, root: piece };
  }
  for (let back = 1; back <= BEFORE_MAX; back += 1) {
    const base = before.at(-back);
    if (base === undefined) return null;
    const place = placeOf(piece, base);
    if (place === null) continue;
    const gap = piece.x - (base.piece.x + base.piece.width);
    const isNext = gap >= -OVERLAP_MAX * base.piece.size && gap <= GAP_MAX * base.piece.size;
    if (!isNext || base.piece.script.length >= DEPTH_MAX) continue;
    const script = base.piece.script + place;
    if (script === '^' && RING.test(piece.text.trim())) {
      return { piece: { ...piece, text: '°', y: base.piece.y }, root: base.root, base: null };
    }
    return { piece: { ...piece, script, y: base.piece.y, isApart: false }, root: piece, base: base.piece.text.trim() };
  }
  return null;
}

function continues(piece: PdfPiece, { piece: last, root }: Marked): boolean {
  const gap = piece.x - (last.x + last.width);
  return piece.y === root.y && piece.size === last.size && Math.abs(gap) <= GAP_MAX * piece.size;
}

/**
 * Returns a script before its base, such as the number of a note or an index before a letter; `null` for other text.
 */
function scriptBefore(piece: PdfPiece, base: PdfPiece | undefined): Marked | null {
  if (base === undefined) return null;
  const gap = base.x - (piece.x + piece.width);
  if (gap < -OVERLAP_MAX * base.size || gap > GAP_MAX * base.size) return null;
  const place = placeOf(piece, { piece: base, root: base, base: null });
  if (place === null || !/^[\d*†‡§¶a-z]{1,3}$/.test(piece.text.trim())) return null;
  return { piece: { ...piece, script: place, y: base.y }, root: piece, base: '' };
}

/**
 * Returns `^` for a superscript, `_` for a subscript, or `null` for neither. `root` is the base where the page draws
 * it, and `base` on its baseline.
 */
function placeOf(piece: PdfPiece, { piece: base, root }: Marked): '^' | '_' | null {
  const text = piece.text.trim();
  const isEqual = EQUAL_SIZE.test(text) && Math.abs(piece.size - base.size) < 0.02 * base.size;
  if (text.length > CHARS_MAX || piece.rtl || base.rtl || piece.size < SIZE_MIN * base.size) return null;
  if (!isEqual && piece.size > SIZE_MAX * base.size) return null;
  const rise = root.y - piece.y;
  if (rise >= (isEqual ? EQUAL_RAISED_MIN : RAISED_MIN) * base.size && rise <= RAISED_MAX * base.size) return '^';
  if (isEqual || -rise < LOWERED_MIN * base.size || -rise > LOWERED_MAX * base.size) return null;
  return '_';
}

/** Returns the marks of notes on a page: raised texts that begin a line. */
function noteMarksIn(marked: readonly Marked[]): Set<string> {
  const marks = new Set<string>();
  for (const [index, { piece }] of marked.entries()) {
    const after = marked[index + 1]?.piece;
    const before = marked[index - 1]?.piece;
    if (piece.script !== '^' || after === undefined || after.script !== '' || after.y !== piece.y) continue;
    if (before === undefined || before.y !== piece.y || before.x > piece.x) marks.add(piece.text.trim());
  }
  return marks;
}

/**
 * Matches text after which raised text may mark a note: words, sentences, years. After other numbers, units and
 * variables, it is an exponent.
 */
const HAS_NOTE = /(?:^|\p{L}{3}|[.,;:!?)\]"”’]|(?<!\d)(?:1[5-9]|20)\d\d)$/u;

/** Changes the mark of a note to the script `!`, which is written in brackets, unlike an exponent. */
function asNoteMark({ piece, base }: Marked, notes: ReadonlySet<string>): PdfPiece {
  const text = piece.text.trim();
  const isMark = base !== null && piece.script === '^' && notes.has(text) && HAS_NOTE.test(base);
  return isMark ? { ...piece, script: NOTE } : piece;
}
