import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#scripts/docs/measured-calls.ts';
import { corrections, countCosts } from '#support/counted-costs.ts';
import type { Costs } from '#support/counted-costs.ts';

const PAGE = 'http://costs.acme.dev/readable';

let costs: Costs;
beforeAll(async () => {
  costs = await countCosts('u_costs');
});
afterAll(() => costs.stop());

describe('the table of costs matches what a call really costs:', () => {
  let cursor: unknown;

  it('opening a page for the first time', async () => {
    const found = await costs.counted(async () => {
      cursor = (await costs.call('open_url', { url: PAGE }))['cursor'];
    });
    expect(corrections(found, CALLS.coldOpen)).toEqual({});
  });

  it('opening a page that is stored', async () => {
    expect(
      corrections(
        await costs.counted(() => costs.call('web_open', { url: PAGE, max_age_seconds: 600 })),
        CALLS.cachedOpen,
      ),
    ).toEqual({});
  });

  it('scrolling', async () => {
    expect(corrections(await costs.counted(() => costs.call('scroll', { cursor, delta: 1 })), CALLS.scroll)).toEqual(
      {},
    );
  });

  it('finding', async () => {
    expect(
      corrections(await costs.counted(() => costs.call('find', { cursor, pattern: 'water' })), CALLS.find),
    ).toEqual({});
  });
});
