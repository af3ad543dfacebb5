/**
 * Formats a number by a list format of Word (`ST_NumberFormat`) or OpenDocument; empty for `bullet` and `none`; in
 * digits for an unknown format or a number that the format cannot show.
 */
export function formatListNumber(format: string, value: number): string {
  switch (format) {
    case 'upperRoman':
    case 'I':
      return roman(value);
    case 'lowerRoman':
    case 'i':
      return roman(value).toLowerCase();
    case 'upperLetter':
    case 'A':
      return letters(value);
    case 'lowerLetter':
    case 'a':
      return letters(value).toLowerCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'ordinal':
      return `${value}${ordinalEnd(value)}`;
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return value >= 1 && value <= 20 ? String.fromCharCode(0x2460 + value - 1) : String(value);
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'ideographDigital':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
    case 'koreanDigital2':
      return chinese(value);
    case 'russianLower':
      return cyrillic(value);
    case 'russianUpper':
      return cyrillic(value).toUpperCase();
    case 'bullet':
    case 'none':
      return '';
    default:
      return String(value);
  }
}

const ROMAN: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
const ROMAN_MAX = 3_999;

function roman(value: number): string {
  if (value < 1 || value > ROMAN_MAX) return String(value);
  let left = value;
  let out = '';
  for (const [amount, digits] of ROMAN) {
    for (; left >= amount; left -= amount) out += digits;
  }
  return out;
}

const LETTERS = 26;
/** Maximum repeats of a letter: after Z, Word continues with AA, BB and so on. */
const REPEATED_MAX = 30;

function letters(value: number): string {
  if (value < 1 || value > LETTERS * REPEATED_MAX) return String(value);
  return String.fromCharCode(0x41 + ((value - 1) % LETTERS)).repeat(Math.ceil(value / LETTERS));
}

function ordinalEnd(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
}

const CHINESE = '〇一二三四五六七八九';

function chinese(value: number): string {
  if (value < 0 || value > 99) return String(value);
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  if (tens === 0) return CHINESE.charAt(ones);
  return `${tens === 1 ? '' : CHINESE.charAt(tens)}十${ones === 0 ? '' : CHINESE.charAt(ones)}`;
}

const CYRILLIC = 'абвгдежзиклмнопрстуфхцчшщэюя';

function cyrillic(value: number): string {
  return CYRILLIC.charAt(value - 1) || String(value);
}
