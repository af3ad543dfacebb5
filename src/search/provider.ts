import type { HitLine } from '#core/document.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
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
};

export type ProviderAnswer = {
  hits: SearchResult[];
  more: boolean;
  notes: string[];
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
  name: ProviderName;
  /** Part of cache keys, so that sources of one kind are kept apart; never a secret. */
  source: string;
  /** Whether each request costs money: the health check asks such a provider only when the owner wants it to. */
  paid: boolean;
  /** Whether its answers may be stored for other callers. */
  cacheable: boolean;
  /** `listable`: for a provider that pages its own results, which must filter them before it counts a page. */
  search: (query: SearchQuery, time: SearchTime, listable?: UrlFilter) => Promise<ProviderAnswer>;
};

/** Stored answers name one of them. */
export const PROVIDER_NAMES = ['brave', 'searxng', 'local'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

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

/**
 * Does not follow redirects, and caps the body.
 * @param onHeaders called while the body is read
 * @throws {PeriscopeError} `search_unavailable` when there is no whole answer in time
 * @throws the signal's reason when it fired
 */
export async function requestProvider(
  provider: ProviderName,
  request: { url: string; headers: Record<string, string> },
  time: SearchTime,
  http: SearchHttp,
  onHeaders: (status: number, headers: Headers) => Promise<void> = async () => {},
): Promise<HttpAnswer> {
  const ms = Math.min(SEARCH_TIMEOUT_MS, time.deadlineAt - http.now());
  if (ms <= 0) failUnavailable(provider, 'no time was left to ask it');
  try {
    return await withDeadline({ ms, what: provider, url: '' }, time.signal, async (signal) => {
      const sent = requestOnce(http.fetch, request.url, { headers: request.headers, signal });
      const response = await abortable(sent, signal);
      const [text] = await Promise.all([textOf(response, signal), onHeaders(response.status, response.headers)]);
      return { status: response.status, headers: response.headers, text };
    });
  } catch (error) {
    if (time.signal.aborted) throw time.signal.reason;
    return failUnavailable(provider, reasonOf(error, ms), error);
  }
}

/** @param reason our words, never the provider's @throws {PeriscopeError} `search_unavailable` */
export function failUnavailable(provider: ProviderName, reason: string, cause?: unknown): never {
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
