import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import * as z from 'zod';
import {
  countThroughPage,
  dayOfTime,
  parseFreshness,
  engineProvider,
  readHits,
  readResultsList,
} from '#search/engine.ts';
import type { EngineResults, KeyedEngineDeps } from '#search/engine.ts';
import { SEARCH_RAW_HITS_MAX } from '#search/limits.ts';
import { requestProvider } from '#search/provider.ts';
import type { SearchProvider, SearchQuery } from '#search/provider.ts';

const ENDPOINT = 'https://api.exa.ai/search';

const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  publishedDate: z.string().nullish(),
  highlights: z.array(z.string()).nullish(),
});

/** Exa's search, with highlights as descriptions. Exa's terms forbid storing results, so answers are not cached. */
export function exaProvider({ key, userAgent, http }: KeyedEngineDeps): SearchProvider {
  const headers = { accept: 'application/json', 'user-agent': userAgent, 'x-api-key': key };
  return engineProvider(
    {
      name: 'exa',
      paid: true,
      cacheable: false,
      keyRefusals: [401, 403],
      ignored: ({ country }) => [...(country === 'ALL' ? (['country'] as const) : []), ...NEVER],
      send: (query, signal) =>
        requestProvider(http, { url: ENDPOINT, headers, body: exaBody(query, http.now()) }, signal),
      read: readExa,
    },
    http,
  );
}

const NEVER = ['search_lang', 'ui_lang', 'goggles'] as const;

/**
 * Builds a search request (API reference: Search). The API cannot skip results, so the request asks for all results up
 * to the end of the wanted page.
 */
function exaBody(query: SearchQuery, now: number): object {
  const { country } = query;
  const days = parseFreshness(query.freshness, now);
  return {
    query: query.query,
    type: 'auto',
    numResults: Math.min(SEARCH_RAW_HITS_MAX, countThroughPage(query)),
    contents: { highlights: { maxCharacters: SNIPPET_CHARS_MAX * (query.extra_snippets === true ? 4 : 1) } },
    ...(days === null
      ? {}
      : { startPublishedDate: `${days.from}T00:00:00.000Z`, endPublishedDate: `${days.to}T23:59:59.999Z` }),
    ...(query.safesearch === 'strict' ? { moderation: true } : {}),
    ...(country === undefined || country === 'ALL' ? {} : { userLocation: country }),
  };
}

function readExa(body: unknown, query: SearchQuery): EngineResults | null {
  const results = readResultsList(body);
  if (results === null) return null;
  const asked = countThroughPage(query);
  const raw = readHits(results, result, ({ url, title, publishedDate, highlights }) => {
    const [description, ...others] = highlights ?? [];
    const extraSnippets = query.extra_snippets === true ? others : [];
    return { url, title, description, extraSnippets, age: dayOfTime(publishedDate) };
  });
  return { raw, more: results.length >= asked && asked < SEARCH_RAW_HITS_MAX, fromFirst: true };
}
