import { expect, it, vi } from 'vitest';
import { unwrittenActivity } from '#telemetry/call-counts.ts';
import { CALLS } from '#scripts/docs/measured-calls.ts';
import { countPlatform } from '#support/counted-platform.ts';
import type { Counts } from '#support/counted-platform.ts';
import { followed, nextRound, page, write } from '#support/followed.ts';

const SITE = 'https://library-3.acme.dev';
const PAGES = 10;

async function edition(number: number): Promise<void> {
  const links = Array.from({ length: PAGES }, (_, n) => `<a href="/d/p${n}">Page ${n}</a>`).join(' ');
  const all = page('All', `<p>These are all of the pages:</p>${links}`);
  await write(`${SITE}/d/`, { headers: { etag: '"all"' }, body: all });
  for (let n = 0; n < PAGES; n += 1) {
    const body = page(`Page ${n}`, `<p>Words of page ${n}, in edition ${number}, that are long enough to be read.</p>`);
    await write(`${SITE}/d/p${n}`, { headers: { etag: `"${n}-${number}"` }, body });
  }
}

it('the table of costs matches the costs of a round for each page', async () => {
  await edition(1);
  await followed({ url: `${SITE}/d/`, scope: 'site' });
  await vi.waitUntil(() => unwrittenActivity.size === 0, 60_000);
  const platform = await countPlatform();
  const ofPage = async (): Promise<Counts> => {
    const before = { ...platform.counts };
    await nextRound();
    const { objectRequests, d1Trips, rowsRead, rowsWritten, objectRowsWritten } = platform.counts;
    return {
      objectRequests: Math.round((objectRequests - before.objectRequests) / PAGES),
      d1Trips: Math.round((d1Trips - before.d1Trips) / PAGES),
      rowsRead: Math.round((rowsRead - before.rowsRead) / PAGES),
      rowsWritten: Math.floor((rowsWritten - before.rowsWritten) / PAGES),
      kvReads: 0,
      objectRowsWritten: Math.round((objectRowsWritten - before.objectRowsWritten) / PAGES),
    };
  };
  const same = await ofPage();
  await edition(2);
  const changed = await ofPage();
  platform.stop();
  for (const [found, stated] of [
    [same, CALLS.followedSame],
    [changed, CALLS.followedChanged],
  ] as const) {
    for (const name of ['objectRequests', 'd1Trips', 'rowsRead', 'rowsWritten', 'objectRowsWritten'] as const) {
      expect(Math.abs(found[name] - stated[name]), `${name}: ${found[name]}`).toBeLessThanOrEqual(
        Math.max(1, stated[name] / 5),
      );
    }
  }
});
