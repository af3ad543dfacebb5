import type { HitLine } from '#core/document.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { SEARCH_BODY_BYTES_MAX, SEARCH_TIMEOUT_MS } from './limits.ts';
import { abortable } from '#core/flow/abort.ts';
import { withDeadline } from '#net/fetch/deadline.ts';
import { request as requestOnce } from '#net/fetch/fetch-port.ts';
import type { Fetch } from '#net/fetch/fetch-port.ts';
import { failNetwork } from '#net/fetch/network-error.ts';
import { BodyBrokeOff, BodyTooLarge, discard, readBody } from '#net/fetch/read-body.ts';
import { SECOND_MS } from '#core/limits.ts';

/** What a provider is asked: the fields of `web_search`, checked and normalised. */
export type SearchQuery = {
  /** White space folded; never empty. */
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

/** One result: text is plain, on one line and page-made, so it is data; the URL is canonical http or https. */
export type SearchResult = {
  /** 1-based place in this list, which is also its `result_id`. */
  rank: number;
  title: string;
  url: string;
  description: string;
  /** Further passages of the page; empty unless they were asked for. */
  extra_snippets: string[];
  /** How old the page is, in the provider's words, or `null`. */
  age: string | null;
  /** Where the description stands; only of pages that are stored here. */
  place?: HitLine | undefined;
};

export type ProviderAnswer = {
  hits: SearchResult[];
  /** Whether the next `offset` may hold more. */
  more: boolean;
  /** What the caller should know of how these came about, in our own words. */
  notes: string[];
};

/** The time a search has: a signal that ends it, and when (ms since the epoch) that will be. */
export type SearchTime = { signal: AbortSignal; deadlineAt: number };

/** The addresses that may be listed, and why others are not, in our own words. */
export type Listable = { allows: (url: string) => boolean; why: string };

/**
 * A source of search results. Throws a `PeriscopeError` with a `search_*` code when it cannot answer, and
 * `invalid_argument` when it refuses a value that the caller can correct; the signal's reason once that has fired.
 */
export type SearchProvider = {
  name: ProviderName;
  /** Tells this source from others of its kind in cache keys; never a secret. */
  source: string;
  /** Whether its answers may be kept for other callers. */
  cacheable: boolean;
  /** A source that lists its results itself leaves out what is not listable before it counts out a page of them. */
  search: (query: SearchQuery, time: SearchTime, listable?: Listable) => Promise<ProviderAnswer>;
};

export type ProviderName = 'brave' | 'searxng' | 'local';

/** Notes which of the given fields a provider cannot honour; no note when it can honour all. */
export function ignoredNote(name: string, query: SearchQuery, cannot: readonly (keyof SearchQuery)[]): string[] {
  const ignored = cannot.filter((field) => asksForSomething(field, query));
  return ignored.length === 0 ? [] : [`${name} cannot honour ${ignored.join(', ')}: ignored.`];
}

/** Moderate filtering is the default, so only strict filtering counts as a wish of the caller. */
function asksForSomething(field: keyof SearchQuery, query: SearchQuery): boolean {
  return field === 'safesearch' ? query.safesearch === 'strict' : query[field] !== undefined && query[field] !== false;
}

/** How search providers reach the world. Their addresses are the operator's choice, so no gate judges them. */
export type SearchHttp = {
  fetch: Fetch;
  /** ms since the epoch. */
  now: () => number;
  /** Rejects with the signal's reason when it fires first. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  random: () => number;
};

export type HttpAnswer = { status: number; headers: Headers; text: string };

/**
 * One GET of a provider's API, redirects not followed, its body capped.
 * @param heard runs while the body is read, with the status and headers of the answer
 * @throws {PeriscopeError} `search_unavailable` in our own words when there is no whole answer in time; the signal's
 *   reason when it fired
 */
export async function ask(
  provider: ProviderName,
  request: { url: string; headers: Record<string, string> },
  time: SearchTime,
  http: SearchHttp,
  heard: (status: number, headers: Headers) => Promise<void> = async () => {},
): Promise<HttpAnswer> {
  const ms = Math.min(SEARCH_TIMEOUT_MS, time.deadlineAt - http.now());
  if (ms <= 0) unavailable(provider, 'no time was left to ask it');
  try {
    return await withDeadline({ ms, what: provider, url: '' }, time.signal, async (signal) => {
      const sent = requestOnce(http.fetch, request.url, { headers: request.headers, signal });
      const response = await abortable(sent, signal);
      const [text] = await Promise.all([textOf(response, signal), heard(response.status, response.headers)]);
      return { status: response.status, headers: response.headers, text };
    });
  } catch (error) {
    if (time.signal.aborted) throw time.signal.reason;
    return unavailable(provider, reasonOf(error, ms), error);
  }
}

/** The one way a provider says that it cannot answer; `reason` is ours, never the provider's text. */
export function unavailable(provider: ProviderName, reason: string, cause?: unknown): never {
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
  if (error instanceof BodyBrokeOff) return 'the connection broke off before its answer was complete';
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
