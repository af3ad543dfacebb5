const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
/** Soft hyphens, and joiners: Persian is written with and without them. */
const SHAPING = /[\u00ad\u200c\u200d]/g;
/** Excludes single spaces, which are the most common: replacing them would only cost time. */
const SPACE = /\s{2,}|[^\S ]/g;
/** Scripts without spaces between words: a space there is style, or was a line end. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}。！？]';
const FREE_SPACE = new RegExp(`(?<=${UNSPACED}) | (?=${UNSPACED})`, 'gu');
/** A superset of these characters, tested first because it takes a fifth of the time. */
const MAY_BE_UNSPACED = /[\u0300-\u036f\u00b7\u02bc\u02d7\u0e00-\u0e7f\u2e80-\uffff]/;
const BESIDE_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/**
 * Normalizes case, width, ligatures and similar quotes, dashes and spaces.
 * @param hasWideSpace `false` if the text is known to have no white space but single spaces
 */
export function foldForSearch(text: string, hasWideSpace = true): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return hasWideSpace ? lower.replace(SPACE, ' ') : lower;
  const folded = lower
    .normalize('NFKC')
    .replace(QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, '-')
    .replace(SHAPING, '');
  const spaced = hasWideSpace || folded.includes('  ') ? folded.replace(SPACE, ' ') : folded;
  return MAY_BE_UNSPACED.test(spaced) ? spaced.replace(FREE_SPACE, '') : spaced;
}

export function needsSpace(before: string, after: string): boolean {
  const first = String.fromCodePoint(after.codePointAt(0) ?? 32);
  return !BESIDE_UNSPACED.test(before.slice(-2)) && !BESIDE_UNSPACED.test(first);
}

export function unfoldedIndex(text: string, at: number): number {
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
    length += foldForSearch(character).length;
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
