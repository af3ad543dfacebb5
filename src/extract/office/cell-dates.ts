import { allOf, childrenOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { DAY_MS } from '#core/units.ts';

/** The formats of dates and times that every workbook knows (ECMA-376 part 1 §18.8.30). */
const BUILT_IN: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
/** Day 0 of the two calendars. Before March 1900 the first one counts a day that did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const DAYS_MAX = 2_958_466;

/** The numbers of the cell styles that show a number as a date. */
export function dateStyles(styles: XmlElement | undefined): ReadonlySet<number> {
  const custom = new Set(
    allOf(styles, 'numFmt').flatMap(({ attributes }) => {
      const code = (attributes['formatCode'] ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
      return /[ymdhs]/i.test(code) && !/general/i.test(code) ? [Number(attributes['numFmtId'])] : [];
    }),
  );
  const formats = childrenOf(allOf(styles, 'cellXfs')[0], 'xf').map(({ attributes }) => Number(attributes['numFmtId']));
  return new Set(formats.flatMap((format, style) => (custom.has(format) || isBuiltIn(format) ? [style] : [])));
}

function isBuiltIn(format: number): boolean {
  return BUILT_IN.some(([from, to]) => format >= from && format <= to);
}

/** `2026-05-04`, `2026-05-04 12:30:00` or, within a day, `12:30:00`. A number that is not a date stays a number. */
export function dateOf(days: number, from1904: boolean): string {
  if (!(days >= 0 && days < DAYS_MAX)) return String(days);
  const iso = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((days * DAY_MS) / 1000) * 1000).toISOString();
  if (days < 1) return iso.slice(11, 19);
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}
