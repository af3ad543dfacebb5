const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const SOFT_HYPHEN = /\u00ad/g;
/** All but a single blank, which most space is. */
const SPACE = /\s{2,}|[^\S ]/g;
/** Written without spaces between words: where there is one, it is a matter of style, or was the end of a line. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}。！？]';
const FREE_SPACE = new RegExp(`(?<=${UNSPACED}) | (?=${UNSPACED})`, 'gu');
const BESIDE_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/**
 * Text in the form in which literal patterns are compared: case, width, ligatures, quotes, dashes and spaces that look or
 * mean the same are the same.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower.replace(SPACE, ' ');
  return lower
    .normalize('NFKC')
    .replace(QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, '-')
    .replace(SOFT_HYPHEN, '')
    .replace(SPACE, ' ')
    .replace(FREE_SPACE, '');
}

/** Whether a space between two texts says anything. */
export function needsSpace(before: string, after: string): boolean {
  const first = String.fromCodePoint(after.codePointAt(0) ?? 32);
  return !BESIDE_UNSPACED.test(before.slice(-2)) && !BESIDE_UNSPACED.test(first);
}

/** Where in `text` the place `at` of its folded form stands, give or take a combining mark. */
export function unfoldedPlace(text: string, at: number): number {
  if (!NOT_ASCII.test(text) && !/\s{2}/.test(text)) return at;
  let length = 0;
  let before = '';
  let gap: number | null = null;
  for (const [index, character] of indexed(text)) {
    if (/\s/.test(character)) {
      gap ??= index;
      continue;
    }
    if (gap !== null && needsSpace(before, character)) {
      if (length >= at) return gap;
      length += 1;
    }
    if (length >= at) return index;
    length += folded(character).length;
    before = character;
    gap = null;
  }
  return gap ?? text.length;
}

function* indexed(text: string): Generator<[number, string]> {
  let index = 0;
  for (const character of text) {
    yield [index, character];
    index += character.length;
  }
}
