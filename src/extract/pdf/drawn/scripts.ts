import type { PdfPiece } from './pieces.ts';

/** Sizes and distances in multiples of the size of the text that a script belongs to. */
const SIZE_MIN = 0.4;
const SIZE_MAX = 0.87;
/** TeX raises by 0.29 to 0.45, Word and browsers by a third. */
const RAISED_MIN = 0.18;
const RAISED_MAX = 0.8;
/** TeX lowers by 0.15 to 0.25, browsers by a fifth, office suites by up to a third. */
const LOWERED_MIN = 0.07;
const LOWERED_MAX = 0.5;
/** The letters of logos such as LaTeX's overlap more. */
const OVERLAP_MAX = 0.15;
const GAP_MAX = 0.3;
/** The longest script is a list of reference numbers. */
const CHARS_MAX = 24;
/** Digits that are raised or lowered at the size of their line. */
const EQUAL_SIZE = /^[-−+]?\d{1,3}$/;
const EQUAL_RAISED_MIN = 0.28;
/**
 * Pieces to search backwards for the base: a script is drawn after its text, or after the other script of the same
 * text.
 */
const BEFORE_MAX = 3;
const DEPTH_MAX = 3;
const NOTE = '!';
/** Rings that formulas raise to write degrees. */
const RING = /^[◦∘]$/;

/** `root` is the piece as it is drawn. `base` is the text before a script; `null` if the piece is not a script. */
type Marked = { piece: PdfPiece; root: PdfPiece; base: string | null };

/**
 * Marks superscripts and subscripts, and puts them on the baseline of their text, so that they belong to its line. A
 * number at the start of a note is raised before its text.
 */
export function withScripts(pieces: readonly PdfPiece[]): PdfPiece[] {
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
    return { ...last, piece: { ...piece, script: last.piece.script, y: last.piece.y }, root: piece };
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
    return { piece: { ...piece, script, y: base.piece.y }, root: piece, base: base.piece.text.trim() };
  }
  return null;
}

function continues(piece: PdfPiece, { piece: last, root }: Marked): boolean {
  const gap = piece.x - (last.x + last.width);
  return piece.y === root.y && piece.size === last.size && Math.abs(gap) <= GAP_MAX * piece.size;
}

/** The number that begins a note, or an index before a letter. */
function scriptBefore(piece: PdfPiece, base: PdfPiece | undefined): Marked | null {
  if (base === undefined) return null;
  const gap = base.x - (piece.x + piece.width);
  if (gap < -OVERLAP_MAX * base.size || gap > GAP_MAX * base.size) return null;
  const place = placeOf(piece, { piece: base, root: base, base: null });
  if (place === null || !/^[\d*†‡§¶a-z]{1,3}$/.test(piece.text.trim())) return null;
  return { piece: { ...piece, script: place, y: base.y }, root: piece, base: '' };
}

/** `base.piece` is already on the baseline of its line; `base.root` is at its drawn place. */
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

/** Raised text that begins a line: the marks of the notes on a page. */
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

/** Words, sentences and years have notes. Numbers, units and variables have exponents. */
const HAS_NOTE = /(?:^|\p{L}{3}|[.,;:!?)\]"”’]|(?<!\d)(?:1[5-9]|20)\d\d)$/u;

/** Gives the mark of a note its own script, which is written in brackets to distinguish it from an exponent. */
function asNoteMark({ piece, base }: Marked, notes: ReadonlySet<string>): PdfPiece {
  const text = piece.text.trim();
  const isMark = base !== null && piece.script === '^' && notes.has(text) && HAS_NOTE.test(base);
  return isMark ? { ...piece, script: NOTE } : piece;
}
