import { randomText } from '#core/sealed.ts';
import { LIVE_TICKET_BYTES, LIVE_TICKET_TTL_MS, LIVE_TICKETS_MAX } from './limits.ts';

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
