import type { CallFact } from '#core/fact.ts';
import { plainJson } from '#core/plain.ts';

/** The only place that writes to the console: one JSON object a line. */
function write(level: 'info' | 'warn' | 'error', fields: Record<string, unknown>): void {
  console[level === 'error' ? 'error' : 'log'](JSON.stringify(plainJson({ level, ...fields })));
}

/** One line per tool call. */
export function logCall(fact: CallFact): void {
  write('info', {
    ts: fact.ts,
    request_id: fact.requestId,
    tool: fact.tool,
    url: fact.url,
    ms: Math.round(fact.ms),
    cache_hit: fact.cacheHit,
    status: fact.status,
    error_code: fact.errorCode,
  });
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

const FRAMES_KEPT = 12;
const FRAME = /^\s*at (?:.*\()?\S+:\d+:\d+\)?$/;

/** A message may have lines that look like frames: a page or a query can be in it. */
function frames({ stack = '', message }: Error): string[] {
  const at = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(at === -1 ? 0 : at + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, FRAMES_KEPT)
    .map((line) => line.trim());
}
