import { PROSE_LINE_CHARS_MAX } from './limits.ts';
import { identityOf } from './extractor.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { escapeInline, escapeLineStart, codeBlockOfLines } from './escape.ts';
import { toLines } from './lines/lines.ts';
import { toPlain } from '#core/text/plain.ts';
import { inShares, noPause } from '#core/flow/turns.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';

/** If more lines than this are longer than a screen is wide, the paragraphs are not wrapped. */
const LONG_LINES_SHARE_MIN = 0.05;
const CODE_PATH = /\.([a-z0-9+]{1,12})$/i;
const PROSE_ENDINGS = new Set(['txt', 'text', 'asc', 'log', 'html', 'htm', 'php', 'aspx']);

/**
 * Plain text. Text that is wrapped, code and columns keep every line inside a code block. Text whose paragraphs are
 * single long lines becomes prose.
 */
export const textExtractor: Extractor = { id: 'text', version: '2', extract: extractText };

async function extractText(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const source = trimBlank(toPlain(input.text).split('\n'));
  await pause();
  const language = languageOf(input.url);
  const prose = language === '' && isProse(source);
  const markdown = prose ? source.map(proseLine) : codeBlockOfLines(source, language);
  await pause();
  const { lines, cuts } = await inShares(toLines(source.length === 0 ? [] : markdown), pause);
  return {
    title: null,
    language: null,
    lines,
    extractor: identityOf(textExtractor),
    cuts,
    explanation: { strategy: prose ? 'prose' : 'fence', candidates: [] },
  };
}

function trimBlank(lines: string[]): string[] {
  let start = 0;
  let end = lines.length;
  while (start < end && (lines[start] ?? '').trim() === '') start += 1;
  while (end > start && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return lines.slice(start, end);
}

function isProse(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  const long = filled.filter((line) => line.length > PROSE_LINE_CHARS_MAX && line.includes(' '));
  return long.length > filled.length * LONG_LINES_SHARE_MIN;
}

function proseLine(line: string): string {
  const text = escapeLineStart(escapeInline(line.trim(), { inLink: false, inCell: false }));
  return text === '' ? '' : `${text}\n`.trimEnd();
}

/** The language of a raw source file, by its name; empty for other files. */
function languageOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  const ending = CODE_PATH.exec(path)?.[1]?.toLowerCase() ?? '';
  return PROSE_ENDINGS.has(ending) ? '' : ending;
}

/** Characters of a heading that are read. Marks and link targets are not part of a title. */
const HEADING_CHARS_MAX = 4_000;
const HEADING = /^#{1,2}[ \t]+(?=\S)/;
const CLOSING_MARKS = /(?<!#)#+$/;
const FRONT_MATTER_TITLE = /^title:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*))$/;
const MARKS = /[*_`]+|!?\[([^\]]*)\]\([^)]*\)/g;
/** A title that comes later is not a title. */
const TITLE_LINES_MAX = 60;

/** Markdown as the server sent it, without invisible characters. */
export const markdownExtractor: Extractor = { id: 'markdown', version: '2', extract: extractMarkdown };

async function extractMarkdown(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const source = toPlain(input.text).split('\n');
  await pause();
  const { lines, cuts } = await inShares(toLines(source), pause);
  return {
    title: titleOf(source),
    language: null,
    lines,
    extractor: identityOf(markdownExtractor),
    cuts,
    explanation: { strategy: 'as served', candidates: [] },
  };
}

function titleOf(source: readonly string[]): string | null {
  const top = source.slice(0, TITLE_LINES_MAX);
  if (top[0]?.trim() === '---') {
    for (const line of top) {
      const match = FRONT_MATTER_TITLE.exec(line);
      const title = match?.[1] ?? match?.[2] ?? match?.[3];
      if (title !== undefined && title.trim() !== '') return oneLine(title, TITLE_CHARS_MAX);
    }
  }
  for (const line of top) {
    const marks = HEADING.exec(line)?.[0];
    if (marks === undefined) continue;
    const heading = line.slice(marks.length, HEADING_CHARS_MAX).trimEnd().replace(CLOSING_MARKS, '').trimEnd();
    if (heading !== '') return oneLine(heading.replace(MARKS, '$1'), TITLE_CHARS_MAX);
  }
  return null;
}
