import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import {
  RECORD_CONSOLE_MAX,
  RECORD_HEADER_CHARS_MAX,
  RECORD_HEADERS_MAX,
  RECORD_REQUESTS_MAX,
  RECORD_TEXT_CHARS_MAX,
} from './limits.ts';

/** What a page logged. All texts are the page's. */
export type LoggedLine = { at: number; level: string; text: string; place: string };

/** What a page requested, and the answer as far as it is known. */
export type LoggedRequest = {
  at: number;
  session: CdpSession;
  requestId: string;
  method: string;
  url: string;
  type: string;
  isFromPage: boolean;
  sent: Headers;
  hasBody: boolean;
  startedAt: number;
  status: number | null;
  mimeType: string;
  received: Headers;
  bytes: number | null;
  ms: number | null;
  problem: string | null;
};
type Headers = readonly (readonly [name: string, value: string])[];

/**
 * What a tab has logged and requested since it was opened. Only the newest entries are kept; the rest is counted. Every
 * entry has a number, and both kinds share the numbering.
 */
export class PageRecord {
  readonly console: LoggedLine[] = [];
  readonly requests: LoggedRequest[] = [];
  /** Entries that are no longer kept, by kind. */
  readonly dropped = { console: 0, requests: 0 };
  readonly #open = new Map<string, LoggedRequest>();
  readonly #isPrivate: () => boolean;
  #count = 0;

  /** @param isPrivate whether what the page says and asks for may hold what a person typed: then it is not noted */
  constructor(isPrivate: () => boolean = () => false) {
    this.#isPrivate = isPrivate;
  }

  /** The number of the newest entry. */
  get mark(): number {
    return this.#count;
  }

  follow(session: CdpSession): void {
    session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      this.#log(type, args.map(textOf).join(' '), placeOf(stackTrace?.callFrames[0]));
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const { text, exception, url, lineNumber, columnNumber, stackTrace } = exceptionDetails;
      const at = stackTrace?.callFrames[0] ?? { url: url ?? '', lineNumber, columnNumber };
      const said = exception?.description?.split('\n')[0];
      this.#log('uncaught', said === undefined ? text : `${text} ${said}`, placeOf(at));
    });
    session.on('Network.requestWillBeSent', (event) => this.#begin(session, event));
    session.on('Network.responseReceived', ({ requestId, response }) => this.#answer(session, requestId, response));
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.#end(session, requestId, timestamp, { bytes: encodedDataLength });
    });
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason, canceled }) => {
      const problem = canceled === true ? 'cancelled by the page' : (blockedReason ?? errorText);
      this.#end(session, requestId, timestamp, { problem });
    });
  }

  #log(level: string, text: string, place: string): void {
    if (this.#isPrivate()) return;
    this.#count += 1;
    const short = (words: string) => words.slice(0, RECORD_TEXT_CHARS_MAX);
    this.console.push({ at: this.#count, level, text: short(text), place: short(place) });
    if (this.console.length <= RECORD_CONSOLE_MAX) return;
    this.console.shift();
    this.dropped.console += 1;
  }

  #begin(session: CdpSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request, type = 'Other', timestamp, redirectResponse } = event;
    // A redirect hop keeps the id of the request before it.
    if (redirectResponse !== undefined) {
      this.#answer(session, requestId, redirectResponse);
      this.#end(session, requestId, timestamp, {});
    }
    if (/^(?:data|blob):/i.test(request.url) || this.#isPrivate()) return;
    this.#count += 1;
    const entry: LoggedRequest = {
      at: this.#count,
      session,
      requestId,
      method: request.method,
      url: request.url.slice(0, RECORD_TEXT_CHARS_MAX),
      type,
      isFromPage: type === 'XHR' || type === 'Fetch',
      sent: headersOf(request.headers),
      hasBody: request.hasPostData === true,
      startedAt: timestamp,
      status: null,
      mimeType: '',
      received: [],
      bytes: null,
      ms: null,
      problem: null,
    };
    this.requests.push(entry);
    this.#open.set(keyOf(session, requestId), entry);
    if (this.requests.length <= RECORD_REQUESTS_MAX) return;
    const oldest = this.requests.shift();
    if (oldest !== undefined) this.#open.delete(keyOf(oldest.session, oldest.requestId));
    this.dropped.requests += 1;
  }

  #answer(session: CdpSession, requestId: string, response: Protocol.Network.Response): void {
    const entry = this.#open.get(keyOf(session, requestId));
    if (entry === undefined) return;
    entry.status = response.status;
    entry.mimeType = response.mimeType;
    entry.received = headersOf(response.headers);
  }

  #end(
    session: CdpSession,
    requestId: string,
    timestamp: number,
    how: Partial<Pick<LoggedRequest, 'bytes' | 'problem'>>,
  ): void {
    const key = keyOf(session, requestId);
    const entry = this.#open.get(key);
    if (entry === undefined) return;
    Object.assign(entry, how, { ms: Math.max(0, Math.round((timestamp - entry.startedAt) * 1_000)) });
    this.#open.delete(key);
  }
}

function keyOf({ id }: CdpSession, requestId: string): string {
  return `${id} ${requestId}`;
}

function headersOf(headers: Protocol.Network.Headers): Headers {
  return Object.entries(headers)
    .slice(0, RECORD_HEADERS_MAX)
    .map(([name, value]) => [name.slice(0, RECORD_HEADER_CHARS_MAX), value.slice(0, RECORD_HEADER_CHARS_MAX)]);
}

function textOf({ type, value, unserializableValue, description, preview }: Protocol.Runtime.RemoteObject): string {
  if (type === 'object' && preview !== undefined && preview.properties.length > 0) {
    const members = preview.properties.map((member) => `${member.name}: ${member.value ?? member.type}`);
    const isError = preview.subtype === 'error';
    return isError ? (description ?? '') : `{${members.join(', ')}${preview.overflow ? ', …' : ''}}`;
  }
  return String(value ?? unserializableValue ?? description ?? type);
}

function placeOf(at: { url: string; lineNumber: number; columnNumber: number } | undefined): string {
  return at === undefined || at.url === '' ? '' : `${at.url}:${at.lineNumber + 1}:${at.columnNumber + 1}`;
}
