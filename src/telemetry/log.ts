import type { CallFact } from '#core/activity.ts';
import { sanitizeJson } from '#core/text/plain.ts';
import { hmacSha256, toHex } from '#core/text/text.ts';

function write(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>): void {
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(sanitizeJson({ level, ...fields })));
}

/**
 * Progress of a call: it began, works on a page, or ended. `npm start` reads these lines without printing them. `page`
 * is a hash of the URL.
 */
type WorkFact =
  | { work: 'began'; id: string; what: string }
  | { work: 'on'; id: string; page: string; url: string }
  | { work: 'call'; id: string; call: string }
  | { work: 'ended'; id: string };

export function logWork(fact: WorkFact): void {
  console.log(JSON.stringify(sanitizeJson(fact)));
}

type CallLogging = {
  subject: string;
  /** Key for pseudonyms; `null` if it could not be read, so that the log line has none. */
  secret: string | null;
  wholeUrls: boolean;
};

/**
 * Logs a call. The user appears as a pseudonym. So does a URL, because it may contain form input, but its origin is
 * logged.
 */
export async function logCall(fact: CallFact, { subject, secret, wholeUrls }: CallLogging): Promise<void> {
  const [person, urlHash] =
    secret === null
      ? [null, null]
      : await Promise.all([
          pseudonymOfPerson(secret, subject),
          fact.url === null ? null : pseudonym(secret, 'url', fact.url),
        ]);
  write('info', {
    ts: fact.ts,
    request_id: fact.requestId,
    person,
    tool: fact.tool,
    origin: fact.url === null ? null : originOf(fact.url),
    url_hash: urlHash,
    url: wholeUrls ? fact.url : undefined,
    ms: Math.round(fact.ms),
    cache_hit: fact.cacheHit,
    status: fact.status,
    error_code: fact.errorCode,
  });
}

const PEOPLE_KEPT_MAX = 1_000;
const people = new Map<string, string>();

async function pseudonymOfPerson(secret: string, subject: string): Promise<string> {
  const known = people.get(`${secret}\n${subject}`);
  if (known !== undefined) return known;
  const made = await pseudonym(secret, 'person', subject);
  if (people.size >= PEOPLE_KEPT_MAX) people.clear();
  people.set(`${secret}\n${subject}`, made);
  return made;
}

/**
 * HMAC-SHA-256 truncated to 48 bits, in hex. Equal texts have equal pseudonyms, which cannot be reversed without the
 * secret.
 */
async function pseudonym(secret: string, of: 'person' | 'url', text: string): Promise<string> {
  const mac = await hmacSha256(secret, `log ${of}\n${text}`);
  return toHex(mac.slice(0, PSEUDONYM_BYTES));
}

/** Bytes of a pseudonym. At 48 bits, one of 500 deployments has a collision among a million URLs. */
const PSEUDONYM_BYTES = 6;

/**
 * The origin of a web page, or the scheme of another URL; `null` for text that is not a URL, and for a host without a
 * dot or colon, such as a mistyped word, except `localhost`.
 */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (!/^https?:$/u.test(url.protocol)) return url.protocol;
  return /[.:]|^localhost$/u.test(url.hostname) ? url.origin : null;
}

export function logProtocolError(requestId: string, error: Error): void {
  write('warn', { ts: new Date().toISOString(), request_id: requestId, event: 'protocol_error', kind: error.name });
}

export function logAuthRefusal(code: string, status: number): void {
  write('warn', { ts: new Date().toISOString(), event: 'authorization_refused', code, status });
}

/** Logs a message to a webhook. @param outcome `sent`, or a one-word reason for the failure */
export function logWebhook(outcome: string, event: 'handoff_webhook' | 'change_report' = 'handoff_webhook'): void {
  const level = outcome === 'sent' ? 'info' : 'warn';
  write(level, { ts: new Date().toISOString(), event, outcome });
}

/** Result of the hourly cleanup. A field is `null` if its step failed; the failure has its own log line. */
type SweepFact = {
  runId: string;
  ms: number;
  ceiling: number;
  sweep: {
    unreachable: { documents: number; bytes: number };
    evicted: { documents: number; snapshots: number; bytes: number };
    textBytes: number;
    state: string;
  } | null;
  robotsExpired: number | null;
};

export function logSweep({ runId, ms, ceiling, sweep, robotsExpired }: SweepFact): void {
  write(sweep === null ? 'warn' : 'info', {
    ts: new Date().toISOString(),
    request_id: runId,
    event: 'cache_swept',
    ms,
    state: sweep?.state ?? 'failed',
    text_bytes: sweep?.textBytes,
    ceiling_bytes: ceiling,
    unreachable_documents: sweep?.unreachable.documents,
    unreachable_bytes: sweep?.unreachable.bytes,
    evicted_documents: sweep?.evicted.documents,
    evicted_snapshots: sweep?.evicted.snapshots,
    evicted_bytes: sweep?.evicted.bytes,
    robots_expired: robotsExpired,
  });
}

/**
 * Logs the totals of the UTC day so far. Runs hourly, for alerts, because the calls of a day yield an error rate even
 * with few users.
 */
export function logDayTotals(runId: string, { day, ...sums }: DaySoFar): void {
  write('info', {
    ts: new Date().toISOString(),
    request_id: runId,
    event: 'day_so_far',
    day,
    calls: sums.calls,
    errors: sums.errors,
    internal: sums.internal,
    cache_hits: sums.cacheHits,
    over_10_s: sums.slow,
    browsers: sums.browsers,
  });
}

/** Counts of the current day. */
type DaySoFar = {
  day: string;
  calls: number;
  errors: number;
  internal: number;
  cacheHits: number;
  slow: number;
  /** Number of open browsers; `null` if the object that counts browsers did not answer. */
  browsers: number | null;
};

export function logNotReady(why: string): void {
  write('warn', { ts: new Date().toISOString(), event: 'not_ready', why });
}

/**
 * Logs the stack, which names only this project's code. Omits the message, because other code's errors may quote data.
 */
export function logUnexpected(requestId: string, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const stack = error instanceof Error ? frames(error) : [];
  write('error', { ts: new Date().toISOString(), request_id: requestId, event: 'unexpected_error', name, stack });
}

/**
 * Removes messages from unexpected errors of a Durable Object. The platform logs errors that leave an object, and their
 * messages may quote a page or an argument. Errors of the platform keep their messages.
 * @param object the class to patch
 */
export function hideErrorMessages(object: { prototype: object; name: string }): void {
  const { prototype } = object;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        const answer: unknown = Reflect.apply(method, this, args);
        return answer instanceof Promise
          ? answer.catch((error: unknown) => reportAndReplace(object.name, error))
          : answer;
      } catch (error) {
        return reportAndReplace(object.name, error);
      }
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}

/** True for the platform's errors, whose messages callers inspect, and for this project's own errors. */
function isKnown({ name, message }: Error): boolean {
  return KNOWN_NAMES.has(name) && !message.startsWith(WITH_PARAMETERS);
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(['Error', 'PartFailed', 'PeriscopeError']);
/** Prefix of the database library's messages, in which the query's parameters follow. */
const WITH_PARAMETERS = 'Failed query';

/** Errors made by {@link reportAndReplace}. A method that receives one from another method throws it unchanged. */
const reported = new WeakSet<Error>();

function reportAndReplace(object: string, error: unknown): never {
  if (error instanceof Error && (isKnown(error) || reported.has(error))) throw error;
  const id = crypto.randomUUID();
  logUnexpected(id, error);
  const ErrorClass = [TypeError, RangeError, SyntaxError].find((one) => error instanceof one) ?? Error;
  const replacement = new ErrorClass(`an error in ${object}; the log has it as ${id}`);
  if (error instanceof Error) replacement.name = error.name;
  reported.add(replacement);
  throw replacement;
}

const FRAMES_MAX = 12;
const FRAME_BEGINS = /^\s*at /;
const FRAME_ENDS = /\S:\d+:\d+\)?$/;

function isFrame(line: string): boolean {
  const begin = FRAME_BEGINS.exec(line)?.[0].length;
  if (begin === undefined || !FRAME_ENDS.test(line)) return false;
  const place = line.slice(Math.max(begin, line.lastIndexOf('(') + 1));
  return !/\s/.test(place);
}

/**
 * Frames of the stack without the message, whose lines may look like frames and quote a page or a query. Returns no
 * frames if the stack does not contain the message.
 */
function frames({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  return stack
    .slice(at === -1 ? stack.length : at + message.length)
    .split('\n')
    .filter(isFrame)
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim());
}
