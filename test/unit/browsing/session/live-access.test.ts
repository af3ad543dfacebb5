import { describe, expect, it } from 'vitest';
import { LIVE_TICKET_TTL_MS, LIVE_TICKETS_MAX } from '#browsing/live-view/limits.ts';
import { OneTimeTickets } from '#browsing/session/live-access.ts';

describe('a ticket', () => {
  it('works once, for its owner, and for a short time', () => {
    const tickets = new OneTimeTickets<string>();
    const first = tickets.give('ada', 0);
    const second = tickets.give('bob', 0);
    expect(tickets.take(first, 1)).toBe('ada');
    expect(tickets.take(first, 2)).toBeNull();
    expect(tickets.take(second, LIVE_TICKET_TTL_MS)).toBeNull();
    expect(tickets.take('', 0)).toBeNull();
  });

  it('replaces the oldest one when more are requested than can be used', () => {
    const tickets = new OneTimeTickets<number>();
    const given = Array.from({ length: LIVE_TICKETS_MAX + 1 }, (_, at) => tickets.give(at, 0));
    expect(tickets.take(given[0] ?? '', 1)).toBeNull();
    expect(tickets.take(given[1] ?? '', 1)).toBe(1);
    expect(tickets.take(given.at(-1) ?? '', 1)).toBe(LIVE_TICKETS_MAX);
  });
});
