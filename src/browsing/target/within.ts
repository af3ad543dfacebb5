import { isUnspaced } from '#core/text/words.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { textWithin } from '#browsing/view/element-line.ts';
import { alike } from '#browsing/view/words.ts';

/**
 * Those of elements that stand in a row with these words: the button of one record among many. Where one row has the words as
 * a whole text, rows that only contain them do not count.
 */
export function inRowOf(
  elements: readonly AxElement[],
  words: string,
  isRow: (part: AxElement) => boolean,
): AxElement[] {
  const texts = new Map<AxElement, string>();
  // Elements of one large part would each read all of it.
  const textOf = (part: AxElement) => {
    const text = texts.get(part) ?? alike(textWithin(part));
    texts.set(part, text);
    return text;
  };
  const found = elements.flatMap((element) => {
    const row = rowWith(element, words, isRow, textOf);
    return row === null ? [] : [{ element, isWhole: holdsWhole(row, words) }];
  });
  const whole = found.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : found).map(({ element }) => element);
}

/**
 * The row around an element, or the smallest part in which other words stand beside it, if the words are in it. Those in larger
 * parts may be another record's.
 */
function rowWith(
  element: AxElement,
  words: string,
  isRow: (part: AxElement) => boolean,
  textOf: (part: AxElement) => string,
): AxElement | null {
  const own = textOf(element);
  let isAlone = true;
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    const isOfRow: boolean = isRow(at);
    const text: string = isOfRow || isAlone ? textOf(at) : own;
    if (text !== own && holdsWords(text, words)) return at;
    if (isOfRow) return null;
    isAlone &&= text === own;
  }
  return null;
}

function holdsWhole(row: AxElement, words: string): boolean {
  return [...everyElement(row)].some(({ role, name }) => role === 'StaticText' && alike(name) === words);
}

/** Whole words: "Order 1" is not in the row of order 17. */
function holdsWords(text: string, words: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (!isWithinWord(text, at) && !isWithinWord(text, end)) return true;
  }
  return false;
}

function isWithinWord(text: string, at: number): boolean {
  const [before = ''] = LETTER_BEFORE.exec(text.slice(Math.max(0, at - 2), at)) ?? [];
  const [after = ''] = LETTER_AFTER.exec(text.slice(at, at + 2)) ?? [];
  return before !== '' && after !== '' && !isUnspaced(before) && !isUnspaced(after);
}

const LETTER_BEFORE = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_AFTER = /^[\p{L}\p{N}\p{M}]/u;
