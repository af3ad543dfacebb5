import { openingFence } from './plain.ts';
import { LINK_CHARS_MAX } from '#core/limits.ts';

const MARKS = /[\\`*_[\]<~|#>+\-\d]/;
export const TABLE_DELIMITER_ROW = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const BLOCK_MARKS = /^\s*(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+|#{1,6}(?:\s+|$)|\[[ xX]\]\s+)+/;
export const HORIZONTAL_RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
export const KEPT_HTML_TAG = /^<(?:\/?(?:su[bp]|code)|br)>/;
const LINE_BREAK = '<br>';
export const INLINE_HTML_TAG_CHARS_MAX = 7;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
/**
 * Matches white space that must be replaced by a single space. Single spaces, the most common white space, are skipped.
 */
const WIDE_SPACE = /\s{2,}|[^\S ]/gu;
const INLINE_MARKS = /[\\`[\]<!*_~|]/g;
export const BACKTICK_RUN_CHARS_MAX = 300;
export const LINK_TARGET_CHARS_MAX = LINK_CHARS_MAX + BACKTICK_RUN_CHARS_MAX;

/**
 * Returns the visible text of a Markdown line outside code blocks. Links lose their URL. Marks of headings, lists,
 * tables, emphasis and code are removed. Code fences, the rule below a table's head and horizontal rules have no
 * visible text. It takes linear time.
 */
export function visibleText(line: string): string {
  return visibleTextWithMarks(line, { strike: '', raised: '', lowered: '' });
}

/** Texts to write for a mark of struck-out text, and before a superscript and a subscript. */
type ShownMarks = { strike: string; raised: string; lowered: string };

function visibleTextWithMarks(line: string, marks: ShownMarks): string {
  if (!MARKS.test(line)) return line.trim();
  if (openingFence(line) !== null || TABLE_DELIMITER_ROW.test(line) || HORIZONTAL_RULE.test(line)) return '';
  const text = line.replace(BLOCK_MARKS, '').trimEnd();
  const seen = withoutInlineMarks(text, text.startsWith('|'), marks);
  return seen.replace(WIDE_SPACE, ' ').trim();
}

export const STRIKE_MARK = '~~';
const SUPERSCRIPT = '<sup>';
const SUBSCRIPT = '<sub>';

/**
 * Returns the text of a Markdown line to show in a result: the visible text, in which `~~` marks struck-out text and
 * `^` begins a superscript. Without these marks, withdrawn text would look valid, and 10² would look like 102.
 * @param strike text to write instead of `~~`
 */
export function readableText(line: string, strike = STRIKE_MARK): string {
  return visibleTextWithMarks(line, { strike, raised: '^', lowered: '' });
}

/** Returns the visible text of a Markdown line, with `^` before each superscript and `_` before each subscript. */
export function textWithScripts(line: string): string {
  return visibleTextWithMarks(line, { strike: '', raised: '^', lowered: '_' });
}

function withoutInlineMarks(text: string, isRow: boolean, { strike, raised, lowered }: ShownMarks): string {
  const out: string[] = [];
  const brackets: number[] = [];
  const addressEnds = text.includes('](') ? matchParentheses(text) : new Map<number, number>();
  for (let at = 0; at < text.length;) {
    const next = findInlineMark(text, at);
    if (next > at) out.push(text.slice(at, next));
    if (next === text.length) break;
    at = next;
    const mark = text.charAt(at);
    if (mark === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) {
      out.push(text.charAt(at + 1));
      at += 2;
    } else if (mark === '\\' && at + 1 === text.length) {
      // A backslash at the end of the line is a Markdown line break, so it is not shown.
      at += 1;
    } else if (mark === '`') {
      at = pushCode(text, at, isRow, out);
    } else if (mark === '[') {
      brackets.push(out.length);
      out.push(mark);
      at += 1;
    } else if (mark === ']') {
      at = pushBracketEnd(at, text.charAt(at + 1) === '(' ? addressEnds.get(at + 1) : undefined, brackets, out);
    } else if (mark === '<' && KEPT_HTML_TAG.test(text.slice(at, at + INLINE_HTML_TAG_CHARS_MAX))) {
      if (text.startsWith(LINE_BREAK, at)) out.push(' ');
      else if (text.startsWith(SUPERSCRIPT, at)) out.push(raised);
      else if (text.startsWith(SUBSCRIPT, at)) out.push(lowered);
      at = text.indexOf('>', at) + 1;
    } else {
      const isMarkup = isInvisibleMarkup(text, at, isRow);
      const isStrike = isMarkup && text.startsWith(STRIKE_MARK, at);
      out.push(isMarkup ? (mark === '|' ? ' ' : isStrike ? strike : '') : mark);
      at += isStrike ? STRIKE_MARK.length : 1;
    }
  }
  return out.join('');
}

export function findInlineMark(text: string, from: number): number {
  INLINE_MARKS.lastIndex = from;
  return INLINE_MARKS.exec(text)?.index ?? text.length;
}

/**
 * Appends a code span, which ends with the same number of backticks that began it. In the code of a table row, GFM
 * writes a bar as `\|`.
 */
function pushCode(text: string, at: number, isRow: boolean, out: string[]): number {
  const ticks = /^`+/.exec(text.slice(at, at + BACKTICK_RUN_CHARS_MAX))?.[0] ?? '`';
  const from = at + ticks.length;
  const end = text.indexOf(ticks, from);
  if (end < 0) {
    out.push(ticks);
    return from;
  }
  const code = text.slice(from, end);
  out.push(isRow ? code.replaceAll('\\|', '|') : code);
  return end + ticks.length;
}

function pushBracketEnd(at: number, addressEnd: number | undefined, brackets: number[], out: string[]): number {
  const opened = brackets.pop();
  const isAddress = addressEnd !== undefined && addressEnd - at <= LINK_TARGET_CHARS_MAX;
  if (opened === undefined || !isAddress) {
    out.push(']');
    return at + 1;
  }
  out[opened] = '';
  if (opened > 0 && out[opened - 1] === '!') out[opened - 1] = '';
  return addressEnd;
}

/** Returns for each opening parenthesis the index after its closing parenthesis. */
export function matchParentheses(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (let at = text.indexOf('('); at >= 0 && at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '(') open.push(at);
    else if (character === ')') ends.set(open.pop() ?? -1, at + 1);
  }
  return ends;
}

/**
 * Returns true if the line has no other star. Each of the two searches stops at the nearest star, so a line full of
 * stars takes linear time.
 */
function isAlone(text: string, at: number): boolean {
  return !text.includes('*', at + 1) && text.lastIndexOf('*', at - 1) < 0;
}

/**
 * Returns true for characters of emphasis, strikethrough and table bars. A star or underscore between spaces is plain
 * text, and so is a single tilde. An underscore inside a word (`snake_case`) is plain text, and so is a line's only
 * star if it is inside a word.
 */
export function isInvisibleMarkup(text: string, at: number, isRow: boolean): boolean {
  const mark = text.charAt(at);
  if (mark === '|') return isRow;
  if (mark === '~') return text.charAt(at + 1) === '~' || text.charAt(at - 1) === '~';
  if (mark !== '*' && mark !== '_') return false;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  // An underscore next to a brace is a subscript of TeX, as in `x_{1}`.
  if (mark === '_' && (after === '{' || before === '}')) return false;
  if (/^\s?$/.test(before) && /^\s?$/.test(after)) return false;
  const isWithinWord = WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after);
  return !isWithinWord || (mark === '*' && !isAlone(text, at));
}
