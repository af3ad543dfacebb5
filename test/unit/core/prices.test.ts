import { describe, expect, it } from 'vitest';
import { CLOUDFLARE_PRICES, estimateDollars } from '#core/prices.ts';
import { CALLS } from '#scripts/docs/measured-calls.ts';

const price = (item: keyof typeof CLOUDFLARE_PRICES) => CLOUDFLARE_PRICES[item].dollars / CLOUDFLARE_PRICES[item].per;

describe('the estimated cost of a user', () => {
  it.each(Object.entries(CALLS))('is at least the measured cost of a call: %s', (name, call) => {
    if (name.startsWith('followed')) return;
    const measured =
      price('Requests to the Worker') +
      call.cpuMs * price('CPU time, ms') +
      call.objectRequests * price('Requests to objects') +
      call.objectRowsWritten * price('Rows written by objects') +
      call.rowsRead * price('Rows read in D1') +
      call.rowsWritten * price('Rows written in D1') +
      call.kvReads * price('Reads in KV');
    expect(estimateDollars({ calls: 1, browserMs: 0 })).toBeGreaterThanOrEqual(measured);
  });

  it('counts an hour of a browser in the same way as Cloudflare', () => {
    expect(estimateDollars({ calls: 0, browserMs: 3_600_000 })).toBeCloseTo(0.09, 6);
  });
});
