import { LIVE_CLOSE_CODES } from '#browsing/live-view/messages.ts';
import type { Failure } from '#core/failures/failure.ts';
import { LiveViewers } from '#browsing/live-view/live-view.ts';
import type { SessionTimes, TakeoverControl } from '#browsing/live-view/live-view.ts';
import type { ScreencastBrowser } from '#browsing/live-view/viewer.ts';
import type { Caller } from './replies.ts';
import type { ActiveSession } from './active-session.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { LIVE_TICKET_TTL_MS, LIVE_TICKETS_MAX } from '#browsing/live-view/limits.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { SessionLifetime } from './lifetime.ts';

const LIVE_TICKET_RANDOM_BYTES = 24;

export type LiveTicketResult = { ticket: string } | { refused: 'unknown' | 'resting' | 'full' } | { failure: Failure };

export class LiveAccess {
  readonly #active: () => ActiveSession | null;
  readonly #view: LiveViewers;
  readonly #tickets = new OneTimeTickets<Caller>();

  constructor(active: () => ActiveSession | null, clocks: () => SessionTimes, takeOver: TakeoverControl) {
    this.#active = active;
    const personOf = (ticket: string) => this.#tickets.take(ticket, Date.now())?.subject ?? null;
    this.#view = new LiveViewers(() => this.#shown(), clocks, takeOver, personOf);
  }

  /** @param isThere true if the page that asks already shows the session, so that it needs no additional place */
  ticket(caller: Caller, isThere: boolean): LiveTicketResult {
    if (this.#shown() === null) return { refused: 'resting' };
    if (this.#view.isFull && !isThere) return { refused: 'full' };
    return { ticket: this.#tickets.give(caller, Date.now()) };
  }

  /** Opens a live view. @param request URL with the ticket, the page id, and the subject from the sign-in cookie */
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

  close(): void {
    this.#view.end(LIVE_CLOSE_CODES.resting, 'the session has no browser now');
  }

  rest(): Promise<void> {
    return this.#view.rest();
  }

  #shown(): ScreencastBrowser | null {
    const active = this.#active();
    if (active === null || !active.browser.connection.isOpen) return null;
    return {
      tabs: active.tabs,
      browser: active.browser.connection.browser,
      open: () => active.tabs.open(active.contextId),
      setActing: (is) => (active.isActing = is),
    };
  }
}

const PAGE_NAME = /^[\da-f-]{36}$/;

/** One-time tickets for opening a live view's WebSocket. Each belongs to one owner and expires soon. */
export class OneTimeTickets<Owner> {
  readonly #open = new Map<string, { owner: Owner; until: number }>();

  give(owner: Owner, now: number): string {
    for (const [ticket, { until }] of this.#open) if (until <= now) this.#open.delete(ticket);
    // Drops the oldest ticket when the table is full, so that no caller can fill the memory.
    const [oldest] = this.#open.keys();
    if (this.#open.size >= LIVE_TICKETS_MAX && oldest !== undefined) this.#open.delete(oldest);
    const ticket = randomBase64Url(LIVE_TICKET_RANDOM_BYTES);
    this.#open.set(ticket, { owner, until: now + LIVE_TICKET_TTL_MS });
    return ticket;
  }

  /** @returns the owner; `null` for a ticket that was used, has expired, or was never issued */
  take(ticket: string, now: number): Owner | null {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    return found !== undefined && found.until > now ? found.owner : null;
  }
}

/** Overview of a session for the console. Times are in ms. URLs and `asked` are untrusted text. */
export type SessionOverview = {
  state: 'open' | 'parked';
  tabs: { id: string; url: string }[];
  usedAt: number;
  openSince: number | null;
  restsAt: number | null;
  paidMs: number;
  isDriven: boolean;
  asked: string | null;
  settings: TabSettings;
};

export function describeSession(
  { record, active, hasBrowser, openSince }: SessionLifetime,
  { isDriven, asked }: { isDriven: boolean; asked: string | null },
  usedAt: number,
  idleMs: number,
): SessionOverview | null {
  if (record === null) return null;
  const tabs =
    active === null || !hasBrowser
      ? []
      : active.tabs.all().map((tab) => ({ id: tab.id, url: tab.session.masked(tab.main().url) }));
  return {
    state: hasBrowser ? 'open' : 'parked',
    tabs,
    usedAt,
    openSince: hasBrowser ? openSince : null,
    restsAt: hasBrowser ? usedAt + idleMs : null,
    paidMs: record.paidMs,
    isDriven,
    asked,
    settings: record.settings,
  };
}
