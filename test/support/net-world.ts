import { parseConfig } from '#core/config/config.ts';
import { PeriscopeError, type Failure } from '#core/failures/failure.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import type { FetchInit } from '#net/fetch/fetch-port.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import type { RobotsEntry } from '#net/robots/robots.ts';

export type Route = Response | Error | ((init: FetchInit, times: number) => Response | Promise<Response>);

export type World = NetDeps & {
  /** Every URL that was requested, in order. */
  requested: string[];
  /** The headers of each request. */
  sent: Record<string, string>[];
  /** Delays passed to `sleep`, in ms; each moves the clock. */
  slept: number[];
  robotsEntries: Map<string, RobotsEntry>;
};

/**
 * A world without a network. `routes` answers URLs, every name is public unless `addresses` says otherwise, and time
 * passes only while something sleeps. `/robots.txt` is 404 unless routed.
 */
export function world(
  routes: Record<string, Route>,
  options: { addresses?: Record<string, string[]>; env?: Record<string, string>; timeoutMs?: number } = {},
): World {
  const requested: string[] = [];
  const sent: Record<string, string>[] = [];
  const slept: number[] = [];
  const times = new Map<string, number>();
  const robotsEntries = new Map<string, RobotsEntry>();
  let clock = Date.parse('2026-11-21T12:00:00Z');
  const policy = netPolicy(parseConfig(options.env ?? {}), ['periscope.example.net']);
  return {
    requested,
    sent,
    slept,
    robotsEntries,
    policy: { ...policy, timeoutMs: options.timeoutMs ?? policy.timeoutMs },
    hostPermits: new Map(),
    now: () => clock,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      if (signal.aborted) throw signal.reason;
      slept.push(ms);
      clock += ms;
    },
    resolve: async (host) => options.addresses?.[host] ?? ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
    robotsStore: {
      get: async (origin) => robotsEntries.get(origin) ?? null,
      put: async (origin, entry) => {
        robotsEntries.set(origin, entry);
      },
    },
    fetch: async (url, init) => {
      requested.push(url);
      sent.push(init.headers);
      const count = (times.get(url) ?? 0) + 1;
      times.set(url, count);
      const route = routes[url];
      if (route === undefined) return new Response('nothing here', { status: 404 });
      if (route instanceof Error) throw route;
      return typeof route === 'function' ? route(init, count) : route.clone();
    },
  };
}

export function page(body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
}

export function redirect(location: string, status = 302): Response {
  return new Response(null, { status, headers: { location } });
}

/** An endless body of `chunk`. `pulled()` counts the bytes read; `cancelled()` is true after a cancel. */
export function endlessBody(chunk: Uint8Array) {
  let bytes = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      bytes += chunk.byteLength;
      controller.enqueue(chunk.slice());
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { stream, pulled: () => bytes, cancelled: () => isCancelled };
}

/** Sends `start`, then nothing more. */
export function silentBody(start: string) {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (start !== '') controller.enqueue(new TextEncoder().encode(start));
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { stream, cancelled: () => isCancelled };
}

/** Sends `start`, then fails like a lost connection. */
export function brokenBody(start: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(new TextEncoder().encode(start));
      isSent = true;
    },
  });
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure;
    throw error;
  }
  throw new Error('expected a failure, and there was none');
}
