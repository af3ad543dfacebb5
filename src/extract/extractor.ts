import type { Extraction } from '#core/document.ts';
import type { Kind } from '#core/kinds.ts';
import type { Pause } from '#core/flow/turns.ts';

/**
 * `readable` keeps the main content; `raw` keeps the whole page. They differ only for pages that hold more than their
 * content.
 */
export type ExtractMode = 'readable' | 'raw';

export type ExtractInput = {
  /** The kind that sniffing found. */
  kind: Kind;
  /** The decoded body. It is empty for kinds that are read from bytes. */
  text: string;
  bytes: Uint8Array;
  /** The final absolute URL of the body. Links are resolved against it. `NO_ADDRESS` for a body without one. */
  url: string;
  mode: ExtractMode;
  /** The id of the site config to use, instead of the one that the address selects. Only HTML has site configs. */
  siteconfig?: string | undefined;
  /** The page of a PDF to begin with; the first one by default. */
  firstPage?: number | undefined;
  /** Awaited between the parts of long work, so that other requests get their turn. */
  pause?: Pause | undefined;
};

/** Why a site config was used: it was asked for, or the host, generator or markup of the page matched. */
export type SiteConfigMatch = 'argument' | 'domain' | 'generator' | 'marker';

/** Why the lines are what they are. Shown for `explain` and used in tuning. */
export type Explanation = {
  /** The strategy that won, such as `readability` or `body`. */
  strategy: string;
  /** Each strategy that was tried, with the number of characters it gave. */
  candidates: { strategy: string; chars: number }[];
  siteconfigMatch?: SiteConfigMatch | undefined;
};

export type Extracted = Extraction & {
  explanation: Explanation;
  /** `id@version` of the site config that was used, if any. */
  siteconfig?: string | undefined;
  /** The page's site config says that the page needs scripts to show its content. */
  needsScripts?: boolean | undefined;
  /** For a PDF or a long Word document: the pages that the lines cover. */
  pages?: PageRange | undefined;
};

export type PageRange = { first: number; last: number; total: number };

/** Reads one family of kinds. Pure: the same input gives the same lines. */
export type Extractor = {
  id: string;
  /** Raised whenever the same input may give other lines. It is part of a document's address. */
  version: string;
  extract(input: ExtractInput): Extracted | Promise<Extracted>;
};

/** `name@version`. */
export function identityOf(extractor: Extractor): string {
  return `${extractor.id}@${extractor.version}`;
}
