import { decodeHTMLStrict } from 'entities/decode';
import { LINK_CHARS_MAX, SNIPPET_CHARS_MAX, TITLE_CHARS_MAX } from '#core/limits.ts';
import { SEARCH_LIST_BYTES_MAX, SEARCH_RAW_HITS_MAX } from './limits.ts';
import type { SearchHitLine } from '#core/document/document.ts';
import { oneLine, utf8Bytes } from '#core/text/text.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import type { SearchResult } from './provider.ts';

const EXTRA_SNIPPETS_MAX = 5;

/** A result as a provider sent it. Its texts have no markup; all other fields are unchecked. */
export type RawHit = {
  title: string;
  url: string;
  description: string;
  extraSnippets: readonly string[];
  age: string | null;
  place?: SearchHitLine | undefined;
  /** The page number at which a later part of a long page begins. Set for a result in such a part. */
  page?: number | undefined;
};

type TidyList = {
  hits: SearchResult[];
  beyond: boolean;
  notes: string[];
};

const AGE_CHARS_MAX = 40;
const HTTP = /^\s*https?:/i;
const LEFT_OUT = 'Snippets of the last results were left out to fit the size limit.';

/**
 * Cleans a list of results and keeps the provider's order. Only http and https URLs stay, each canonical URL once, at
 * most `count` results. Each text becomes one line of plain text. Pure.
 */
export function cleanHits(raw: readonly RawHit[], count: number): TidyList {
  const byUrl = new Map<string, Omit<SearchResult, 'rank'>>();
  for (const hit of raw.slice(0, SEARCH_RAW_HITS_MAX)) {
    const url = toOpenableUrl(hit.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, tidy(hit, url));
  }
  const wanted = addRanks([...byUrl.values()].slice(0, count));
  const { hits, isTrimmed } = fit(wanted);
  return { hits, beyond: byUrl.size > hits.length, notes: isTrimmed ? [LEFT_OUT] : [] };
}

export function addRanks(hits: readonly Omit<SearchResult, 'rank'>[]): SearchResult[] {
  return hits.map((hit, index) => ({ ...hit, rank: index + 1 }));
}

function tidy(hit: RawHit, url: string): Omit<SearchResult, 'rank'> {
  return {
    title: toPlainLine(hit.title, TITLE_CHARS_MAX) || new URL(url).host,
    url: hit.page === undefined ? url : `${url}#page=${hit.page}`,
    description: toPlainLine(hit.description, SNIPPET_CHARS_MAX),
    extra_snippets: hit.extraSnippets
      .slice(0, EXTRA_SNIPPETS_MAX)
      .map((text) => toPlainLine(text, SNIPPET_CHARS_MAX))
      .filter((text) => text !== ''),
    age: (hit.age === null ? '' : toPlainLine(hit.age, AGE_CHARS_MAX)) || null,
    ...(hit.place === undefined ? {} : { place: hit.place }),
  };
}

export function toOpenableUrl(text: string): string | null {
  if (!HTTP.test(text)) return null;
  try {
    const url = canonicalizeUrl(text);
    const { username, password } = new URL(url);
    return username === '' && password === '' && url.length <= LINK_CHARS_MAX ? url : null;
  } catch {
    return null;
  }
}

/**
 * Shortens the list to the size limit of a result. It removes extra snippets first, then descriptions, then whole
 * results, each starting from the last result. A list of `WEB_SEARCH_RESULTS_MAX` results never loses a whole result.
 */
function fit(wanted: readonly SearchResult[]): { hits: SearchResult[]; isTrimmed: boolean } {
  const without = [
    (hit: SearchResult) => ({ ...hit, extra_snippets: [] }),
    (hit: SearchResult) => ({ ...hit, description: '' }),
  ];
  const hits = [...wanted];
  let bytes = hits.reduce((sum, hit) => sum + sizeOf(hit), 0);
  const isTrimmed = bytes > SEARCH_LIST_BYTES_MAX;
  for (const shorten of without) {
    for (const [index, hit] of [...hits.entries()].toReversed()) {
      if (bytes <= SEARCH_LIST_BYTES_MAX) break;
      hits[index] = shorten(hit);
      bytes -= sizeOf(hit) - sizeOf(hits[index]);
    }
  }
  while (bytes > SEARCH_LIST_BYTES_MAX) bytes -= sizeOf(hits.pop());
  return { hits, isTrimmed };
}

function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? '');
}

/** Maximum characters of a text before it is cleaned, to limit the work. It is a hundred times the displayed length. */
const FIELD_CHARS_MAX = 40_000;

/** Returns the text on one line, without control, zero-width, bidi and tag characters. */
export function toPlainLine(text: string, maxChars: number): string {
  return oneLine(text.slice(0, FIELD_CHARS_MAX), maxChars);
}

// Matches an HTML tag up to the first `>`, because attributes in these texts are short and contain no `>`. `[^<>]`
// keeps matching linear.
const TAG = /<(?:\/?[a-z][^<>]*|!--[^<>]*--)>/gi;

/**
 * Converts HTML to text. Tags are removed before character references are decoded, so escaped markup stays text. A
 * no-break space becomes a space.
 */
export function textOfHtml(html: string): string {
  return decodeHTMLStrict(html.slice(0, FIELD_CHARS_MAX).replace(TAG, '')).replaceAll('\u00a0', ' ');
}
