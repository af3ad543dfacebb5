import type { SafeSearch, SearchQuery } from './provider.ts';

/** SearXNG's names for how far back to look (search API: `time_range`). */
const TIME_RANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ pd: 'day', pw: 'week', pm: 'month', py: 'year' }),
);
const SAFE_SEARCH: Readonly<Record<SafeSearch, string>> = { off: '0', moderate: '1', strict: '2' };
/** Languages that SearXNG knows by region where others name the script, or under their ISO name only. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ jp: 'ja', 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW' }),
);
/** What an instance accepts; anything else it answers with an error. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i;
const SEARCH_PATH = /(?:\/search)?\/*$/;

/**
 * A request of an instance's search API, which sits at `/search` below the configured address. Credentials in that
 * address become a header: a URL with them is no URL to fetch. Pure.
 */
export function searxngRequest(
  base: string,
  query: SearchQuery,
  userAgent: string,
): { url: string; headers: Record<string, string>; ignored: (keyof SearchQuery)[] } {
  const url = new URL(base);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'accept-language': query.search_lang ?? 'en',
    'user-agent': userAgent,
    ...authorization(url),
  };
  url.username = '';
  url.password = '';
  url.hash = '';
  url.pathname = url.pathname.replace(SEARCH_PATH, '/search');
  const timeRange = query.freshness === undefined ? undefined : TIME_RANGES.get(query.freshness);
  const language = languageOf(query);
  url.searchParams.set('q', query.query);
  url.searchParams.set('format', 'json');
  url.searchParams.set('pageno', String((query.offset ?? 0) + 1));
  if (timeRange !== undefined) url.searchParams.set('time_range', timeRange);
  if (query.safesearch !== undefined) url.searchParams.set('safesearch', SAFE_SEARCH[query.safesearch]);
  if (language !== undefined) url.searchParams.set('language', language);
  return { url: url.href, headers, ignored: ignoredFields(timeRange, language) };
}

function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const bytes = new TextEncoder().encode(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** The language of the search, in the variant of the country where one is given. */
function languageOf({ search_lang, country }: SearchQuery): string | undefined {
  if (search_lang === undefined) return undefined;
  const language = LANGUAGES.get(search_lang) ?? search_lang;
  const withCountry =
    country === undefined || country === 'ALL' || language.includes('-') ? language : `${language}-${country}`;
  return LANGUAGE.test(withCountry) ? withCountry : undefined;
}

function ignoredFields(timeRange: string | undefined, language: string | undefined): (keyof SearchQuery)[] {
  const always = ['ui_lang', 'extra_snippets', 'goggles'] as const;
  return [
    ...(timeRange === undefined ? (['freshness'] as const) : []),
    ...(language === undefined ? (['search_lang', 'country'] as const) : []),
    ...always,
  ];
}
