import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { UNRESERVED_BODY_BYTES_MAX } from '#core/limits.ts';
import { sleep } from '#core/flow/abort.ts';
import { HOST_PERMIT_RULE } from '#net/limits.ts';
import { loadPage } from '#net/fetch/load.ts';
import type { AbortableBodyMemory } from '#net/fetch/load.ts';
import { endlessBody, failureOf, page, world } from '#support/net-world.ts';
import { URL_A } from '#support/one-page.ts';

const LARGE = 2 * UNRESERVED_BODY_BYTES_MAX;
const MAX_BYTES = 1_000_000;
const env = { RESPECT_ROBOTS: 'false', MAX_BYTES: String(MAX_BYTES) };

/** Memory that is full until it is opened, and what was asked of it. */
function memory() {
  const asked: [string | null, number][] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const port: AbortableBodyMemory = {
    tryTake: (mediaType, bytes) => {
      asked.push([mediaType, bytes]);
      return false;
    },
    take: async (_, __, signal) => {
      await Promise.race([opened, sleep(60_000, signal)]);
    },
  };
  return { port, asked, open };
}

const text = (bytes: number) => 'word '.repeat(bytes / 5);
/** A body in pieces, as from a network, without a length. */
function streamed(bytes: number): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(text(10_000));
  let left = bytes;
  return new ReadableStream({
    pull: (controller) => {
      if (left <= 0) return controller.close();
      left -= piece.byteLength;
      controller.enqueue(piece.slice());
    },
  });
}
const known = (bytes: number) => page(text(bytes), { 'content-length': String(text(bytes).length) });

describe('the body of a page', () => {
  it('reserves its announced size, or the limit if no size is announced', async () => {
    for (const [route, expected] of [
      [known(LARGE), [['text/html; charset=utf-8', text(LARGE).length]]],
      [page(streamed(LARGE)), [['text/html; charset=utf-8', MAX_BYTES]]],
      [known(1_000), []],
      [page(streamed(100_000)), []],
    ] as const) {
      const { port, asked, open } = memory();
      open();
      const loaded = await loadPage({ requestedUrl: URL_A, memory: port }, world({ [URL_A]: route }, { env }));
      expect(loaded.status).toBe(200);
      expect(asked).toEqual(expected);
    }
  });

  it('waits for memory outside its time limit, without blocking others at its host', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port, asked, open } = memory();
    const net = world(
      { [URL_A]: () => known(LARGE), 'https://site.com/b': () => known(1_000) },
      { env, timeoutMs: 300 },
    );
    const deps = { ...net, now: Date.now, sleep };
    const waiting = Array.from({ length: HOST_PERMIT_RULE.max }, () =>
      loadPage({ requestedUrl: URL_A, memory: port }, deps),
    );
    await vi.waitUntil(() => asked.length === waiting.length);
    expect((await loadPage({ requestedUrl: 'https://site.com/b', memory: port }, deps)).status).toBe(200);
    await vi.advanceTimersByTimeAsync(500);
    open();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  });

  it('is abandoned when there is no memory in time, or when the caller disconnects', async () => {
    const full = new PeriscopeError({ code: 'overloaded', retryAfterSeconds: 5, of: 'memory' });
    const refused: AbortableBodyMemory = { tryTake: () => false, take: async () => Promise.reject(full) };
    const endless = endlessBody(new Uint8Array(64_000).fill(0x61));
    const late = loadPage(
      { requestedUrl: URL_A, memory: refused },
      world({ [URL_A]: () => page(endless.stream) }, { env }),
    );
    expect(await failureOf(late)).toEqual(full.failure);
    expect(endless.cancelled()).toBe(true);

    const { port, asked } = memory();
    const caller = new AbortController();
    const other = endlessBody(new Uint8Array(64_000).fill(0x61));
    const net = world({ [URL_A]: () => page(other.stream) }, { env });
    const gone = loadPage({ requestedUrl: URL_A, memory: port, signal: caller.signal }, net);
    await vi.waitUntil(() => asked.length > 0);
    caller.abort(new PeriscopeError({ code: 'unavailable' }));
    expect(await failureOf(gone)).toEqual({ code: 'unavailable' });
    await vi.waitUntil(() => other.cancelled() && net.hostPermits.size === 0);
  });
});
