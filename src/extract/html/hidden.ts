import type { Attributes } from './tokens.ts';

const NUMERIC_REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi;
const NAMED_REFERENCE = /&(colon|semi|Tab|NewLine|lpar|rpar|period|comma|amp);/g;
const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  semi: ';',
  Tab: '\t',
  NewLine: '\n',
  lpar: '(',
  rpar: ')',
  period: '.',
  comma: ',',
  amp: '&',
};
const CSS_ESCAPE = /\\([0-9a-f]{1,6})\s?|\\(.)/gi;
const CSS_COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g;

const ZERO = String.raw`[+-]?0*\.?0*(?:px|em|rem|%|pt|vh|vw)?(?:!important)?(?:;|$)`;
/** Each pattern meets a style with all white space removed and a leading `;`. */
const HIDING: readonly RegExp[] = [
  /;display:none/,
  /;content-visibility:hidden/,
  new RegExp(`;font(?:-size)?:${ZERO}`),
  /;text-indent:-\d{3,}/,
  /;clip:rect\(0(?:px)?[, ]?0(?:px)?[, ]?0(?:px)?[, ]?0(?:px)?\)/,
  /;clip:rect\(1px[, ]?1px[, ]?1px[, ]?1px\)/,
  /;clip-path:inset\((?:50|100)%/,
  /;transform:(?:scale\(0(?:\.0+)?[,)]|translate[xy]?\(-\d{4,})/,
  /;color:transparent/,
];
const LATE: readonly RegExp[] = [/;visibility:(?:hidden|collapse)/, new RegExp(`;opacity:${ZERO}`)];
const ABSOLUTE = /;position:(?:absolute|fixed)/;
const OFF_SCREEN = /;(?:left|top|right|margin-left|margin-top):-\d{3,}/;
const CLIPPED = /;overflow(?:-[xy])?:(?:hidden|clip)/;
const NO_SIZE = new RegExp(`;(?:width|height):(?:${ZERO}|1px)`);
const COLOUR = /;color:([^;!]+)/;
const BACKGROUND = /;background(?:-color)?:([^;!]+)/;

/** Pages streamed by React carry their parts in hidden elements of such ids, which a script moves into place. */
const STREAMED_ID = /^S:[0-9a-f]+$/;

/** `late`: drawn, but made invisible until a script shows it; `never`: not drawn. */
export type Hiding = 'no' | 'late' | 'never';

/**
 * Whether the element's own attributes say that no one sees it. Style sheets are not read, so a class alone hides
 * nothing here.
 */
export function hidingOf(name: string, attributes: Attributes): Hiding {
  if (attributes.has('hidden') && STREAMED_ID.test(attributes.get('id') ?? '')) return 'late';
  if (attributes.has('hidden') || (name === 'dialog' && !attributes.has('open'))) return 'never';
  if (attributes.get('aria-hidden')?.trim().toLowerCase() === 'true') return 'never';
  const style = attributes.get('style');
  return style === undefined || style === '' ? 'no' : hidingByStyle(style);
}

function hidingByStyle(raw: string): Hiding {
  const style = `;${normaliseStyle(raw)}`;
  if (LATE.some((pattern) => pattern.test(style)))
    return HIDING.some((pattern) => pattern.test(style)) ? 'never' : 'late';
  if (HIDING.some((pattern) => pattern.test(style))) return 'never';
  if (ABSOLUTE.test(style) && OFF_SCREEN.test(style)) return 'never';
  if (CLIPPED.test(style) && NO_SIZE.test(style)) return 'never';
  const colour = COLOUR.exec(style)?.[1];
  return colour !== undefined && colour === BACKGROUND.exec(style)?.[1] ? 'never' : 'no';
}

/** Character references, CSS escapes and comments are ways to write `display:none` that a reader of source overlooks. */
function normaliseStyle(raw: string): string {
  let style = raw;
  if (style.includes('&')) {
    style = style
      .replace(NUMERIC_REFERENCE, (_, hex: string | undefined, decimal: string | undefined) =>
        character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
      .replace(NAMED_REFERENCE, (_, name: string) => NAMED[name] ?? '');
  }
  if (style.includes('/*')) style = style.replace(CSS_COMMENT, '');
  if (style.includes('\\')) {
    style = style.replace(CSS_ESCAPE, (_, hex: string | undefined, literal: string | undefined) =>
      hex === undefined ? (literal ?? '') : character(Number.parseInt(hex, 16)),
    );
  }
  return style.toLowerCase().replace(/\s+/g, '');
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
