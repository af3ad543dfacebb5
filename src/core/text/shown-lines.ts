import { foldForSearch, needsSpaceBetween } from './fold.ts';
import { beginsListItem, isTableRow, isDefinitionTerm, lineKind } from './line-kinds.ts';
import { CodeFences, openingFence, sanitizeText } from './plain.ts';
import { readableText } from './visible-text.ts';

/** One line of a result. It joins the lines of a paragraph into `text`; `loc` is the number of the first one. */
export type ResultLine = { loc: number; text: string };

/** A temporary separator between table cells: a control character, which no document contains. */
const CELL = '\u0001';
const BAR = /(?<!\\)\|/g;
const CELL_BARS = new RegExp(`\\|${CELL}\\|`, 'g');
const END_CHARS = 4;

/**
 * Returns the readable text of a Markdown line outside code blocks (see {@link readableText}). Tabs separate the cells
 * of a table row.
 */
export function shownLineText(line: string): string {
  const whole = readableText(line);
  if (whole === '' || !isTableRow(line)) return whole;
  const cells = readableText(line.replace(BAR, `|${CELL}|`)).replace(CELL_BARS, '|');
  return cells
    .split(CELL)
    .map((cell) => cell.trim())
    .join('\t')
    .trim();
}

/**
 * Converts Markdown lines to lines of a result. Lines without text are omitted.
 * @param fence the fence of a code block that is open before the first line
 * @param alone numbers of lines that are not joined to the previous line
 */
export function toShownLines(
  lines: readonly string[],
  first: number,
  fence: string | null = null,
  alone: ReadonlySet<number> = new Set(),
): ResultLine[] {
  const fences = new CodeFences();
  fences.open = fence;
  const shown: { loc: number; parts: string[] }[] = [];
  let before = 'blank';
  for (const [index, line] of lines.entries()) {
    const loc = first + index;
    const kind = lineKind(line, fences);
    const text = kind === 'code' ? line.trimEnd() : kind === 'alone' || kind === 'mark' ? '' : shownLineText(line);
    const goesOn = kind === 'prose' && before === 'prose' && !beginsListItem(line) && !alone.has(loc);
    before = kind === 'prose' && isDefinitionTerm(line) ? 'term' : kind;
    if (text === '') continue;
    const last = shown.at(-1);
    if (goesOn && last !== undefined) last.parts.push(spaceBetween(last.parts.at(-1) ?? '', text), text);
    else shown.push({ loc, parts: [text] });
  }
  return shown.map(({ loc, parts }) => ({ loc, text: sanitizeText(parts.join('')) }));
}

function spaceBetween(before: string, after: string): string {
  const ends = foldForSearch(before.slice(-END_CHARS));
  return needsSpaceBetween(ends, foldForSearch(after.slice(0, END_CHARS))) ? ' ' : '';
}

/** Cuts the text to at most `charsMax` UTF-16 units. Unlike `oneLine`, it keeps tabs and indentation. */
export function truncateText(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : `${text
        .slice(0, charsMax - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`;
}

/**
 * Guesses whether the lines begin inside a code block. True if their first fence names no language, because it may be a
 * closing fence.
 */
export function mayStartInCode(lines: readonly string[]): boolean {
  const first = lines.find((line) => openingFence(line) !== null);
  return first !== undefined && /^[\s>]*(?:`{3,}|~{3,})\s*$/.test(first);
}

export function findOpenFenceAfter(lines: readonly string[]): string | null {
  const fences = new CodeFences();
  if (mayStartInCode(lines)) fences.open = lines.map(openingFence).find((fence) => fence !== null) ?? null;
  for (const line of lines) fences.take(line);
  return fences.open;
}
