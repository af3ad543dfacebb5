import * as z from 'zod';
import type { RateWindow, RateGrant, SearchLimiter } from '#client/pace/search-limiter.ts';
import type { Failure } from '#core/failures/failure.ts';
import { fail } from '#core/failures/failure.ts';
import { DAY_MS, SECOND_MS } from '#core/limits.ts';
import { parseJson } from '#core/text/json.ts';
import { retryAfterSeconds } from '#net/fetch/fetch-port.ts';
import { SEARCH_RAW_HITS_MAX } from './limits.ts';
import { sendProviderRequest, failProviderUnavailable, noteIgnoredFields } from './provider.ts';
import type {
  ProviderResponse,
  ProviderName,
  SearchHttp,
  SearchProvider,
  SearchQuery,
  SearchTime,
} from './provider.ts';
import { cleanHits, addRanks } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';
import type { ObjectCalls } from '#core/objects.ts';

/** Retry time in seconds that is reported if a service rejects a request as too many and suggests no time. */
const RETRY_AFTER_DEFAULT_SECONDS = 60;

/** A search service that answers one request with one page of JSON results. */
type Engine = {
  name: ProviderName;
  /** Distinguishes services of one name in the cache. Default: the name. */
  source?: string;
  paid: boolean;
  cacheable: boolean;
  /** HTTP status codes by which the service rejects the owner's API key. Empty for a service without key. */
  keyRefusals: readonly number[];
  /** Returns the fields of this query that the service does not support. */
  ignored: (query: SearchQuery) => readonly (keyof SearchQuery)[];
  /**
   * Called before each request.
   * @throws {PeriscopeError} if the service cannot be asked now
   */
  before?: () => Promise<void>;
  /** Sends the request. It must not follow redirects. */
  send: (query: SearchQuery, signal: AbortSignal) => Promise<Response>;
  parse?: (answer: ProviderResponse) => unknown;
  /**
   * Reads the results from an answer. Returns `null` if the answer does not have the documented format. A malformed
   * result is left out.
   */
  read: (body: unknown, query: SearchQuery) => EngineResults | null;
  /**
   * Returns the reason why an answer is unusable, in this server's words, or `null` if the default reason is good
   * enough.
   */
  why?: (answer: ProviderResponse) => string | null;
  notes?: (query: SearchQuery) => readonly string[];
  /** The queue for requests to this service, and a function that reads the rate limits reported in an answer. */
  queue?: { limiter: SearchRateLimiter; windows: (answer: ProviderResponse) => readonly RateWindow[] };
};

/** Dependencies of a provider with an API key. */
export type KeyedEngineDeps = { key: string; userAgent: string; http: SearchHttp };
/** Dependencies of a provider without an API key. */
export type FreeEngineDeps = { userAgent: string; http: SearchHttp; limiter: SearchRateLimiter };

export type EngineResults = {
  raw: readonly RawHit[];
  more: boolean;
  notes?: readonly string[];
  /** True if the list begins with the results of earlier pages, because the service cannot skip them. */
  fromFirst?: boolean;
};

/**
 * Creates a provider from the description of a service. Failed requests are not retried.
 * @throws {PeriscopeError} as a {@link SearchProvider} does
 */
export function engineProvider(engine: Engine, http: Pick<SearchHttp, 'now' | 'sleep'>): SearchProvider {
  const { name, source = name, paid, cacheable, queue } = engine;
  return {
    name,
    source,
    paid,
    cacheable,
    async search(query, time) {
      time.signal.throwIfAborted();
      await engine.before?.();
      if (queue !== undefined) await waitForRateLimit(name, queue.limiter, time, http);
      const answer = await sendProviderRequest(name, (signal) => engine.send(query, signal), time, http);
      if (queue !== undefined) await tell(queue, answer);
      if (answer.status !== 200) fail(refusal(engine, answer, http.now()));
      const found = engine.read((engine.parse ?? asJson)(answer), query);
      if (found === null) failProviderUnavailable(name, engine.why?.(answer) ?? formProblem(answer));
      const said = [...(engine.notes?.(query) ?? []), ...noteIgnoredFields(name, query, engine.ignored(query))];
      const { hits, more, notes } = pageOf(found, query);
      return { hits, more, notes: [...said, ...(found.notes ?? []), ...notes] };
    },
  };
}

function asJson({ text }: ProviderResponse): unknown {
  return parseJson(text);
}

async function tell({ limiter, windows }: NonNullable<Engine['queue']>, answer: ProviderResponse): Promise<void> {
  const reported = windows(answer);
  const isRefused = answer.status === TOO_MANY;
  if (reported.length > 0 || isRefused) await limiter.learn([...reported], isRefused).catch(() => {});
}

function pageOf({ raw, more, fromFirst = false }: EngineResults, { count, offset = 0 }: SearchQuery) {
  const skipped = fromFirst ? offset * count : 0;
  const list = cleanHits(raw.slice(0, SEARCH_RAW_HITS_MAX), skipped + count);
  const hits = skipped === 0 ? list.hits : addRanks(list.hits.slice(skipped));
  return { hits, more: more || list.beyond, notes: list.notes };
}

const TOO_MANY = 429;
/**
 * Status codes for exhausted credits or quotas: 402 (payment required), and Tavily's 432 and 433 for the limits of a
 * plan.
 */
const USED_UP = new Set([402, 432, 433]);

function refusal(engine: Engine, answer: ProviderResponse, now: number): Failure {
  const { name: provider, keyRefusals } = engine;
  const { status, headers } = answer;
  if (status === TOO_MANY) {
    const seconds = retryAfterSeconds(headers, now) ?? RETRY_AFTER_DEFAULT_SECONDS;
    return { code: 'search_rate_limited', provider, retryAfterSeconds: Math.max(1, seconds) };
  }
  const reason = engine.why?.(answer) ?? usualReason(status);
  if (keyRefusals.includes(status)) return { code: 'search_auth_error', provider, reason };
  return { code: 'search_unavailable', provider, reason };
}

function usualReason(status: number): string {
  if (USED_UP.has(status)) return `the searches that its plan allows, or its credits, are used up (HTTP ${status})`;
  if (status >= 300 && status < 400) return 'it answered with a redirect, which is not followed';
  return `it answered HTTP ${status}`;
}

function formProblem(answer: ProviderResponse): string {
  return looksLikeHtml(answer)
    ? 'it answered with a web page instead of JSON'
    : 'its answer does not have the documented form';
}

export function looksLikeHtml({ headers, text }: ProviderResponse): boolean {
  return /\bhtml\b/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(text);
}

/** Query fields that a service without filters does not support. */
export const SEARCH_FILTERS = ['safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles'] as const;
export const DATE_AND_SEARCH_FILTERS = ['freshness', ...SEARCH_FILTERS] as const;

/**
 * Returns the number of results to request from a service that cannot skip results: all results up to the end of the
 * wanted page.
 */
export function countThroughPage({ count, offset = 0 }: SearchQuery): number {
  return count * (offset + 1);
}

/** Returns the list in an answer of the form `{ results: [] }`, or `null` if the answer has another form. */
export function readResultsList(body: unknown): readonly unknown[] | null {
  return listed.safeParse(body).data?.results ?? null;
}

const listed = z.object({ results: z.array(z.unknown()) });

/** A result as services send it: most fields may be missing or `null`. */
export type HitFields = {
  url: string;
  title?: string | null | undefined;
  description?: string | null | undefined;
  extraSnippets?: readonly string[];
  age?: string | null | undefined;
};

/** Reads the results of an answer. A malformed result is left out. */
export function readHits<T>(items: readonly unknown[], schema: z.ZodType<T>, read: (item: T) => HitFields): RawHit[] {
  return items.flatMap((item) => {
    const { success, data } = schema.safeParse(item);
    if (!success) return [];
    const { url, title, description, extraSnippets = [], age } = read(data);
    return [{ url, title: title ?? '', description: description ?? '', extraSnippets, age: age ?? null }];
  });
}

export function dayOfTime(time: string | null | undefined): string | undefined {
  return time?.replace(/T.*$/s, '');
}

export function joinWithinChars(words: readonly string[], charsMax: number): string {
  const kept = [...words];
  while (kept.length > 1 && kept.join(' ').length > charsMax) kept.pop();
  return kept.join(' ').slice(0, charsMax);
}

/** Converts a freshness value to its first and last day in UTC. Returns `null` if there is no freshness value. */
export function parseFreshness(freshness: string | undefined, now: number): { from: string; to: string } | null {
  if (freshness === undefined) return null;
  const days = PERIOD_DAYS.get(freshness);
  if (days === undefined) {
    const [from = '', to = ''] = freshness.split('to');
    return { from, to };
  }
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(now - days * DAY_MS), to: day(now) };
}

const PERIOD_DAYS: ReadonlyMap<string, number> = new Map(Object.entries({ pd: 1, pw: 7, pm: 31, py: 365 }));

/**
 * Time in ms that is reserved for the request itself. A search does not wait in the queue during this time before its
 * deadline.
 */
const SEARCH_EXCHANGE_RESERVE_MS = 3 * SECOND_MS;

export type SearchRateLimiter = Pick<ObjectCalls<SearchLimiter>, 'reserve' | 'learn'>;

/**
 * Waits until the queue allows a request. If the queue itself fails, the search continues without it, because the
 * search service also limits the rate.
 * @throws {PeriscopeError} `search_rate_limited` if the queue allows no request in time
 */
export async function waitForRateLimit(
  provider: ProviderName,
  limiter: SearchRateLimiter,
  time: SearchTime,
  http: Pick<SearchHttp, 'now' | 'sleep'>,
): Promise<void> {
  const patienceMs = Math.max(0, time.deadlineAt - http.now() - SEARCH_EXCHANGE_RESERVE_MS);
  const grant = await limiter.reserve(patienceMs).catch((): RateGrant => ({ granted: true, waitMs: 0 }));
  if (!grant.granted) {
    const seconds = Math.max(1, Math.ceil(grant.retryAfterMs / SECOND_MS));
    fail({ code: 'search_rate_limited', provider, retryAfterSeconds: seconds });
  }
  if (grant.waitMs > 0) await http.sleep(grant.waitMs, time.signal);
}
