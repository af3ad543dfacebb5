import { cancelBody } from './read-body.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';

/**
 * Options of a request. `no-store` is needed because Cloudflare caches some responses, such as robots.txt and PDFs, and
 * would return a cached response instead of the site's.
 */
export type FetchInit = {
  headers: Record<string, string>;
  redirect: 'manual';
  cache: 'no-store';
  signal: AbortSignal;
  method?: 'POST';
  body?: string;
};

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/**
 * Sends one request. If Cloudflare cannot reach a site, its `fetch` returns Cloudflare's own error response. This
 * function throws an `EdgeError` instead, as `fetch` throws on other platforms.
 */
export async function sendRequest(
  fetch: Fetch,
  url: string,
  { headers, signal, body }: Pick<FetchInit, 'headers' | 'signal' | 'body'>,
): Promise<Response> {
  const post = body === undefined ? {} : ({ method: 'POST', body } as const);
  const response = await fetch(url, { headers, redirect: 'manual', cache: 'no-store', signal, ...post });
  const event = edgeErrorForStatus(response.status);
  if (event === null) return response;
  await cancelBody(response.body);
  throw new EdgeError(event);
}

const RETRY_BASE_DELAY_MS = 250;
/** Maximum `Retry-After` in seconds that is reported: one day. Callers do not wait longer. */
const RETRY_AFTER_SECONDS_MAX = 86_400;

type NetworkEvent = { reason: string; isTransient: boolean };
type Kind = NetworkEvent & { pattern: RegExp };

const REFUSED = 'the connection was refused';
const NO_NAME = 'the host name could not be looked up';
const NOT_SECURE = 'a secure connection could not be made';
const NOT_MADE = 'the connection could not be made or broke off';
const BROKEN_OFF = 'the connection broke off';

/**
 * Patterns for the error messages of workerd and Node, which differ for the same event. The messages are never shown.
 * `connection lost` of workerd can mean a refused connection or a broken one.
 */
const KINDS: readonly Kind[] = [
  { pattern: /refused/i, reason: REFUSED, isTransient: false },
  { pattern: /not found|ENOTFOUND|EAI_AGAIN|\bDNS\b/i, reason: NO_NAME, isTransient: false },
  { pattern: /certificate|\bTLS\b|\bSSL\b|CERT_|handshake/i, reason: NOT_SECURE, isTransient: false },
  { pattern: /connection lost/i, reason: NOT_MADE, isTransient: true },
  {
    pattern: /reset|closed|hang up|disconnect|EPIPE|premature|terminated|aborted/i,
    reason: BROKEN_OFF,
    isTransient: true,
  },
];

/** HTTP statuses of the responses that Cloudflare sends if it cannot reach a site. */
const IN_PLACE_OF_A_SITE: ReadonlyMap<number, NetworkEvent> = new Map([
  [520, { reason: BROKEN_OFF, isTransient: true }],
  [521, { reason: REFUSED, isTransient: false }],
  [522, { reason: NOT_MADE, isTransient: true }],
  [523, { reason: NOT_MADE, isTransient: true }],
  [524, { reason: BROKEN_OFF, isTransient: true }],
  [525, { reason: NOT_SECURE, isTransient: false }],
  [526, { reason: NOT_SECURE, isTransient: false }],
  [527, { reason: BROKEN_OFF, isTransient: true }],
  [530, { reason: NO_NAME, isTransient: false }],
]);

function edgeErrorForStatus(status: number): NetworkEvent | null {
  return IN_PLACE_OF_A_SITE.get(status) ?? null;
}

class EdgeError extends Error {
  override name = 'EdgeError';
  readonly event: NetworkEvent;
  constructor(event: NetworkEvent) {
    super(event.reason);
    this.event = event;
  }
}

/**
 * Maximum errors read in a chain of causes. For example, `fetch failed` has the cause `connect ECONNREFUSED`, which has
 * a further cause for each address.
 */
const CAUSES_READ = 3;

/** True if a retry may help: the connection broke, as opposed to being refused. */
export function isTransientError(error: unknown): boolean {
  return kindOf(error)?.isTransient ?? false;
}

/**
 * Throws a failure in this project's words for a network exception.
 * @throws {PeriscopeError} `fetch_failed`
 */
export function failNetwork(error: unknown, url: string): never {
  if (error instanceof PeriscopeError) throw error;
  fail({ code: 'fetch_failed', url, reason: kindOf(error)?.reason ?? 'the request failed' }, { cause: error });
}

function kindOf(error: unknown): NetworkEvent | undefined {
  if (error instanceof EdgeError) return error.event;
  const text = causes(error);
  return KINDS.find((kind) => kind.pattern.test(text));
}

/** Joins the messages of an error and its causes. Node describes the network event in `cause`. */
function causes(error: unknown): string {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < CAUSES_READ && current instanceof Error; depth += 1) {
    texts.push(`${'code' in current ? String(current.code) : ''} ${current.message}`);
    current = current.cause;
  }
  return texts.join(' ');
}

/**
 * Returns the delay in ms before the next attempt. Returns `null` if no attempts are left, or if the delay would exceed
 * the deadline. `Retry-After` sets a minimum. The delay doubles with each attempt. A random part makes callers that
 * failed at the same time retry at different times.
 */
export function retryDelay(input: {
  /** The number of attempts made so far, 1 or more. */
  attempt: number;
  attemptsMax: number;
  retryAfterSeconds: number | null;
  /** The time in ms until the deadline. */
  leftMs: number;
  /** A random number x with 0 ≤ x < 1. */
  random: number;
}): number | null {
  if (input.attempt >= input.attemptsMax) return null;
  const backoff = RETRY_BASE_DELAY_MS * 2 ** (input.attempt - 1) * (0.5 + input.random);
  const delay = Math.max(backoff, (input.retryAfterSeconds ?? 0) * SECOND_MS);
  return delay < input.leftMs ? delay : null;
}

/**
 * Returns `Retry-After` in whole seconds from `now`, in either format of RFC 9110 §10.2.3. Returns `null` if it is
 * missing or invalid.
 * @param now ms since 1970
 */
export function retryAfterSeconds(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value), RETRY_AFTER_SECONDS_MAX);
  const at = Date.parse(value);
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(0, Math.ceil((at - now) / SECOND_MS)), RETRY_AFTER_SECONDS_MAX);
}
