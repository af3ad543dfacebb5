import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#scripts/docs/measured-calls.ts';
import { countPlatform } from '#support/counted-platform.ts';
import type { Counts } from '#support/counted-platform.ts';
import { grantTokens } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';

/** The counts that `docs/deploying.md` reckons with, on the real runtime: D1, KV and objects, with a token of OAuth. */

const PAGE = 'http://costs.acme.dev/readable';
/**
 * What a call leaves to be done after its answer: activity is written once a second. Counters are written for many calls
 * together, and not counted here.
 */
const SETTLE_MS = 1_600;

let platform: Awaited<ReturnType<typeof countPlatform>>;
let token: string;

beforeAll(async () => {
  token = (await grantTokens('u_costs', ['web:read', 'browser:use'])).access_token;
  // What is asked for once only, such as what the first call of a person makes.
  await call('open_url', { url: 'http://app.acme.dev/plain.txt' });
  await scheduler.wait(SETTLE_MS);
  platform = await countPlatform();
});

afterAll(() => platform.stop());

async function call(name: string, args: Record<string, unknown>) {
  return structured(await callTool('modern', name, args, { token }));
}

async function counted(work: () => Promise<unknown>): Promise<Counts> {
  const before = { ...platform.counts };
  await work();
  await scheduler.wait(SETTLE_MS);
  const { objectRequests, d1Trips, rowsRead, rowsWritten, kvReads, objectRowsWritten } = platform.counts;
  return {
    objectRequests: objectRequests - before.objectRequests,
    d1Trips: d1Trips - before.d1Trips,
    rowsRead: rowsRead - before.rowsRead,
    rowsWritten: rowsWritten - before.rowsWritten,
    kvReads: kvReads - before.kvReads,
    objectRowsWritten: objectRowsWritten - before.objectRowsWritten,
  };
}

/** What `scripts/docs/measured-calls.ts` should say. Some of it depends on the moment, such as a block of a budget that ends. */
function corrections(found: Counts, stated: Readonly<Counts>): Partial<Counts> {
  const far = NAMES.filter((name) => Math.abs(found[name] - stated[name]) > Math.max(1, stated[name] / 5));
  return Object.fromEntries(far.map((name) => [name, found[name]]));
}

const NAMES = ['objectRequests', 'd1Trips', 'rowsRead', 'rowsWritten', 'kvReads', 'objectRowsWritten'] as const;

describe('the table of costs matches what a call really costs:', () => {
  let cursor: unknown;

  it('opening a page for the first time', async () => {
    const found = await counted(async () => {
      cursor = (await call('open_url', { url: PAGE }))['cursor'];
    });
    expect(corrections(found, CALLS.coldOpen)).toEqual({});
  });

  it('opening a page that is stored', async () => {
    expect(
      corrections(await counted(() => call('web_open', { url: PAGE, max_age_seconds: 600 })), CALLS.cachedOpen),
    ).toEqual({});
  });

  it('scrolling', async () => {
    expect(corrections(await counted(() => call('scroll', { cursor, delta: 1 })), CALLS.scroll)).toEqual({});
  });

  it('finding', async () => {
    expect(corrections(await counted(() => call('find', { cursor, pattern: 'water' })), CALLS.find)).toEqual({});
  });

  it('looking at a page in a browser', async () => {
    await call('browser_navigate', { url: PAGE });
    await scheduler.wait(SETTLE_MS);
    expect(corrections(await counted(() => call('browser_snapshot', {})), CALLS.browserCall)).toEqual({});
    await call('browser_close', {});
  });
});
