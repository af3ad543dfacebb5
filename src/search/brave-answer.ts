import * as z from 'zod';
import { SEARCH_RAW_HITS_MAX } from './limits.ts';
import { textOfHtml } from './plain-text.ts';
import type { ProviderAnswer, SearchQuery } from './provider.ts';
import { tidyHits } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';

/** What is read of a `WebSearchApiResponse`; `web` is absent when nothing was found. */
const response = z.object({
  type: z.literal('search'),
  query: z.object({ more_results_available: z.boolean().nullish(), altered: z.string().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
});

const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  age: z.string().nullish(),
  page_age: z.string().nullish(),
  extra_snippets: z.array(z.string()).nullish(),
});

const SPELLING_NOTE = 'brave corrected the spelling of the query; put words in double quotes to keep them as they are.';

/** An answer of Brave as results; `null` when it has not the documented shape. A malformed result alone is left out. */
export function readBraveAnswer(body: unknown, query: SearchQuery): ProviderAnswer | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const found = parsed.data.web?.results ?? [];
  const list = tidyHits(
    found.slice(0, SEARCH_RAW_HITS_MAX).flatMap((item) => rawHit(item, query.extra_snippets === true)),
    query.count,
  );
  const more = parsed.data.query?.more_results_available ?? found.length >= query.count;
  const altered = parsed.data.query?.altered ?? '';
  return {
    hits: list.hits,
    more: more || list.beyond,
    notes: [...list.notes, ...(altered === '' || altered === query.query ? [] : [SPELLING_NOTE])],
  };
}

/** Titles, descriptions and snippets are HTML: `<strong>` around words of the query, references everywhere. */
function rawHit(item: unknown, wantsSnippets: boolean): RawHit[] {
  const parsed = result.safeParse(item);
  if (!parsed.success) return [];
  const { url, title, description, age, page_age, extra_snippets } = parsed.data;
  return [
    {
      url,
      title: textOfHtml(title ?? ''),
      description: textOfHtml(description ?? ''),
      extraSnippets: wantsSnippets ? (extra_snippets ?? []).map(textOfHtml) : [],
      age: age ?? page_age ?? null,
    },
  ];
}
