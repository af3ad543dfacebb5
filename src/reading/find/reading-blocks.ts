import { CodeFences } from '#core/text/plain.ts';
import { headingLevel } from '#core/document/document.ts';
import { beginsItem, lineKind } from '#core/text/line-kinds.ts';
import type { LineKind } from '#core/text/line-kinds.ts';
import { visibleText } from '#core/text/visible-text.ts';

/**
 * `text`: without Markdown marks and addresses, but code unchanged. `level`: of a heading, else 0. `isCode`: code or
 * text that keeps its lines.
 */
export type ReadLine = { loc: number; raw: string; text: string; level: number; isCode: boolean };

/** Consecutive sentence lines of one paragraph, lines of code up to a blank one, or any other line alone. */
export type ReadBlock = readonly ReadLine[];

/** Few blocks are longer. A longer one is cut, so that memory stays bounded. */
const BLOCK_LINES_MAX = 200;

/** @param isMarkdown otherwise no line has marks, and each stands alone @param charsMax a longer block is cut between lines */
export async function* readBlocks(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  isMarkdown: boolean,
  charsMax: number,
): AsyncGenerator<ReadBlock> {
  const fences = new CodeFences();
  let block: ReadLine[] = [];
  let chars = 0;
  let before: LineKind = 'blank';
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, raw] of lines.entries()) {
      const kind = isMarkdown ? lineKind(raw, fences) : 'alone';
      const goesOn = kind === before && (kind === 'code' || (kind === 'prose' && !beginsItem(raw)));
      const isFull = block.length >= BLOCK_LINES_MAX || chars + raw.length > charsMax;
      if ((!goesOn || isFull) && block.length > 0) {
        yield block;
        block = [];
        chars = 0;
      }
      chars += raw.length;
      before = kind;
      if (kind === 'blank') continue;
      const isCode = kind === 'code';
      const text = isCode || kind === 'alone' ? raw : visibleText(raw);
      block.push({ loc: firstLine + offset, raw, text, level: kind === 'heading' ? headingLevel(raw) : 0, isCode });
    }
  }
  if (block.length > 0) yield block;
}

const NOT_ASCII = /[^\x00-\x7f]/;
const QUOTES = /[\u2018-\u201b\u02bc\u2032\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
const SOFT_HYPHEN = /\u00ad/g;
/** Excludes single blanks, which most white space is: replacing them would only cost time. */
const SPACE = /\s{2,}|[^\S ]/g;
/** Scripts without spaces between words: a space there is style, or was the end of a line. */
const UNSPACED = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}。！？]';
const FREE_SPACE = new RegExp(`(?<=${UNSPACED}) | (?=${UNSPACED})`, 'gu');
const BESIDE_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');

/** Makes case, width, ligatures and look-alike quotes, dashes and spaces equal. */
export function foldForSearch(text: string): string {
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

export function needsSpace(before: string, after: string): boolean {
  const first = String.fromCodePoint(after.codePointAt(0) ?? 32);
  return !BESIDE_UNSPACED.test(before.slice(-2)) && !BESIDE_UNSPACED.test(first);
}

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
    length += foldForSearch(character).length;
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
