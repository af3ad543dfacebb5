import { CodeFences } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';

/** One fetched body as Markdown, split once into lines that never change their number. */
export type Extraction = {
  /** Unchanged page text: data. */
  title: string | null;
  /** BCP 47 tag that the page declares. */
  language: string | null;
  /** Valid Markdown, one citable unit a line, no `\n` inside a line. Never empty. */
  lines: string[];
  /**
   * First line outside the main part. The line itself is ours and says so. Missing when all lines are the main part.
   */
  restStart?: number | undefined;
  /** Link targets in the page, or `page=12` in a PDF, each with its line. */
  anchors?: ReadonlyMap<string, number> | undefined;
  /** Of the first part of a long page: the names of places in later parts. */
  laterAnchors?: LaterAnchors | undefined;
  outline?: readonly OutlineEntry[] | undefined;
  /** `name@version` of the extractor that made the lines; part of the document's address. */
  extractor: string;
  /** What was left out because of a limit, in our own words. */
  cuts: string[];
};

/**
 * The part of a file that a document holds, when the file is too long for one: from which of its numbered pages to which, of how
 * many. A PDF has pages of its own; a long HTML page or Word document is divided into pages. `#page=N` opens each.
 */
export type PageRange = {
  first: number;
  last: number;
  total: number;
  /** What follows the last page was not read, because the file is too large. */
  isCut?: boolean | undefined;
};

/** Names with the page that has each. Not whole when there are too many to be kept. */
export type LaterAnchors = { pages: ReadonlyMap<string, number>; isWhole: boolean };

/**
 * A heading, a sheet, or (`level` 0) a page of a PDF; text as a reader sees it. `omitted`: how many headings the
 * outline leaves out before the next.
 */
export type OutlineEntry = { line: number; level: number; text: string; omitted?: number | undefined };

export type Document = {
  /** 64 hex digits: SHA-256 of extractor, title, lines, link targets and `restStart`. */
  id: string;
  title: string | null;
  lineCount: number;
  /** First line outside the main part; also `null` when the version that stored it did not record it. */
  restStart: number | null;
  byteCount: number;
  /** Empty for a short document, or when the version that stored it had no outlines. */
  outline: readonly OutlineEntry[];
  extractor: string;
  cuts: string[];
};

export function mainLines({ lines, restStart }: Pick<Extraction, 'lines' | 'restStart'>): readonly string[] {
  return restStart === undefined ? lines : lines.slice(0, restStart);
}

/** 0-based, inclusive. */
export type Viewport = { start: number; end: number };

export type HitLine = { documentId: string; line: number };

/** `place`: of the snippet, if known. */
export type SearchHit = { title: string; url: string; snippet: string; place?: HitLine | undefined };

export type Heading = { line: number; level: number; text: string };

const HEADING = /^(#{1,6})\s+\S/;

/** 1 to 6; 0 for any other line. */
export function headingLevel(line: string): number {
  // A cheap check first: documents may have a million lines.
  if (!line.startsWith('#')) return 0;
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

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
