import * as z from 'zod';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { dayOfTime, engineProvider, looksLikeHtml, readHits } from '#search/engine.ts';
import type { EngineResults } from '#search/engine.ts';
import { failProviderUnavailable, requestProvider } from '#search/provider.ts';
import type { ProviderResponse, SafeSearch, SearchHttp, SearchProvider, SearchQuery } from '#search/provider.ts';
import { trimEndMatching } from '#core/text/text.ts';

type SearxngDeps = { base: string; userAgent: string; http: SearchHttp };

const response = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.unknown()).nullish(),
});
const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
});

/** A SearXNG instance that the operator chose. The texts in its JSON answers are plain text, not HTML. */
export function searxngProvider({ base, userAgent, http }: SearxngDeps): SearchProvider {
  return engineProvider(
    {
      name: 'searxng',
      source: `searxng ${redactUrl(base)}`,
      paid: false,
      cacheable: true,
      keyRefusals: [401],
      ignored: (query) => searxngRequest(base, query, userAgent).ignored,
      send: (query, signal) => requestProvider(http, searxngRequest(base, query, userAgent), signal),
      read: readSearxng,
      why: reasonFor,
    },
    http,
  );
}

function readSearxng(body: unknown): EngineResults | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const { results, unresponsive_engines } = parsed.data;
  const silent = unresponsive_engines?.length ?? 0;
  if (results.length === 0 && silent > 0) {
    failProviderUnavailable(
      'searxng',
      `none of its search engines found anything, and ${silent} of them did not answer`,
    );
  }
  const raw = readHits(results, result, ({ url, title, content: description, publishedDate }) => ({
    url,
    title,
    description,
    age: dayOfTime(publishedDate),
  }));
  const notes = silent === 0 ? [] : [`searxng: ${silent} of its search engines did not answer.`];
  return { raw, more: raw.length > 0, notes };
}

/** Explains an error by the documentation of SearXNG's search API and its limiter. */
function reasonFor(answer: ProviderResponse): string | null {
  const { status } = answer;
  if (status === 401) return 'it asks for a sign-in (HTTP 401)';
  if (status === 403) return NO_JSON;
  if (status >= 300 && status < 400) return REDIRECT;
  return status === 200 && looksLikeHtml(answer) ? HTML_ANSWER : null;
}

const HTML_ANSWER =
  'it answered with a web page instead of JSON; SEARXNG_URL must be the address of the instance itself, with nothing in front that asks people to sign in';
const NO_JSON =
  'it does not allow JSON answers (HTTP 403); its operator can add "json" to search.formats in settings.yml';
const REDIRECT =
  'it answered with a redirect, which is not followed; SEARXNG_URL must be the final address, and a query must not begin with "!!"';

const TIME_RANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ pd: 'day', pw: 'week', pm: 'month', py: 'year' }),
);
const SAFE_SEARCH: Readonly<Record<SafeSearch, string>> = { off: '0', moderate: '1', strict: '2' };
/** Language codes for which SearXNG needs the region instead of the script, or uses another code. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ jp: 'ja', 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW' }),
);
/** Matches the language codes that SearXNG accepts. Instances answer any other code with an error. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i;

/**
 * Builds a request to `/search`. Credentials in the URL are sent as a header instead, because `fetch` rejects a URL
 * with credentials. Pure.
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
  url.pathname = `${trimEndMatching(url.pathname, /\//).replace(/\/search$/, '')}/search`;
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

/**
 * Returns the language code for the query. If the query names a country, it is the country's variant of the language.
 */
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
