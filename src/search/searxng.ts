import * as z from 'zod';
import { fail } from '#core/failures/failure.ts';
import { SEARCH_RAW_HITS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { retryAfterSeconds } from '#net/fetch/network-error.ts';
import { parseJson } from '#core/text/json.ts';
import { requestProvider, ignoredNote, failUnavailable } from './provider.ts';
import type { HttpAnswer, ProviderAnswer, SafeSearch, SearchHttp, SearchProvider, SearchQuery } from './provider.ts';
import { tidyHits } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';

/** Used when a provider refuses more requests without saying for how long. */
const SEARCH_RETRY_AFTER_DEFAULT_SECONDS = 60;

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

/** The operator chooses the instance. Its JSON answers hold plain text. */
export function searxngProvider({ base, userAgent, http }: SearxngDeps): SearchProvider {
  return {
    name: 'searxng',
    source: `searxng ${redactUrl(base)}`,
    paid: false,
    cacheable: true,
    async search(query, time) {
      const request = searxngRequest(base, query, userAgent);
      const answer = await requestProvider('searxng', request, time, http);
      if (answer.status !== 200) refuse(answer, http.now());
      const found = read(answer, query);
      return { ...found, notes: [...ignoredNote('searxng', query, request.ignored), ...found.notes] };
    },
  };
}

function read(answer: HttpAnswer, query: SearchQuery): ProviderAnswer {
  const parsed = response.safeParse(parseJson(answer.text));
  if (!parsed.success)
    failUnavailable('searxng', looksLikeHtml(answer) ? HTML_ANSWER : 'its answer does not have the documented form');
  const { results, unresponsive_engines } = parsed.data;
  const silent = unresponsive_engines?.length ?? 0;
  if (results.length === 0 && silent > 0) {
    failUnavailable('searxng', `none of its search engines found anything, and ${silent} of them did not answer`);
  }
  const list = tidyHits(results.slice(0, SEARCH_RAW_HITS_MAX).flatMap(rawHit), query.count);
  return {
    hits: list.hits,
    more: list.hits.length > 0,
    notes: [...list.notes, ...(silent === 0 ? [] : [`searxng: ${silent} of its search engines did not answer.`])],
  };
}

function rawHit(item: unknown): RawHit[] {
  const parsed = result.safeParse(item);
  if (!parsed.success) return [];
  const { url, title, content, publishedDate } = parsed.data;
  return [
    {
      url,
      title: title ?? '',
      description: content ?? '',
      extraSnippets: [],
      age: publishedDate === null || publishedDate === undefined ? null : publishedDate.replace(/T.*$/s, ''),
    },
  ];
}

const HTML_ANSWER =
  'it answered with a web page instead of JSON; SEARXNG_URL must be the address of the instance itself, with nothing in front that asks people to sign in';
const NO_JSON =
  'it does not allow JSON answers (HTTP 403); its operator can add "json" to search.formats in settings.yml';
const REDIRECT =
  'it answered with a redirect, which is not followed; SEARXNG_URL must be the final address, and a query must not begin with "!!"';

/** As documented for its search API and its limiter. */
function refuse(answer: HttpAnswer, now: number): never {
  const { status, headers } = answer;
  if (status === 403) failUnavailable('searxng', NO_JSON);
  if (status === 401)
    fail({ code: 'search_auth_error', provider: 'searxng', reason: 'it asks for a sign-in (HTTP 401)' });
  if (status === 429) {
    const seconds = retryAfterSeconds(headers, now) ?? SEARCH_RETRY_AFTER_DEFAULT_SECONDS;
    fail({ code: 'search_rate_limited', provider: 'searxng', retryAfterSeconds: Math.max(1, seconds) });
  }
  if (status >= 300 && status < 400) failUnavailable('searxng', REDIRECT);
  return failUnavailable('searxng', `it answered HTTP ${status}`);
}

function looksLikeHtml({ headers, text }: HttpAnswer): boolean {
  return /\bhtml\b/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
}

/** Search API: `time_range`. */
const TIME_RANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ pd: 'day', pw: 'week', pm: 'month', py: 'year' }),
);
const SAFE_SEARCH: Readonly<Record<SafeSearch, string>> = { off: '0', moderate: '1', strict: '2' };
/** Languages for which SearXNG wants the region instead of the script, or its own code. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ jp: 'ja', 'zh-hans': 'zh-CN', 'zh-hant': 'zh-TW' }),
);
/** Instances answer other codes with an error. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{2})?$/i;
const SEARCH_PATH = /(?:\/search)?\/*$/;

/**
 * The search API is at `/search` below the configured address. Credentials in that address become a header, because
 * `fetch` refuses URLs with credentials. Pure.
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

/** Prefers the variant of the given country. */
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
