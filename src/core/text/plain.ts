/**
 * The one definition of what a person cannot see but a model would read: tag characters, bidi controls, zero-width and
 * filler characters, variation selectors, control characters, noncharacters. All of it goes; what scripts and emoji are
 * drawn with stays.
 *
 * - A zero-width joiner or non-joiner stays after a letter of a script that joins or stacks (`JOINING_LETTER`), one at most;
 *   a joiner also stays between the parts of an emoji.
 * - U+FE0E and U+FE0F stay after an emoji, which they draw as text or as a picture. Other variation selectors go, since
 *   each carries a byte that nobody sees; the character they stand after stays.
 * - Whatever ends a line is `\n`, and a vertical or page space or a Braille cell without a dot is a space: nothing runs
 *   together.
 */

/** Never shown, whatever stands around it; with what is looked at more closely below. */
const UNSEEN =
  '\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb\\u{13430}-\\u{1345f}';
/** Drawn as a space, which `\s` does not know: the Braille cell without a dot. */
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
/** Emoji by name, text to everybody: a selector draws them only inside a keycap, such as 1️⃣. */
const KEYCAP_BASE = /[0-9#*]/;
const KEYCAP = '\u20e3';
const PICTURE = /\p{Extended_Pictographic}/v;
const EMOJI_PART = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/v;

/**
 * Code units to look at: all that are never shown, and halves of characters, as pairs of first and last. A test holds that
 * none is missing. Texts are looked through by a table of them, which takes a tenth of the time of the expressions above.
 */
const SUSPECTS =
  '\0\x08\x0b\x1f\x7f\x9f\xad\xad\u034f\u034f\u061c\u061c\u115f\u1160\u17b4\u17b5\u180b\u180f\u200b\u200f\u2028\u202e\u2060\u206f\u2800\u2800\u3164\u3164\ud800\udfff\ufdd0\ufdef\ufe00\ufe0f\ufeff\ufeff\uffa0\uffa0\ufff0\uffff';
/** All but what texts of ASCII are made of. */
const NOT_ASCII = /[^\t\n -~]/g;
const ASCII_MAX = 0x7e;
const IS_SUSPECT = new Uint8Array(0x10000);
for (let at = 0; at < SUSPECTS.length; at += 2)
  IS_SUSPECT.fill(1, SUSPECTS.charCodeAt(at), SUSPECTS.charCodeAt(at + 1) + 1);

/**
 * `\n` line ends, whole characters, nothing invisible. Linear. Clean text stays as it is, and so do clean texts that are
 * put together: what stands between two visible characters is decided by those two alone, and they are never removed.
 */
export function toPlain(text: string): string {
  const whole = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  if (isPlain(whole)) return whole;
  return withoutInvisible(whole.toWellFormed()).replace(BETWEEN, (run: string, at: number, visible: string) =>
    kept(characterBefore(visible, at), run, characterAt(visible, at + run.length)),
  );
}

/** Whether there is nothing to look at: what is not may be plain all the same. */
export function isPlain(text: string): boolean {
  for (let at = suspectFrom(text, 0); at < text.length; at = suspectFrom(text, at)) {
    const character = characterAt(text, at);
    if (!character.isWellFormed() || ANY.test(character)) return false;
    at += character.length;
  }
  return true;
}

/** Most texts are long runs of ASCII, which an expression passes fastest; other letters come in runs of their own. */
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
 * A JSON value in which every text is plain, including names of members. If two names become equal, they are made
 * different.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'string') return toPlain(value);
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value))
    members.set(unusedName(toPlain(name), members), plainJson(member));
  return Object.fromEntries(members);
}

function unusedName(name: string, used: ReadonlyMap<string, unknown>): string {
  let unused = name;
  for (let number = used.size + 1; used.has(unused); number += 1) unused = `${name} (${number})`;
  return unused;
}

/** What stays of a run that could be kept: a selector, then a joiner. The same again when what stays is asked about. */
function kept(before: string, run: string, after: string): string {
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

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.charAt(at - 1);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Tells lines of code from lines of text, line by line, as CommonMark does (§4.5), in quotes and list items, too. */
export class CodeFences {
  /** The mark that opened the current block of code, or `null` between blocks. */
  open: string | null = null;

  /** Whether the next line is code, or opens or closes a block of it. */
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
 * The marks before a line of Markdown that open blocks: quotes, list items, notes. They are read one at a time: a pattern
 * that repeats a group keeps a place to go back to for each, and a line of nothing but marks is more than the engine holds.
 */
const MARK = /[ \t]*(?:>[ ]?|[-*+][ \t]+(?=\S)|\d{1,9}[.)][ \t]+(?=\S)|\[\^[^\]\s]{1,100}\]:[ \t]+)/y;
const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const BLANK = /[ \t]*/y;
const FENCE = /[ \t]*(`{3,}(?=[^`]*$)|~{3,})/y;
const INDENT = /[\s>]*/y;

/** All of them, with the blanks around them. */
export function blockPrefix(line: string): string {
  return line.slice(0, endOf(BLANK, line, endOfAll(MARK, line)));
}

/** The back-ticks or tildes by which the line opens a block of code, `null` when it opens none. */
export function openingFence(line: string): string | null {
  // Most lines hold none, and there may be millions.
  if (!line.includes('```') && !line.includes('~~~')) return null;
  FENCE.lastIndex = endOfAll(CONTAINER, line);
  return FENCE.exec(line)?.[1] ?? null;
}

/** Whether the line closes a block of code that `fence` opened: at least as many of the same marks, and nothing else. */
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
