const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const SOFT_HYPHEN = /\u00ad/g;
const SPACE = /\s+/g;

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
    .replace(SPACE, ' ');
}

/** Where in `text` the place `at` of its folded form stands, give or take a combining mark. */
export function unfoldedPlace(text: string, at: number): number {
  if (!NOT_ASCII.test(text) && !/\s{2}/.test(text)) return at;
  let length = 0;
  let index = 0;
  let wasSpace = false;
  for (const character of text) {
    if (length >= at && !(wasSpace && /\s/.test(character))) return index;
    const isSpace = /\s/.test(character);
    length += isSpace && wasSpace ? 0 : folded(character).length;
    wasSpace = isSpace;
    index += character.length;
  }
  return index;
}
