import { DAY_MS } from '#core/limits.ts';
import { childrenOf, descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** How a workbook shows a number: as a date or time, as a percentage, or as it is (`null`). */
export type NumberFormat = { kind: 'date' | 'percent'; tokens: readonly Token[]; sections: readonly string[] };

type Token = { kind: 'date' | 'elapsed' | 'half' | 'text'; text: string };

/** The formats of dates and percentages that every workbook knows (ECMA-376 part 1 §18.8.30). */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [9, '0%'],
  [10, '0.00%'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
]);
/** Dates whose form follows the language of who looks at them. They are written as ISO 8601 has them. */
const BY_LANGUAGE: readonly (readonly [from: number, to: number])[] = [
  [14, 14],
  [22, 22],
  [27, 36],
  [50, 58],
];
const ISO = 'yyyy-mm-dd hh:mm:ss';
/** Excel's own limit. */
const CODE_CHARS_MAX = 255;

/** The formats of the workbook's cell styles, by their numbers. */
export function formatsOf(styles: XmlElement | undefined): readonly (NumberFormat | null)[] {
  const codes = new Map<number, string>(BUILT_IN);
  for (const [from, to] of BY_LANGUAGE) for (let id = from; id <= to; id += 1) codes.set(id, ISO);
  for (const { attributes } of descendantsOf(styles, 'numFmt')) {
    codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
  }
  const known = new Map<number, NumberFormat | null>();
  return childrenOf(descendantsOf(styles, 'cellXfs')[0], 'xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId']);
    let format = known.get(id);
    if (format === undefined) known.set(id, (format = readFormat(codes.get(id) ?? '')));
    return format;
  });
}

/** Parts of a format: quoted text, an escaped character, brackets, space and fill, letters of dates, anything else. */
const PARTS = /"([^"]*)"|\\([^])|\[([^\]]*)\]|[_*][^]|(AM\/PM|A\/P)|(y+|m+|d+|h+|s+(?:\.0+)?)|([^])/gi;

function readFormat(code: string): NumberFormat | null {
  if (code.length > CODE_CHARS_MAX || /general/i.test(code)) return null;
  const sections = sectionsOf(code);
  const tokens: Token[] = [];
  for (const [, quoted, escaped, bracket, half, letters, other] of (sections[0] ?? '').matchAll(PARTS)) {
    if (bracket !== undefined) {
      if (/^(?:h+|m+|s+)$/i.test(bracket)) tokens.push({ kind: 'elapsed', text: bracket.toLowerCase() });
    } else if (half !== undefined) tokens.push({ kind: 'half', text: half });
    else if (letters !== undefined) tokens.push({ kind: 'date', text: letters.toLowerCase() });
    else tokens.push({ kind: 'text', text: quoted ?? escaped ?? other ?? ' ' });
  }
  if (tokens.some(({ kind }) => kind === 'date' || kind === 'elapsed')) return { kind: 'date', tokens, sections };
  return /%/.test(bare(sections[0] ?? '')) ? { kind: 'percent', tokens, sections } : null;
}

/** For positive numbers, negative ones, zero and text. */
function sectionsOf(code: string): string[] {
  const sections = [''];
  for (const [part] of code.matchAll(/"[^"]*"|\\[^]|[^]/g)) {
    if (part === ';') sections.push('');
    else sections[sections.length - 1] += part;
  }
  return sections;
}

/** Without quoted text, escapes, brackets, spaces and fill. */
function bare(section: string): string {
  return section.replace(/"[^"]*"|\\[^]|\[[^[\]]*\]|[_*][^]/g, '');
}

/** A number as the workbook shows it. One that cannot be a date stays as it is. */
export function shown(value: string, format: NumberFormat | null | undefined, from1904: boolean): string {
  const number = Number(value);
  if (format === null || format === undefined || value.trim() === '' || !Number.isFinite(number)) return value;
  return format.kind === 'percent' ? percentOf(number, format.sections) : dateOf(number, format.tokens, from1904);
}

/** Decimals of a percentage. Excel shows no more. */
const DECIMALS_MAX = 30;
const EXACT_MAX = 1e15;

function percentOf(value: number, sections: readonly string[]): string {
  const own = value < 0 ? sections[1] : value === 0 ? sections[2] : sections[0];
  const section = bare(own ?? sections[0] ?? '');
  if (!section.includes('%') || Math.abs(value) > EXACT_MAX) return String(value);
  const decimals = /\.([0#?]*)/.exec(section)?.[1] ?? '';
  const most = Math.min(DECIMALS_MAX, decimals.length);
  const least = Math.min(most, decimals.replaceAll('#', '').length);
  let digits = Number((Math.abs(value) * 100).toPrecision(15)).toFixed(most);
  while (digits.includes('.') && digits.endsWith('0') && digits.length - digits.indexOf('.') - 1 > least)
    digits = digits.slice(0, -1);
  if (digits.endsWith('.')) digits = digits.slice(0, -1);
  // A section for negative numbers has its own sign.
  const signs = /^[^0#?]*/.exec(section)?.[0].replace(/[^-+(]/g, '') ?? '';
  const sign = own !== undefined && value < 0 && sections[1] === own ? signs : `${value < 0 ? '-' : ''}${signs}`;
  const space = /\s%/.test(section) ? ' ' : '';
  return `${sign}${digits}${space}%${sign.includes('(') ? ')' : ''}`;
}

/** Day 0 of the two calendars. Before March 1900 the first one counts a day that did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const DAYS_MAX = 2_958_466;

function dateOf(days: number, tokens: readonly Token[], from1904: boolean): string {
  if (!(days >= 0 && days < DAYS_MAX)) return String(days);
  const hasParts = tokens.some(({ kind, text }) => kind === 'date' && /\.0/.test(text));
  const step = hasParts ? 1 : 1_000;
  const ms = Math.round((days * DAY_MS) / step) * step;
  const date = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + ms);
  if (isAmbiguous(tokens)) return isoOf(date, days);
  const isHalf = tokens.some(({ kind }) => kind === 'half');
  return tokens
    .map((token, index) => partOf(token, index, { tokens, date, ms, isHalf }))
    .join('')
    .trim();
}

/**
 * `04/05/2026` may be in April or in May, and the formats of dates that follow a language have no form of their own. With
 * points, the day comes first everywhere.
 */
function isAmbiguous(tokens: readonly Token[]): boolean {
  const order = tokens.flatMap(({ kind, text }, index) => {
    if (kind !== 'date') return [];
    if (text.startsWith('m')) return isMinute(tokens, index) || text.length > 2 ? [] : ['m'];
    return text.startsWith('d') && text.length <= 2 ? ['d'] : text.startsWith('y') ? ['y'] : [];
  });
  if (!order.includes('m') || !order.includes('d')) return false;
  const isIso = tokens.map(({ text }) => text).join('') === ISO;
  return isIso || (order[0] !== 'y' && !tokens.some(({ kind, text }) => kind === 'text' && text === '.'));
}

/** `2026-05-04`, `2026-05-04 12:30:00` or, within a day, `12:30:00`. */
function isoOf(date: Date, days: number): string {
  const iso = date.toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

/** An `m` after hours or before seconds means minutes. */
function isMinute(tokens: readonly Token[], index: number): boolean {
  const isTime = ({ kind }: Token) => kind === 'date' || kind === 'elapsed';
  const before = tokens.slice(0, index).findLast(isTime)?.text ?? '';
  const after = tokens.slice(index + 1).find(isTime)?.text ?? '';
  return before.startsWith('h') || after.startsWith('s');
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

type Moment = { tokens: readonly Token[]; date: Date; ms: number; isHalf: boolean };

function partOf({ kind, text }: Token, index: number, { tokens, date, ms, isHalf }: Moment): string {
  const hours = date.getUTCHours();
  const two = (number: number) => String(number).padStart(text.length > 1 ? 2 : 1, '0');
  if (kind === 'text') return text;
  if (kind === 'half') return text.length > 3 ? (hours < 12 ? 'AM' : 'PM') : hours < 12 ? 'A' : 'P';
  if (kind === 'elapsed') {
    const unit = text.startsWith('h') ? 3_600_000 : text.startsWith('m') ? 60_000 : 1_000;
    return String(Math.floor(ms / unit)).padStart(text.length, '0');
  }
  switch (text.charAt(0)) {
    case 'y':
      return text.length > 2 ? String(date.getUTCFullYear()) : String(date.getUTCFullYear() % 100).padStart(2, '0');
    case 'd':
      return text.length > 2 ? named(DAYS[date.getUTCDay()], text.length) : two(date.getUTCDate());
    case 'h':
      return two(isHalf ? hours % 12 || 12 : hours);
    case 's': {
      const parts = text.length - text.indexOf('.') - 1;
      const part = text.includes('.') ? `.${String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, parts)}` : '';
      return `${String(date.getUTCSeconds()).padStart(text.startsWith('ss') ? 2 : 1, '0')}${part}`;
    }
    default:
      if (isMinute(tokens, index)) return two(date.getUTCMinutes());
      return text.length > 2 ? named(MONTHS[date.getUTCMonth()], text.length) : two(date.getUTCMonth() + 1);
  }
}

/** `mmm` and `ddd` are short, `mmmm` and `dddd` whole; `mmmmm` is the first letter. */
function named(name: string | undefined, letters: number): string {
  return name?.slice(0, letters === 3 ? 3 : letters === 5 ? 1 : Infinity) ?? '';
}
