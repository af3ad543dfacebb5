import { LIVE_CLOSED } from '#core/live-messages.ts';
import type { Failure } from '#core/errors.ts';
import { LiveView } from '#browsing/live-view/live-view.ts';
import type { Clocks } from '#browsing/live-view/live-view.ts';
import { Tickets } from '#browsing/live-view/tickets.ts';
import type { Caller } from './answers.ts';
import type { Live } from './live.ts';

/** What a page that wants to show a session is given. `resting`: it has no browser now. */
export type LiveTicket = { ticket: string } | { refused: 'unknown' | 'resting' | 'full' } | { failure: Failure };

/** How people come to see one session: a ticket first, then a socket with it. */
export class LiveDoor {
  readonly #live: () => Live | null;
  readonly #view: LiveView;
  readonly #tickets = new Tickets<Caller>();

  constructor(live: () => Live | null, clocks: () => Clocks) {
    this.#live = live;
    this.#view = new LiveView(() => this.#shown(), clocks);
  }

  ticket(caller: Caller): LiveTicket {
    if (this.#shown() === null) return { refused: 'resting' };
    if (this.#view.isFull) return { refused: 'full' };
    return { ticket: this.#tickets.give(caller, Date.now()) };
  }

  /** @param request with the ticket, and the subject that the cookie named */
  open(request: Request): Response {
    const { searchParams } = new URL(request.url);
    const owner = this.#tickets.take(searchParams.get('ticket') ?? '', Date.now());
    if (owner === null || owner.subject !== searchParams.get('subject')) return new Response(null, { status: 403 });
    const { 0: page, 1: own } = new WebSocketPair();
    own.accept();
    this.#view.admit(own);
    return new Response(null, { status: 101, webSocket: page });
  }

  /** The session's browser has ended. */
  close(): void {
    this.#view.end(LIVE_CLOSED.resting, 'the session has no browser now');
  }

  #shown() {
    const live = this.#live();
    const { connection } = live?.browser ?? {};
    return live === null || connection?.isOpen !== true ? null : { tabs: live.tabs, browser: connection.browser };
  }
}
