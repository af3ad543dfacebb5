import { waitFor } from '#browsing/target/wait-for.ts';
import type { Waited, Wanted } from '#browsing/target/wait-for.ts';
import { placeOf, seeAfter, tabsOf } from './acting.ts';
import type { Acted } from './acting.ts';
import type { Work } from './perform.ts';

export type WaitInput = { wanted: Wanted; timeoutMs: number; snapshot: boolean };

export async function waitOnPage(work: Work, { wanted, timeoutMs, snapshot }: WaitInput): Promise<Acted<Waited>> {
  const before = placeOf(work);
  const shownBefore = work.live.looks.get(work.tab) ?? null;
  const waited = await waitFor(wanted, tabsOf(work), work.live.refs, timeoutMs, work.signal);
  const seen = await seeAfter(work, { before, shownBefore, withSnapshot: snapshot });
  return { ...waited, ...seen, stillLoading: false };
}
