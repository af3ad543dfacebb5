import { KIB } from '#core/limits.ts';
import { LINE_MARKS, LINE_MARK_MAX } from '#core/text/seen-text.ts';
import type { SeenChunk } from '#core/text/seen-text.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { headingLevel } from '#core/document/document.ts';

/** Lines that are searched together: no block goes on behind them, unless it is too long for one piece. */
export type Piece = {
  firstLine: number;
  lines: readonly string[];
  /** The lines as they are seen, each behind its mark, as in a `SeenText`. */
  text: string;
  isAscii: boolean;
  hasWideSpace: boolean;
  /** Lines of the document that are headings. */
  headings: readonly number[];
};

/** `text`: without Markdown marks and addresses, but code unchanged. `level`: of a heading, else 0. */
export type ReadLine = { loc: number; raw: string; isCode: boolean; text: () => string; level: number };

/** A longer block does not go on in the next chunk, so that memory stays bounded. */
const BLOCK_CHARS_MAX = 256 * KIB;

/** @param charsMax a longer piece is cut between lines, if it has several */
export async function* readPieces(chunks: AsyncIterable<SeenChunk>, charsMax: number): AsyncGenerator<Piece> {
  let open: Piece | null = null;
  for await (const { firstLine, lines, seen } of chunks) {
    const headings = seen.headings.map((index) => firstLine + index);
    let piece: Piece = { ...seen, firstLine, lines, headings };
    if (open !== null) {
      const [whole, block] = isJoin(seen.text.charAt(0)) ? beforeLastBlock(open) : [open, null];
      if (whole !== null) yield* cut(whole, charsMax);
      if (block !== null && block.text.length > BLOCK_CHARS_MAX) yield* cut(block, charsMax);
      else if (block !== null) piece = joined(block, piece);
    }
    open = piece;
  }
  if (open !== null) yield* cut(open, charsMax);
}

/** The line of that number in the piece, from 0. */
export function lineOf({ firstLine, lines }: Piece, index: number, mark: string): ReadLine {
  const raw = lines[index] ?? '';
  const isCode = mark === LINE_MARKS.raw || isCodeJoin(mark);
  const level = mark === LINE_MARKS.heading ? headingLevel(raw) : 0;
  return { loc: firstLine + index, raw, isCode, text: () => (isCode ? raw : visibleText(raw)), level };
}

export function isCodeJoin(mark: string): boolean {
  return mark === LINE_MARKS.code || mark === LINE_MARKS.codeUnspaced;
}

/** Whether the line behind this mark belongs to the block of the line before. */
export function isJoin(mark: string): boolean {
  return mark >= LINE_MARKS.prose && mark <= LINE_MARKS.codeUnspaced;
}

/** Where each line begins in the text, behind its mark. */
export function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= LINE_MARK_MAX) starts.push(at + 1);
  return starts;
}

function joined(open: Piece, next: Piece): Piece {
  return {
    firstLine: open.firstLine,
    lines: [...open.lines, ...next.lines],
    text: open.text.trimEnd() + next.text,
    isAscii: open.isAscii && next.isAscii,
    hasWideSpace: open.hasWideSpace || next.hasWideSpace,
    headings: [...open.headings, ...next.headings],
  };
}

/** The last block may go on in the next chunk. */
function beforeLastBlock(piece: Piece): [Piece | null, Piece | null] {
  const { text, lines } = piece;
  let at = text.length - 1;
  let count = 0;
  for (; at >= 0; at -= 1) {
    if (text.charCodeAt(at) > LINE_MARK_MAX) continue;
    count += 1;
    if (!isJoin(text.charAt(at))) break;
  }
  return at <= 0 ? [null, piece] : splitAt(piece, at, lines.length - count);
}

function splitAt(piece: Piece, at: number, line: number): [Piece, Piece] {
  const { firstLine, lines, text, headings } = piece;
  const loc = firstLine + line;
  const [before, behind] = [headings.filter((one) => one < loc), headings.filter((one) => one >= loc)];
  return [
    { ...piece, lines: lines.slice(0, line), text: text.slice(0, at), headings: before },
    { ...piece, firstLine: loc, lines: lines.slice(line), text: text.slice(at), headings: behind },
  ];
}

/** Between blocks where possible, else between lines. */
function* cut(piece: Piece, charsMax: number): Generator<Piece> {
  let rest = piece;
  while (rest.text.length > charsMax) {
    const { text } = rest;
    const marks = lineStarts(text).map((start) => start - 1);
    const fitting = Math.max(
      1,
      marks.findLastIndex((at) => at <= charsMax),
    );
    const block = marks.findLastIndex((at, line) => line <= fitting && !isJoin(text.charAt(at)));
    const line = block > 0 ? block : fitting;
    const at = marks[line];
    // A single line is never cut.
    if (at === undefined) break;
    const [first, behind] = splitAt(rest, at, line);
    yield first;
    rest = behind;
  }
  yield rest;
}
