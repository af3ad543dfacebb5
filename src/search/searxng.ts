import * as z from 'zod';
import { fail } from '#core/errors.ts';
import { SEARCH_RAW_HITS_MAX, SEARCH_RETRY_AFTER_DEFAULT_SECONDS } from './limits.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { retryAfterSeconds } from '#net/retry.ts';
import { parseJson } from '#core/json.ts';
import { ask, unavailable } from './http.ts';
import type { HttpAnswer, SearchHttp } from './http.ts';
import { ignoredNote } from './provider.ts';
import type { ProviderAnswer, SearchProvider, SearchQuery } from './provider.ts';
import { searxngRequest } from './searxng-request.ts';
import { tidyHits } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';

export type SearxngDeps = { base: string; userAgent: string; http: SearchHttp };

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

/** A SearXNG instance of the operator's choice. Its JSON answers hold plain text. */
export function searxngProvider({ base, userAgent, http }: SearxngDeps): SearchProvider {
  return {
    name: 'searxng',
    source: `searxng ${redactUrl(base)}`,
    cacheable: true,
    async search(query, time) {
      const request = searxngRequest(base, query, userAgent);
      const answer = await ask('searxng', request, time, http);
      if (answer.status !== 200) refuse(answer, http.now());
      const found = read(answer, query);
      return { ...found, notes: [...ignoredNote('searxng', query, request.ignored), ...found.notes] };
    },
  };
}

function read(answer: HttpAnswer, query: SearchQuery): ProviderAnswer {
  const parsed = response.safeParse(parseJson(answer.text));
  if (!parsed.success)
    unavailable('searxng', looksLikeHtml(answer) ? HTML_ANSWER : 'its answer does not have the documented form');
  const { results, unresponsive_engines } = parsed.data;
  const silent = unresponsive_engines?.length ?? 0;
  if (results.length === 0 && silent > 0) {
    unavailable('searxng', `none of its search engines found anything, and ${silent} of them did not answer`);
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

/** What an instance's refusals mean: its search API and its limiter, as documented. */
function refuse(answer: HttpAnswer, now: number): never {
  const { status, headers } = answer;
  if (status === 403) unavailable('searxng', NO_JSON);
  if (status === 401)
    fail({ code: 'search_auth_error', provider: 'searxng', reason: 'it asks for a sign-in (HTTP 401)' });
  if (status === 429) {
    const seconds = retryAfterSeconds(headers, now) ?? SEARCH_RETRY_AFTER_DEFAULT_SECONDS;
    fail({ code: 'search_rate_limited', provider: 'searxng', retryAfterSeconds: Math.max(1, seconds) });
  }
  if (status >= 300 && status < 400) unavailable('searxng', REDIRECT);
  return unavailable('searxng', `it answered HTTP ${status}`);
}

function looksLikeHtml({ headers, text }: HttpAnswer): boolean {
  return /\bhtml\b/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
}
