import { UNRESERVED_BODY_BYTES_MAX, SECOND_MS } from '#core/limits.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { FETCH_ATTEMPTS_MAX, HOST_PERMIT_RULE, PERSON_HOST_PERMITS_MAX } from '#net/limits.ts';
import { canonicalizeUrl, redactForFailure } from './canonical-url.ts';
import type { NetDeps } from './network.ts';
import { checkUrl, judgeUrl } from './gate.ts';
import type { NetPolicy } from './fetch-settings.ts';
import { withPermit } from '#core/flow/semaphore.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import { sendRequest, failNetwork, isTransientError, retryAfterSeconds, retryDelay } from './fetch-port.ts';
import { BODY_DAMAGED, BodyInterrupted, cancelBody, readBody, type ReadOptions, BodyTooLarge } from './read-body.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';

const BUSY_STATUSES = new Set([429, 502, 503, 504]);

const REDIRECTS_MAX = 5;

/**
 * Maximum attempts if a site responds "too many requests" (429). Only one retry, because the site asks for fewer
 * requests.
 */
const RATE_LIMITED_ATTEMPTS_MAX = 2;
/**
 * Maximum bytes read of an error response: enough to distinguish a bot check from an ordinary 403, and to quote the
 * first words. A body of this size needs no memory reservation.
 */
const ERROR_BODY_BYTES_MAX = UNRESERVED_BODY_BYTES_MAX;
/** Time limit in ms for the body of an error response. Short, because the status has already arrived and is enough. */
export const ERROR_BODY_MS_MAX = 5 * SECOND_MS;

export type HopsRequest = ExchangeOptions & {
  canonicalUrl: string;
  /** Headers that are sent only to the origin of `canonicalUrl`, such as `If-None-Match`. */
  originHeaders?: Record<string, string>;
  /** Called for every hop, after the gate's check and before the request. It throws to refuse the hop. */
  approve?: (url: string) => Promise<void>;
};

export type Redirect = { /** The URL that redirected, without secrets. */ url: string; status: number };

export type HopsResult = {
  finalUrl: string;
  redirects: Redirect[];
  answer: RawResponse;
  /** True if a URL in the redirect chain contains a secret, or if a response was sent for one user only. */
  isPrivate: boolean;
  fetchMs: number;
};

/** Failure of redirects that do not lead to a page: a loop, too many hops, or an invalid target. */
export class RedirectError extends PeriscopeError {}

const TOO_MANY_REQUESTS = 429;
const MULTIPLE_CHOICES = 300;
/** Status codes that redirect. A response 300 (multiple choices) may name the site's preferred page in `Location`. */
const REDIRECT_STATUSES = new Set([MULTIPLE_CHOICES, 301, 302, 303, 307, 308]);

/**
 * Follows redirects one by one, because a stranger chooses each target URL. Each URL is canonicalized, checked by the
 * gate and approved again.
 * @throws {PeriscopeError} all failures of the gate, `approve` and {@link exchange}; {@link RedirectError}
 * (`fetch_failed`)
 */
export async function followRedirects(request: HopsRequest, time: CallDeadline, deps: NetDeps): Promise<HopsResult> {
  const redirects: Redirect[] = [];
  const seen = new Set<string>();
  let from: string | null = null;
  let url = request.canonicalUrl;
  let isPrivate = false;
  let fetchMs = 0;
  let setsCookies = false;
  for (;;) {
    seen.add(url);
    await checkUrl(url, deps, time.signal);
    refuseNumber(url, deps.policy);
    refuseDowngrade(from, url);
    await request.approve?.(url);
    const sent = deps.now();
    const answer = await exchange(url, { ...request, headers: headersFor(url, request) }, time, deps);
    fetchMs += deps.now() - sent;
    isPrivate ||= isPrivatePage([url], answer.headers);
    const location = REDIRECT_STATUSES.has(answer.status) ? answer.headers.get('location') : null;
    if (location === null) return { finalUrl: url, redirects, answer, isPrivate, fetchMs };
    redirects.push({ url: redactForFailure(url), status: answer.status });
    from = url;
    setsCookies ||= answer.headers.has('set-cookie');
    url = nextHop(url, location, seen, { count: redirects.length, setsCookies });
  }
}

function headersFor(url: string, request: HopsRequest): Record<string, string> {
  const isSameOrigin = new URL(url).origin === new URL(request.canonicalUrl).origin;
  return isSameOrigin ? { ...request.headers, ...request.originHeaders } : request.headers;
}

function nextHop(
  from: string,
  location: string,
  seen: ReadonlySet<string>,
  { count, setsCookies }: { count: number; setsCookies: boolean },
): string {
  const next = target(location, from);
  const needs = setsCookies ? 'cookies' : undefined;
  if (seen.has(next)) deadEnd(from, 'it redirects in a loop', needs);
  if (count > REDIRECTS_MAX) deadEnd(from, `it redirects more than ${REDIRECTS_MAX} times`, needs);
  return next;
}

/** Refuses a redirect from https to http, because anyone on the network could forge the target page. */
function refuseDowngrade(from: string | null, url: string): void {
  if (from === null || !from.startsWith('https:') || url.startsWith('https:')) return;
  fail({
    code: 'fetch_failed',
    url: redactForFailure(from),
    reason: 'it redirects from https to http, which is not followed',
  });
}

function refuseNumber(url: string, policy: NetPolicy): void {
  const verdict = judgeUrl(url, policy);
  if (policy.fetchesNumbers || !verdict.allowed || verdict.host !== 'literal') return;
  const reason = 'this server can fetch sites by host name only, and this is an IP address';
  fail({ code: 'fetch_failed', url: redactForFailure(url), reason, only: 'browser' });
}

function target(location: string, from: string): string {
  try {
    return canonicalizeUrl(location, from);
  } catch (error) {
    const isMalformed = error instanceof PeriscopeError && error.failure.code === 'invalid_url';
    if (isMalformed) deadEnd(from, 'it redirects to an invalid address');
    throw error;
  }
}

/**
 * Fails because the redirects do not lead to a page.
 * @param needs `cookies` if the site may redirect in a loop because this client stores no cookies
 */
function deadEnd(url: string, reason: string, needs?: 'cookies'): never {
  throw new RedirectError({ code: 'fetch_failed', url: redactForFailure(url), reason, ...(needs && { needs }) });
}

type ExchangeOptions = {
  headers: Record<string, string>;
  limitBytes: number;
  onOverflow: (mediaType: string | null) => ReadOptions['onOverflow'];
  memory?: ReserveBodyMemory | undefined;
};

export type ReserveBodyMemory = {
  tryTake: (mediaType: string | null, bytes: number) => boolean;
  take: (mediaType: string | null, bytes: number) => Promise<void>;
};

/**
 * The time limit of a call. `deadlineAt` is in ms since 1970, and the signal aborts at that time. `noteWait` records how
 * many other pages of the person the call waits for.
 */
export type CallDeadline = {
  signal: AbortSignal;
  deadlineAt: number;
  noteWait?: ((ownPages: number | undefined) => void) | undefined;
};

type RawResponse = {
  status: number;
  headers: Headers;
  /**
   * The body. It is empty for a redirect, except for a list of pages to choose from (300). The body of an error
   * response has at most {@link ERROR_BODY_BYTES_MAX} bytes.
   */
  bytes: Uint8Array;
  isCut: boolean;
};

/**
 * Requests a URL that has passed the gate, with retries, and reads the body.
 * @throws {PeriscopeError} `fetch_failed`, `too_large`, `timeout`
 */
async function exchange(
  url: string,
  request: ExchangeOptions,
  time: CallDeadline,
  deps: NetDeps,
): Promise<RawResponse> {
  return withHostPermit(new URL(url).host, deps, time, async (leave) => {
    const response = await send(url, request.headers, time, deps);
    const { status, headers } = response;
    const isListOfPages = status === MULTIPLE_CHOICES && !headers.has('location');
    if (status >= 300 && status < 400 && !isListOfPages) {
      await cancelBody(response.body);
      return { status, headers, bytes: NO_BYTES, isCut: false };
    }
    const { memory, limitBytes } = request;
    const makeRoom = async (mediaType: string | null, size: number) => {
      if (memory === undefined || memory.tryTake(mediaType, size)) return;
      // `leave` releases the host's permit while this request waits for memory. Another request may hold that memory
      // and need a permit of this host to finish.
      leave();
      await memory.take(mediaType, size);
    };
    if (status >= 400) return { status, headers, bytes: await readErrorBody(response, time.signal), isCut: false };
    const onOverflow = request.onOverflow(headers.get('content-type'));
    const options = { limitBytes, onOverflow, signal: time.signal, makeRoom };
    const { bytes, complete } = await readBody(response, options).catch((error: unknown) =>
      failBodyRead(error, redactForFailure(url), limitBytes),
    );
    return { status, headers, bytes, isCut: !complete };
  });
}

/** Runs the work with a permit for the host, within the permits of the person who asks. */
function withHostPermit<T>(
  host: string,
  { person, hostPermits, ...clock }: NetDeps,
  { signal, noteWait }: CallDeadline,
  work: (leave: () => void) => Promise<T>,
): Promise<T> {
  const ask = (leaveOwn = () => {}) =>
    withPermit(host, HOST_PERMIT_RULE, hostPermits, clock, signal, (_, leave) =>
      work(() => {
        leave();
        leaveOwn();
      }),
    );
  if (person === undefined) return ask();
  const ofPerson = { ...HOST_PERMIT_RULE, max: PERSON_HOST_PERMITS_MAX };
  const own = `${host} for ${person}`;
  const before = hostPermits.get(own)?.length ?? 0;
  if (before >= PERSON_HOST_PERMITS_MAX) noteWait?.(before);
  return withPermit(own, ofPerson, hostPermits, clock, signal, (_, leave) => {
    noteWait?.(undefined);
    return ask(leave);
  });
}

/**
 * Reads the body of an error response. Returns no bytes if the body fails or is late, because the status alone is
 * enough.
 */
async function readErrorBody(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  return withTimeout(ERROR_BODY_MS_MAX, async (late) => {
    const either = AbortSignal.any([signal, late]);
    const limits = { limitBytes: ERROR_BODY_BYTES_MAX, onOverflow: 'cut' } as const;
    try {
      return (await readBody(response, { ...limits, signal: either })).bytes;
    } catch (error) {
      if (error instanceof BodyInterrupted || (late.aborted && !signal.aborted)) return NO_BYTES;
      throw error;
    }
  });
}

const NO_BYTES = new Uint8Array(0);

async function send(
  url: string,
  headers: Record<string, string>,
  time: CallDeadline,
  deps: NetDeps,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const tried = await abortable(sendRequest(deps.fetch, url, { headers, signal: time.signal }), time.signal).catch(
      (error: unknown) => {
        if (time.signal.aborted) throw time.signal.reason;
        return { error };
      },
    );
    const failed = 'error' in tried;
    if (failed ? !isTransientError(tried.error) : !isRetryableResponse(tried))
      return failed ? failNetwork(tried.error, redactForFailure(url)) : tried;
    const now = deps.now();
    const delay = retryDelay({
      attempt,
      attemptsMax: !failed && tried.status === TOO_MANY_REQUESTS ? RATE_LIMITED_ATTEMPTS_MAX : FETCH_ATTEMPTS_MAX,
      retryAfterSeconds: failed ? null : retryAfterSeconds(tried.headers, now),
      leftMs: time.deadlineAt - now,
      random: deps.random(),
    });
    if (delay === null) return failed ? failNetwork(tried.error, redactForFailure(url)) : tried;
    if (!failed) await cancelBody(tried.body);
    await deps.sleep(delay, time.signal);
  }
}

/**
 * True if a URL on the way to the page contains a secret, or the server sent the page to one user. Such a page is
 * stored only for the user who opened it.
 */
function isPrivatePage(addresses: readonly string[], headers: Pick<Headers, 'get'>): boolean {
  return addresses.some(hasSecretInUrl) || isSentPrivately(headers);
}

/**
 * True for `Cache-Control: private` or `no-store`, even if restricted to single fields, and for `Vary: *` (RFC 9111
 * §5.2.2, RFC 9110 §12.5.5). Set-Cookie does not count, because this server never sends a cookie back.
 */
function isSentPrivately(headers: Pick<Headers, 'get'>): boolean {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().replace(QUOTED, '').split(',');
  if (directives.some((directive) => PRIVATE.has(directive.replace(/=.*/s, '').trim()))) return true;
  return (headers.get('vary') ?? '').split(',').some((field) => field.trim() === '*');
}

const QUOTED = /"[^"]*"/g;
const PRIVATE = new Set(['private', 'no-store']);

/** Returns true if the site may respond normally to a retry. After a bot check, a retry would get the same check. */
function isRetryableResponse(response: Response): boolean {
  return BUSY_STATUSES.has(response.status) && !response.headers.has('cf-mitigated');
}

function failBodyRead(error: unknown, url: string, limitBytes: number): never {
  if (error instanceof BodyTooLarge) fail({ code: 'too_large', url, limitBytes });
  if (error instanceof BodyInterrupted) {
    const isDamaged = error.cause instanceof Error && /gzip|brotli|deflate|decompress/i.test(error.cause.message);
    const reason = isDamaged ? BODY_DAMAGED : 'the connection broke off before the page was complete';
    fail({ code: 'fetch_failed', url, reason }, { cause: error });
  }
  throw error;
}
