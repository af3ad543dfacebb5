import { PeriscopeError } from '#core/failures/failure.ts';
import type { Caller } from './answers.ts';

/** Maximum cancellations that arrived before their calls. Further ones must be for calls that had already ended. */
const EARLY_MAX = 100;

type Running = { subject: string; request: string | null; controller: AbortController };

/** Waiting and running calls of one session, by the ids that their Workers gave them. */
export class SessionCalls {
  readonly #running = new Map<string, Running>();
  readonly #early = new Set<string>();

  /**
   * @param work rejects with the signal's reason once the call is cancelled
   * @throws {PeriscopeError} `cancelled` if the cancellation arrived before the call
   */
  async run<T>({ subject, call }: Caller, work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    if (call === undefined) return work(controller.signal);
    const { id, request } = call;
    if (this.#early.delete(id)) throw new PeriscopeError({ code: 'cancelled' });
    this.#running.set(id, { subject, request, controller });
    try {
      return await work(controller.signal);
    } finally {
      this.#running.delete(id);
    }
  }

  cancel(id: string): void {
    const running = this.#running.get(id);
    if (running !== undefined) return running.controller.abort(new PeriscopeError({ code: 'cancelled' }));
    this.#early.add(id);
    for (const oldest of this.#early) if (this.#early.size > EARLY_MAX) this.#early.delete(oldest);
  }

  ofRequest(subject: string, request: string): string[] {
    return [...this.#running].flatMap(([id, running]) =>
      running.subject === subject && running.request === request ? [id] : [],
    );
  }
}
