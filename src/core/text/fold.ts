const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
/**
 * Soft hyphens and zero-width joiners and non-joiners. Searches ignore them, because some writers (of Persian, for
 * example) use joiners and others omit them.
 */
const SHAPING = /[\u00ad\u200c\u200d]/g;
/**
 * Matches white space that must be replaced by a single space. Single spaces, the most common white space, are skipped.
 */
const SPACE = /\s{2,}|[^\S ]/g;
/**
 * Scripts that do not separate words by spaces, such as Chinese. A space in such text is decoration or a former line
 * end, so searches ignore it.
 */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}。！？]';
const FREE_SPACE = new RegExp(`(?<=${UNSPACED}) | (?=${UNSPACED})`, 'gu');
/** Matches all characters of `UNSPACED` and some others. It is tested first because it takes a fifth of the time. */
const MAY_BE_UNSPACED = /[\u0300-\u036f\u00b7\u02bc\u02d7\u0e00-\u0e7f\u2e80-\uffff]/;
const BESIDE_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/**
 * Normalizes text so that a search ignores case, character width, ligatures, and variants of quotes, dashes and spaces.
 * @param hasWideSpace `false` if the caller knows that the text has no white space but single spaces
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

export function needsSpaceBetween(before: string, after: string): boolean {
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
    if (gap !== null && needsSpaceBetween(before, character)) {
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
