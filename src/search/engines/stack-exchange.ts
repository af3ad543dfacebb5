import * as z from 'zod';
import type { RateWindow } from '#client/pace/search-limiter.ts';
import { DAY_MS, SECOND_MS } from '#core/limits.ts';
import { parseJson } from '#core/text/json.ts';
import { parseFreshness, engineProvider, SEARCH_FILTERS, readHits } from '#search/engine.ts';
import type { EngineResults, FreeEngineDeps } from '#search/engine.ts';
import { requestProvider } from '#search/provider.ts';
import type { ProviderResponse, SearchProvider, SearchQuery } from '#search/provider.ts';
import { textOfHtml } from '#search/tidy-hits.ts';

const ENDPOINT = 'https://api.stackexchange.com/2.3/search/excerpts';
const SITE = 'https://stackoverflow.com';

/** Fields that both results and errors have. `backoff` is the number of seconds to wait before the next request. */
const wrapper = z.object({
  backoff: z.number().nullish(),
  quota_max: z.number().nullish(),
  quota_remaining: z.number().nullish(),
  error_name: z.string().nullish(),
});
const response = z.object({ items: z.array(z.unknown()), has_more: z.boolean().nullish() });
const result = z.object({
  item_type: z.enum(['question', 'answer']),
  question_id: z.number().int().positive(),
  answer_id: z.number().int().positive().nullish(),
  title: z.string(),
  excerpt: z.string().nullish(),
  creation_date: z.number().nullish(),
});

/**
 * Stack Overflow, searched through the Stack Exchange API. Without an API key, it allows 300 searches a day per IP
 * address.
 */
export function stackExchangeProvider({ userAgent, http, limiter }: FreeEngineDeps): SearchProvider {
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent };
  return engineProvider(
    {
      name: 'stackexchange',
      paid: false,
      cacheable: true,
      keyRefusals: [],
      ignored: () => SEARCH_FILTERS,
      send: (query, signal) => requestProvider(http, { url: searchUrl(query, http.now()), headers }, signal),
      read: readStackExchange,
      why: reasonFor,
      queue: { limiter, windows: windowsOf },
    },
    http,
  );
}

function searchUrl(query: SearchQuery, now: number): string {
  const days = parseFreshness(query.freshness, now);
  const seconds = (day: string) => String(Date.parse(`${day}T00:00:00Z`) / SECOND_MS);
  const parameters = new URLSearchParams({
    site: 'stackoverflow',
    order: 'desc',
    sort: 'relevance',
    q: query.query,
    pagesize: String(query.count),
    page: String((query.offset ?? 0) + 1),
    ...(days === null ? {} : { fromdate: seconds(days.from), todate: seconds(days.to) }),
  });
  return `${ENDPOINT}?${parameters.toString()}`;
}

function readStackExchange(body: unknown): EngineResults | null {
  const parsed = response.safeParse(body);
  if (!parsed.success) return null;
  const raw = readHits(parsed.data.items, result, (item) => {
    const { item_type: type, question_id: question, answer_id: answer, title, excerpt, creation_date: made } = item;
    const isAnswer = type === 'answer' && answer !== null && answer !== undefined;
    return {
      url: isAnswer ? `${SITE}/a/${answer}` : `${SITE}/questions/${question}`,
      title: `${isAnswer ? 'Answer: ' : ''}${textOfHtml(title)}`,
      description: textOfHtml(excerpt ?? ''),
      age: made === null || made === undefined ? null : new Date(made * SECOND_MS).toISOString().slice(0, 10),
    };
  });
  return { raw, more: parsed.data.has_more === true };
}

/**
 * Returns the rate limits that an answer reports. `backoff` becomes an exhausted window, and the daily quota a window
 * of one day.
 */
function windowsOf({ text }: ProviderResponse): RateWindow[] {
  const { success, data } = wrapper.safeParse(parseJson(text));
  if (!success) return [];
  const { backoff, quota_max: limit, quota_remaining: remaining } = data;
  const waitMs = (backoff ?? 0) * SECOND_MS;
  return [
    PACE,
    ...(waitMs > 0 ? [{ limit: 1, windowMs: waitMs, remaining: 0, resetMs: waitMs }] : []),
    ...(limit && remaining !== null && remaining !== undefined
      ? [{ limit, windowMs: DAY_MS, remaining, resetMs: null }]
      : []),
  ];
}

/** A limit of one search per second, far below the rate that Stack Exchange treats as abuse. */
const PACE: RateWindow = { limit: 1, windowMs: SECOND_MS, remaining: null, resetMs: null };

/** Explains an error. The API answers most errors with status 400 and a name in `error_name`. */
function reasonFor({ status, text }: ProviderResponse): string | null {
  const { success, data } = wrapper.safeParse(parseJson(text));
  if (!success || status === 200 || data.error_name !== 'throttle_violation') return null;
  return 'too many searches came from the network address of this server';
}
