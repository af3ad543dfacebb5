import { PROSE_LINE_CHARS_MAX } from './limits.ts';
import { extractorVersion } from './extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from './extractor.ts';
import { codeBlockOfLines, escapeInline, escapeLineStart, PLAIN_CONTEXT } from './escape.ts';
import { splitCitableLines } from './lines/lines.ts';
import { showTerminalOutput, withoutEscapes } from './terminal-output.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';

/** Minimum share of very long lines in a text with one line per paragraph, as opposed to hard-wrapped lines. */
const LONG_LINES_SHARE_MIN = 0.05;
const CODE_PATH = /\.([a-z0-9+]{1,12})$/i;
const PROSE_ENDINGS = new Set(['txt', 'text', 'asc', 'log', 'html', 'htm', 'php', 'aspx']);

/**
 * Extracts plain text. Text with one line per paragraph becomes prose. RFCs and similar texts get headings, with code
 * blocks between them. All other text, such as code, columns or hard-wrapped lines, becomes one code block with the
 * same lines.
 */
export const textExtractor: Extractor = { id: 'text', version: '5', extract: extractText };

/**
 * Shows a recording of a terminal. A file in which the screen is cleared keeps all of its text, as does one whose lines
 * end with carriage returns.
 */
function showLog(text: string): string {
  if (!text.includes('\x1b[')) return text;
  return /\x1b\[[23]J/.test(text) || !text.includes('\n') ? withoutEscapes(text) : showTerminalOutput(text);
}

async function extractText(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const shown = showLog(input.text);
  const source = trimBlank(sanitizeText(shown).split('\n'));
  await pause();
  const language = languageOf(input.url);
  const prose = language === '' && isProse(source);
  const headings = prose || language !== '' ? [] : headingsIn(source);
  const markdown = prose
    ? source.map(proseLine)
    : headings.length > 0
      ? withHeadings(source, headings)
      : codeBlockOfLines(source, language);
  await pause();
  const { lines, cuts } = await runWithPauses(splitCitableLines(source.length === 0 ? [] : markdown), pause);
  return {
    title: null,
    language: null,
    lines,
    extractor: extractorVersion(textExtractor),
    cuts,
    explanation: { strategy: prose ? 'prose' : headings.length > 0 ? 'sections' : 'fence', candidates: [] },
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

type SectionLine = { line: number; level: number };

/** Matches a numbered heading that is not indented, such as `4.1. Methods` or `A.2. Grammar`. */
const NUMBERED = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,5})\.?[ \t]{1,4}\S.{0,100}$/;
/** Matches an unnumbered heading of an RFC (RFC 7322 §4), such as `Abstract`. */
const NAMED =
  /^(?:Abstract|Status of [Tt]his Memo|Copyright (?:Notice|Statement)|Table of Contents|(?:Normative |Informative )?References|Acknowledge?ments?|Contributors|Index|Editors?'s? Address(?:es)?|Authors?'?s?'? Address(?:es)?|Full Copyright Statement|Intellectual Property(?: Statement)?|Appendix [A-Z](?:[.:]?[ \t]+\S.{0,100})?)$/;
/** Matches an entry of a table of contents, such as `1. Scope ..... 4`: it ends with dots or a page number. */
const CONTENTS_ENTRY = /\.{3,}|(?:\. ){3,}|(?<!\s)\s{2,}\d{1,4}$/;
const NUMBERED_MIN = 3;
/** Minimum share of indented lines in a text that looks like an RFC, which indents all lines except headings. */
const INDENTED_SHARE_MIN = 0.5;

/** Finds the headings of an RFC, or of a text with the same layout. Returns no headings for other texts. */
function headingsIn(lines: readonly string[]): SectionLine[] {
  const found: SectionLine[] = [];
  let filled = 0;
  let indented = 0;
  let numbered = 0;
  let last: readonly number[] = [];
  for (const [line, text] of lines.entries()) {
    if (text.trim() === '') continue;
    filled += 1;
    if (/^[ \t]{2}/.test(text)) {
      indented += 1;
      continue;
    }
    if (text.length > HEADING_LINE_CHARS_MAX || !stands(lines, line) || CONTENTS_ENTRY.test(text)) continue;
    const number = NUMBERED.exec(text)?.[1];
    if (number !== undefined) {
      const order = orderOf(number);
      if (!comesAfter(order, last)) continue;
      last = order;
      numbered += 1;
      found.push({ line, level: Math.min(6, order.length + 1) });
    } else if (NAMED.test(text.trimEnd())) found.push({ line, level: 2 });
  }
  return numbered < NUMBERED_MIN || indented < (filled - found.length) * INDENTED_SHARE_MIN ? [] : found;
}

const HEADING_LINE_CHARS_MAX = 120;

function stands(lines: readonly string[], line: number): boolean {
  return (lines[line - 1] ?? '').trim() === '' && (lines[line + 1] ?? '').trim() === '';
}

/** Turns a section number into comparable numbers. Appendices (`A.1`) come after all numbered sections. */
function orderOf(number: string): readonly number[] {
  return number.split('.').map((part) => (/^[A-Z]$/.test(part) ? 1_000 + part.charCodeAt(0) : Number(part)));
}

function comesAfter(order: readonly number[], last: readonly number[]): boolean {
  for (const [index, own] of order.entries()) {
    const other = last[index] ?? -1;
    if (own !== other) return own > other;
  }
  return false;
}

function withHeadings(lines: readonly string[], headings: readonly SectionLine[]): string[] {
  const markdown: string[] = [];
  const addText = (from: number, to: number) => {
    const text = trimBlank(lines.slice(from, to));
    if (text.length === 0) return;
    if (markdown.length > 0) markdown.push('');
    for (const line of codeBlockOfLines(text, '')) markdown.push(line);
  };
  let from = 0;
  for (const { line, level } of headings) {
    addText(from, line);
    if (markdown.length > 0) markdown.push('');
    const text = escapeInline((lines[line] ?? '').replace(/\s+/g, ' ').trim(), PLAIN_CONTEXT);
    markdown.push(`${'#'.repeat(level)} ${text}`);
    from = line + 1;
  }
  addText(from, lines.length);
  return markdown;
}

function proseLine(line: string): string {
  return escapeLineStart(escapeInline(line.trim(), PLAIN_CONTEXT)).trimEnd();
}

/** Returns the file extension of a source file's URL as its language, such as `ts`; an empty string for prose. */
function languageOf(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').replace(/\.gz$/i, '');
  const ending = CODE_PATH.exec(path)?.[1]?.toLowerCase() ?? '';
  return PROSE_ENDINGS.has(ending) ? '' : ending;
}

/** Maximum characters of Markdown read for a heading, including marks such as `**` and link targets. */
const HEADING_CHARS_MAX = 4_000;
const HEADING = /^#{1,2}[ \t]+(?=\S)/;
const CLOSING_MARKS = /(?<!#)#+$/;
const FRONT_MATTER_TITLE = 'title:';
const QUOTED = /^(?:"([^"]*)"|'([^']*)')$/;
const MARKS = /[*_`]+|!?\[([^\]]*)\]\([^)]*\)/g;
const TITLE_LINES_MAX = 60;

/** Returns Markdown as the server sent it, without invisible characters and with line breaks between sentences. */
export const markdownExtractor: Extractor = { id: 'markdown', version: '3', extract: extractMarkdown };

async function extractMarkdown(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const source = sanitizeText(input.text).split('\n');
  await pause();
  const { lines, cuts } = await runWithPauses(splitCitableLines(source), pause);
  return {
    title: titleOf(source),
    language: null,
    lines,
    extractor: extractorVersion(markdownExtractor),
    cuts,
    explanation: { strategy: 'as served', candidates: [] },
  };
}

function titleOf(source: readonly string[]): string | null {
  const top = source.slice(0, TITLE_LINES_MAX);
  if (top[0]?.trim() === '---') {
    for (const line of top) {
      if (!line.startsWith(FRONT_MATTER_TITLE)) continue;
      const written = line.slice(FRONT_MATTER_TITLE.length).replace(/^[ \t]+/, '');
      const [, double, single] = QUOTED.exec(written) ?? [];
      const title = double ?? single ?? written;
      if (title.trim() !== '') return oneLine(title, TITLE_CHARS_MAX);
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
