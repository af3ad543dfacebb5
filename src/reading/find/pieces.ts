import { KIB } from '#core/limits.ts';
import { LINE_MARKS, LINE_MARK_CODE_MAX } from '#core/text/seen-text.ts';
import type { SearchableChunk } from '#core/text/seen-text.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { headingLevel } from '#core/document/document.ts';

/** A piece of a document that is searched in one step: whole blocks, unless one block is too long. */
export type SearchPiece = {
  firstLine: number;
  lines: readonly string[];
  /** The visible text. A control character (`LINE_MARKS`) before each line shows whether the line begins a block. */
  text: string;
  isAscii: boolean;
  hasWideSpace: boolean;
  /** Line numbers of the headings in the document. */
  headings: readonly number[];
};

/** A line to show. */
export type MatchLine = {
  loc: number;
  raw: string;
  isCode: boolean;
  /** Returns the line without Markdown marks and URLs, with code unchanged. */
  text: () => string;
  /** Level of a heading; 0 for other lines. */
  level: number;
};

/** Maximum characters of a block that continues in the next chunk. A longer block is split there to limit memory. */
const BLOCK_CHARS_MAX = 256 * KIB;

/**
 * Divides the chunks of a document into pieces that are searched in one step each.
 * @param charsMax maximum characters of a piece with several lines
 */
export async function* divideIntoSearchPieces(
  chunks: AsyncIterable<SearchableChunk>,
  charsMax: number,
): AsyncGenerator<SearchPiece> {
  let open: SearchPiece | null = null;
  for await (const { firstLine, lines, seen } of chunks) {
    const headings = seen.headings.map((index) => firstLine + index);
    let piece: SearchPiece = { ...seen, firstLine, lines, headings };
    if (open !== null) {
      const [whole, block] = isJoinMark(seen.text.charAt(0)) ? beforeLastBlock(open) : [open, null];
      if (whole !== null) yield* cut(whole, charsMax);
      if (block !== null && block.text.length > BLOCK_CHARS_MAX) yield* cut(block, charsMax);
      else if (block !== null) piece = joined(block, piece);
    }
    open = piece;
  }
  if (open !== null) yield* cut(open, charsMax);
}

/** Returns one line of a piece. @param index the line's index in the piece */
export function readPieceLine({ firstLine, lines }: SearchPiece, index: number, mark: string): MatchLine {
  const raw = lines[index] ?? '';
  const isCode = mark === LINE_MARKS.raw || isCodeJoinMark(mark);
  const level = mark === LINE_MARKS.heading ? headingLevel(raw) : 0;
  return { loc: firstLine + index, raw, isCode, text: () => (isCode ? raw : visibleText(raw)), level };
}

export function isCodeJoinMark(mark: string): boolean {
  return mark === LINE_MARKS.code || mark === LINE_MARKS.codeUnspaced;
}

/** True if a line with this mark (see `LINE_MARKS`) continues the previous line's block. */
export function isJoinMark(mark: string): boolean {
  return mark >= LINE_MARKS.prose && mark <= LINE_MARKS.codeUnspaced;
}

/** Returns the index in the text at which each line starts, after the line's mark (see `LINE_MARKS`). */
export function findLineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= LINE_MARK_CODE_MAX) starts.push(at + 1);
  return starts;
}

function joined(open: SearchPiece, next: SearchPiece): SearchPiece {
  return {
    firstLine: open.firstLine,
    lines: [...open.lines, ...next.lines],
    text: open.text.trimEnd() + next.text,
    isAscii: open.isAscii && next.isAscii,
    hasWideSpace: open.hasWideSpace || next.hasWideSpace,
    headings: [...open.headings, ...next.headings],
  };
}

/** Splits off the last block of the lines, which may continue in the next chunk. */
function beforeLastBlock(piece: SearchPiece): [SearchPiece | null, SearchPiece | null] {
  const { text, lines } = piece;
  let at = text.length - 1;
  let count = 0;
  for (; at >= 0; at -= 1) {
    if (text.charCodeAt(at) > LINE_MARK_CODE_MAX) continue;
    count += 1;
    if (!isJoinMark(text.charAt(at))) break;
  }
  return at <= 0 ? [null, piece] : splitAt(piece, at, lines.length - count);
}

function splitAt(piece: SearchPiece, at: number, line: number): [SearchPiece, SearchPiece] {
  const { firstLine, lines, text, headings } = piece;
  const loc = firstLine + line;
  const [before, behind] = [headings.filter((one) => one < loc), headings.filter((one) => one >= loc)];
  return [
    { ...piece, lines: lines.slice(0, line), text: text.slice(0, at), headings: before },
    { ...piece, firstLine: loc, lines: lines.slice(line), text: text.slice(at), headings: behind },
  ];
}

/** Cuts a piece of text into smaller ones, between blocks if possible, otherwise between lines. */
function* cut(piece: SearchPiece, charsMax: number): Generator<SearchPiece> {
  let rest = piece;
  while (rest.text.length > charsMax) {
    const { text } = rest;
    const marks = findLineStarts(text).map((start) => start - 1);
    const fitting = Math.max(
      1,
      marks.findLastIndex((at) => at <= charsMax),
    );
    const block = marks.findLastIndex((at, line) => line <= fitting && !isJoinMark(text.charAt(at)));
    const line = block > 0 ? block : fitting;
    const at = marks[line];
    // A single line is never cut, even if it is too long.
    if (at === undefined) break;
    const [first, behind] = splitAt(rest, at, line);
    yield first;
    rest = behind;
  }
  yield rest;
}
