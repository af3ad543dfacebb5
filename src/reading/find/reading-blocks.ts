import { CodeFences } from '#core/text/plain.ts';
import { headingLevel } from '#core/document.ts';
import { visibleText } from '#core/text/visible-text.ts';

/** A line as it is read: without Markdown marks and addresses; code as it stands. `level`: of a heading, else 0. */
export type ReadLine = { loc: number; raw: string; text: string; level: number };

/** Lines that are one block of prose, cut at its sentences; any other line alone. */
export type ReadBlock = readonly ReadLine[];

type Kind = 'code' | 'blank' | 'heading' | 'row' | 'mark' | 'prose';

/** A line of our own that says what begins there: a page, or the rest. */
export const MARK = /^<!-- .* -->$/;
const ROW = /^[\s>]*\|/;
const ITEM = /^[\s>]*(?:[-*+]|\d{1,9}[.)]|\[\^[^\]\s]{1,100}\]:)\s/;
/** A block has few lines; one without end is cut here, so that memory stays flat. */
const BLOCK_LINES_MAX = 200;

/**
 * Puts the lines of a document together again as they are read. `isMarkdown`: otherwise each line is what it says.
 * `charsMax`: a block that would be longer is cut before the line that goes over; a line is whole.
 */
export async function* readBlocks(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  isMarkdown: boolean,
  charsMax: number,
): AsyncGenerator<ReadBlock> {
  const fences = new CodeFences();
  let block: ReadLine[] = [];
  let chars = 0;
  let before: Kind = 'blank';
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, raw] of lines.entries()) {
      const kind = isMarkdown ? kindOf(raw, fences) : 'code';
      const goesOn = kind === 'prose' && before === 'prose' && !ITEM.test(raw);
      const isFull = block.length >= BLOCK_LINES_MAX || chars + raw.length > charsMax;
      if ((!goesOn || isFull) && block.length > 0) {
        yield block;
        block = [];
        chars = 0;
      }
      chars += raw.length;
      before = kind;
      if (kind === 'blank') continue;
      const text = kind === 'code' ? raw : visibleText(raw);
      block.push({ loc: firstLine + offset, raw, text, level: kind === 'heading' ? headingLevel(raw) : 0 });
    }
  }
  if (block.length > 0) yield block;
}

function kindOf(line: string, fences: CodeFences): Kind {
  if (fences.take(line)) return 'code';
  if (/^[\s>]*$/.test(line)) return 'blank';
  if (headingLevel(line) > 0) return 'heading';
  if (MARK.test(line)) return 'mark';
  return ROW.test(line) ? 'row' : 'prose';
}

const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const SOFT_HYPHEN = /\u00ad/g;
/** All but a single blank, which most space is. */
const SPACE = /\s{2,}|[^\S ]/g;
/** Written without spaces between words: where there is one, it is a matter of style, or was the end of a line. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}。！？]';
const FREE_SPACE = new RegExp(`(?<=${UNSPACED}) | (?=${UNSPACED})`, 'gu');
const BESIDE_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/**
 * Text in the form in which literal patterns are compared: case, width, ligatures, quotes, dashes and spaces that look or
 * mean the same are the same.
 */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower.replace(SPACE, ' ');
  return lower
    .normalize('NFKC')
    .replace(QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, '-')
    .replace(SOFT_HYPHEN, '')
    .replace(SPACE, ' ')
    .replace(FREE_SPACE, '');
}

/** Whether a space between two texts says anything. */
export function needsSpace(before: string, after: string): boolean {
  const first = String.fromCodePoint(after.codePointAt(0) ?? 32);
  return !BESIDE_UNSPACED.test(before.slice(-2)) && !BESIDE_UNSPACED.test(first);
}

/** Where in `text` the place `at` of its folded form stands, give or take a combining mark. */
export function unfoldedIndex(text: string, at: number): number {
  if (!NOT_ASCII.test(text) && !/\s{2}/.test(text)) return at;
  let length = 0;
  let before = '';
  let gap: number | null = null;
  for (const [index, character] of indexed(text)) {
    if (/\s/.test(character)) {
      gap ??= index;
      continue;
    }
    if (gap !== null && needsSpace(before, character)) {
      if (length >= at) return gap;
      length += 1;
    }
    if (length >= at) return index;
    length += folded(character).length;
    before = character;
    gap = null;
  }
  return gap ?? text.length;
}

function* indexed(text: string): Generator<[number, string]> {
  let index = 0;
  for (const character of text) {
    yield [index, character];
    index += character.length;
  }
}
