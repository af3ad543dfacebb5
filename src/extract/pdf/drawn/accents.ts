/** A piece of text in points. `y` is the baseline. */
type Placed = { text: string; x: number; y: number; width: number; size: number; font: string; rtl: boolean };

/**
 * Accents that are drawn as characters of their own, with the combining characters for them. TeX draws them over the
 * letters of its older fonts.
 */
const ACCENTS = new Map(
  Object.entries({
    '`': '\u0300',
    '´': '\u0301',
    '^': '\u0302',
    '\u02c6': '\u0302',
    '~': '\u0303',
    '\u02dc': '\u0303',
    '¯': '\u0304',
    '\u02d8': '\u0306',
    '\u02d9': '\u0307',
    '¨': '\u0308',
    '\u02da': '\u030a',
    '\u02dd': '\u030b',
    '\u02c7': '\u030c',
    '¸': '\u0327',
    '\u02db': '\u0328',
  }),
);
const OVERLAP_MIN_EM = 0.15;
/** Maximum distance of the baselines of an accent and its letter, in multiples of the text size. Capitals are high. */
const RISE_MAX_EM = 0.4;

/** Joins accents that end a piece with the letter that is drawn in the same place next. */
export function joinAccents<Piece extends Placed>(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const letter = last === undefined ? null : accentedLetter(last.text, piece.text);
    if (last === undefined || letter === null || !overlap(last, piece)) {
      joined.push(piece);
      continue;
    }
    joined.pop();
    const before = last.text.slice(0, -1);
    if (before.trim() !== '') joined.push({ ...last, text: before, width: Math.max(0, piece.x - last.x) });
    joined.push({ ...piece, text: letter + piece.text.slice(1) });
  }
  return joined;
}

function overlap(last: Placed, { x, y, size, width, font, rtl }: Placed): boolean {
  if (rtl || last.rtl || font !== last.font || Math.abs(last.size - size) > 0.02 * size) return false;
  const shared = Math.min(last.x + last.width, x + width) - Math.max(last.x, x);
  return shared >= OVERLAP_MIN_EM * size && Math.abs(last.y - y) <= RISE_MAX_EM * size;
}

/**
 * Returns the first letter of `text` with the accent at the end of `before`, as one character; `null` if there is no
 * such character.
 */
export function accentedLetter(before: string, text: string): string | null {
  const mark = ACCENTS.get(before.at(-1) ?? '');
  if (mark === undefined) return null;
  const letter = text.charAt(0).replace('\u0131', 'i').replace('\u0237', 'j');
  const accented = (letter + mark).normalize('NFC');
  return /^\p{L}$/u.test(accented) ? accented : null;
}
