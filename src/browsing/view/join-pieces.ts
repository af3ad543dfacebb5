import { STRIKE_MARK } from '#core/text/visible-text.ts';
import { oneLine } from '#core/text/text.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { VIEW_LINE_BREAK_CHARS } from './limits.ts';
import { writeParts } from './view-line.ts';
import type { LinePart } from './view-line.ts';
import { sanitizeInlineText } from './words.ts';

/**
 * Page text, or an element inside that text. Several pieces form one line of a view. `unread`: number of characters that
 * follow the text and were not read.
 */
export type OutlinePiece = { text: string; unread?: number } | { element: AxElement };

const ENDS_WORD = /[\p{Ll}\p{N})\]!?.:%]$/u;
const STARTS_WORD = /^[\p{Lu}\p{N}]/u;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** True if the text between the elements contains letters or digits, as opposed to separators such as "|". */
export function hasLettersOrDigits(pieces: readonly OutlinePiece[]): boolean {
  return pieces.some((piece) => 'text' in piece && HAS_WORD.test(piece.text));
}

/**
 * Joins pieces into a line. A line longer than `VIEW_LINE_BREAK_CHARS` breaks before the next element. Text beyond `maxChars`
 * is only counted; elements are never omitted.
 * @param inline renders an element
 */
export function joinPiecesIntoLines(
  pieces: readonly OutlinePiece[],
  maxChars: number,
  inline: (element: AxElement) => LinePart,
): LinePart[][] {
  const joined = new JoinedLines(maxChars);
  for (const piece of pieces) {
    if ('element' in piece) joined.element(inline(piece.element));
    else if (piece.text === STRIKE_MARK) joined.strikeMark();
    else joined.text(sanitizeInlineText(piece.text), piece.unread ?? 0);
  }
  return joined.finish();
}

class JoinedLines {
  readonly #lines: LinePart[][] = [];
  #parts: LinePart[] = [];
  /** The line's text so far, which `#parts` also contains in pieces. */
  #line = '';
  #left: number;
  #omitted = 0;
  /** True if the last written mark begins struck-out text. */
  #isStruck = false;

  constructor(maxChars: number) {
    this.#left = maxChars;
  }

  element(part: LinePart): void {
    if (this.#line.length > VIEW_LINE_BREAK_CHARS) {
      this.#lines.push(trimmed(this.#parts));
      this.#parts = [];
      this.#line = '';
    }
    if (needsSpace(this.#line)) this.#add(' ');
    if (typeof part === 'string') this.#add(part);
    else {
      this.#parts.push(part);
      this.#line += writeParts([part]);
    }
  }

  /** Begins or ends struck-out text. A begun one also ends if its text was cut. */
  strikeMark(): void {
    if (this.#left <= 0 && !this.#isStruck) return;
    this.#isStruck = !this.#isStruck;
    this.#add(STRIKE_MARK);
  }

  text(words: string, unread: number): void {
    this.#omitted += unread;
    if (words.trim() === '') {
      if (words !== '' && this.#line !== '' && !this.#line.endsWith(' ')) this.#add(' ');
      return;
    }
    if (this.#left <= 0) {
      this.#omitted += words.length;
      return;
    }
    const isCut = this.#left < words.length;
    const shown = isCut ? (words.startsWith(' ') ? ' ' : '') + oneLine(words, this.#left) : words;
    this.#omitted += Math.max(0, words.length - this.#left);
    this.#left -= words.length;
    this.#add((runsTogether(this.#line, shown) ? ' ' : '') + (this.#line.endsWith(' ') ? shown.trimStart() : shown));
  }

  /** Ends the last line with the number of omitted characters and the tool that reads them. */
  finish(): LinePart[][] {
    const note = this.#omitted === 0 ? [] : [` (+${this.#omitted} characters: browser_read)`];
    return [...this.#lines, [...trimmed(this.#parts), ...note]];
  }

  #add(words: string): void {
    const before = this.#parts.at(-1);
    if (typeof before === 'string') this.#parts.splice(-1, 1, before + words);
    else this.#parts.push(words);
    this.#line += words;
  }
}

/** Line parts without white space at the start and end of the line. */
function trimmed(parts: readonly LinePart[]): LinePart[] {
  const last = parts.length - 1;
  const trim = (part: LinePart, at: number) => {
    if (typeof part !== 'string') return part;
    const words = at === 0 ? part.trimStart() : part;
    return at === last ? words.trimEnd() : words;
  };
  return parts.map(trim).filter((part) => part !== '');
}

function needsSpace(line: string): boolean {
  return line !== '' && !OPENS.has(line.charAt(line.length - 1));
}

/** Characters after which no space is added before an element. */
const OPENS: ReadonlySet<string> = new Set(' \n\t(“‘[«');

/**
 * True for adjacent texts that only CSS separates, such as "Alice" and "3 min", which would otherwise read "Alice3
 * min".
 */
function runsTogether(before: string, after: string): boolean {
  if (before.endsWith(']')) return HAS_WORD.test(after.charAt(0));
  // Tests the last two code units, which contain the last character. A test of the whole line would be slow.
  return ENDS_WORD.test(before.slice(-2)) && STARTS_WORD.test(after);
}
