import { ERROR_BODY_BYTES_MAX, HOST_PLACES } from '#net/limits.ts';
import { withSlot } from '#core/flow/semaphore.ts';
import { shownUrl } from './canonical-url.ts';
import { abortable } from '#core/flow/abort.ts';
import type { NetDeps } from './deps.ts';
import { request as requestOnce } from './fetch-port.ts';
import { failNetwork, isBusyAnswer, isTransient, retryAfterSeconds, retryDelay } from './network-error.ts';
import { discard, failBody, readBody, type ReadOptions } from './read-body.ts';

export type Exchange = {
  headers: Record<string, string>;
  limitBytes: number;
  onOverflow: ReadOptions['onOverflow'];
  memory?: BodyMemory | undefined;
};

/** The memory of the isolate, for a body: room for so many bytes of a media type, now or after waiting. */
export type BodyMemory = {
  tryTake: (mediaType: string | null, bytes: number) => boolean;
  take: (mediaType: string | null, bytes: number) => Promise<void>;
};

/** The time a call has: a signal that ends it, and when (ms since the epoch) that will be. */
export type Time = { signal: AbortSignal; deadlineAt: number };

export type Answer = {
  status: number;
  headers: Headers;
  /** Empty for redirects; at most {@link ERROR_BODY_BYTES_MAX} of an error's body. */
  bytes: Uint8Array;
};

/**
 * One request to one URL that has passed the gate, with its retries, and the body of its answer.
 * @throws {PeriscopeError} `fetch_failed`, `too_large`, `timeout`.
 */
export async function exchange(url: string, request: Exchange, time: Time, deps: NetDeps): Promise<Answer> {
  return withSlot(new URL(url).host, HOST_PLACES, deps.hostPlaces, deps, time.signal, async (_, leave) => {
    const response = await send(url, request.headers, time, deps);
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await discard(response.body);
      return { status, headers, bytes: new Uint8Array(0) };
    }
    const limits = status >= 400 ? { limitBytes: ERROR_BODY_BYTES_MAX, onOverflow: 'cut' as const } : request;
    const { memory } = request;
    const makeRoom = async (mediaType: string | null, size: number) => {
      if (memory === undefined || memory.tryTake(mediaType, size)) return;
      // Others at this host do not wait for memory, and whoever holds some may have to ask this host for more.
      leave();
      await memory.take(mediaType, size);
    };
    const { bytes } = await readBody(response, { ...limits, signal: time.signal, makeRoom }).catch((error: unknown) =>
      failBody(error, shownUrl(url), limits.limitBytes),
    );
    return { status, headers, bytes };
  });
}

async function send(url: string, headers: Record<string, string>, time: Time, deps: NetDeps): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const tried = await abortable(requestOnce(deps.fetch, url, { headers, signal: time.signal }), time.signal).catch(
      (error: unknown) => {
        if (time.signal.aborted) throw time.signal.reason;
        return { error };
      },
    );
    const failed = 'error' in tried;
    if (failed ? !isTransient(tried.error) : !isBusyAnswer(tried))
      return failed ? failNetwork(tried.error, shownUrl(url)) : tried;
    const now = deps.now();
    const delay = retryDelay({
      attempt,
      retryAfterSeconds: failed ? null : retryAfterSeconds(tried.headers, now),
      leftMs: time.deadlineAt - now,
      random: deps.random(),
    });
    if (delay === null) return failed ? failNetwork(tried.error, shownUrl(url)) : tried;
    if (!failed) await discard(tried.body);
    await deps.sleep(delay, time.signal);
  }
}
