import type { HitLine } from '#core/document/document.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { SearchEngine, SearchSource } from '#core/search-engines.ts';
import { SEARCH_TIMEOUT_MS } from './limits.ts';
import { abortable } from '#core/flow/abort.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import { request as requestOnce } from '#net/fetch/fetch-port.ts';
import type { Fetch } from '#net/fetch/fetch-port.ts';
import { failNetwork } from '#net/fetch/network-error.ts';
import { BodyInterrupted, BodyTooLarge, discard, readBody } from '#net/fetch/read-body.ts';
import { SECOND_MS, MIB } from '#core/limits.ts';

/** Ten times the largest answers seen. */
const SEARCH_BODY_BYTES_MAX = 2 * MIB;

export type SearchQuery = {
  /** Single spaces; never empty. */
  query: string;
  /** The same in other words, for the pages that are stored here: no provider on the web gets them. */
  also?: readonly string[] | undefined;
  /** 1 to 20 results. */
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
  /** Such as `en-US`. */
  ui_lang?: string | undefined;
  extra_snippets?: boolean | undefined;
  goggles?: string | undefined;
};

export type SafeSearch = 'off' | 'moderate' | 'strict';

/** All text comes from a page: data, on one line. The URL is canonical http or https. */
export type SearchResult = {
  /** From 1; also the `result_id`. */
  rank: number;
  title: string;
  url: string;
  description: string;
  extra_snippets: string[];
  age: string | null;
  /** Where the description stands; only for pages that are stored here. */
  place?: HitLine | undefined;
  /** When several providers were asked at once: those that found it. */
  found_by?: string[] | undefined;
};

export type ProviderAnswer = {
  hits: SearchResult[];
  more: boolean;
  notes: string[];
  /** Something is missing that may be there soon. */
  isPartial?: boolean | undefined;
};

/** `deadlineAt`: ms since the epoch; the signal aborts then. */
export type SearchTime = { signal: AbortSignal; deadlineAt: number };

/** `why`: our explanation why other addresses are left out. */
export type UrlFilter = { allows: (url: string) => boolean; why: string };

/**
 * @throws {PeriscopeError} `search_*` when it cannot answer, `invalid_argument` for a value that the caller can correct
 * @throws the signal's reason once that has fired
 */
export type SearchProvider = {
  /** A {@link ProviderName}, or several joined by `+`. */
  name: string;
  /** Part of cache keys, so that sources of one kind are kept apart; never a secret. */
  source: string;
  /** Whether each request costs money: the health check asks such a provider only when the owner wants it to. */
  paid: boolean;
  /** Whether its answers may be stored for other callers. */
  cacheable: boolean;
  /** `listable`: for a provider that pages its own results, which must filter them before it counts a page. */
  search: (query: SearchQuery, time: SearchTime, listable?: UrlFilter) => Promise<ProviderAnswer>;
  /** Those that this one asks at once. */
  parts?: readonly SearchProvider[] | undefined;
};

export type ProviderName = SearchEngine | SearchSource;

export function ignoredNote(name: string, query: SearchQuery, cannot: readonly (keyof SearchQuery)[]): string[] {
  const ignored = cannot.filter((field) => asksForSomething(field, query));
  return ignored.length === 0 ? [] : [`${name} cannot honour ${ignored.join(', ')}: ignored.`];
}

/** Moderate is the default, so only strict filtering is a wish of the caller. */
function asksForSomething(field: keyof SearchQuery, query: SearchQuery): boolean {
  return field === 'safesearch' ? query.safesearch === 'strict' : query[field] !== undefined && query[field] !== false;
}

/** The operator chose the providers' addresses, so the address gate does not check them. */
export type SearchHttp = {
  fetch: Fetch;
  now: () => number;
  /** Rejects with the signal's reason when it fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
};

export type HttpAnswer = { status: number; headers: Headers; text: string };

/** One request to the address of a provider; with a body it is a POST. Redirects are not followed. */
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
 * Waits for one whole answer, and caps its body.
 * @param send follows no redirect
 * @param onHeaders called while the body is read
 * @throws {PeriscopeError} `search_unavailable` when there is no whole answer in time, or what `send` throws
 * @throws the signal's reason when it fired
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
    await discard(response.body);
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
