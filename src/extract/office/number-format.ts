import { format as formatted, getFormatDateInfo, getFormatFromId, isValidFormat, tokenize } from 'numfmt';
import { DAY_MS } from '#core/limits.ts';
import { childrenOf, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** A number format of a workbook (ECMA-376 part 1 §18.8.31). */
export type NumberFormat = {
  code: string;
  /** The format shows a day, month or year, so the calendar of the workbook matters. */
  hasCalendar: boolean;
  isDate: boolean;
  /** `04/05/2026` may be in April or in May. Such dates are written as ISO 8601 has them. */
  isAmbiguous: boolean;
  /** The format adds something to texts. */
  hasText: boolean;
};

/** Formats of dates that follow the language of the person who looks at them. */
const BY_LANGUAGE: readonly (readonly [from: number, to: number])[] = [
  [14, 14],
  [22, 22],
  [27, 36],
  [50, 58],
];
const DAY_AND_MONTH = 'm/d/yyyy';
const BUILT_IN_MAX = 49;
/** Excel's own limit. */
const CODE_CHARS_MAX = 255;
/** Characters of format codes that one workbook may apply, at 0.1 µs each. 190,000 cells with usual formats need 8 million. */
const FORMAT_WORK_MAX = 20_000_000;
const OPTIONS = { throws: false, nbsp: false, dateErrorThrows: false, dateErrorNumber: true } as const;

/** Formats the cells of one workbook. */
export class CellFormats {
  readonly #formats: readonly (NumberFormat | null)[];
  readonly #from1904: boolean;
  #work = 0;
  /** Values that their format shows as nothing. */
  hidden = 0;

  constructor(styles: XmlElement | undefined, from1904: boolean) {
    this.#formats = readFormats(styles);
    this.#from1904 = from1904;
  }

  get isWorkedOut(): boolean {
    return this.#work > FORMAT_WORK_MAX;
  }

  /** A stored number as the workbook shows it. */
  number(value: string, style: string | undefined): string {
    const format = this.#formats[Number(style)];
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    return format === null || format === undefined ? general(value) : this.#shown(value, number, format);
  }

  text(value: string, style: string | undefined): string {
    const format = this.#formats[Number(style)];
    return format?.hasText === true && value !== '' ? this.#apply(value, format) : value;
  }

  #shown(value: string, number: number, format: NumberFormat): string {
    if (!format.isDate) return this.#apply(number, format);
    const days = number + (this.#from1904 && format.hasCalendar ? DAYS_OF_1904 : 0);
    if (!(number >= 0 && days < DAYS_MAX)) return general(value);
    return format.isAmbiguous ? isoOf(days) : this.#apply(days, format);
  }

  #apply(value: number | string, format: NumberFormat): string {
    this.#work += format.code.length;
    if (this.isWorkedOut) return String(value);
    const shown = formatted(format.code, value, OPTIONS).replace(/\s+/g, ' ').trim();
    if (shown === '') this.hidden += 1;
    return shown;
  }
}

function readFormats(styles: XmlElement | undefined): readonly (NumberFormat | null)[] {
  const codes = new Map<number, string>();
  for (const [from, to] of BY_LANGUAGE) for (let id = from; id <= to; id += 1) codes.set(id, DAY_AND_MONTH);
  for (const { attributes } of descendantsOf(styles, 'numFmt')) {
    codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
  }
  const known = new Map<number, NumberFormat | null>();
  return childrenOf(descendantsOf(styles, 'cellXfs')[0], 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId']);
    let format = known.get(id);
    if (format === undefined) known.set(id, (format = readFormat(codes.get(id) ?? builtIn(id))));
    return format;
  });
}

/** The formats that every workbook knows (ECMA-376 part 1 §18.8.30). */
function builtIn(id: number): string {
  return Number.isInteger(id) && id >= 0 && id <= BUILT_IN_MAX ? getFormatFromId(id) : '';
}

/** The symbol of a currency with its language, which must not choose the marks of decimals and thousands. */
const CURRENCY_LANGUAGE = /(\[\$[^[\]-]{1,40})-[^[\]]{0,40}\]/g;

function readFormat(written: string): NumberFormat | null {
  const code = written.replace(CURRENCY_LANGUAGE, '$1]');
  if (code === '' || code === '@' || code.length > CODE_CHARS_MAX || /^general$/i.test(code)) return null;
  if (!isValidFormat(code)) return null;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const hasCalendar = year || month || day;
  return {
    code,
    hasCalendar,
    isDate: hasCalendar || hours || minutes || seconds,
    isAmbiguous: month && day && isAmbiguous(code),
    hasText: /[@]/.test(code.replace(/"[^"]*"|\\[^]/g, '')) && !/(?:^|;)[\s_)*-]*@[\s_(-]*$/.test(code),
  };
}

/**
 * True if a number stands for the month and does not tell whether the day comes first. With points, the day comes first
 * everywhere.
 */
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

/** An `m` after hours or before seconds means minutes. */
function isMinute(letters: readonly string[], index: number): boolean {
  return /^\[?h/i.test(letters[index - 1] ?? '') || /^\[?s/i.test(letters[index + 1] ?? '');
}

/** Excel shows no more digits than this; the others are how binary numbers are stored. */
const DIGITS_MAX = 15;

function general(value: string): string {
  if (/^\s*-?\d+\s*$/.test(value)) return value.trim();
  return String(Number(Number(value).toPrecision(DIGITS_MAX))).replace('e', 'E');
}

/** Day 0 of the first calendar. Before March 1900 it counts a day that did not exist. */
const EPOCH = Date.UTC(1899, 11, 30);
/** Days from there to day 0 of the second calendar. */
const DAYS_OF_1904 = 1_462;
const DAYS_MAX = 2_958_466;

/** `2026-05-04`, `2026-05-04 12:30:00` or, within a day, `12:30:00`. */
function isoOf(days: number): string {
  const iso = new Date(EPOCH + Math.round((days * DAY_MS) / 1_000) * 1_000).toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}
