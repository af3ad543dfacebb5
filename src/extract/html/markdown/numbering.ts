import type { DomElement } from '#extract/html/tree.ts';
import { formatListNumber } from '#extract/office/number-words.ts';
import { STYLE_EFFECTS_ATTRIBUTE } from '#extract/html/visible/looks.ts';

type Numbering = (value: number) => string;

/** Returns the format of a list's numbers: letters or Roman numerals, or `null` for digits (HTML §4.4.5). */
export function readListNumbering(list: DomElement): Numbering | null {
  const looks = list.getAttribute(STYLE_EFFECTS_ATTRIBUTE) ?? '';
  const [style] = /(?:lower|upper)-(?:alpha|latin|roman)/.exec(looks) ?? [];
  switch (style ?? list.getAttribute('type')) {
    case 'a':
    case 'lower-alpha':
    case 'lower-latin':
      return letters;
    case 'A':
    case 'upper-alpha':
    case 'upper-latin':
      return (value) => letters(value).toUpperCase();
    case 'i':
    case 'lower-roman':
      return (value) => formatListNumber('i', value);
    case 'I':
    case 'upper-roman':
      return (value) => formatListNumber('I', value);
    default:
      return null;
  }
}

const A_CODE = 97;

function letters(value: number): string {
  let text = '';
  for (let left = value; left > 0; left = Math.floor((left - 1) / 26)) {
    text = String.fromCodePoint(A_CODE + ((left - 1) % 26)) + text;
  }
  return text === '' ? String(value) : text;
}
