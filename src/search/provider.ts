import type { HitLine } from '#core/document/document.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { SearchEngine, SearchSource } from '#core/search-engines.ts';
import { SEARCH_TIMEOUT_MS } from './limits.ts';
import { abortable } from '#core/flow/abort.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import { request as requestOnce } from '#net/fetch/fetch-port.ts';
import type { Fetch } from '#net/fetch/fetch-port.ts';
import { failNetwork } from '#net/fetch/network-error.ts';
import { BodyInterrupted, BodyTooLarge, cancelBody, readBody } from '#net/fetch/read-body.ts';
import { SECOND_MS, MIB } from '#core/limits.ts';

/** Ten times the largest answers seen. */
const SEARCH_BODY_BYTES_MAX = 2 * MIB;

export type SearchQuery = {
  /** Words separated by single spaces; never empty. */
  query: string;
  /** Rewordings, for stored pages only. They are not sent to web providers. */
  also?: readonly string[] | undefined;
  count: number;
  /** Pages of `count` results to skip, 0 to 9. */
  offset?: number | undefined;
  /** `pd`, `pw`, `pm`, `py`, or `YYYY-MM-DDtoYYYY-MM-DD`. */
  freshness?: string | undefined;
  safesearch?: SafeSearch | undefined;
  /** Two capital letters, or `ALL`. */
  country?: string | undefined;
  /** Lower case, such as `en` or `zh-hant`. */
  search_lang?: string | undefined;
  /** A language and region, such as `en-US`. */
  ui_lang?: string | undefined;
  extra_snippets?: boolean | undefined;
  goggles?: string | undefined;
};

export type SafeSearch = 'off' | 'moderate' | 'strict';

/** A result. All text is untrusted page data on one line. The URL is canonical http or https. */
export type SearchResult = {
  /** From 1; also the `result_id`. */
  rank: number;
  title: string;
  url: string;
  description: string;
  extra_snippets: string[];
  age: string | null;
  /** The place of the description; only for stored pages. */
  place?: HitLine | undefined;
  /** The providers that found the result, if several were asked in parallel. */
  found_by?: string[] | undefined;
};

export type ProviderAnswer = {
  hits: SearchResult[];
  more: boolean;
  notes: string[];
  /** True if results are missing that may be available soon. */
  isPartial?: boolean | undefined;
};

/** `deadlineAt` is in ms since the epoch; the signal aborts at that time. */
export type SearchTime = { signal: AbortSignal; deadlineAt: number };

/** `why` is our explanation for leaving out other URLs. */
export type UrlFilter = { allows: (url: string) => boolean; why: string };

/**
 * @throws {PeriscopeError} `search_*` if it cannot answer, `invalid_argument` for a value that the caller can correct
 * @throws the signal's reason after that has fired
 */
export type SearchProvider = {
  /** A {@link ProviderName}, or several joined by `+`. */
  name: string;
  /** Part of cache keys, to separate sources of one kind; never a secret. */
  source: string;
  /** True if requests cost money. The health check asks such a provider only at the owner's request. */
  paid: boolean;
  /** True if its answers may be cached for other callers. */
  cacheable: boolean;
  /** `listable` is for a provider that pages its own results, which must filter them before it counts a page. */
  search: (query: SearchQuery, time: SearchTime, listable?: UrlFilter) => Promise<ProviderAnswer>;
  /** The providers that this one asks in parallel. */
  parts?: readonly SearchProvider[] | undefined;
};

export type ProviderName = SearchEngine | SearchSource;

export function ignoredNote(name: string, query: SearchQuery, cannot: readonly (keyof SearchQuery)[]): string[] {
  const ignored = cannot.filter((field) => asksForSomething(field, query));
  return ignored.length === 0 ? [] : [`${name} cannot honour ${ignored.join(', ')}: ignored.`];
}

/** Moderate is the default, so only strict filtering is a request of the caller. */
function asksForSomething(field: keyof SearchQuery, query: SearchQuery): boolean {
  return field === 'safesearch' ? query.safesearch === 'strict' : query[field] !== undefined && query[field] !== false;
}

/** HTTP access to providers. The operator chose their URLs, so the URL gate does not check them. */
export type SearchHttp = {
  fetch: Fetch;
  now: () => number;
  /** Rejects with the signal's reason if that fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
};

export type HttpAnswer = { status: number; headers: Headers; text: string };

/** Sends one request to a provider; with a body it is a POST. Redirects are not followed. */
export function requestTo(
  http: Pick<SearchHttp, 'fetch'>,
  { url, headers, body }: { url: string; headers: Record<string, string>; body?: object | undefined },
  signal: AbortSignal,
): Promise<Response> {
  if (body === undefined) return requestOnce(http.fetch, url, { headers, signal });
  const typed = { ...headers, 'content-type': 'application/json' };
  return requestOnce(http.fetch, url, { headers: typed, body: JSON.stringify(body), signal });
}

/**
 * Waits for one complete answer of limited size.
 * @param send must not follow redirects
 * @param onHeaders called while the body is read
 * @throws {PeriscopeError} `search_unavailable` without a complete answer in time, or whatever `send` throws
 * @throws the signal's reason if it fired
 */
export async function askProvider(
  provider: ProviderName,
  send: (signal: AbortSignal) => Promise<Response>,
  time: SearchTime,
  http: Pick<SearchHttp, 'now'>,
  onHeaders: (status: number, headers: Headers) => Promise<void> = async () => {},
): Promise<HttpAnswer> {
  const ms = Math.min(SEARCH_TIMEOUT_MS, time.deadlineAt - http.now());
  if (ms <= 0) failUnavailable(provider, 'no time was left to ask it');
  try {
    return await withDeadline({ ms, what: provider, url: '' }, time.signal, async (signal) => {
      const response = await abortable(send(signal), signal);
      const [text] = await Promise.all([textOf(response, signal), onHeaders(response.status, response.headers)]);
      return { status: response.status, headers: response.headers, text };
    });
  } catch (error) {
    if (time.signal.aborted) throw time.signal.reason;
    return failUnavailable(provider, reasonOf(error, ms), error);
  }
}

/** @param reason our words, never the provider's @throws {PeriscopeError} `search_unavailable` */
export function failUnavailable(provider: string, reason: string, cause?: unknown): never {
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
