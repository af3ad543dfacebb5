import { ANCHOR_NAME_CHARS_MAX } from '#extract/limits.ts';
import { DomElement } from '#extract/html/tree.ts';
import type { ElementHiding } from '#extract/html/tree.ts';
import { findStyleEffects } from './looks.ts';
import { STREAMED_PART_ID } from './streamed-parts.ts';

const CSS_ESCAPE = /\\([0-9a-f]{1,6})\s?|\\(.)/gi;

const ZERO = String.raw`[+-]?0*(?:\.0*)?(?:px|em|rem|%|pt|vh|vw)?(?:!important)?(?:;|$)`;
/** Styles that hide text. They match a style without white space and with a leading `;`. */
const HIDING: readonly RegExp[] = [
  /;display:none/,
  /;content-visibility:hidden/,
  new RegExp(`;font(?:-size)?:${ZERO}`),
  /;font-size:(?:0*\.\d+|0*1)px/,
  /;font:[a-z-]*0+(?:px|pt|em|rem|%)?(?:\/|[a-z"'])/,
  /;text-indent:-\d{3,}/,
  /;clip:rect\(0(?:px)?[, ]?0(?:px)?[, ]?0(?:px)?[, ]?0(?:px)?\)/,
  /;clip:rect\(1px[, ]?1px[, ]?1px[, ]?1px\)/,
  /;clip-path:(?:inset\((?:[5-9]\d|100)%|circle\(0(?:px|%)?(?:\)|at)|polygon\(0(?:px|%)?0(?:px|%)?(?:,0(?:px|%)?0(?:px|%)?)*\))/,
  /;transform:[^;]*(?:scale[xy]?\(0(?:\.0+)?[,)]|translate(?:[xy]|3d)?\((?:[^;()]|calc\()*-\d{4,}|rotate[xy]\(90deg\))/,
  /;scale:0(?:\.0+)?(?:!important)?(?:;|$)/,
  /;margin(?:-left|-top)?:[^;]*-\d{4,}/,
];
/**
 * Styles that make text transparent. The text is visible anyway if `background-clip: text` fills it with the
 * background.
 */
const SEE_THROUGH: readonly RegExp[] = [
  /;(?:color|-webkit-text-fill-color):transparent/,
  /;(?:color|-webkit-text-fill-color):(?:rgb|hsl)a?\((?:[^;),]*,){3}0*(?:\.0\d*)?%?\)/,
  /;(?:color|-webkit-text-fill-color):[a-z]+\([^;)]*\/0*(?:\.0\d*)?%?\)/,
  /;(?:color|-webkit-text-fill-color):#(?:[\da-f]{3}0|[\da-f]{6}0[\da-f])(?![\da-f])/,
];
const CLIPPED_TO_TEXT = /;(?:-webkit-)?background-clip:text/;
const LATE: readonly RegExp[] = [
  /;visibility:(?:hidden|collapse)/,
  /;opacity:0*(?:\.0\d*)?%?(?:!important)?(?:;|$)/,
  /;filter:[^;]*opacity\(0*(?:\.0\d*)?%?\)/,
];
/** Matches styles that a script removes when a user opens a panel, such as `display:none`. */
const CLOSING =
  /;(?:display:none|visibility:(?:hidden|collapse)|(?:max-)?height:0(?:px)?|opacity:0)(?:!important)?(?=;|$)/g;
const ABSOLUTE = /;position:(?:absolute|fixed)/;
const OFF_SCREEN = /;(?:(?:left|top|right|margin-left|margin-top):|inset:[^;]*)-\d{3,}/;
const CLIPPED = /;overflow(?:-[xy])?:(?:hidden|clip)/;
const NO_SIZE = new RegExp(`;(?:max-)?(?:width|height):(?:${ZERO}|1px)`);
const COLOUR = /;color:([^;!]+)/;
const BACKGROUND = /;background(?:-color)?:([^;!]+)/;

type When = ElementHiding['when'] | 'no';

/**
 * Decides whether and how an element's attributes hide it. Style sheets are not read, so a class hides nothing. @param
 * attributes all attributes, with their full values
 */
export function readHiding(name: string, attributes: ReadonlyMap<string, string>): ElementHiding | null {
  const when = whenHidden(name, attributes);
  if (when === 'no') return null;
  // A panel opens by losing one of the `CLOSING` styles. An element that is also hidden in another way stays hidden
  // then.
  const others = `;${normaliseStyle(attributes.get('style') ?? '')}`.replace(CLOSING, '');
  return { when, closed: hidingByRules(others) === 'no' };
}

function whenHidden(name: string, attributes: ReadonlyMap<string, string>): When {
  if (attributes.has('hidden') && STREAMED_PART_ID.test(attributes.get('id') ?? '')) return 'late';
  // With `hidden="until-found"`, browsers show the element when a user searches the page (HTML §6.8), so it is visible.
  const isHidden = attributes.has('hidden') && attributes.get('hidden')?.trim().toLowerCase() !== 'until-found';
  if (isHidden || (name === 'dialog' && !attributes.has('open'))) return 'never';
  const style = attributes.get('style');
  const byStyle = style === undefined || style === '' ? 'no' : hidingByRules(`;${normaliseStyle(style)}`);
  if (byStyle !== 'no') return byStyle;
  // MediaWiki sets `aria-hidden` on the image of a formula, although the image is visible.
  const isFormula = name === 'img' && (attributes.get('class') ?? '').includes('mwe-math-fallback-image');
  return !isFormula && attributes.get('aria-hidden')?.trim().toLowerCase() === 'true' ? 'silent' : 'no';
}

/** Returns the effects of a style that matter for reading, such as `struck` (see `findStyleEffects`). Empty for most styles. */
export function readStyleEffects(style: string): string {
  return findStyleEffects(`;${normaliseStyle(style)}`);
}

/** Decides whether a style hides text. @param style normalised, with a leading semicolon */
function hidingByRules(style: string): When {
  if (LATE.some((pattern) => pattern.test(style)))
    return HIDING.some((pattern) => pattern.test(style)) ? 'never' : 'late';
  if (HIDING.some((pattern) => pattern.test(style))) return 'never';
  if (SEE_THROUGH.some((pattern) => pattern.test(style)) && !CLIPPED_TO_TEXT.test(style)) return 'never';
  if (ABSOLUTE.test(style) && OFF_SCREEN.test(style)) return 'never';
  if (CLIPPED.test(style) && NO_SIZE.test(style)) return 'never';
  const colour = COLOUR.exec(style)?.[1];
  const background = BACKGROUND.exec(style)?.[1];
  if (colour === undefined || background === undefined) return 'no';
  return sameColour(colour) === sameColour(background) ? 'never' : 'no';
}

const COLOURS: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' };

/** Normalises the spelling of a colour (`#fff`, `white`), to find text in the colour of its background. */
function sameColour(colour: string): string {
  const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(colour);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`;
  const rgb = /^rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1)?\)$/.exec(colour);
  if (rgb !== null)
    return `#${rgb
      .slice(1)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`;
  return COLOURS[colour] ?? colour;
}

/** Decodes CSS escapes and removes comments, with which pages disguise `display:none`. Also removes white space. */
function normaliseStyle(raw: string): string {
  let style = withoutComments(raw);
  if (style.includes('\\')) {
    style = style.replace(CSS_ESCAPE, (_, hex: string | undefined, literal: string | undefined) =>
      hex === undefined ? (literal ?? '') : character(Number.parseInt(hex, 16)),
    );
  }
  return style.toLowerCase().replace(/\s+/g, '');
}

/**
 * Removes comments. Because `/*` inside a string or URL may be text, the style with its comments is tested as well. An
 * unclosed comment extends to the end, as in browsers.
 */
function withoutComments(style: string): string {
  let kept = /["'(\\]/.test(style) && style.includes('/*') ? `${style};` : '';
  let from = 0;
  for (let open = style.indexOf('/*'); open >= 0; open = style.indexOf('/*', from)) {
    kept += style.slice(from, open);
    const close = style.indexOf('*/', open + 2);
    if (close < 0) return kept;
    from = close + 2;
  }
  return kept + style.slice(from);
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/**
 * Returns a placeholder with the `id` (or `<a name>`) of a hidden element; `null` if it has no such name, or one that
 * is too long. Links to a heading often lead to a hidden icon next to it, and must still work.
 */
export function hiddenAnchor(element: DomElement): DomElement | null {
  const own = element.localName === 'a' ? element.getAttribute('name') : null;
  const name = element.getAttribute('id') ?? own ?? '';
  return name === '' || name.length > ANCHOR_NAME_CHARS_MAX ? null : new DomElement('template', { id: name });
}
