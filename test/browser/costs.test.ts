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
  it('viewing a page in a browser', async () => {
    await costs.call('browser_navigate', { url: PAGE });
    await costs.settle();
    expect(corrections(await costs.counted(() => costs.call('browser_snapshot', {})), CALLS.browserCall)).toEqual({});
    await costs.call('browser_close', {});
  });
});
