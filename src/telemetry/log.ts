import type { CallFact } from '#core/activity.ts';
import { plainJson } from '#core/text/plain.ts';
import { toHex } from '#core/text/text.ts';

/** The only writer to the console: one JSON object a line. */
function write(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>): void {
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(plainJson({ level, ...fields })));
}

/**
 * A call began, works on a page, or ended. `npm start` reads these lines and prints none of them.
 * `page`: a hash of the address.
 */
type WorkFact =
  | { work: 'began'; id: string; what: string }
  | { work: 'on'; id: string; page: string; url: string }
  | { work: 'call'; id: string; call: string }
  | { work: 'ended'; id: string };

export function logWork(fact: WorkFact): void {
  console.log(JSON.stringify(plainJson(fact)));
}

type CallLogging = {
  subject: string;
  /** Key of pseudonyms; `null` when it was not available, and then there are none. */
  secret: string | null;
  wholeUrls: boolean;
};

/**
 * An address may hold what somebody typed into a form, so the line has its origin and a pseudonym instead, and a
 * pseudonym of the person.
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

/** Those who call now: each of their calls writes it again. */
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

/** HMAC-SHA-256, 48 bits in hex: equal texts have equal pseudonyms, which nobody can reverse without the secret. */
async function pseudonym(secret: string, of: 'person' | 'url', text: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret), encoder.encode(`log ${of}\n${text}`));
  return toHex(mac.slice(0, PSEUDONYM_BYTES));
}

const encoder = new TextEncoder();
let key: { secret: string; imported: CryptoKey } | null = null;

/** A deployment has one secret, so an isolate imports it once. */
async function keyOf(secret: string): Promise<CryptoKey> {
  if (key?.secret === secret) return key.imported;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  key = { secret, imported };
  return imported;
}

/** Two of a million addresses collide once in 500 deployments. */
const PSEUDONYM_BYTES = 6;

/** The scheme when it is not a web address. `null` for a host without a dot: a mistyped word. */
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

/** @param outcome `sent`, or why not, in one word */
export function logWebhook(outcome: string): void {
  const level = outcome === 'sent' ? 'info' : 'warn';
  write(level, { ts: new Date().toISOString(), event: 'handoff_webhook', outcome });
}

/** Result of an hourly run; `null` for a step that failed, which has its own line. */
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

/** What an alert looks at: every hour the sums of the UTC day so far, so that a share can be taken of few calls, too. */
export function logDaySoFar(runId: string, { day, ...sums }: DaySoFar): void {
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

/** `null`: the object that knows them did not answer. */
type DaySoFar = {
  day: string;
  calls: number;
  errors: number;
  internal: number;
  cacheHits: number;
  slow: number;
  browsers: number | null;
};

export function logNotReady(why: string): void {
  write('warn', { ts: new Date().toISOString(), event: 'not_ready', why });
}

/** The stack names our code; the message of a foreign error may quote data, so it is left out. */
export function logUnexpected(requestId: string, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const stack = error instanceof Error ? frames(error) : [];
  write('error', { ts: new Date().toISOString(), request_id: requestId, event: 'unexpected_error', name, stack });
}

/**
 * Removes messages from unexpected errors of a Durable Object, because they may quote a page or an argument, and the
 * platform logs whatever leaves an object. Errors of the platform itself stay.
 * @param object its class, which is changed
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

/** The platform's errors, whose callers look at the message, and our own. */
function isKnown({ name, message }: Error): boolean {
  return KNOWN_NAMES.has(name) && !message.startsWith(WITH_PARAMETERS);
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(['Error', 'PartFailed', 'PeriscopeError']);
/** Messages of the database library begin so; the query's parameters follow. */
const WITH_PARAMETERS = 'Failed query';

/** Already reported and recreated: one method may call another. */
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

/** `at run (file.ts:1:2)` or `at file.ts:1:2`. */
function isFrame(line: string): boolean {
  const begin = FRAME_BEGINS.exec(line)?.[0].length;
  if (begin === undefined || !FRAME_ENDS.test(line)) return false;
  const place = line.slice(Math.max(begin, line.lastIndexOf('(') + 1));
  return !/\s/.test(place);
}

/**
 * Removes the message, whose lines may look like frames and quote a page or query. Logs nothing when the stack does not
 * contain it.
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
