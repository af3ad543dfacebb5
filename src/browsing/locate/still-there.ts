import { nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { findMaybeRecreatedRefs } from '#browsing/view/changes/compare-looks.ts';
import type { PageScan } from '#browsing/view/view.ts';
import { resolveNodeHandle } from './find.ts';

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
    const sessions = checked.length === 0 ? [] : new Set(tab.frames().map(({ session }) => session));
    for (const session of sessions)
      session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

async function isThere(ref: string, tab: Tab, refs: ElementRefs): Promise<boolean> {
  const target = refs.current(ref) ?? refs.former(ref);
  const frame = target === null ? null : tab.frame(target.frameId);
  if (target === null || frame === null || frame.loaderId !== target.loaderId) return false;
  return (await resolveNodeHandle(tab, frame, target.backendNodeId, GROUP).catch(nullIfGone)) !== null;
}
