import { CodeFences } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';

/** What extraction makes of one fetched body: Markdown, split once into lines that never change their number. */
export type Extraction = {
  /** Page text, unchanged: data, never our own words. `null` when the page has none. */
  title: string | null;
  /** BCP 47 tag the page declares, or `null`. */
  language: string | null;
  /** Valid Markdown, one citable unit a line, no `\n` inside a line. Never empty. */
  lines: string[];
  /**
   * The line where the rest of the page begins: everything outside its main part. The line itself is ours and says so.
   * Missing when all lines are the main part.
   */
  restStart?: number | undefined;
  /** Places that links name, in the page or by `page=12` in a PDF, each with the line it begins at. */
  anchors?: ReadonlyMap<string, number> | undefined;
  /** An overview for a reader who has to find something in the document; missing for short ones. */
  outline?: readonly OutlineEntry[] | undefined;
  /** `name@version` of the extractor that made the lines; part of the document's address. */
  extractor: string;
  /** What was left out for a limit, in our own words; empty when nothing was. */
  cuts: string[];
};

/**
 * A heading of a document, a sheet or a page: `level` 0 is a page of a PDF, and text of the page as it is read. `omitted`:
 * how many headings the outline leaves out between it and the next.
 */
export type OutlineEntry = { line: number; level: number; text: string; omitted?: number | undefined };

/** An immutable stored document. */
export type Document = {
  /** 64 hex digits: SHA-256 over extractor identity, title, lines, the places links name and where the rest begins. */
  id: string;
  title: string | null;
  lineCount: number;
  /**
   * Line where the rest of the page begins; `null` when all lines are the main part, or the version that stored it did
   * not record this.
   */
  restStart: number | null;
  byteCount: number;
  /** Empty for a short document, and for one stored by a version without outlines. */
  outline: readonly OutlineEntry[];
  extractor: string;
  cuts: string[];
};

/** The lines of the main part. */
export function mainLines({ lines, restStart }: Pick<Extraction, 'lines' | 'restStart'>): readonly string[] {
  return restStart === undefined ? lines : lines.slice(0, restStart);
}

/** 0-based, inclusive. */
export type Viewport = { start: number; end: number };

/** A line of a stored document. */
export type HitLine = { documentId: string; line: number };

/** `place` is where the snippet stands, if that is known. */
export type SearchHit = { title: string; url: string; snippet: string; place?: HitLine | undefined };

type Heading = { line: number; level: number; text: string };

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
