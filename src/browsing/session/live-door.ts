import { LIVE_CLOSED } from '#core/live-messages.ts';
import type { Failure } from '#core/failures/failure.ts';
import { LiveView } from '#browsing/live-view/live-view.ts';
import type { Clocks } from '#browsing/live-view/live-view.ts';
import type { Shown } from '#browsing/live-view/viewer.ts';
import type { Wheel } from '#browsing/live-view/hands.ts';
import type { Caller } from './answers.ts';
import type { Live } from './live.ts';
import { randomText } from '#core/secrets/sealed.ts';
import { LIVE_TICKET_BYTES, LIVE_TICKET_TTL_MS, LIVE_TICKETS_MAX } from '#browsing/live-view/limits.ts';

/** What a page that wants to show a session is given. `resting`: it has no browser now. */
export type LiveTicket = { ticket: string } | { refused: 'unknown' | 'resting' | 'full' } | { failure: Failure };

/** How people come to see one session: a ticket first, then a socket with it. */
export class LiveDoor {
  readonly #live: () => Live | null;
  readonly #view: LiveView;
  readonly #tickets = new Tickets<Caller>();

  constructor(live: () => Live | null, clocks: () => Clocks, wheel: Wheel) {
    this.#live = live;
    const personOf = (ticket: string) => this.#tickets.take(ticket, Date.now())?.subject ?? null;
    this.#view = new LiveView(() => this.#shown(), clocks, wheel, personOf);
  }

  /** @param isThere for a page that shows the session already, and stays */
  ticket(caller: Caller, isThere: boolean): LiveTicket {
    if (this.#shown() === null) return { refused: 'resting' };
    if (this.#view.isFull && !isThere) return { refused: 'full' };
    return { ticket: this.#tickets.give(caller, Date.now()) };
  }

  /** @param request with the ticket, and the subject that the cookie named */
  open(request: Request): Response {
    const { searchParams } = new URL(request.url);
    const owner = this.#tickets.take(searchParams.get('ticket') ?? '', Date.now());
    const page = searchParams.get('page') ?? '';
    if (!PAGE_NAME.test(page)) return new Response(null, { status: 400 });
    if (owner === null || owner.subject !== searchParams.get('subject')) return new Response(null, { status: 403 });
    const { 0: theirs, 1: own } = new WebSocketPair();
    own.accept();
    this.#view.admit(own, page, owner.subject);
    return new Response(null, { status: 101, webSocket: theirs });
  }

  /** The session's browser has ended. */
  close(): void {
    this.#view.end(LIVE_CLOSED.resting, 'the session has no browser now');
  }

  /** The person has given the session back. */
  rest(): void {
    this.#view.rest();
  }

  #shown(): Shown | null {
    const live = this.#live();
    if (live === null || !live.browser.connection.isOpen) return null;
    return {
      tabs: live.tabs,
      browser: live.browser.connection.browser,
      open: () => live.tabs.open(live.contextId),
      acts: (is) => (live.isActing = is),
    };
  }
}

/** Pages call themselves by a UUID. */
const PAGE_NAME = /^[\da-f-]{36}$/;

/** What lets a page open its socket: each is good once and not for long, and belongs to whoever it was given to. */
export class Tickets<Owner> {
  readonly #open = new Map<string, { owner: Owner; until: number }>();

  give(owner: Owner, now: number): string {
    for (const [ticket, { until }] of this.#open) if (until <= now) this.#open.delete(ticket);
    // Whoever asks for more than can be used takes the place of the oldest.
    const [oldest] = this.#open.keys();
    if (this.#open.size >= LIVE_TICKETS_MAX && oldest !== undefined) this.#open.delete(oldest);
    const ticket = randomText(LIVE_TICKET_BYTES);
    this.#open.set(ticket, { owner, until: now + LIVE_TICKET_TTL_MS });
    return ticket;
  }

  /** Whose it is, once; `null` for one that was used, is too old, or was never given. */
  take(ticket: string, now: number): Owner | null {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    return found !== undefined && found.until > now ? found.owner : null;
  }
}
