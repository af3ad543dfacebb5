import { fail, PeriscopeError } from '#core/errors.ts';
import { SEARCH_BODY_BYTES_MAX, SEARCH_TIMEOUT_MS } from './limits.ts';
import { abortable } from '#core/abortable.ts';
import { withDeadline } from '#net/deadline.ts';
import { request as requestOnce } from '#net/fetch-port.ts';
import type { Fetch } from '#net/fetch-port.ts';
import { failNetwork } from '#net/network-error.ts';
import { BodyBrokeOff, BodyTooLarge, discard, readBody } from '#net/read-body.ts';
import type { ProviderName, SearchTime } from './provider.ts';
import { SECOND_MS } from '#core/units.ts';

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
