import { fail } from '#core/failures/failure.ts';
import { abortable } from '#core/flow/abort.ts';
import { redactText, redactUrl, isSecretParameterName } from '#core/secrets/secret-addresses.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type {
  ConsoleMessage,
  LoggedRequest,
  ConsoleAndRequestRecord,
  SourceLocation,
} from '#browsing/tabs/page-record.ts';

/** Maximum characters of a console message, a URL or a header value. */
const LOG_LINE_CHARS_MAX = 300;
/** Maximum characters of a request or response body: enough for the error message of an API. */
const LOG_BODY_CHARS_MAX = 4_000;

/** Functions and values for masking console messages and requests of a page. */
type LogMasking = {
  /** Values that authenticate the browser, such as cookies. */
  secrets: readonly string[];
  /** Masks secrets that were typed into the page. */
  mask: (text: string) => string;
};
type LogKind = 'console' | 'requests';
export type LogQuery = { kind: LogKind; filter: string | undefined; after: number };

export type LogLines = {
  lines: string[];
  /** Position in the log. A call that passes it as `after` gets the lines that follow. */
  mark: number;
  /** Number of matching lines left out: earlier lines or, if `after` was given, later lines. */
  leftOut: number;
  dropped: number;
  failed: string | null;
};

export function logLines(
  record: ConsoleAndRequestRecord,
  { kind, filter, after }: LogQuery,
  masking: LogMasking,
): LogLines {
  const entries = kind === 'console' ? record.console : record.requests;
  const wanted = filter?.toLowerCase();
  const all = entries
    .filter(({ at }) => at > after)
    .map((entry) => ({ entry, line: lineOf(entry, masking) }))
    .filter(({ line }) => wanted === undefined || line.toLowerCase().includes(wanted));
  const shown = after > 0 ? all.slice(0, LOG_LINES_MAX) : all.slice(-LOG_LINES_MAX);
  const isToTheEnd = after === 0 || shown.length === all.length;
  const failed = shown.map(({ entry }) => entry).find((entry) => 'requestId' in entry && hasFailed(entry));
  return {
    lines: shown.map(({ line }) => line),
    mark: isToTheEnd ? record.mark : (shown.at(-1)?.entry.at ?? record.mark),
    leftOut: all.length - shown.length,
    dropped: record.dropped[kind],
    failed: failed === undefined ? null : `r${failed.at}`,
  };
}

function lineOf(entry: ConsoleMessage | LoggedRequest, masking: LogMasking): string {
  return 'requestId' in entry ? requestLine(entry, masking) : consoleLine(entry, masking);
}

function consoleLine({ level, text, source }: ConsoleMessage, masking: LogMasking): string {
  const where = source === null ? '' : ` (${shortLocation(source)})`;
  return `${level}: ${oneLine(safe(text, masking), LOG_LINE_CHARS_MAX)}${safe(where, masking)}`;
}

function shortLocation({ url, line, column }: SourceLocation): string {
  return `${URL.canParse(url) ? new URL(redactUrl(url)).pathname : url}:${line}:${column}`;
}

function requestLine(entry: LoggedRequest, masking: LogMasking): string {
  const { at, method, status, type, mimeType, bytes, ms, problem } = entry;
  const facts = [
    problem === null ? (status === null ? 'pending' : String(status)) : `failed (${problem})`,
    type === 'Fetch' || type === 'XHR' ? '' : type.toLowerCase(),
    mimeType,
    bytes === null ? '' : `${bytes} B`,
    ms === null ? '' : `${ms} ms`,
  ].filter((fact) => fact !== '');
  const address = oneLine(safe(redactUrl(entry.url), masking), LOG_LINE_CHARS_MAX);
  return `r${at} ${method} ${address} – ${facts.join(', ')}`;
}

function hasFailed({ status, problem }: LoggedRequest): boolean {
  return problem !== null || (status !== null && status >= 400);
}

/**
 * A request with its headers and bodies, as far as these are known and are text.
 * @throws {PeriscopeError} `invalid_argument` if the request is unknown or was dropped
 */
export async function requestDetails(
  record: ConsoleAndRequestRecord,
  id: string,
  masking: LogMasking,
  signal: AbortSignal,
): Promise<string[]> {
  const number = Number(/^r?(\d{1,9})$/.exec(id.trim())?.[1] ?? 0);
  const entry = record.requests.find(({ at }) => at === number);
  if (entry === undefined) return refuseId(number > 0 && number <= record.mark && record.dropped.requests > 0);
  const [sent, received] = await abortable(Promise.all([sentBody(entry), receivedBody(entry)]), signal);
  return [
    requestLine(entry, masking),
    ...headerLines('sent', entry.sent, masking),
    ...bodyLines('sent body', sent, masking),
    ...headerLines('received', entry.received, masking),
    ...bodyLines('received body', received, masking),
  ];
}

function refuseId(wasKnown: boolean): never {
  return fail({
    code: 'invalid_argument',
    field: 'id',
    problem: wasKnown ? 'is too old: this request is no longer stored' : 'names no request of this tab',
    hint: 'Call browser_log with {"kind": "requests"} and pass one of its ids, such as "r12".',
  });
}

function headerLines(what: string, headers: LoggedRequest['sent'], masking: LogMasking): string[] {
  return headers.map(([name, value]) => `${what} ${name}: ${safeHeader(name, value, masking)}`);
}

/** Redacts the value of each header that may hold a secret. In the other headers, known secrets are masked. */
function safeHeader(name: string, value: string, masking: LogMasking): string {
  const plain = name.toLowerCase();
  if (!SHOWN_HEADERS.test(plain) || isSecretParameterName(plain)) return 'REDACTED';
  return oneLine(safe(URL.canParse(value) ? redactUrl(value) : value, masking), LOG_LINE_CHARS_MAX);
}

const SHOWN_HEADERS =
  /^(?:accept(?:-.+)?|access-control-.+|age|allow|cache-control|connection|content-(?:type|length|encoding|language|disposition|range|security-policy)|date|expires|if-.+|last-modified|link|location|origin|pragma|range|referer|retry-after|server|sec-.+|strict-transport-security|transfer-encoding|upgrade-insecure-requests|user-agent|vary|via|www-authenticate|x-(?:frame-options|content-type-options|powered-by|requested-with|ratelimit-.+|rate-limit-.+))$/;

type Body = { text: string } | { problem: string } | null;

function bodyLines(what: string, body: Body, masking: LogMasking): string[] {
  if (body === null) return [];
  if ('problem' in body) return [`${what}: (${body.problem})`];
  const text = safe(body.text, masking);
  const isCut = text.length > LOG_BODY_CHARS_MAX;
  const cut = isCut ? [`(the first ${LOG_BODY_CHARS_MAX} of ${text.length} characters)`] : [];
  return [`${what}:`, text.slice(0, LOG_BODY_CHARS_MAX), ...cut];
}

async function sentBody({ session, requestId, hasBody }: LoggedRequest): Promise<Body> {
  if (!hasBody) return null;
  return bodyIfStillThere(async () => {
    const { postData } = await session.send('Network.getRequestPostData', { requestId });
    return { text: postData };
  });
}

async function receivedBody({ session, requestId, status, ms, bytes }: LoggedRequest): Promise<Body> {
  if (status === null) return null;
  if (ms === null) return { problem: 'still on its way' };
  return bodyIfStillThere(async () => {
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId });
    if (base64Encoded) return { problem: `${bytes ?? 0} bytes that are not text` };
    return body === '' ? null : { text: body };
  });
}

/** Reads a body, or reports that it is gone, because Chromium drops bodies together with their document. */
async function bodyIfStillThere(ask: () => Promise<Body>): Promise<Body> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    return { problem: 'not kept any more' };
  }
}

/**
 * Masks secrets in a text, then cleans and cuts it. Masking comes first, because a secret that is cut would not be
 * recognized.
 */
function safe(text: string, { secrets, mask }: LogMasking): string {
  return redactText(sanitizeText(mask(text)), secrets);
}

/** Maximum log lines in one result: about 1,500 tokens. */
const LOG_LINES_MAX = 40;
