import type { CallFact } from '#core/activity.ts';
import { plainJson } from '#core/text/plain.ts';
import { toHex } from '#core/text/text.ts';

/** The only place that writes to the console: one JSON object a line. */
function write(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>): void {
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(plainJson({ level, ...fields })));
}

export type CallLogging = {
  /** Whose call it is. */
  subject: string;
  /** What pseudonyms are made with; `null` when it could not be had, and then there are none. */
  secret: string | null;
  /** LOG_URLS. */
  wholeUrls: boolean;
};

/**
 * One line per tool call. An address may hold what somebody typed into a form, so it is told by its origin and a
 * pseudonym, as the person is.
 */
export async function logCall(fact: CallFact, { subject, secret, wholeUrls }: CallLogging): Promise<void> {
  const [person, urlHash] =
    secret === null
      ? [null, null]
      : await Promise.all([
          pseudonym(secret, 'person', subject),
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

/** The same for the same text, and without the secret nobody can tell of which: HMAC-SHA-256, 48 bits of it in hex. */
async function pseudonym(secret: string, of: 'person' | 'url', text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`log ${of}\n${text}`));
  return toHex(mac.slice(0, PSEUDONYM_BYTES));
}

/** Two of a million addresses are the same once in 500 deployments. */
const PSEUDONYM_BYTES = 6;

/** Of an address that is no web address, its scheme. `null` for a host without a dot: a word that was taken for one. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (!/^https?:$/u.test(url.protocol)) return url.protocol;
  return /[.:]|^localhost$/u.test(url.hostname) ? url.origin : null;
}

/** A message the protocol layer refused: its kind, not its content. */
export function logProtocolError(requestId: string, error: Error): void {
  write('warn', { ts: new Date().toISOString(), request_id: requestId, event: 'protocol_error', kind: error.name });
}

/** A request the authorization server refused. */
export function logRefused(code: string, status: number): void {
  write('warn', { ts: new Date().toISOString(), event: 'authorization_refused', code, status });
}

/** What one run of the hourly trigger did; `null` where it failed, which has a line of its own. */
export type SweepFact = {
  runId: string;
  ms: number;
  /** CACHE_MAX_BYTES. */
  ceiling: number;
  sweep: {
    unreachable: { documents: number; bytes: number };
    evicted: { documents: number; snapshots: number; bytes: number };
    textBytes: number;
    state: string;
    /** Snapshots that went because a new rule keeps them private. */
    madePrivate: number;
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
    made_private: sweep?.madePrivate,
  });
}

/** The deployment cannot work yet, or cannot work now: in our own words, as `/healthz` answers. */
export function logNotReady(why: string): void {
  write('warn', { ts: new Date().toISOString(), event: 'not_ready', why });
}

/** An error nobody planned for. The stack names our code; the message of a foreign error may quote data, so it stays out. */
export function logUnexpected(requestId: string, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const stack = error instanceof Error ? frames(error) : [];
  write('error', { ts: new Date().toISOString(), request_id: requestId, event: 'unexpected_error', name, stack });
}

/**
 * Makes errors that a Durable Object did not plan for leave it without their messages, which may quote a page or an
 * argument: the platform writes what leaves an object to the log, as it is. What the platform itself failed with stays.
 * @param object its class, which is changed
 */
export function withoutMessages(object: { prototype: object; name: string }): void {
  const { prototype } = object;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      try {
        const answer: unknown = Reflect.apply(method, this, args);
        return answer instanceof Promise ? answer.catch((error: unknown) => leave(object.name, error)) : answer;
      } catch (error) {
        return leave(object.name, error);
      }
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}

/** Of the platform, or our own: its words are known, and others go by them. */
function isKnown({ name, message }: Error): boolean {
  return KNOWN_NAMES.has(name) && !message.startsWith(WITH_PARAMETERS);
}

const KNOWN_NAMES: ReadonlySet<string> = new Set(['Error', 'PartFailed', 'PeriscopeError']);
/** How the database library begins, which goes on with the parameters of the query. */
const WITH_PARAMETERS = 'Failed query';

/** Errors that have been reported and made anew: a method may have been called by another one. */
const made = new WeakSet<Error>();

function leave(object: string, error: unknown): never {
  if (error instanceof Error && (isKnown(error) || made.has(error))) throw error;
  const id = crypto.randomUUID();
  logUnexpected(id, error);
  const Made = [TypeError, RangeError, SyntaxError].find((one) => error instanceof one) ?? Error;
  const told = new Made(`an error in ${object}; the log has it as ${id}`);
  if (error instanceof Error) told.name = error.name;
  made.add(told);
  throw told;
}

const FRAMES_KEPT = 12;
const FRAME = /^\s*at (?:.*\()?\S+:\d+:\d+\)?$/;

/**
 * A message may have lines that look like frames: a page or a query can be in it. Where it is not found, as it was changed
 * since, nothing is told.
 */
function frames({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  return stack
    .slice(at === -1 ? stack.length : at + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_KEPT)
    .map((line) => line.trim());
}
