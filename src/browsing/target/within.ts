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
  const found = elements.flatMap((element) => {
    const row = rowWith(element, words, isRow);
    return row === null ? [] : [{ element, isWhole: holdsWhole(row, words) }];
  });
  const whole = found.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : found).map(({ element }) => element);
}

/**
 * The row around an element, or the smallest part in which other words stand beside it, if the words are in it. Those in larger
 * parts may be another record's.
 */
function rowWith(element: AxElement, words: string, isRow: (part: AxElement) => boolean): AxElement | null {
  const own = alike(textWithin(element));
  let isAlone = true;
  for (let at: AxElement | null = element; at !== null; at = at.parent) {
    const isOfRow: boolean = isRow(at);
    const text: string = isOfRow || isAlone ? alike(textWithin(at)) : own;
    if (text !== own && text.includes(words)) return at;
    if (isOfRow) return null;
    isAlone &&= text === own;
  }
  return null;
}

function holdsWhole(row: AxElement, words: string): boolean {
  return [...everyElement(row)].some(({ role, name }) => role === 'StaticText' && alike(name) === words);
}
