import * as z from 'zod';
import {
  countThroughPage,
  parseFreshness,
  engineProvider,
  SEARCH_FILTERS,
  readHits,
  readResultsList,
  joinWithinChars,
} from '#search/engine.ts';
import type { EngineResults, KeyedEngineDeps } from '#search/engine.ts';
import { requestProvider } from '#search/provider.ts';
import type { SearchProvider, SearchQuery } from '#search/provider.ts';

const ENDPOINT = 'https://api.tavily.com/search';
/** Tavily's maximum number of results per query. Its API cannot skip results. */
const RESULTS_MAX = 20;
/** Tavily's maximum length of a query in characters. It rejects longer ones. */
const QUERY_CHARS_MAX = 400;

const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  published_date: z.string().nullish(),
});

/** Tavily's search with depth `basic`. A search costs one credit. */
export function tavilyProvider({ key, userAgent, http }: KeyedEngineDeps): SearchProvider {
  const headers = { accept: 'application/json', 'user-agent': userAgent, authorization: `Bearer ${key}` };
  return engineProvider(
    {
      name: 'tavily',
      paid: true,
      cacheable: false,
      keyRefusals: [401, 403],
      // `country` is among the ignored fields, because Tavily accepts countries only by English name and not by code.
      ignored: () => SEARCH_FILTERS,
      send: (query, signal) =>
        requestProvider(http, { url: ENDPOINT, headers, body: tavilyBody(query, http.now()) }, signal),
      read: readTavily,
      notes: ({ query }) => (query.length > QUERY_CHARS_MAX ? [CUT_NOTE] : []),
    },
    http,
  );
}

const CUT_NOTE = `tavily takes ${QUERY_CHARS_MAX} characters: the end of the query was left out.`;

function tavilyBody(query: SearchQuery, now: number): object {
  const days = parseFreshness(query.freshness, now);
  return {
    query: joinWithinChars(query.query.split(' '), QUERY_CHARS_MAX),
    search_depth: 'basic',
    max_results: Math.min(RESULTS_MAX, countThroughPage(query)),
    ...(days === null ? {} : { start_date: days.from, end_date: days.to }),
  };
}

function readTavily(body: unknown, query: SearchQuery): EngineResults | null {
  const results = readResultsList(body);
  if (results === null) return null;
  const asked = countThroughPage(query);
  const raw = readHits(results, result, ({ url, title, content: description, published_date: age }) => ({
    url,
    title,
    description,
    age,
  }));
  return { raw, more: results.length >= asked && asked < RESULTS_MAX, fromFirst: true };
}
