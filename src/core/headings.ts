import { CodeFences } from './code-fences.ts';
import { visibleText } from './visible-text.ts';

export type Heading = { line: number; level: number; text: string };

const HEADING = /^(#{1,6})\s+\S/;
const PAGE_MARK_START = '<!-- page ';
const PAGE_MARK = /^<!-- page (\d{1,7}) -->$/;

/** The level of a line that is a heading outside of code, from 1 to 6; 0 for any other line. */
export function headingLevel(line: string): number {
  // Of a million lines, next to none.
  if (!line.startsWith('#')) return 0;
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

/** The headings of Markdown lines as they are read. */
export function headingsOf(lines: readonly string[]): Heading[] {
  const fences = new CodeFences();
  const headings: Heading[] = [];
  for (const [line, text] of lines.entries()) {
    if (fences.take(text)) continue;
    const level = headingLevel(text);
    if (level > 0) headings.push({ line, level, text: visibleText(text) });
  }
  return headings;
}

/** The lines that say where the pages of a PDF begin, by the number of the page. */
export function pageMarksOf(lines: readonly string[]): Map<number, number> {
  const pages = new Map<number, number>();
  for (const [line, text] of lines.entries()) {
    if (!text.startsWith(PAGE_MARK_START)) continue;
    const page = Number(PAGE_MARK.exec(text)?.[1] ?? NaN);
    if (Number.isInteger(page) && !pages.has(page)) pages.set(page, line);
  }
  return pages;
}
