import type { Extraction } from '#core/document.ts';
import type { Kind } from '#core/kinds.ts';
import type { Pause } from '#core/turns.ts';

/** `readable`: the main content; `raw`: the whole page. Only pages made of more than their content differ. */
export type ExtractMode = 'readable' | 'raw';

export type ExtractInput = {
  /** What sniffing found the body to be. */
  kind: Kind;
  /** The decoded body; empty for kinds that are read from their bytes. */
  text: string;
  bytes: Uint8Array;
  /** Final absolute URL of the body; links are resolved against it. `NO_ADDRESS` for a body without one. */
  url: string;
  mode: ExtractMode;
  /** Id of the site config to use, instead of what the address selects; only HTML has any. */
  siteconfig?: string | undefined;
  /** Page of a PDF to begin with; the first when missing. */
  firstPage?: number | undefined;
  /** Awaited between the parts of long work, so that others get in; nothing when missing. */
  pause?: Pause | undefined;
};

/** Why a site config was used: asked for, or known by the page's host, generator or markup. */
export type SiteConfigMatch = 'argument' | 'domain' | 'generator' | 'marker';

/** Why the lines are what they are; for people who tune, and for `explain`. */
export type Explanation = {
  /** The way that won, such as `readability` or `body`. */
  strategy: string;
  /** Each way tried, with the characters of text it gave. */
  candidates: { strategy: string; chars: number }[];
  siteconfigMatch?: SiteConfigMatch | undefined;
};

export type Extracted = Extraction & {
  explanation: Explanation;
  /** `id@version` of the site config that was used, when one was. */
  siteconfig?: string | undefined;
  /** The page's site config says that it shows its content with scripts only. */
  needsScripts?: boolean | undefined;
  /** Of a PDF or a long Word document: which of its pages the lines hold. */
  pages?: PageRange | undefined;
};

export type PageRange = { first: number; last: number; total: number };

/** One way to read one family of kinds. Pure: the same input gives the same lines. */
export type Extractor = {
  id: string;
  /** Raised whenever the same input may give other lines: it is part of a document's address. */
  version: string;
  extract(input: ExtractInput): Extracted | Promise<Extracted>;
};

/** `name@version`. */
export function identityOf(extractor: Extractor): string {
  return `${extractor.id}@${extractor.version}`;
}
