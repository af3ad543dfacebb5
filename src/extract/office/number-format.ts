import { format as formatted, getFormatDateInfo, getFormatFromId, isValidFormat, tokenize } from 'numfmt';
import { DAY_MS } from '#core/limits.ts';
import { namedChildren, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** A number format of a workbook (ECMA-376 part 1 §18.8.31). */
type NumberFormat = {
  code: string;
  /**
   * True if the format shows a date. The value then depends on the first day of the workbook's calendar, in 1900 or
   * 1904.
   */
  hasCalendar: boolean;
  isDate: boolean;
  /** True for a format such as `04/05/2026`, which may mean April or May. Such dates are written as `2026-05-04`. */
  isAmbiguous: boolean;
  /** True if the format also changes texts, such as `@ "pcs"`. */
  hasText: boolean;
  /** Number of placeholders for a text (`@`) in the format, each of which repeats the text. */
  texts: number;
};

/** Ids of built-in date formats that look different in each user's language. */
const BY_LANGUAGE: readonly (readonly [from: number, to: number])[] = [
  [14, 14],
  [22, 22],
  [27, 36],
  [50, 58],
];
const DAY_AND_MONTH = 'm/d/yyyy';
const BUILT_IN_MAX = 49;
/** Maximum characters of a format code, as in Excel. */
const CODE_CHARS_MAX = 255;
/** Maximum characters of format codes applied per workbook, at 0.1 µs each. 190,000 cells need about 8 million. */
const FORMAT_WORK_MAX = 20_000_000;
/** Maximum characters of format codes parsed per workbook, at 3 µs each. Excel allows 250 formats of 255 characters. */
const READ_CHARS_MAX = 100_000;
/** Cost of parsing even an empty format, in characters. */
const READ_CHARS_EACH = 30;
const OPTIONS = { throws: false, nbsp: false, dateErrorThrows: false, dateErrorNumber: true } as const;

export class CellFormats {
  readonly #codes: ReadonlyMap<number, string>;
  /** For each cell style, the id of its number format. */
  readonly #styles: readonly number[];
  /** By code, because many ids can have the same one. */
  readonly #formats = new Map<string, NumberFormat | null>();
  readonly #from1904: boolean;
  #work = 0;
  /** Characters of parsed formats. */
  #read = 0;
  /** Number of values that their format hides, such as `;;;`. */
  hidden = 0;

  constructor(styles: XmlElement | undefined, from1904: boolean) {
    this.#codes = codesIn(styles);
    this.#styles = namedChildren(descendantsOf(styles, 'cellXfs')[0], 'xf').map(({ attributes }) =>
      Number(attributes['numFmtId']),
    );
    this.#from1904 = from1904;
  }

  /** True if some values were not formatted, because there are too many formats, or too many values. */
  get isWorkedOut(): boolean {
    return this.#read > READ_CHARS_MAX || this.#work > FORMAT_WORK_MAX;
  }

  number(value: string, style: string | undefined): string {
    const format = this.#formatOf(style);
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    return format === null ? general(value) : this.#shown(value, number, format);
  }

  text(value: string, style: string | undefined): string {
    const format = this.#formatOf(style);
    return format?.hasText === true && value !== '' ? this.#apply(value, format) : value;
  }

  /** Returns the format of a cell style. Parsed at the first use, because workbooks define many unused formats. */
  #formatOf(style: string | undefined): NumberFormat | null {
    const id = this.#styles[Number(style)];
    if (id === undefined) return null;
    const code = this.#codes.get(id) ?? builtIn(id);
    const known = this.#formats.get(code);
    if (known !== undefined) return known;
    this.#read += READ_CHARS_EACH + Math.min(code.length, CODE_CHARS_MAX);
    const format = this.#read > READ_CHARS_MAX ? null : readFormat(code);
    this.#formats.set(code, format);
    return format;
  }

  #shown(value: string, number: number, format: NumberFormat): string {
    if (!format.isDate) return this.#apply(number, format);
    const days = number + (this.#from1904 && format.hasCalendar ? DAYS_OF_1904 : 0);
    if (!(number >= 0 && days < DAYS_MAX)) return general(value);
    return format.isAmbiguous ? isoOf(days) : this.#apply(days, format);
  }

  #apply(value: number | string, format: NumberFormat): string {
    this.#work += format.code.length + (typeof value === 'string' ? format.texts * value.length : 0);
    if (this.#work > FORMAT_WORK_MAX) return String(value);
    const shown = formatted(format.code, value, OPTIONS).replace(/\s+/g, ' ').trim();
    if (shown === '') this.hidden += 1;
    return shown;
  }
}

function codesIn(styles: XmlElement | undefined): Map<number, string> {
  const codes = new Map<number, string>();
  for (const [from, to] of BY_LANGUAGE) for (let id = from; id <= to; id += 1) codes.set(id, DAY_AND_MONTH);
  for (const { attributes } of descendantsOf(styles, 'numFmt')) {
    codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
  }
  return codes;
}

/** Returns the code of a built-in format (ECMA-376 part 1 §18.8.30), such as `0.00`. */
function builtIn(id: number): string {
  return Number.isInteger(id) && id >= 0 && id <= BUILT_IN_MAX ? getFormatFromId(id) : '';
}

/**
 * Matches a currency symbol with a language (`[$€-407]`), which is removed, because it would change `1,234.5` to
 * `1.234,5`.
 */
const CURRENCY_LANGUAGE = /(\[\$[^[\]-]{1,40})-[^[\]]{0,40}\]/g;

function readFormat(written: string): NumberFormat | null {
  if (written.length > CODE_CHARS_MAX) return null;
  const code = written.replace(CURRENCY_LANGUAGE, '$1]');
  if (code === '' || code === '@' || /^general$/i.test(code)) return null;
  if (!isValidFormat(code)) return null;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasCalendar = year || month || day;
  const signs = code.replace(/"[^"]*"|\\[^]/g, '');
  return {
    code,
    hasCalendar,
    isDate: hasCalendar || hours || minutes || seconds,
    isAmbiguous: month && day && isAmbiguous(code),
    texts: signs.split('@').length - 1,
    hasText: signs.includes('@') && !/(?:^|;)[\s_)*-]*@[\s_(-]*$/.test(code),
  };
}

/** True if day and month may be confused, as in `04/05/2026`. With points (`04.05.2026`), the day comes first. */
function isAmbiguous(code: string): boolean {
  const tokens = tokenize(code);
  const end = tokens.findIndex(({ type }) => type === 'BREAK');
  const section = end < 0 ? tokens : tokens.slice(0, end);
  const letters = section.filter(({ type }) => type === 'DATETIME' || type === 'DURATION').map(({ value }) => value);
  const order = letters.flatMap((value, index) => {
    const [letter = ''] = value.toLowerCase();
    if (letter === 'y') return ['y'];
    if (value.length > 2) return [];
    if (letter === 'd') return ['d'];
    return letter === 'm' && !isMinute(letters, index) ? ['m'] : [];
  });
  if (!order.includes('m') || !order.includes('d')) return false;
  return order[0] !== 'y' && !section.some(({ type, raw }) => type !== 'DATETIME' && raw.includes('.'));
}

/** True if an `m` means minutes, not months: after hours or before seconds. */
function isMinute(letters: readonly string[], index: number): boolean {
  return /^\[?h/i.test(letters[index - 1] ?? '') || /^\[?s/i.test(letters[index + 1] ?? '');
}

/** Maximum digits that Excel shows. More digits would show errors of binary floating point, as in 0.1 + 0.2. */
const DIGITS_MAX = 15;

function general(value: string): string {
  if (/^\s*-?\d+\s*$/.test(value)) return value.trim();
  return String(Number(Number(value).toPrecision(DIGITS_MAX))).replace('e', 'E');
}

/** Day 0 of the 1900 date system. Excel counts 29 February 1900, which did not exist: earlier dates are off by one. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Days between the first days of the 1900 and the 1904 date system. */
const DAYS_OF_1904 = 1_462;
const DAYS_MAX = 2_958_466;

/** Formats days as `2026-05-04` or `2026-05-04 12:30:00`; less than one day as `12:30:00`. */
function isoOf(days: number): string {
  const iso = new Date(EPOCH + Math.round((days * DAY_MS) / 1_000) * 1_000).toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}
