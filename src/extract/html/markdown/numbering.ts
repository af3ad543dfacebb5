import type { DomElement } from '#extract/html/tree.ts';
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
      return roman;
    case 'I':
    case 'upper-roman':
      return (value) => roman(value).toUpperCase();
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

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** Largest number that browsers write in Roman numerals. */
const ROMAN_MAX = 3_999;

function roman(value: number): string {
  if (value < 1 || value > ROMAN_MAX) return String(value);
  let left = value;
  let text = '';
  for (const [amount, sign] of ROMAN) {
    const times = Math.floor(left / amount);
    text += sign.repeat(times);
    left -= amount * times;
  }
  return text;
}
