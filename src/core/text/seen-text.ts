import { CodeFences } from './plain.ts';
import { foldForSearch, needsSpaceBetween } from './fold.ts';
import { beginsListItem, lineKind } from './line-kinds.ts';
import type { LineKind } from './line-kinds.ts';
import { visibleText } from './visible-text.ts';

/**
 * Control characters, which no document contains, before each line of a {@link SearchableText}. `block`, `heading` and
 * `raw` (not Markdown) begin a new block: a paragraph, a run of code lines, or another single line. `prose` and `code`
 * join a line to the block above with a space. The `Unspaced` marks join it without a space, as in Chinese.
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
/** The largest character code of a line mark. Characters with larger codes are text. */
export const LINE_MARK_CODE_MAX = 7;

/**
 * Consecutive lines as visible text: without Markdown marks and link URLs, but with code unchanged. A search scans the
 * lines as one string.
 */
export type SearchableText = {
  text: string;
  isAscii: boolean;
  /** True if the text has white space other than single spaces. */
  hasWideSpace: boolean;
  headings: readonly number[];
  end: SeenEnd;
};

type SeenEnd = { fence: string | null; kind: LineKind; blockLines: number; lastChars: string };

export const SEARCHABLE_START: SeenEnd = { fence: null, kind: 'blank', blockLines: 0, lastChars: '' };

export type SearchableChunk = { firstLine: number; lines: readonly string[]; seen: SearchableText };

/** Maximum lines of a block. Longer blocks, which are rare, are split to limit memory. */
const BLOCK_LINES_MAX = 200;
const LINE_MARK = /[\u0001-\u0007]/g;
const NOT_ASCII = /[^\x00-\x7f]/;
const WIDE_SPACE = /\s{2}|[^\S ]/;
/**
 * Number of characters at the end of a line that decide whether a space follows. After Chinese, for example, no space
 * is needed.
 */
const END_CHARS = 4;

/**
 * Converts lines to searchable text.
 * @param isMarkdown false for plain text: no line has Markdown marks, and each line is its own block
 * @param before the state after the previous lines, because their code block or paragraph may continue
 */
export function toSearchableText(lines: readonly string[], isMarkdown: boolean, before: SeenEnd): SearchableText {
  const fences = new CodeFences();
  fences.open = before.fence;
  let { kind: last, blockLines } = before;
  const parts: string[] = [];
  const headings: number[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = isMarkdown ? lineKind(line, fences) : 'alone';
    const isOfBlock = kind === last && (kind === 'code' || (kind === 'prose' && !beginsListItem(line)));
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

export async function* toSearchableChunks(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  isMarkdown: boolean,
): AsyncGenerator<SearchableChunk> {
  let end = SEARCHABLE_START;
  for await (const { firstLine, lines } of chunks) {
    const seen = toSearchableText(lines, isMarkdown, end);
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
  const isSpaced = !NOT_ASCII.test(ends + begins) || needsSpaceBetween(foldForSearch(ends), foldForSearch(begins));
  if (kind === 'code') return isSpaced ? LINE_MARKS.code : LINE_MARKS.codeUnspaced;
  return isSpaced ? LINE_MARKS.prose : LINE_MARKS.proseUnspaced;
}
