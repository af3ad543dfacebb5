import { CodeFences } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';

/** A fetched page as Markdown, split once into lines with fixed numbers. */
export type Extraction = {
  /** Untrusted text of the page. */
  title: string | null;
  /** BCP 47 tag that the page declares. */
  language: string | null;
  /** Valid Markdown, one citable unit per line, no `\n` inside a line. Never empty. */
  lines: string[];
  /**
   * First line outside the main part: a marker line that this server adds. Missing if all lines are in the main part.
   */
  restStart?: number | undefined;
  /** Link targets in the page, or `page=12` in a PDF, with their lines. */
  anchors?: ReadonlyMap<string, number> | undefined;
  /** Set for the first part of a long page: link targets in later parts. */
  laterAnchors?: LaterAnchors | undefined;
  outline?: readonly OutlineEntry[] | undefined;
  /** `name@version` of the extractor; part of the document ID. */
  extractor: string;
  /** Descriptions of omitted content, in this server's words. */
  cuts: string[];
};

/**
 * The part of a long file that a document holds, by numbered pages. A PDF has its own pages; a long HTML page or Word
 * document is divided into pages. `#page=N` opens each.
 */
export type PageRange = {
  first: number;
  last: number;
  total: number;
  /** True if the content after the last page was not read, because the file is too large. */
  isCut?: boolean | undefined;
};

/** A picture, or a page that is one: only eyes can read it. `page`: the first page of the file without text; `null` for a picture. */
export type ToView = { page: number | null };

/** Link targets by page. `isWhole` is false if there are too many to store. */
export type LaterAnchors = { pages: ReadonlyMap<string, number>; isWhole: boolean };

/**
 * A heading, a sheet, or (`level` 0) a page of a PDF, as visible text. `omitted`: number of headings left out of the
 * outline before the next entry.
 */
export type OutlineEntry = { line: number; level: number; text: string; omitted?: number | undefined };

export type Document = {
  /** 64 hex digits: SHA-256 of extractor, title, lines, link targets and `restStart`. */
  id: string;
  title: string | null;
  lineCount: number;
  /** First line outside the main part; `null` if the document has only a main part. */
  restStart: number | null;
  byteCount: number;
  /** Empty for a short document. */
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

/** `place`: position of the snippet, if known. */
export type SearchHit = { title: string; url: string; snippet: string; place?: HitLine | undefined };

export type Heading = { line: number; level: number; text: string };

const HEADING = /^(#{1,6})\s+\S/;

/** 1 to 6; 0 for any other line. */
export function headingLevel(line: string): number {
  // A cheap check first: documents may have a million lines.
  if (!line.startsWith('#')) return 0;
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

export function findHeadings(lines: readonly string[]): Heading[] {
  const fences = new CodeFences();
  const headings: Heading[] = [];
  for (const [line, text] of lines.entries()) {
    if (fences.take(text)) continue;
    const level = headingLevel(text);
    if (level > 0) headings.push({ line, level, text: visibleText(text) });
  }
  return headings;
}
