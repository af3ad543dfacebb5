import { nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { isRebuiltElement } from '#browsing/refs/refs.ts';
import { findMaybeRecreatedRefs } from '#browsing/view/changes/compare-looks.ts';
import type { RefPair } from '#browsing/view/changes/compare-looks.ts';
import type { PageScan } from '#browsing/view/view.ts';
import { findReplacementNode } from './find.ts';
import { resolveNodeHandle } from './node-identity.ts';

/** Maximum refs to check. Each takes two CDP commands, all sent at the same time. */
const CHECKED_MAX = 200;
const GROUP = 'periscope-still-there';

/**
 * Refs that the view has lost although their elements are still in the document: hidden, or behind a dialog. For such
 * an element, a new element with the same words is not a replacement.
 */
export async function findRefsStillInDocument(
  before: PageScan,
  after: PageScan,
  { tab, refs }: { tab: Tab; refs: ElementRefs },
): Promise<ReadonlySet<string>> {
  const checked = findMaybeRecreatedRefs(before, after).slice(0, CHECKED_MAX);
  try {
    const found = await Promise.all(checked.map(async (ref) => ((await isThere(ref, tab, refs)) ? [ref] : [])));
    return new Set(found.flat());
  } finally {
    if (checked.length > 0) releaseHandles(tab);
  }
}

/** Maximum refs to follow. Each takes three CDP commands, all sent at the same time. */
const FOLLOWED_MAX = 60;

/** The pairs whose second ref belongs to the element that replaced the first one, so that the first leads there. */
export async function findRenamedRefs(
  pairs: readonly RefPair[],
  { tab, refs }: { tab: Tab; refs: ElementRefs },
): Promise<RefPair[]> {
  const followed = pairs.slice(0, FOLLOWED_MAX);
  try {
    const found = await Promise.all(followed.map(async (pair) => ((await leadsTo(pair, tab, refs)) ? [pair] : [])));
    return found.flat();
  } finally {
    if (followed.length > 0) releaseHandles(tab);
  }
}

async function leadsTo({ ref, now }: RefPair, tab: Tab, refs: ElementRefs): Promise<boolean> {
  const [target, next] = [refs.current(ref), refs.current(now)];
  if (target === null || next === null || !isRebuiltElement(target, next)) return false;
  const isSameDocument = target.frameId === next.frameId && target.loaderId === next.loaderId;
  return isSameDocument && (await findReplacementNode(target, tab, GROUP)) === next.backendNodeId;
}

function releaseHandles(tab: Tab): void {
  for (const session of new Set(tab.frames().map(({ session: of }) => of)))
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
}

async function isThere(ref: string, tab: Tab, refs: ElementRefs): Promise<boolean> {
  const target = refs.current(ref) ?? refs.former(ref);
  const frame = target === null ? null : tab.frame(target.frameId);
  if (target === null || frame === null || frame.loaderId !== target.loaderId) return false;
  return (await resolveNodeHandle(tab, frame, target.backendNodeId, GROUP).catch(nullIfGone)) !== null;
}
