import { waitFor } from '#browsing/target/wait-for.ts';
import type { Waited, Wanted } from '#browsing/target/wait-for.ts';
import { movedSince, placeOf, tabsOf, viewTab } from './operations.ts';
import type { Acted } from './operations.ts';
import type { Work } from './perform.ts';

export type WaitInput = { wanted: Wanted; timeoutMs: number; snapshot: boolean };

export async function waitOnPage(work: Work, { wanted, timeoutMs, snapshot }: WaitInput): Promise<Acted<Waited>> {
  const before = placeOf(work);
  const waited = await waitFor(wanted, tabsOf(work), work.live.refs, timeoutMs, work.signal);
  const shown = snapshot ? await viewTab(work, {}) : null;
  return { ...waited, ...movedSince(before, work), stillLoading: false, snapshot: shown };
}
