import * as z from 'zod';
import { dayOfTime, engineProvider, readHits } from '#search/engine.ts';
import type { EngineResults, FreeEngineDeps } from '#search/engine.ts';
import { requestProvider } from '#search/provider.ts';
import type { SearchProvider, SearchQuery } from '#search/provider.ts';
import { textOfHtml } from '#search/tidy-hits.ts';

/** Wikipedia's maximum length of a query in characters. */
const QUERY_CHARS_MAX = 300;

const response = z.object({
  continue: z.object({ sroffset: z.number() }).nullish(),
  query: z.object({ search: z.array(z.unknown()) }),
});
const result = z.object({ title: z.string(), snippet: z.string().nullish(), timestamp: z.string().nullish() });

/**
 * Wikipedia's full-text search, through the action API. As Wikipedia asks, requests are sent one at a time and with a
 * descriptive user agent.
 */
export function wikipediaProvider({ userAgent, http, limiter }: FreeEngineDeps): SearchProvider {
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent };
  return engineProvider(
    {
      name: 'wikipedia',
      paid: false,
      cacheable: true,
      keyRefusals: [],
      ignored: () => NEVER,
      send: (query, signal) => requestProvider(http, { url: wikipediaUrl(query), headers }, signal),
      read: readWikipedia,
      // Wikipedia reports no rate limits in its answers; it only rejects requests as too many (429).
      queue: { limiter, windows: () => [] },
    },
    http,
  );
}

const NEVER = ['freshness', 'safesearch', 'country', 'ui_lang', 'extra_snippets', 'goggles'] as const;

function wikipediaUrl(query: SearchQuery): string {
  const { count, offset = 0 } = query;
  const parameters = new URLSearchParams({
    action: 'query',
    list: 'search',
    format: 'json',
    formatversion: '2',
    utf8: '1',
    srsearch: query.query.slice(0, QUERY_CHARS_MAX),
    srlimit: String(count),
    sroffset: String(count * offset),
    srprop: 'snippet|timestamp',
  });
  return `${originFor(query)}/w/api.php?${parameters.toString()}`;
}

/**
 * Returns the origin of the Wikipedia in the query's language. The language must consist of letters, so the host is
 * always a Wikipedia.
 */
function originFor({ search_lang }: SearchQuery): string {
  const [language = 'en'] = (search_lang ?? 'en').split('-');
  return `https://${/^[a-z]{2,3}$/.test(language) ? language : 'en'}.wikipedia.org`;
}

function readWikipedia(body: unknown, query: SearchQuery): EngineResults | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const raw = readHits(parsed.data.query.search, result, ({ title, snippet, timestamp }) => {
    const page = encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':');
    const url = `${originFor(query)}/wiki/${page}`;
    return { url, title, description: textOfHtml(snippet ?? ''), age: dayOfTime(timestamp) };
  });
  return { raw, more: parsed.data.continue !== undefined && parsed.data.continue !== null };
}
