import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { detectHumanCheck } from './handover.ts';
import type { ActiveSession } from './active-session.ts';

export type TabFacts = { titles: ReadonlyMap<string, string>; wall: Awaited<ReturnType<typeof detectHumanCheck>> };

export type PendingTabFacts = { tab: OpenTab; places: string; answer: Promise<TabFacts> };

export function requestTabFacts(active: ActiveSession, tab: OpenTab): PendingTabFacts {
  const wall = tab.isOpen ? detectHumanCheck(tab) : Promise.resolve('' as const);
  const answer = Promise.all([titlesOf(active), wall]).then(([titles, found]) => ({ titles, wall: found }));
  answer.catch(() => undefined);
  return { tab, places: loadedDocuments(active), answer };
}

/** Uses facts that were requested early, unless they belong to another tab or a tab has navigated since. */
export function resolveTabFacts(
  active: ActiveSession,
  tab: OpenTab,
  early: PendingTabFacts | undefined,
): Promise<TabFacts> {
  const isFresh = early?.tab === tab && early.places === loadedDocuments(active);
  return isFresh ? early.answer : requestTabFacts(active, tab).answer;
}

function loadedDocuments({ tabs }: ActiveSession): string {
  return tabs
    .all()
    .map((tab) => `${tab.targetId} ${tab.main().loaderId} ${tab.main().url}`)
    .join('\n');
}

/** Reads titles from the browser process, which answers even if a page is busy. */
async function titlesOf(active: ActiveSession): Promise<Map<string, string>> {
  const { targetInfos } = await active.browser.connection.browser.send('Target.getTargets');
  return new Map(targetInfos.map(({ targetId, title }) => [targetId, title]));
}
