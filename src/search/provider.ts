import type { SearchHitLine } from '#core/document/document.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { SearchEngine, SearchSource } from '#core/search-engines.ts';
import { PROVIDER_TIMEOUT_MS } from './limits.ts';
import { abortable } from '#core/flow/abort.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import { sendRequest, failNetwork } from '#net/fetch/fetch-port.ts';
import type { Fetch } from '#net/fetch/fetch-port.ts';
import { BodyInterrupted, BodyTooLarge, cancelBody, readBody } from '#net/fetch/read-body.ts';
import { SECOND_MS, MIB } from '#core/limits.ts';

/** Maximum bytes of a provider's answer: ten times the largest answer observed. */
const SEARCH_BODY_BYTES_MAX = 2 * MIB;

export type SearchQuery = {
  /** Words separated by single spaces. Never empty. */
  query: string;
  /** Rewordings of the query. Only the search in stored pages uses them; web providers do not receive them. */
  also?: readonly string[] | undefined;
  count: number;
  /** Number of result pages to skip, 0 to 9. A page has `count` results. */
  offset?: number | undefined;
  /** Age limit of results: `pd`, `pw`, `pm`, `py` (past day, week, month, year), or `YYYY-MM-DDtoYYYY-MM-DD`. */
  freshness?: string | undefined;
  safesearch?: SafeSearch | undefined;
  /** A country code of two capital letters, or `ALL`. */
  country?: string | undefined;
  /** The language of the results in lower case, such as `en` or `zh-hant`. */
  search_lang?: string | undefined;
  /** The language and region of the user interface, such as `en-US`. */
  ui_lang?: string | undefined;
  extra_snippets?: boolean | undefined;
  goggles?: string | undefined;
};

export type SafeSearch = 'off' | 'moderate' | 'strict';

/** A search result. Each text is a single line of untrusted page data. The URL is a canonical http or https URL. */
export type SearchResult = {
  /** The position in the list, from 1. It is also the `result_id`. */
  rank: number;
  title: string;
  url: string;
  description: string;
  extra_snippets: string[];
  age: string | null;
  /** The place of the description in the stored document. Set only for stored pages. */
  place?: SearchHitLine | undefined;
  /** Names of the providers that found the result. Set if several were asked in parallel. */
  found_by?: string[] | undefined;
};

export type ProviderAnswer = {
  hits: SearchResult[];
  more: boolean;
  notes: string[];
  /** True if a repeated search may soon find more, because one of several providers failed or was too slow. */
  isPartial?: boolean | undefined;
};

/** The time limit of a search. `deadlineAt` is in ms since 1970, and the signal aborts at that time. */
export type SearchTime = { signal: AbortSignal; deadlineAt: number };

/** A filter for URLs of results. `why` explains in this server's words why other URLs are left out. */
export type UrlFilter = { allows: (url: string) => boolean; why: string };

/**
 * A source of search results.
 * @throws {PeriscopeError} `search_*` if the provider cannot answer, `invalid_argument` for a value that the caller can
 * correct
 * @throws the signal's reason after the signal has fired
 */
export type SearchProvider = {
  /** A {@link ProviderName}, or several of them joined by `+`. */
  name: string;
  /**
   * A part of cache keys that separates different sources under one name, such as two SearXNG instances. It never
   * contains a secret.
   */
  source: string;
  /** True if requests cost money. The health check asks such a provider only if the owner requests it. */
  paid: boolean;
  /** True if the provider's answers may be cached and returned to other callers. */
  cacheable: boolean;
  /**
   * Searches. `listable` is for a provider that divides its results into pages itself. Such a provider must apply the
   * filter before it counts the results of a page.
   */
  search: (query: SearchQuery, time: SearchTime, listable?: UrlFilter) => Promise<ProviderAnswer>;
  /** The providers that this provider asks in parallel. */
  parts?: readonly SearchProvider[] | undefined;
};

export type ProviderName = SearchEngine | SearchSource;

export function noteIgnoredFields(name: string, query: SearchQuery, cannot: readonly (keyof SearchQuery)[]): string[] {
  const ignored = cannot.filter((field) => asksForSomething(field, query));
  return ignored.length === 0 ? [] : [`${name} cannot honour ${ignored.join(', ')}: ignored.`];
}

/**
 * Returns true if the query uses a field. `moderate` is the default of `safesearch`, so only `strict` counts as a
 * choice of the caller.
 */
function asksForSomething(field: keyof SearchQuery, query: SearchQuery): boolean {
  return field === 'safesearch' ? query.safesearch === 'strict' : query[field] !== undefined && query[field] !== false;
}

/** HTTP access to search providers. The URL gate does not check these URLs, because the operator chose them. */
export type SearchHttp = {
  fetch: Fetch;
  now: () => number;
  /** Waits for `ms`. Rejects with the signal's reason if the signal fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
};

export type ProviderResponse = { status: number; headers: Headers; text: string };

/** Sends one request to a provider: a POST if there is a body, otherwise a GET. Redirects are not followed. */
export function requestProvider(
  http: Pick<SearchHttp, 'fetch'>,
  { url, headers, body }: { url: string; headers: Record<string, string>; body?: object | undefined },
  signal: AbortSignal,
): Promise<Response> {
  if (body === undefined) return sendRequest(http.fetch, url, { headers, signal });
  const typed = { ...headers, 'content-type': 'application/json' };
  return sendRequest(http.fetch, url, { headers: typed, body: JSON.stringify(body), signal });
}

/**
 * Sends a request and waits for the whole answer. The size of the answer is limited.
 * @param send must not follow redirects
 * @param onHeaders called while the body is read
 * @throws {PeriscopeError} `search_unavailable` if there is no whole answer in time, or any failure of `send`
 * @throws the signal's reason if the signal fired
 */
export async function sendProviderRequest(
  provider: ProviderName,
  send: (signal: AbortSignal) => Promise<Response>,
  time: SearchTime,
  http: Pick<SearchHttp, 'now'>,
  onHeaders: (status: number, headers: Headers) => Promise<void> = async () => {},
): Promise<ProviderResponse> {
  const ms = Math.min(PROVIDER_TIMEOUT_MS, time.deadlineAt - http.now());
  if (ms <= 0) failProviderUnavailable(provider, 'no time was left to ask it');
  try {
    return await withDeadline({ ms, what: provider, url: '' }, time.signal, async (signal) => {
      const response = await abortable(send(signal), signal);
      const [text] = await Promise.all([textOf(response, signal), onHeaders(response.status, response.headers)]);
      return { status: response.status, headers: response.headers, text };
    });
  } catch (error) {
    if (time.signal.aborted) throw time.signal.reason;
    return failProviderUnavailable(provider, reasonOf(error, ms), error);
  }
}

/**
 * Fails because a provider has no usable answer.
 * @param reason this server's words, never the provider's
 * @throws {PeriscopeError} `search_unavailable`
 */
export function failProviderUnavailable(provider: string, reason: string, cause?: unknown): never {
  fail({ code: 'search_unavailable', provider, reason }, { cause });
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  if (response.status >= 300 && response.status < 400) {
    await cancelBody(response.body);
    return '';
  }
  const { bytes } = await readBody(response, { limitBytes: SEARCH_BODY_BYTES_MAX, onOverflow: 'fail', signal });
  return new TextDecoder().decode(bytes);
}

function reasonOf(error: unknown, ms: number): string {
  if (error instanceof BodyTooLarge) return `its answer is larger than ${SEARCH_BODY_BYTES_MAX} bytes`;
  if (error instanceof BodyInterrupted) return 'the connection broke off before its answer was complete';
  if (error instanceof PeriscopeError && error.failure.code === 'timeout') {
    return `it did not answer within ${Math.ceil(ms / SECOND_MS)} s`;
  }
  return networkReason(error);
}

function networkReason(error: unknown): string {
  try {
    return failNetwork(error, '');
  } catch (failure) {
    const isKnown = failure instanceof PeriscopeError && failure.failure.code === 'fetch_failed';
    return isKnown && 'reason' in failure.failure ? failure.failure.reason : 'the request failed';
  }
}
