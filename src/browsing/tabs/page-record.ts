import type { RuleDecision } from '#core/site-rules.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { CONSOLE_MESSAGES_PER_TAB_MAX, RECORDED_REQUESTS_PER_TAB_MAX } from './limits.ts';
import {
  COPIED_TEXT_CHARS_MAX,
  SCRIPT_MESSAGE_MARK,
  DENIABLE_PERMISSIONS,
} from '#browsing/in-page/page/script-messages.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import type { FileFacts } from '#core/document/file-facts.ts';

/** Response with a tab's document. `cut`: only its beginning came, as the connection broke or its compressed body is damaged. */
export type DocumentResponse = {
  loaderId: string;
  status: number;
  url: string;
  mimeType: string;
  cut?: 'connection' | 'body';
};

/** Maximum stored events of a tab, reported or not. The oldest are dropped. */
const PAGE_LOG_ENTRIES_MAX = 200;
const PAGE_LOG_TEXT_CHARS_MAX = 500;
const RECORD_TEXT_CHARS_MAX = 1_000;
/**
 * Maximum stored headers of a request or response, and characters of each value. Results show fewer characters, because
 * values are shortened further after masking.
 */
const RECORD_HEADERS_MAX = 40;
const RECORD_HEADER_CHARS_MAX = 800;

/** A position in a script. Line and column count from 1. */
export type SourceLocation = { url: string; line: number; column: number };
export type ConsoleMessage = { at: number; level: string; text: string; source: SourceLocation | null };

/** A request of a page. All texts come from the page. `null`: not known yet; for `problem`, also that there is none. */
export type LoggedRequest = {
  at: number;
  session: CdpSession;
  requestId: string;
  method: string;
  url: string;
  type: string;
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

/** Stores the newest console messages and requests, and counts the dropped ones. Both kinds share one numbering. */
export class ConsoleAndRequestRecord {
  readonly console: ConsoleMessage[] = [];
  readonly requests: LoggedRequest[] = [];
  readonly dropped = { console: 0, requests: 0 };
  readonly #open = new Map<string, LoggedRequest>();
  readonly #isPrivate: () => boolean;
  #count = 0;

  /** @param isPrivate true if the page may repeat text that a person typed; nothing is recorded in that case */
  constructor(isPrivate: () => boolean = () => false) {
    this.#isPrivate = isPrivate;
  }

  get mark(): number {
    return this.#count;
  }

  follow(session: CdpSession): void {
    session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      if (args[0]?.value === SCRIPT_MESSAGE_MARK) return;
      this.#log(type, args.map(textOf).join(' '), sourceLocation(stackTrace?.callFrames[0]));
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const { text, exception, url, lineNumber, columnNumber, stackTrace } = exceptionDetails;
      const at = stackTrace?.callFrames[0] ?? { url: url ?? '', lineNumber, columnNumber };
      const said = exception?.description?.split('\n')[0];
      this.#log('uncaught', said === undefined ? text : `${text} ${said}`, sourceLocation(at));
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

  #log(level: string, text: string, source: SourceLocation | null): void {
    if (this.#isPrivate()) return;
    this.#count += 1;
    this.console.push({ at: this.#count, level, text: text.slice(0, RECORD_TEXT_CHARS_MAX), source });
    if (this.console.length <= CONSOLE_MESSAGES_PER_TAB_MAX) return;
    this.console.shift();
    this.dropped.console += 1;
  }

  #begin(session: CdpSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request, type = 'Other', timestamp, redirectResponse } = event;
    // A redirected request has the same id as the request before it.
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
    if (this.requests.length <= RECORDED_REQUESTS_PER_TAB_MAX) return;
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

function sourceLocation(
  at: { url: string; lineNumber: number; columnNumber: number } | undefined,
): SourceLocation | null {
  return at === undefined || at.url === ''
    ? null
    : { url: at.url.slice(0, RECORD_TEXT_CHARS_MAX), line: at.lineNumber + 1, column: at.columnNumber + 1 };
}

export type ScreenshotRecord = {
  mark: string;
  loaderId: string;
  view: ScreenshotViewport;
  /** Captured area in CSS pixels of the page. */
  clip: { x: number; y: number; width: number; height: number };
  width: number;
  height: number;
  /** The picture without labels, as it was captured; `null` if it shows more than the viewport did. */
  source: CapturedPicture | null;
  /** The last actions at pixels of canvases in this picture, oldest first. */
  ownChanges: OwnChange[];
};

/**
 * Part of the tab before and after an action at these pixels of the picture, as JPEG in base64.
 * @property place position in the picture's `source`
 */
export type OwnChange = { pixels: readonly { x: number; y: number }[]; place: Box; before: string; after: string };

export type CapturedPicture = { jpegBase64: string; width: number; height: number; quality: number; scale: number };

export type ScreenshotViewport = { x: number; y: number; width: number; height: number; zoom: number };

/** An event in a tab. Texts come from the page unless stated otherwise. */
export type PageEvent =
  | { kind: 'console'; level: 'error' | 'warning'; text: string }
  | { kind: 'failed_request'; url: string; problem: string }
  /** A request that the gate refused. `reason` is the server's own text. */
  | { kind: 'refused'; url: string; reason: string; isDocument: boolean; rule?: RuleDecision }
  | { kind: 'dialog'; type: string; message: string; answer: 'accepted' | 'dismissed' }
  /** A dialog of a frame whose origin is not the page's. It was dismissed. */
  | { kind: 'frame_dialog'; type: string; message: string; url: string }
  /** A field whose validation kept the browser from submitting a form. */
  | { kind: 'invalid_field'; name: string; problem: string }
  /** A download that was not stored. `reason` is the server's own text. */
  | { kind: 'download'; url: string; reason?: string | undefined }
  | { kind: 'file'; file: FileFacts }
  | { kind: 'chooser' }
  /** Text that the page tried to copy to the clipboard, which is blocked; `''` for an image. */
  | { kind: 'copied'; text: string }
  /** A permission that the page was denied. `what` is the server's own text. */
  | { kind: 'denied'; what: (typeof DENIABLE_PERMISSIONS)[number] }
  | { kind: 'popup'; url: string }
  /** `tab`: id of the tab, which is now closed. `loop`: set if the tab was crashed on purpose because of this loop. */
  | { kind: 'crash'; tab: string; loop?: PageLoop };

export type PageLoop = { of: 'dialogs' | 'pop-ups' | 'address changes'; count: number };

export function describePageLoop({ of, count }: PageLoop): string {
  return of === 'address changes' ? `changed its address ${count} times in a loop` : `opened ${count} ${of} in a loop`;
}

export class PageEventLog {
  #events: { at: number; event: PageEvent }[] = [];
  readonly #isPrivate: () => boolean;
  #count = 0;

  constructor(isPrivate: () => boolean = () => false) {
    this.#isPrivate = isPrivate;
  }

  add(event: PageEvent): void {
    if (PAGE_SAYS.has(event.kind) && this.#isPrivate()) return;
    this.#count += 1;
    this.#events.push({ at: this.#count, event: shortened(event) });
    if (this.#events.length > PAGE_LOG_ENTRIES_MAX) this.#events.shift();
  }

  get mark(): number {
    return this.#count;
  }

  /** Removes events that an error reports, so that the next result does not report them again. */
  remove(events: readonly PageEvent[]): void {
    this.#events = this.#events.filter(({ event }) => !events.includes(event));
  }

  since(mark: number, until = Number.POSITIVE_INFINITY): PageEvent[] {
    return this.#events.filter(({ at }) => at > mark && at <= until).map(({ event }) => event);
  }
}

const PAGE_SAYS: ReadonlySet<PageEvent['kind']> = new Set([
  'console',
  'copied',
  'denied',
  'failed_request',
  'dialog',
  'frame_dialog',
  'invalid_field',
]);

function shortened(event: PageEvent): PageEvent {
  if (event.kind === 'copied') return { ...event, text: event.text.slice(0, COPIED_TEXT_CHARS_MAX) };
  if (event.kind === 'console') return { ...event, text: event.text.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  if ('message' in event) event = { ...event, message: event.message.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  if ('url' in event) return { ...event, url: event.url.slice(0, PAGE_LOG_TEXT_CHARS_MAX) };
  return event;
}

/** True for a site's icon, which the browser requests on its own and which many sites lack. */
export function isFavicon(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/favicon.ico';
}

const DOWNLOAD_NAMES_MAX = 50;

/**
 * Receives messages that the in-page script sends as console messages. A page could forge such messages, but would gain
 * nothing by that.
 */
export class InPageScriptMessages {
  readonly #add: (event: PageEvent) => void;
  readonly #downloadNames = new Map<string, string>();

  constructor(add: (event: PageEvent) => void) {
    this.#add = add;
  }

  /** @returns true if the console message comes from the in-page script */
  take(args: readonly Protocol.Runtime.RemoteObject[]): boolean {
    const [mark, kind, text = '', name = ''] = args.map(({ value }) => String(value ?? ''));
    if (mark !== SCRIPT_MESSAGE_MARK) return false;
    const what = DENIABLE_PERMISSIONS.find((one) => one === text);
    if (kind === 'copied') this.#add({ kind, text });
    if (kind === 'denied' && what !== undefined) this.#add({ kind, what });
    if (kind === 'download') this.#note(text, name);
    return true;
  }

  downloadName(url: string): string | null {
    return this.#downloadNames.get(url) ?? null;
  }

  #note(url: string, name: string): void {
    const [oldest] = this.#downloadNames.size >= DOWNLOAD_NAMES_MAX ? this.#downloadNames.keys() : [];
    if (oldest !== undefined) this.#downloadNames.delete(oldest);
    this.#downloadNames.set(url, name);
  }
}

/** Open connections of a page through which data arrives without a request: WebSockets, event streams and workers. */
export class LiveChannels {
  readonly #open = new Map<string | null, Set<string>>();

  get areOpen(): boolean {
    return [...this.#open.values()].some(({ size }) => size > 0);
  }

  follow(session: CdpSession): void {
    const open = new Set<string>();
    this.#open.set(session.id, open);
    session.on('Network.webSocketCreated', ({ requestId }) => open.add(requestId));
    session.on('Network.webSocketClosed', ({ requestId }) => open.delete(requestId));
    session.on('Network.webTransportCreated', ({ transportId }) => open.add(transportId));
    session.on('Network.webTransportClosed', ({ transportId }) => open.delete(transportId));
    session.on('Network.requestWillBeSent', ({ requestId, type }) => type === 'EventSource' && open.add(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => open.delete(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo: { type } }) => {
      if (type !== 'page' && type !== 'iframe') open.add(sessionId);
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => {
      open.delete(sessionId);
      this.#open.delete(sessionId);
    });
    // Chromium does not report that the channels of a document end with it.
    session.on('Runtime.executionContextsCleared', () => open.clear());
  }
}
