/**
 * The only definition of text that a person cannot see but a model would read: tag characters, bidi controls,
 * zero-width and filler characters, variation selectors, control characters and noncharacters.
 * All are removed, except characters that scripts and emoji need. These are: at most one zero-width joiner or
 * non-joiner after a letter of a joining or stacking script (`JOINING_LETTER`); a joiner between the parts of one emoji
 * that Unicode lists; U+FE0E or U+FE0F after an emoji. Other variation selectors are removed because each can carry a
 * hidden byte.
 * Line ends become `\n`. Vertical tabs, form feeds and empty Braille cells become spaces, so that words stay separate.
 */

const UNSEEN =
  '\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb\\u{13430}-\\u{1345f}';
/** The empty Braille cell. It looks like a space, but `\s` does not match it. */
const DOTLESS = '\\u2800';
const UNDECIDED = '\\u200c-\\u200d\\ufe0e-\\ufe0f';
const ANY = new RegExp(`[[${DOTLESS}${UNSEEN}]--[\\t\\n]]`, 'v');
const INVISIBLE = new RegExp(`[[${UNSEEN}]--[\\t\\n${UNDECIDED}]]+`, 'gv');
const BETWEEN = new RegExp(`[${UNDECIDED}]+`, 'g');
const LINE_ENDS = /[\r\x85\u2028\u2029]/g;
const OTHER_SPACE = new RegExp(`[\\v\\f${DOTLESS}]`, 'g');
const JOINING_LETTER = new RegExp(
  `[[${'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
    .split(' ')
    .map((script) => `\\p{scx=${script}}`)
    .join('')}]&&[\\p{L}\\p{M}]]`,
  'v',
);
const EMOJI = /\p{Emoji}/v;
/** Characters that Unicode counts as emoji. They are plain text unless they are in a keycap such as 1️⃣. */
const KEYCAP_BASE = /[0-9#*]/;
const KEYCAP = '\u20e3';
const PICTURE = /\p{Extended_Pictographic}/v;
const EMOJI_PART = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/v;
const JOINER = '\u200d';
const PART = '(?:\\p{Extended_Pictographic}\\p{Emoji_Modifier}?|\\p{Emoji_Modifier})[\\ufe0e\\ufe0f]?';
const JOINED_PARTS = new RegExp(`${PART}(?:${JOINER}${PART})+`, 'gv');
/** The longest emoji with joiners that Unicode lists. A skin tone after it is ignored, because it may begin an appended text. */
const LISTED = new RegExp(
  `^\\p{RGI_Emoji_ZWJ_Sequence}(?=(?:\\p{Emoji_Modifier}[\\ufe0e\\ufe0f]?)?(?:${JOINER}|$))`,
  'v',
);
/** Maximum number of parts of an emoji with joiners. The kiss emoji has four parts, and no emoji has more. */
const EMOJI_PARTS_MAX = 4;
const PLAIN_PICTURE = /^\P{Emoji_Presentation}$/v;
const PLAIN_WITH_TONE = /^\P{Emoji_Presentation}(?=\p{Emoji_Modifier})/v;

/**
 * Code units that need a closer check: all invisible characters, and surrogates. The string lists ranges as pairs of
 * first and last; a test checks that no invisible character is missing. Looking a code unit up in the table
 * `IS_SUSPECT` takes a tenth of the time of the regular expressions above.
 */
const SUSPECTS =
  '\0\x08\x0b\x1f\x7f\x9f\xad\xad\u034f\u034f\u061c\u061c\u115f\u1160\u17b4\u17b5\u180b\u180f\u200b\u200f\u2028\u202e\u2060\u206f\u2800\u2800\u3164\u3164\ud800\udfff\ufdd0\ufdef\ufe00\ufe0f\ufeff\ufeff\uffa0\uffa0\ufff0\uffff';
const NOT_ASCII = /[^\t\n -~]/g;
const ASCII_MAX = 0x7e;
const IS_SUSPECT = new Uint8Array(0x10000);
for (let at = 0; at < SUSPECTS.length; at += 2)
  IS_SUSPECT.fill(1, SUSPECTS.charCodeAt(at), SUSPECTS.charCodeAt(at + 1) + 1);

/**
 * Removes invisible characters, repairs unpaired surrogates, and ends lines with `\n`. It takes linear time. Plain text
 * stays unchanged, and so does a text joined from plain texts: only a character's two visible neighbours decide whether
 * it is removed, and visible characters are never removed.
 */
export function sanitizeText(text: string): string {
  const whole = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (isPlainText(whole)) return whole;
  const plain = withoutInvisible(whole.toWellFormed()).replace(BETWEEN, (run: string, at: number, visible: string) =>
    visibleControls(characterBefore(visible, at), run, characterAt(visible, at + run.length)),
  );
  return plain.includes(JOINER) ? plain.replace(JOINED_PARTS, asListed) : plain;
}

/** A fast check that may miss plain text: true proves that the text is plain, but false does not prove the opposite. */
export function isPlainText(text: string): boolean {
  for (let at = suspectFrom(text, 0); at < text.length; at = suspectFrom(text, at)) {
    const character = characterAt(text, at);
    if (!character.isWellFormed() || ANY.test(character)) return false;
    at += character.length;
  }
  return true;
}

function suspectFrom(text: string, start: number): number {
  for (let at = start; at < text.length;) {
    NOT_ASCII.lastIndex = at;
    if (!NOT_ASCII.test(text)) return text.length;
    at = NOT_ASCII.lastIndex - 1;
    for (let code = text.charCodeAt(at); code > ASCII_MAX; code = text.charCodeAt(at)) {
      if (IS_SUSPECT[code] === 1) return at;
      at += 1;
    }
    if (IS_SUSPECT[text.charCodeAt(at)] === 1) return at;
  }
  return text.length;
}

function withoutInvisible(text: string): string {
  let visible = '';
  let from = 0;
  for (let at = suspectFrom(text, 0); at < text.length; at = suspectFrom(text, at)) {
    const start = at;
    while (at < text.length && IS_SUSPECT[text.charCodeAt(at)] === 1) at += 1;
    const run = text.slice(start, at);
    visible += text.slice(from, start) + run.replace(LINE_ENDS, '\n').replace(OTHER_SPACE, ' ').replace(INVISIBLE, '');
    from = at;
  }
  return visible + text.slice(from);
}

/**
 * Applies `sanitizeText` to all strings of a JSON value, including member names. If two names become equal, the second gets
 * a number.
 */
export function sanitizeJson(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value);
  if (Array.isArray(value)) return value.map(sanitizeJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map<string, unknown>();
  const next = new Map<string, number>();
  for (const [name, member] of Object.entries(value)) {
    const plain = sanitizeText(name);
    let unused = plain;
    let number = next.get(plain) ?? 2;
    for (; members.has(unused); number += 1) unused = `${plain} (${number})`;
    next.set(plain, number);
    members.set(unused, sanitizeJson(member));
  }
  return Object.fromEntries(members);
}

function visibleControls(before: string, run: string, after: string): string {
  return selectorOf(before, run.charAt(0), after) + joinerOf(before, run, after);
}

function selectorOf(before: string, first: string, after: string): string {
  if (first !== '\ufe0e' && first !== '\ufe0f') return '';
  return EMOJI.test(before) && (after === KEYCAP || !KEYCAP_BASE.test(before)) ? first : '';
}

function joinerOf(before: string, run: string, after: string): string {
  const joiner = /[\u200c\u200d]/.exec(run)?.[0] ?? '';
  if (JOINING_LETTER.test(before)) return joiner;
  return joiner === '\u200d' && EMOJI_PART.test(before) && PICTURE.test(after) ? joiner : '';
}

/**
 * Splits a joined emoji into emoji that Unicode lists, and removes the joiners between them. Such parts are drawn
 * separately with or without a joiner, so joiners there could carry hidden data.
 */
function asListed(joined: string): string {
  const parts = joined.split(JOINER);
  const firsts = parts.map(drawnAsEmoji);
  const others = firsts.map((part) => part.replace(PLAIN_WITH_TONE, '$&\ufe0f'));
  let listed = '';
  for (let at = 0; at < parts.length;) {
    const emoji = [firsts[at] ?? '', ...others.slice(at + 1, at + EMOJI_PARTS_MAX)].join(JOINER);
    const count = (LISTED.exec(emoji)?.[0] ?? '').split(JOINER).length;
    listed += parts.slice(at, at + count).join(JOINER);
    at += count;
  }
  return listed;
}

/** Adds the emoji variation selector, which Unicode's list requires but many writers omit. */
function drawnAsEmoji(part: string): string {
  return PLAIN_PICTURE.test(part) ? `${part}\ufe0f` : part;
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Tracks fenced code blocks line by line (CommonMark §4.5), also inside quotes and list items. */
export class CodeFences {
  open: string | null = null;

  take(line: string): boolean {
    if (this.open === null) {
      this.open = openingFence(line);
      return this.open !== null;
    }
    if (closesFence(line, this.open)) this.open = null;
    return true;
  }
}

/**
 * The mark of a quote, list item or footnote at the start of a line. Marks are matched one at a time. A repeated group
 * would store a backtracking position for each mark, and a line of many marks would overflow the regular expression
 * engine.
 */
const MARK = /[ \t]*(?:>[ ]?|[-*+][ \t]+(?=\S)|\d{1,9}[.)][ \t]+(?=\S)|\[\^[^\]\s]{1,100}\]:[ \t]+)/y;
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const BLANK = /[ \t]*/y;
const FENCE = /[ \t]*(`{3,}(?=[^`]*$)|~{3,})/y;
const INDENT = /[\s>]*/y;

export function blockPrefix(line: string): string {
  return line.slice(0, endOf(BLANK, line, endOfAll(MARK, line)));
}

/** Returns the fence that opens a code block, such as three backticks. Returns `null` if the line opens none. */
export function openingFence(line: string): string | null {
  // `includes` is much faster than the regular expressions, and there may be millions of lines.
  if (!line.includes('```') && !line.includes('~~~')) return null;
  FENCE.lastIndex = endOfAll(CONTAINER, line);
  return FENCE.exec(line)?.[1] ?? null;
}

/**
 * Returns true if the line closes the code block. A closing fence has at least as many of the same characters as the
 * opening fence, and nothing else.
 */
export function closesFence(line: string, fence: string): boolean {
  if (!line.includes(fence)) return false;
  const start = endOf(INDENT, line, 0);
  const rest = line.slice(start).trimEnd();
  return rest.length >= fence.length && rest === fence.charAt(0).repeat(rest.length);
}

function endOfAll(mark: RegExp, line: string): number {
  let at = 0;
  for (let end = endOf(mark, line, at); end > at; end = endOf(mark, line, at)) at = end;
  return at;
}

function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(line) ? pattern.lastIndex : from;
}
