import { PeriscopeError } from '#core/failures/failure.ts';
import type { Caller } from './answers.ts';

/** Cancellations that overtook their calls. More come only from calls that had ended already. */
const EARLY_MAX = 100;

type Running = { subject: string; request: string | null; controller: AbortController };

/** Calls that wait or run in one session, by the ids that their Workers gave them. */
export class SessionCalls {
  readonly #running = new Map<string, Running>();
  readonly #early = new Set<string>();

  /**
   * @param work ends by the signal's reason once the call is cancelled
   * @throws {PeriscopeError} `cancelled` when that happened before the call came
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

  /** Ids of a person's calls that a request of their client stands for. */
  ofRequest(subject: string, request: string): string[] {
    return [...this.#running].flatMap(([id, running]) =>
      running.subject === subject && running.request === request ? [id] : [],
    );
  }
}
