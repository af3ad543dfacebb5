import { CodeFences } from './plain.ts';
import { foldForSearch, needsSpace } from './fold.ts';
import { beginsItem, lineKind } from './line-kinds.ts';
import type { LineKind } from './line-kinds.ts';
import { visibleText } from './visible-text.ts';

/**
 * What stands before each line in a {@link SeenText}: control characters, which no document has. A block is consecutive
 * sentence lines of one paragraph, lines of code up to a blank one, or any other line alone. `raw`: a line that begins a
 * block and has no marks to take away. The last four go on with the block of the line before; where a language puts no
 * spaces between words, lines are joined without one (`Unspaced`).
 */
export const LINE_MARKS = {
  block: '\u0001',
  heading: '\u0002',
  raw: '\u0003',
  prose: '\u0004',
  proseUnspaced: '\u0005',
  code: '\u0006',
  codeUnspaced: '\u0007',
} as const;
/** Code of the last of them: whatever is greater belongs to a line. */
export const LINE_MARK_MAX = 7;

/**
 * Consecutive lines as a reader sees them: without Markdown marks and addresses, but code unchanged. It is made once, so
 * that a search goes through one string.
 */
export type SeenText = {
  /** Each line behind its mark. */
  text: string;
  isAscii: boolean;
  /** It has white space other than single blanks. */
  hasWideSpace: boolean;
  /** Which of the lines are headings, from 0. */
  headings: readonly number[];
  /** What the lines behind need to know. */
  end: SeenEnd;
};

export type SeenEnd = { fence: string | null; kind: LineKind; blockLines: number; lastChars: string };

export const SEEN_START: SeenEnd = { fence: null, kind: 'blank', blockLines: 0, lastChars: '' };

export type SeenChunk = { firstLine: number; lines: readonly string[]; seen: SeenText };

/** Few blocks are longer. A longer one is cut, so that memory stays bounded. */
const BLOCK_LINES_MAX = 200;
const LINE_MARK = /[\u0001-\u0007]/g;
const NOT_ASCII = /[^\x00-\x7f]/;
const WIDE_SPACE = /\s{2}|[^\S ]/;
/** Ends of lines that decide about the space between them. */
const END_CHARS = 4;

/** @param isMarkdown otherwise no line has marks, and each stands alone */
export function seenText(lines: readonly string[], isMarkdown: boolean, before: SeenEnd): SeenText {
  const fences = new CodeFences();
  fences.open = before.fence;
  let { kind: last, blockLines } = before;
  const parts: string[] = [];
  const headings: number[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = isMarkdown ? lineKind(line, fences) : 'alone';
    const isOfBlock = kind === last && (kind === 'code' || (kind === 'prose' && !beginsItem(line)));
    const goesOn = isOfBlock && blockLines < BLOCK_LINES_MAX;
    blockLines = goesOn ? blockLines + 1 : 1;
    last = kind;
    if (kind === 'heading') headings.push(index);
    const text = withoutMarks(seenLine(line, kind));
    if (!goesOn) parts.push(markOf(kind), text);
    else {
      const above = parts.pop()?.trimEnd();
      const rest = text.trimStart();
      const join = joinOf(kind, above ?? before.lastChars, rest);
      parts.push(...(above === undefined ? [] : [above]), join, rest);
    }
  }
  const text = parts.join('');
  return {
    text,
    isAscii: !NOT_ASCII.test(text),
    hasWideSpace: WIDE_SPACE.test(text),
    headings,
    end: { fence: fences.open, kind: last, blockLines, lastChars: parts.at(-1)?.trimEnd().slice(-END_CHARS) ?? '' },
  };
}

/** The same, chunk by chunk. */
export async function* seenChunks(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  isMarkdown: boolean,
): AsyncGenerator<SeenChunk> {
  let end = SEEN_START;
  for await (const { firstLine, lines } of chunks) {
    const seen = seenText(lines, isMarkdown, end);
    end = seen.end;
    yield { firstLine, lines, seen };
  }
}

function seenLine(line: string, kind: LineKind): string {
  if (kind === 'blank') return '';
  return kind === 'code' || kind === 'alone' ? line : visibleText(line);
}

function withoutMarks(text: string): string {
  return text.search(LINE_MARK) < 0 ? text : text.replace(LINE_MARK, ' ');
}

function markOf(kind: LineKind): string {
  if (kind === 'heading') return LINE_MARKS.heading;
  return kind === 'code' || kind === 'alone' ? LINE_MARKS.raw : LINE_MARKS.block;
}

function joinOf(kind: LineKind, above: string, line: string): string {
  const ends = above.slice(-END_CHARS);
  const begins = line.slice(0, END_CHARS);
  const isSpaced = !NOT_ASCII.test(ends + begins) || needsSpace(foldForSearch(ends), foldForSearch(begins));
  if (kind === 'code') return isSpaced ? LINE_MARKS.code : LINE_MARKS.codeUnspaced;
  return isSpaced ? LINE_MARKS.prose : LINE_MARKS.proseUnspaced;
}
