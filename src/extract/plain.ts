/**
 * Takes out what a person cannot see but a model would read: tag characters, bidi controls, zero-width and filler
 * characters, stray variation selectors, control characters. What scripts and emoji need stays.
 */

type CodeRange = readonly [from: number, to: number];

/** Never shown, whatever stands around it. */
const INVISIBLE_RANGES: readonly CodeRange[] = [
  [0x00, 0x08], // controls
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad], // soft hyphen
  [0x34f, 0x34f], // grapheme joiner
  [0x61c, 0x61c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // Khmer inherent vowels
  [0x180b, 0x180f], // Mongolian selectors
  [0x200b, 0x200b], // zero-width space
  [0x200e, 0x200f], // direction marks
  [0x202a, 0x202e], // bidi embedding
  [0x2060, 0x206f], // invisible operators, bidi isolates
  [0x3164, 0x3164], // Hangul filler
  [0xfdd0, 0xfdef], // no characters
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // Hangul filler
  [0xfff0, 0xfffb], // annotation marks
  [0xfffe, 0xffff],
  [0x13430, 0x1345f], // hieroglyph joiners
  [0x1bca0, 0x1bca3], // shorthand controls
  [0x1d173, 0x1d17a], // music controls
  [0xe0000, 0xe00ff], // tags
  [0xe01f0, 0xe0fff],
];
/** Kept, changed or removed by what stands around them. */
const DEPENDING_RANGES: readonly CodeRange[] = [
  [0x0b, 0x0d],
  [0x85, 0x85],
  [0x200c, 0x200d],
  [0x2028, 0x2029],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
];
const ANY = characterClass([...INVISIBLE_RANGES, ...DEPENDING_RANGES], 'u');
const INVISIBLE = characterClass(INVISIBLE_RANGES, 'gu');
const LINE_ENDS = /\r\n?|[\x85\u2028\u2029]/g;
const VERTICAL_SPACE = /[\v\f]/g;
/** ZWNJ and ZWJ between letters of scripts that join or stack, and ZWJ between the parts of an emoji. */
const JOINERS = /[\u200c\u200d]+/gu;
const JOINING_SCRIPT = new RegExp(
  `[${'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
    .split(' ')
    .map((script) => `\\p{sc=${script}}`)
    .join('')}]`,
  'u',
);
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;
const SELECTORS = characterClass(
  [
    [0xfe00, 0xfe0f],
    [0xe0100, 0xe01ef],
  ],
  'gu',
);
const HAN_BEFORE = /\p{sc=Han}$/u;
const SYMBOL_BEFORE = /[\p{Emoji}\p{S}\p{P}]$/u;
const PLAIN_SELECTOR_BEFORE = /[\p{L}\p{M}\p{S}\p{N}\p{P}]$/u;

/** `\n` line ends, whole characters, nothing invisible. Linear. */
export function toPlain(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!ANY.test(whole)) return whole;
  return whole
    .replace(LINE_ENDS, '\n')
    .replace(VERTICAL_SPACE, ' ')
    .replace(INVISIBLE, '')
    .replace(JOINERS, keepJoiner)
    .replace(SELECTORS, keepSelector);
}

function keepJoiner(run: string, at: number, text: string): string {
  const before = characterBefore(text, at);
  const after = characterAt(text, at + run.length);
  if (JOINING_SCRIPT.test(before) && (JOINING_SCRIPT.test(after) || after === '')) return run.charAt(0);
  return run === '\u200d' && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after) ? run : '';
}

/** One selector says how the character before it is drawn; more of them, or one after nothing, carry hidden data. */
function keepSelector(run: string, at: number, text: string): string {
  const before = characterBefore(text, at);
  const first = String.fromCodePoint(run.codePointAt(0) ?? 0);
  if (first === '\ufe0e' || first === '\ufe0f') return SYMBOL_BEFORE.test(before) ? first : '';
  if (first.length === 2) return HAN_BEFORE.test(before) ? first : '';
  return PLAIN_SELECTOR_BEFORE.test(before) && !/^[\x00-\x7f]$/.test(before) ? first : '';
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterClass(ranges: readonly CodeRange[], flags: string): RegExp {
  const parts = ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`);
  return new RegExp(`[${parts.join('')}]${flags.includes('g') ? '+' : ''}`, flags);
}
