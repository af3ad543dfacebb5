import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';
import { isBlank } from '#core/text/blank.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { kindFacts, hasHtmlBody } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { canonicalizeUrl, redactForFailure } from './canonical-url.ts';
import { detectChallenge, readPrice } from '#net/types/challenge.ts';
import { decodeText, type DecodedText } from '#net/types/charset.ts';
import { pageDeadline, withDeadline } from './deadline.ts';
import type { PauseClock } from './deadline.ts';
import type { NetDeps } from './network.ts';
import type { ReserveBodyMemory, CallDeadline } from './hops.ts';
import { followRedirects, type HopsRequest, type HopsResult, type Redirect } from './hops.ts';
import { gunzip, inflate, isGzip, isZstd, removeGzipSuffix } from './read-body.ts';
import { isOnlyForRequestingUser, combinePreferences } from '#net/robots/content-signals.ts';
import type { AiPreferences } from '#net/robots/content-signals.ts';
import { checkRobots, type RobotsDecision } from '#net/robots/robots-policy.ts';
import { retryAfterSeconds } from './fetch-port.ts';
import { kindFromMediaType, sniffBodyType, type SniffedType } from '#net/types/sniff.ts';
import { HEADER_VALUE_CHARS_MAX } from '#net/limits.ts';

export type PageRequest = {
  requestedUrl: string;
  /**
   * `ETag` and `Last-Modified` of the stored copy, for a conditional request. They are sent only to the origin of
   * `requestedUrl`.
   */
  conditional?: { etag: string | null; lastModified: string | null };
  signal?: AbortSignal;
  /**
   * Maximum bytes of the body to read. A larger body is cut at this size. Without `cutAt`, a body above the page limit
   * is refused, unless its kind can be read in part.
   */
  cutAt?: number;
  /** Reserves memory for the body. The deadline's clock stops while the request waits for memory. */
  memory?: AbortableBodyMemory;
};

export type AbortableBodyMemory = {
  tryTake: ReserveBodyMemory['tryTake'];
  take: (mediaType: string | null, bytes: number, signal: AbortSignal) => Promise<void>;
};

type Loaded = {
  canonicalUrl: string;
  /** The canonical URL after all redirects. It is the base URL of the page's links. */
  finalUrl: string;
  redirects: Redirect[];
  /**
   * True if only this caller may see the page: a URL in the redirect chain contains a secret, a response was sent for
   * one user, or the site asks not to store the page for others.
   */
  isPrivate: boolean;
  status: number;
  /** Response headers by lower-case name. Only headers without secrets are included. */
  headers: Record<string, string>;
  etag: string | null;
  lastModified: string | null;
  robots: RobotsDecision;
  preferences: AiPreferences | undefined;
  /** Directives of `X-Robots-Tag` for all crawlers or for this one, such as `noindex` and `noai`. */
  noindex: string[];
  /** The time in ms of all requests, redirects included, until the last byte. */
  fetchMs: number;
};

export type LoadedPage =
  | (Loaded & { notModified: true })
  | (Loaded & {
      notModified: false;
      /** The media type without parameters. */
      mediaType: string;
      kind: BodyKind;
      /** The charset's WHATWG name, or `null` if the body is not text. */
      charset: string | null;
      /** True if no charset is declared and the bytes do not prove one, so it was guessed. */
      isCharsetGuessed: boolean;
      /**
       * The `Content-Range` of a partial response (206), which the server sent although no range was requested. `null`
       * for a whole body.
       */
      range: string | null;
      /** The `Refresh` header, which redirects a browser. */
      refresh: string | null;
      /** The size of the body after decompression, in bytes. */
      size: number;
      /** True if the end of the body was not read, because the body exceeds the limit. */
      isCut: boolean;
      /** The body as bytes. Empty if `text` contains the body. */
      bytes: Uint8Array;
      /** The decoded body, or `null` if the body is not text. */
      text: string | null;
    });

/**
 * The content of an error response. `text` is decoded from at most 256 KiB of the body. `finalUrl` is the base URL of
 * the page's links.
 */
export type ErrorResponsePage = { kind: BodyKind; text: string; finalUrl: string; addresses: readonly string[] };

/** An error response (HTTP status). It has the content of the response if that is text. */
export class HttpError extends PeriscopeError {
  override readonly failure: HttpFailure;
  readonly page: ErrorResponsePage | null;
  readonly isPrivate: boolean;

  constructor(failure: HttpFailure, page: ErrorResponsePage | null, isPrivate: boolean) {
    super(failure);
    this.failure = failure;
    this.page = page;
    this.isPrivate = isPrivate;
  }
}

type HttpFailure = Extract<Failure, { code: 'http_error' | 'payment_required' }>;

const NOT_MODIFIED = 304;
const MULTIPLE_CHOICES = 300;
const PARTIAL_CONTENT = 206;
const PAYMENT_REQUIRED = 402;
const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1';

/**
 * Loads a page. Each hop is canonicalized, checked by the gate, checked against robots.txt, and fetched. The last
 * response is then checked for a bot check, a sign-in page and an error status. Its media type is detected, and text is
 * decoded. This function stores nothing, and no failure quotes the page.
 * @throws {HttpError}
 * @throws {PeriscopeError} `invalid_url` `ssrf_blocked` `robots_disallowed` `fetch_failed` `timeout` `too_large`
 * `unsupported_mime` `challenge_page` `extract_failed` (an empty body)
 */
export async function loadPage(input: PageRequest, deps: NetDeps): Promise<LoadedPage> {
  const startedAt = deps.now();
  const canonicalUrl = canonicalizeUrl(input.requestedUrl);
  const deadline = pageDeadline(deps.policy.timeoutMs, canonicalUrl);
  return withDeadline(deadline, input.signal, async (signal, offTheClock) => {
    const time = { signal, deadlineAt: startedAt + deadline.ms, noteWait: deadline.noteWait };
    const robots = robotsAsker(deps.policy.respectRobots, time, deps);
    const request: HopsRequest = {
      canonicalUrl,
      headers: { 'user-agent': deps.policy.userAgent, accept: ACCEPT },
      originHeaders: conditionalHeaders(input.conditional),
      approve: robots.ask,
      limitBytes: Math.min(deps.policy.maxBytes, input.cutAt ?? Infinity),
      onOverflow: (mediaType) => (input.cutAt !== undefined || isReadInParts(mediaType) ? 'cut' : 'fail'),
      memory: memoryFor(input, signal, offTheClock),
    };
    const hops = await followRedirects(request, time, deps);
    const { headers, status } = hops.answer;
    const decision = robots.decision(hops.finalUrl);
    const preferences = combinePreferences(decision.said, headers);
    const loaded: Loaded = {
      canonicalUrl,
      finalUrl: hops.finalUrl,
      redirects: hops.redirects,
      isPrivate: hops.isPrivate || keepsForOpener(preferences, deps.policy),
      status,
      headers: pickRecordedHeaders(headers),
      etag: headers.get('etag'),
      lastModified: headers.get('last-modified'),
      robots: decision,
      preferences,
      noindex: robotsTags(headers, deps.policy.productToken),
      fetchMs: hops.fetchMs,
    };
    if (status === NOT_MODIFIED && input.conditional !== undefined) return { ...loaded, notModified: true };
    const content = await readContent(hops, request, time, deps);
    if (content.isCut && input.cutAt === undefined && !canBeCut(content.kind)) {
      fail({ code: 'too_large', url: redactForFailure(hops.finalUrl), limitBytes: deps.policy.maxBytes });
    }
    return { ...loaded, ...content, notModified: false };
  });
}

function keepsForOpener(preferences: AiPreferences | undefined, { respectSignals }: NetDeps['policy']): boolean {
  return respectSignals && preferences !== undefined && isOnlyForRequestingUser(preferences);
}

function isReadInParts(mediaType: string | null): boolean {
  const [essence = ''] = (mediaType ?? '').toLowerCase().split(';');
  const kind = kindFromMediaType(essence.trim());
  return kind !== null && canBeCut(kind);
}

function canBeCut(kind: BodyKind): boolean {
  return hasHtmlBody(kind) || kind === 'json';
}

function memoryFor(
  { memory }: PageRequest,
  signal: AbortSignal,
  offTheClock: PauseClock,
): ReserveBodyMemory | undefined {
  if (memory === undefined) return undefined;
  const { tryTake, take } = memory;
  return { tryTake, take: (mediaType, bytes) => offTheClock(() => take(mediaType, bytes, signal)) };
}

async function readContent(hops: HopsResult, request: HopsRequest, { signal }: CallDeadline, deps: NetDeps) {
  const { finalUrl } = hops;
  const canonicalUrl = request.canonicalUrl;
  const url = redactForFailure(finalUrl);
  const isError = hops.answer.status >= 300 && hops.answer.status !== MULTIPLE_CHOICES;
  await unpack(hops, request, signal).catch((error: unknown) => {
    // The status of an error response is enough. Its body may also have been cut here.
    if (!isError || !(error instanceof PeriscopeError)) throw error;
    hops.answer.bytes = new Uint8Array();
  });
  const isPacked = !isError && isGzip(hops.answer.bytes);
  const answer = isPacked ? await unpackedAnswer(hops, request, signal) : asSent(hops);
  if (answer.bytes.byteLength === 0 && !isError)
    fail({ code: 'extract_failed', url, reason: 'the body is empty', of: 'empty' });
  // An error response may contain a bot check, whatever media type it declares, so it is read as HTML.
  const sniffed = isError ? ERROR_PAGE : sniffBodyType(answer);
  const decoded = decode(sniffed, answer.bytes);
  const html = hasHtmlBody(sniffed.kind) ? (decoded?.text ?? null) : null;
  if (answer.status === PAYMENT_REQUIRED) {
    const page = errorPage(answer, canonicalUrl, finalUrl);
    const asked = readPrice(answer.headers, page?.text ?? '');
    throw new HttpError({ code: 'payment_required', url, ...asked }, page, hops.isPrivate);
  }
  const wall = detectChallenge({ status: answer.status, headers: answer.headers, canonicalUrl, finalUrl, html });
  if (wall !== null) fail({ code: 'challenge_page', url, kind: wall, statusCode: answer.status });
  if (isError) {
    const seconds = retryAfterSeconds(answer.headers, deps.now()) ?? undefined;
    const failure = { code: 'http_error', url, statusCode: answer.status, retryAfterSeconds: seconds } as const;
    throw new HttpError(failure, errorPage(answer, canonicalUrl, finalUrl), hops.isPrivate);
  }
  if (decoded !== null && isBlank(decoded.text)) {
    fail({ code: 'extract_failed', url, reason: 'the body is empty', of: 'empty' });
  }
  const { mediaType, kind } = sniffed;
  const { bytes, isCut } = answer;
  const text = decoded?.text ?? null;
  const charset = decoded?.charset ?? null;
  return {
    mediaType,
    kind,
    charset,
    isCharsetGuessed: decoded?.isGuessed ?? false,
    range: answer.status === PARTIAL_CONTENT ? (answer.headers.get('content-range') ?? '') : null,
    refresh: answer.headers.get('refresh'),
    text,
    isCut,
    size: bytes.byteLength,
    bytes: text === null ? bytes : new Uint8Array(),
  };
}

/** Returns the content of an error response, or `null` if the body is empty or not text. */
function errorPage(answer: SentFile, canonicalUrl: string, finalUrl: string): ErrorResponsePage | null {
  try {
    const sniffed = sniffBodyType(answer);
    const text = decode(sniffed, answer.bytes)?.text ?? '';
    if (isBlank(text)) return null;
    return { kind: sniffed.kind, text, finalUrl, addresses: [canonicalUrl, finalUrl] };
  } catch (error) {
    if (error instanceof PeriscopeError) return null;
    throw error;
  }
}

const ERROR_PAGE: SniffedType = { kind: 'html', mediaType: 'text/html', charsetLabel: null };

type SentFile = HopsResult['answer'] & { contentType: string | null; url: string; name?: string | undefined };

function asSent({ finalUrl, answer }: HopsResult): SentFile {
  const contentType = answer.headers.get('content-type');
  return { ...answer, contentType, url: finalUrl, name: fileName(answer.headers.get('content-disposition')) };
}

/** Matches the parameter `filename*`. It is preferred to `filename`, because it declares its charset (RFC 6266). */
const EXTENDED_NAME = /;\s*filename\*\s*=\s*[\w-]{1,40}'[\w-]{0,40}'([^;\s]{1,500})/i;
const FILE_NAME = /;\s*filename\s*=\s*(?:"([^"]{1,500})"|([^;"\s]{1,500}))/i;

function fileName(disposition: string | null): string | undefined {
  const header = disposition?.slice(0, HEADER_VALUE_CHARS_MAX) ?? '';
  const [, quoted, bare] = FILE_NAME.exec(header) ?? [];
  return EXTENDED_NAME.exec(header)?.[1] ?? quoted ?? bare;
}

/**
 * Decompresses a body with `Content-Encoding: deflate`, because not every platform does so. Refuses Zstandard, which
 * some sites send although no request asks for it.
 */
async function unpack({ finalUrl, answer }: HopsResult, request: HopsRequest, signal: AbortSignal) {
  const encoding = answer.headers.get('content-encoding')?.trim().toLowerCase();
  const url = redactForFailure(finalUrl);
  if (encoding === 'zstd' && isZstd(answer.bytes))
    fail({ code: 'fetch_failed', url, reason: 'its body is compressed with zstd, which cannot be unpacked here' });
  if (encoding !== 'deflate' || answer.bytes.byteLength === 0) return;
  const { limitBytes, memory } = request;
  answer.bytes = await inflate(answer.bytes, { url, limitBytes, signal, makeRoom: roomOf(memory) });
}

function roomOf(memory: ReserveBodyMemory | undefined) {
  return async (size: number) => {
    if (memory === undefined || size <= UNRESERVED_BODY_BYTES_MAX || memory.tryTake(null, size)) return;
    await memory.take(null, size);
  };
}

async function unpackedAnswer(hops: HopsResult, request: HopsRequest, signal: AbortSignal): Promise<SentFile> {
  const { finalUrl, answer } = hops;
  const { limitBytes, memory } = request;
  const makeRoom = roomOf(memory);
  const bytes = await gunzip(answer.bytes, { url: redactForFailure(finalUrl), limitBytes, signal, makeRoom });
  const name = fileName(answer.headers.get('content-disposition'));
  return {
    ...answer,
    bytes,
    contentType: null,
    url: removeGzipSuffix(finalUrl),
    name: name === undefined ? undefined : removeGzipSuffix(name),
  };
}

/** Decodes a body as text. Returns `null` for kinds of files that are read as bytes. */
function decode({ kind, charsetLabel }: SniffedType, bytes: Uint8Array): DecodedText | null {
  const { body } = kindFacts(kind);
  if (body === 'bytes') return null;
  return decodeText({ bytes, headerLabel: charsetLabel, markup: body === 'text' ? 'none' : body });
}

function conditionalHeaders(conditional: PageRequest['conditional']): Record<string, string> {
  const { etag = null, lastModified = null } = conditional ?? {};
  return {
    // An ETag with characters outside printable ASCII is not sent, because the runtime would log it in full.
    ...(etag === null || !/^[\x20-\x7e]*$/u.test(etag) ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function robotsAsker(respect: boolean, time: CallDeadline, deps: NetDeps) {
  let last: RobotsDecision | null = null;
  return {
    decision: (url: string): RobotsDecision =>
      last ?? { checked: false, allowed: true, robotsUrl: `${new URL(url).origin}/robots.txt`, rule: null },
    ask: async (url: string): Promise<void> => {
      if (!respect) return;
      last = await checkRobots(url, time, deps);
    },
  };
}

/** Names of the response headers that are stored with a snapshot. None of them contains a secret or a session ID. */
const RECORDED = [
  'age',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-signal',
  'content-type',
  'content-usage',
  'date',
  'etag',
  'expires',
  'last-modified',
  'server',
  'vary',
  'x-robots-tag',
];

export function pickRecordedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    RECORDED.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value.slice(0, HEADER_VALUE_CHARS_MAX)]];
    }),
  );
}

/**
 * Directives of `X-Robots-Tag` that have a value after a colon. Any other `name:` begins the directives for one
 * crawler.
 */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * Returns the directives of `X-Robots-Tag` for all crawlers or for this one (`noindex`, `noai`, …), in lower case. They
 * are recorded but not obeyed, because reading a page for one user is neither indexing nor training.
 */
export function robotsTags(headers: Headers, productToken: string): string[] {
  const value = headers.get('x-robots-tag');
  if (value === null) return [];
  const tags: string[] = [];
  let isForUs = true;
  for (const part of value.slice(0, HEADER_VALUE_CHARS_MAX).toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isAgent = colon >= 0 && !VALUED.has(name);
    if (isAgent) isForUs = name === '*' || name === productToken.toLowerCase();
    const tag = (isAgent ? part.slice(colon + 1) : part).trim();
    if (isForUs && /^[a-z_-]+$/.test(tag)) tags.push(tag);
  }
  return [...new Set(tags)];
}
