import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { followed, nextRound } from '../../support/followed.ts';
import { CHANGING_EVENTS, CHANGING_START } from '../../support/changing-site.ts';
import type { SiteEvent } from '../../support/changing-site.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const SITE = 'https://changing.acme.dev';

type Told = { kind: string; url: string; moved_to?: string; blocks: { kind: string; words?: string }[] };

async function told(): Promise<Told[]> {
  const { changes } = structured(await callTool('modern', 'changes', {}));
  return JSON.parse(JSON.stringify(changes));
}

const TOLD_AS: ReadonlyMap<SiteEvent['kind'], string> = new Map([
  ['page moved', 'moved'],
  ['closed by robots.txt', 'closed'],
  ['noindex', 'closed'],
]);

/** An event in the form of the tests. */
function named(event: SiteEvent): string {
  return `${TOLD_AS.get(event.kind) ?? event.kind} ${event.path}`;
}

const names = (events: readonly Told[]) => events.map(({ kind, url }) => `${kind} ${new URL(url).pathname}`).toSorted();

async function siteIsIn(round: number): Promise<void> {
  await fetch(`${SITE}/round`, { method: 'PUT', body: String(round) });
  // robots.txt is stored for a day; this ends the day.
  await env.DB.prepare('UPDATE robots SET expires_at = 0').run();
}

describe('a site that changes like a real one', () => {
  beforeAll(async () => {
    await siteIsIn(0);
    await followed({ url: SITE + CHANGING_START, scope: 'site' });
  });

  it('is reported once for each change, and for nothing else', async () => {
    expect(names(await told())).toEqual([]);
    await siteIsIn(1);
    await nextRound();
    const first = CHANGING_EVENTS.filter(({ round }) => round === 1);
    expect(names(await told())).toEqual(first.map(named).toSorted());
    await siteIsIn(2);
    await nextRound();
    await nextRound();
    expect(names(await told())).toEqual(CHANGING_EVENTS.map(named).toSorted());
  });

  it('is reported with the removed and added words', async () => {
    const prices = (await told()).find(({ url }) => url.endsWith('/prices'));
    expect(prices?.blocks.map(({ words }) => words)).toEqual([expect.stringContaining('12')]);
  });
});
