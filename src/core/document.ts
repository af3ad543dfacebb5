/** What extraction makes of one fetched body: Markdown, split once into lines that never change their number. */
export type Extraction = {
  /** Page text as it stands in the page; data, never ours. `null` when the page names none. */
  title: string | null;
  /** BCP 47 tag the page declares, or `null`. */
  language: string | null;
  /** Valid Markdown, one citable unit a line, no `\n` inside a line. Never empty. */
  lines: string[];
  /** `name@version` of the extractor that made the lines; part of the document's address. */
  extractor: string;
  /** What was left out for a limit, in our own words; empty when nothing was. */
  cuts: string[];
};

/** An immutable stored document (SPEC §2). */
export type Document = {
  /** 64 hex digits: SHA-256 over extractor identity, title and lines. */
  id: string;
  title: string | null;
  lineCount: number;
  byteCount: number;
  extractor: string;
  cuts: string[];
};

/** 0-based, inclusive. */
export type Viewport = { start: number; end: number };

export type SearchHit = { title: string; url: string; snippet: string };
