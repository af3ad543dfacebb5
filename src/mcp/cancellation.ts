import * as z from 'zod';
import type { BrowserPort, CallWithSignal } from '#browsing/port.ts';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import { withPermit } from '#core/flow/semaphore.ts';
import type { Permits } from '#core/flow/semaphore.ts';
import { CALL_DEADLINE_MS, SECOND_MS } from '#core/limits.ts';
import type { Principal } from '#core/principal.ts';

/**
 * Clients of the 2025 era cancel a call by another request, which contains only the call's id. Two clients of one user
 * may use the same id, so a call is cancelled only if no other running call of the subject has the same key.
 */

const NOTICE_MS = 50;
/** Delays of the attempts to find the call to cancel, because the cancellation may arrive before its call. */
const LOOKS_AFTER_MS = [0, 150, 400, 1_000] as const;
/** Concurrent searches for calls to cancel, per subject. Each search asks every open session. */
const LOOKS_AT_ONCE = { max: 4, leaseMs: 5 * SECOND_MS, pollMs: 20, pollMsMax: 160, restMs: 0 } as const;
/** Lifetime of a running call's entry. It expires, because a killed request cannot remove its entry. */
const FORGOTTEN_MS = CALL_DEADLINE_MS + 15 * SECOND_MS;
/** Maximum characters of a call's key. Counters and UUIDs fit; longer ids are not used for cancellation. */
const KEY_CHARS_MAX = 400;

/** Key of a running call for its cancellation; `null` if the key would be too long. */
export function requestKey({ client }: Principal, headers: Headers, id: string | number): string | null {
  const key = JSON.stringify([client ?? null, headers.get('mcp-session-id'), id]);
  return key.length > KEY_CHARS_MAX ? null : key;
}

const cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

export function cancelledRequestIds(message: unknown): (string | number)[] {
  return [message].flat().flatMap((one) => {
    const { success, data } = cancelled.safeParse(one);
    return success ? [data.params.requestId] : [];
  });
}

type Running = { readonly id: string; readonly request: string; readonly until: number; isCancelled: boolean };

/**
 * The running calls of one isolate. Each polls its own flag for a cancellation, because requests must not share
 * promises.
 */
export class RunningCalls {
  readonly #ofSubject = new Map<string, readonly Running[]>();
  readonly #looks: Permits = new Map();

  /** Runs a call with a signal that also fires on {@link cancel}. @param signal the connection's signal */
  async run<T>(
    { subject, request, signal }: { subject: string; request: string | null; signal: AbortSignal },
    work: (call: CallWithSignal) => Promise<T>,
  ): Promise<T> {
    const id = crypto.randomUUID();
    if (request === null) return work({ id, request, signal });
    const running: Running = { id, request, until: Date.now() + FORGOTTEN_MS, isCancelled: false };
    const notified = new AbortController();
    const timer = setInterval(() => running.isCancelled && notified.abort(), NOTICE_MS);
    this.#ofSubject.set(subject, [...this.#of(subject), running]);
    try {
      return await work({ id, request, signal: AbortSignal.any([signal, notified.signal]) });
    } finally {
      clearInterval(timer);
      const left = this.#of(subject).filter((one) => one !== running);
      if (left.length === 0) this.#ofSubject.delete(subject);
      else this.#ofSubject.set(subject, left);
    }
  }

  /**
   * Cancels the call with this key, if exactly one call of the subject has the key. Finds calls of this isolate, and
   * calls in browser sessions of any isolate.
   * @param isOfSession true if the request has a session id, so that no other client can have the same key
   */
  async cancel(
    request: string,
    isOfSession: boolean,
    subject: string,
    browser: Pick<BrowserPort, 'callsOf' | 'cancelCall'>,
  ): Promise<void> {
    const [match, ...others] = this.#of(subject).filter((running) => running.request === request);
    if (isOfSession && match !== undefined && others.length === 0) {
      match.isCancelled = true;
      return;
    }
    const clock = { now: Date.now, sleep };
    await withTimeout(CALL_DEADLINE_MS, (late) =>
      withPermit(subject, LOOKS_AT_ONCE, this.#looks, clock, late, async () => {
        for (const pauseMs of LOOKS_AFTER_MS) {
          await sleep(pauseMs, late);
          const here = this.#of(subject).filter((running) => running.request === request);
          const inSessions = await browser.callsOf(request);
          const ids = new Set([...here, ...inSessions].map(({ id }) => id));
          if (ids.size === 0) continue;
          if (ids.size > 1) return;
          for (const running of here) running.isCancelled = true;
          await Promise.all(inSessions.map((call) => browser.cancelCall(call)));
          return;
        }
      }),
    );
  }

  #of(subject: string): readonly Running[] {
    const now = Date.now();
    return (this.#ofSubject.get(subject) ?? []).filter(({ until }) => until > now);
  }
}
