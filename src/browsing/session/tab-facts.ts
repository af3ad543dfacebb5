import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { wallOf } from './handover.ts';
import type { Live } from './live.ts';

/** What a result tells beside what it shows: the titles of the tabs, by target, and what in one tab asks for a person. */
export type TabFacts = { titles: ReadonlyMap<string, string>; wall: Awaited<ReturnType<typeof wallOf>> };

/** It was asked for while the page was looked at, so that nobody waits for it afterwards. */
export type PendingTabFacts = { tab: OpenTab; places: string; answer: Promise<TabFacts> };

export function requestTabFacts(live: Live, tab: OpenTab): PendingTabFacts {
  const wall = tab.isOpen ? wallOf(tab) : Promise.resolve('' as const);
  const answer = Promise.all([titlesOf(live), wall]).then(([titles, found]) => ({ titles, wall: found }));
  answer.catch(() => undefined);
  return { tab, places: loadedDocuments(live), answer };
}

/** What was asked for early, unless it was about another tab, or the tabs show other documents by now. */
export function tabFactsNow(live: Live, tab: OpenTab, early: PendingTabFacts | undefined): Promise<TabFacts> {
  const isFresh = early?.tab === tab && early.places === loadedDocuments(live);
  return isFresh ? early.answer : requestTabFacts(live, tab).answer;
}

function loadedDocuments({ tabs }: Live): string {
  return tabs
    .all()
    .map((tab) => `${tab.targetId} ${tab.main().loaderId} ${tab.main().url}`)
    .join('\n');
}

/** One question for all tabs; Chromium keeps the titles outside the pages, so a busy page cannot hold it up. */
async function titlesOf(live: Live): Promise<Map<string, string>> {
  const { targetInfos } = await live.browser.connection.browser.send('Target.getTargets');
  return new Map(targetInfos.map(({ targetId, title }) => [targetId, title]));
}
