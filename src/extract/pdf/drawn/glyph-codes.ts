import { codePoint } from 'dingbat-to-unicode';
import type { Glyph } from './drawn-text.ts';
import type { PdfTextRun } from './pieces.ts';
import { findGlyphsOfRun, replaceRunText } from './seen-text.ts';
import type { NearbyGlyphs } from './seen-text.ts';

/** Characters of TeX's text fonts (encoding OT1) that have the codes of other characters. */
const TEX: Readonly<Record<string, string>> = {
  '\u000b': 'ff',
  '\u000c': 'fi',
  '\u000d': 'fl',
  '\u000e': 'ffi',
  '\u000f': 'ffl',
  '\u0010': 'ı',
  '\u0019': 'ß',
  '\u001a': 'æ',
  '\u001b': 'œ',
  '\u001c': 'ø',
  '"': '”',
  '\\': '“',
  '{': '–',
  '|': '—',
};
const TEX_LIGATURE = /[\u000b-\u000f]/;
/** Matches a word. Text in TeX's mathematical fonts has no words, but Greek letters at the codes of ligatures. */
const WORD = /[a-z]{4}/;
const DINGBATS = /dingbats/i;
/** Start of a Unicode block with the characters of ZapfDingbats in the same order, except those in other blocks. */
const DINGBATS_BLOCK = 0x2700;
const OLDER_DINGBATS: Readonly<Record<number, number>> = {
  0x25: 0x260e,
  0x2a: 0x261b,
  0x2b: 0x261e,
  0x48: 0x2605,
  0x6c: 0x25cf,
  0x6e: 0x25a0,
  0x73: 0x25b2,
  0x74: 0x25bc,
  0x75: 0x25c6,
  0x77: 0x25d7,
  0xa8: 0x2663,
  0xa9: 0x2666,
  0xaa: 0x2665,
  0xab: 0x2660,
  0xd5: 0x2192,
  0xd6: 0x2194,
  0xd7: 0x2195,
};
/** Private area of Unicode to which Word maps its symbol fonts. */
const PRIVATE = /[\uf020-\uf0ff]/;
const PRIVATE_START = 0xf000;
/** Codes that are bullets in most lists, for text whose font is not looked up. */
const BULLETS: Readonly<Record<string, string>> = { '\uf0b7': '•', '\uf0a7': '▪' };
/** Matches the prefix in the name of a font of which only some glyphs are embedded, as `abcdef+`. */
const SUBSET = /^[a-z]{6}\+/;
const SYMBOL_FONTS = ['Wingdings 3', 'Wingdings 2', 'Wingdings', 'Webdings', 'Symbol'];

export function replacePrivateBullets(text: string): string {
  return PRIVATE.test(text) ? text.replace(/[\uf0b7\uf0a7]/g, (mark) => BULLETS[mark] ?? mark) : text;
}

export function hasPrivateCodes(text: string): boolean {
  return PRIVATE.test(text);
}

/**
 * Translates glyphs of fonts whose codes pdf.js does not know: TeX's bitmap fonts (Type 3), ZapfDingbats, and Word's
 * symbol fonts.
 * @param words runs that distinguish a text font from a mathematical one
 * @param nameOf returns the name of a font in the file
 */
export function translateGlyphCodes(
  glyphs: readonly Glyph[],
  words: readonly PdfTextRun[],
  nameOf: (font: string) => string,
): readonly Glyph[] {
  const fonts = new Set(words.flatMap(({ font, hasOwnCodes }) => (hasOwnCodes ? [font] : [])));
  if (fonts.size === 0) return glyphs;
  const dingbats = new Set([...fonts].filter((font) => DINGBATS.test(nameOf(font))));
  const symbols = new Map([...fonts].map((font) => [font, symbolFont(nameOf(font))]));
  const withLigatures = new Set(glyphs.flatMap(({ font, text }) => (TEX_LIGATURE.test(text) ? [font] : [])));
  const hasWords = new Set(words.flatMap(({ font, str }) => (WORD.test(str) ? [font] : [])));
  return glyphs.map((glyph) => {
    const { font, text } = glyph;
    if (!fonts.has(font)) return glyph;
    if (dingbats.has(font)) return { ...glyph, text: dingbat(text) };
    if (PRIVATE.test(text)) return { ...glyph, text: symbol(symbols.get(font), text) };
    return withLigatures.has(font) && hasWords.has(font) ? { ...glyph, text: TEX[text] ?? text } : glyph;
  });
}

function dingbat(text: string): string {
  const code = text.length === 1 ? text.charCodeAt(0) : 0;
  if (code <= 0x20 || code > 0xfe) return text;
  if (code >= 0xac && code <= 0xb5) return String.fromCharCode(code - 0xac + 0x2460);
  return String.fromCharCode(OLDER_DINGBATS[code] ?? DINGBATS_BLOCK + code - (code < 0xa0 ? 0x20 : 0x40));
}

function symbolFont(name: string): string | undefined {
  const plain = name.replaceAll(/[\s-]/g, '').toLowerCase();
  const own = plain.replace(SUBSET, '');
  return SYMBOL_FONTS.find((font) => own.startsWith(font.replace(' ', '').toLowerCase()) && !own.startsWith('symbols'));
}

function symbol(font: string | undefined, text: string): string {
  const code = text.charCodeAt(0) - PRIVATE_START;
  return (font === undefined ? undefined : codePoint(font, code)?.string) ?? replacePrivateBullets(text);
}

/** Rewrites runs in fonts whose codes pdf.js does not know, from their translated glyphs. */
export function rewriteFromGlyphs(runs: readonly PdfTextRun[], near: NearbyGlyphs): PdfTextRun[] {
  return runs.map((run) => {
    if (!run.hasOwnCodes || run.transform[1] !== 0) return run;
    const own = findGlyphsOfRun(run, near.glyphs(run) ?? []).filter(({ font }) => font === run.font);
    const [first] = own;
    if (first === undefined) return run;
    const written = replaceRunText(run, own, { isWide: false, hasSpaces: true });
    const isApart = first.x - (run.transform[4] ?? 0) > first.width / 2;
    return { ...written, str: (isApart ? ' ' : '') + written.str };
  });
}
