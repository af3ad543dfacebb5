import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { BudgetLimits } from '#core/budgets.ts';
import { objectNamed } from '#core/objects.ts';
import { findPaidCursor } from '#reading/reader.ts';
import { failureOf } from '#support/net-world.ts';

const PAGE = {
  documentId: 'd',
  url: 'https://docs.acme.dev/',
  title: null,
  lineCount: 100,
  restStart: null,
  fetchedAt: 0,
};
const MANY = { calls: 1_000, searches: 1_000, browser_ms: 1_000 };
const TTL_MS = 60_000;
const DOWN = { loc: null, delta: 10, numLines: 10 };

const limits = (callsPerMinute: number): BudgetLimits => ({ callsPerMinute, perDay: MANY, totalPerDay: MANY });
const payment = (callsPerMinute: number) => ({ costs: { calls: 1 }, limits: limits(callsPerMinute) });

function person(name: string) {
  const client = objectNamed(env.CLIENT, name);
  return {
    client,
    deps: { client, cursorTtlMs: TTL_MS, cacheTtlMs: 0, renewHold: () => undefined, worksOn: async () => undefined },
  };
}

describe('a call that uses a cursor', () => {
  it('is paid for while the cursor is looked up and moved', async () => {
    const { client, deps } = person('pays');
    const cursor = await client.mintPage(PAGE, 0, null, TTL_MS);
    expect(await findPaidCursor({ cursor, move: DOWN }, payment(2), deps)).toMatchObject({ view: { start: 10 } });
    expect(await findPaidCursor({ cursor: 'c_none', move: null }, payment(2), deps)).toBeNull();
    expect(await failureOf(findPaidCursor({ cursor, move: DOWN }, payment(2), deps))).toMatchObject({
      code: 'rate_limited',
    });
    expect(await client.use(cursor, null, TTL_MS)).toMatchObject({ view: { start: 10 } });
  });

  it('finds nothing with the cursor of another user', async () => {
    const cursor = await person('owner').client.mintPage(PAGE, 0, null, TTL_MS);
    expect(await findPaidCursor({ cursor, move: null }, payment(9), person('stranger').deps)).toBeNull();
  });
});
