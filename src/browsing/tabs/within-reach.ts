import type { Frame } from './frame.ts';
import type { OpenTab } from './open-tab.ts';

type Document = { frame: Frame; tab: OpenTab };

/**
 * The documents that scripts in a tab may reach: its own, and those of other tabs that may be of one site with them, as
 * windows reach into each other. A blank window borrows the origin of whoever opened it, so it may be of any site.
 */
export function withinReach(tab: OpenTab, all: readonly OpenTab[]): Document[] {
  const sites = sitesOf(tab);
  const mayBorrow = areRelated(all);
  const reaches = (other: OpenTab, frame: Frame) =>
    other === tab || sites.has(siteOf(frame)) || (mayBorrow && (isBorrowing(tab) || isBorrowing(other)));
  return all.flatMap((other) =>
    other
      .frames()
      .filter((frame) => reaches(other, frame))
      .map((frame) => ({ frame, tab: other })),
  );
}

/** Whether scripts of calls run where they could read what the tab holds: in it, or in a window that has its handle. */
export function isHeard(tab: OpenTab, all: readonly OpenTab[]): boolean {
  const near = withinReach(tab, areRelated(all) ? all : [tab]);
  return near.some((at) => at.tab.scriptedIn.has(at.frame.loaderId));
}

/** What a script has left behind in other documents stays there when its own one goes. */
export function passOnScripts(leaving: OpenTab, all: readonly OpenTab[]): void {
  if (!leaving.frames().some(({ loaderId }) => leaving.scriptedIn.has(loaderId))) return;
  for (const { frame, tab } of withinReach(leaving, all)) tab.scriptedIn.add(frame.loaderId);
}

/** Only a window that a page opened has handles to others. */
function areRelated(all: readonly OpenTab[]): boolean {
  return all.some(({ openerTargetId }) => openerTargetId !== undefined);
}

function sitesOf(tab: OpenTab): Set<string> {
  return new Set(tab.frames().map(siteOf));
}

function isBorrowing(tab: OpenTab): boolean {
  return siteOf(tab.main()) === 'null';
}

function siteOf({ url }: Pick<Frame, 'url'>): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
