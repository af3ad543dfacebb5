import * as z from 'zod';
import { daysOf, engineProvider, withinChars } from '#search/engine.ts';
import type { Found } from '#search/engine.ts';
import { requestTo } from '#search/provider.ts';
import type { SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';

type TavilyDeps = { key: string; userAgent: string; http: SearchHttp };

const ENDPOINT = 'https://api.tavily.com/search';
/** Tavily gives no more results for one query, and has no pages. */
const RESULTS_MAX = 20;
/** Tavily refuses longer queries. */
const QUERY_CHARS_MAX = 400;

const response = z.object({ results: z.array(z.unknown()) });
const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  published_date: z.string().nullish(),
});

/** Tavily's search of basic depth: one of its credits each. */
export function tavilyProvider({ key, userAgent, http }: TavilyDeps): SearchProvider {
  const headers = { accept: 'application/json', 'user-agent': userAgent, authorization: `Bearer ${key}` };
  return engineProvider(
    {
      name: 'tavily',
      source: 'tavily',
      paid: true,
      cacheable: false,
      keyRefusals: [401, 403],
      ignored: () => NEVER,
      send: (query, signal) => requestTo(http, { url: ENDPOINT, headers, body: tavilyBody(query, http.now()) }, signal),
      read: readTavily,
      notes: ({ query }) => (query.length > QUERY_CHARS_MAX ? [CUT_NOTE] : []),
    },
    http,
  );
}

/** It takes countries by their English names, not by code. */
const NEVER = ['safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles'] as const;
const CUT_NOTE = `tavily takes ${QUERY_CHARS_MAX} characters: the end of the query was left out.`;

/** API reference: Tavily Search. */
function tavilyBody(query: SearchQuery, now: number): object {
  const days = daysOf(query.freshness, now);
  return {
    query: withinChars(query.query.split(' '), QUERY_CHARS_MAX),
    search_depth: 'basic',
    max_results: Math.min(RESULTS_MAX, query.count * ((query.offset ?? 0) + 1)),
    ...(days === null ? {} : { start_date: days.from, end_date: days.to }),
  };
}

function readTavily(body: unknown, query: SearchQuery): Found | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const { results } = parsed.data;
  const asked = query.count * ((query.offset ?? 0) + 1);
  const raw = results.flatMap((item) => {
    const { success, data } = result.safeParse(item);
    if (!success) return [];
    const { url, title, content, published_date: date } = data;
    return [{ url, title: title ?? '', description: content ?? '', extraSnippets: [], age: date ?? null }];
  });
  return { raw, more: results.length >= asked && asked < RESULTS_MAX, fromFirst: true };
}
