import { CodeFences } from '#core/text/plain.ts';
import { readableText } from '#core/text/visible-text.ts';

/** A fetched page as Markdown, split once into lines with fixed numbers. */
export type Extraction = {
  /** The page's title, which is untrusted text. */
  title: string | null;
  /** The BCP 47 language tag that the page declares, such as `en-GB`. */
  language: string | null;
  /** Markdown lines. Each line is one citable unit without `\n`. The list is never empty. */
  lines: string[];
  /**
   * The index of the first line after the main part, where the rest of the page begins (menus, comments, related
   * links). The line itself is a marker that the server adds. Missing if all lines are in the main part.
   */
  restStart?: number | undefined;
  /** The line of each link target: an element ID of the page, or `page=12` in a PDF. */
  anchors?: ReadonlyMap<string, number> | undefined;
  /** Link targets in later parts of a page that is too long for one document. Set only for the first part. */
  laterAnchors?: LaterAnchors | undefined;
  outline?: readonly OutlineEntry[] | undefined;
  /** The extractor as `name@version`. It is part of the document ID. */
  extractor: string;
  /** Descriptions of omitted content. The words are the server's, never the page's. */
  cuts: string[];
};

/**
 * The range of numbered pages that a document contains, for a long file that is read in parts. A PDF has its own pages;
 * a long HTML page or Word document is divided into pages. A URL that ends in `#page=N` opens page N.
 */
export type PageRange = {
  first: number;
  last: number;
  total: number;
  /** True if the content after page `last` was not read because the file is too large. */
  isCut?: boolean | undefined;
};

/**
 * Set for a picture, and for a file that has pages without text, such as a scan, because models must view them as
 * images. `page`: number of the first page without text; `null` for a picture.
 */
export type ImagesToView = { page: number | null };

/**
 * Link targets of a page that is divided into numbered pages, each with the number of its page. `isWhole` is false if
 * there were too many targets to store.
 */
export type LaterAnchors = { pages: ReadonlyMap<string, number>; isWhole: boolean };

/**
 * An outline entry: a heading, a spreadsheet's sheet, or (with `level` 0) a page of a PDF. `text` is visible text.
 * `omitted` counts the headings left out between this entry and the next one.
 */
export type OutlineEntry = { line: number; level: number; text: string; omitted?: number | undefined };

export type Document = {
  /**
   * The document ID, 64 hex digits: the SHA-256 of the owner (for a private page), extractor, title, lines, link
   * targets and `restStart`.
   */
  id: string;
  title: string | null;
  lineCount: number;
  /** The index of the first line after the main part. `null` if the document has only a main part. */
  restStart: number | null;
  byteCount: number;
  outline: readonly OutlineEntry[];
  extractor: string;
  cuts: string[];
};

export function mainLines({ lines, restStart }: Pick<Extraction, 'lines' | 'restStart'>): readonly string[] {
  return restStart === undefined ? lines : lines.slice(0, restStart);
}

/** A range of line numbers. Both ends are 0-based and included. */
export type Viewport = { start: number; end: number };

export type SearchHitLine = { documentId: string; line: number };

/** A search result. `place` is the position of the snippet in a stored document, if known. */
export type SearchHit = { title: string; url: string; snippet: string; place?: SearchHitLine | undefined };

export type Heading = { line: number; level: number; text: string };

const HEADING = /^(#{1,6})\s+\S/;

/** Returns the level of a Markdown heading, 1 to 6. Returns 0 if the line is not a heading. */
export function headingLevel(line: string): number {
  // `startsWith` is much faster than the regular expression, and a document may have a million lines.
  if (!line.startsWith('#')) return 0;
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

export function findHeadings(lines: readonly string[]): Heading[] {
  const fences = new CodeFences();
  const headings: Heading[] = [];
  for (const [line, text] of lines.entries()) {
    if (fences.take(text)) continue;
    const level = headingLevel(text);
    if (level > 0) headings.push({ line, level, text: readableText(text) });
  }
  return headings;
}
