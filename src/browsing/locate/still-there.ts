import * as z from 'zod';
import { CdpError } from '#browsing/cdp/connection.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callWithHandles, RETURN_BY_VALUE } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import type { ElementRefs, RefTarget } from '#browsing/refs/refs.ts';
import { isRebuiltElement } from '#browsing/refs/refs.ts';
import { findMaybeRecreatedRefs } from '#browsing/view/changes/compare-looks.ts';
import type { RefPair } from '#browsing/view/changes/compare-looks.ts';
import type { PageScan } from '#browsing/view/view.ts';

/** Maximum refs to check. Each takes one CDP command, all sent at the same time, and a page script takes them together. */
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
  const targets = checked.flatMap((ref) => {
    const target = refs.current(ref) ?? refs.former(ref);
    return target === null ? [] : [{ ref, targets: [target] }];
  });
  return new Set((await askTogether(targets, pageScripts.areInDocument, tab)).map(({ ref }) => ref));
}

/** Maximum refs to follow. Each takes two CDP commands, all sent at the same time. */
const FOLLOWED_MAX = 60;

/** The pairs whose second ref belongs to the element that replaced the first one, so that the first leads there. */
export async function findRenamedRefs(
  pairs: readonly RefPair[],
  { tab, refs }: { tab: Tab; refs: ElementRefs },
): Promise<RefPair[]> {
  const followed = pairs.slice(0, FOLLOWED_MAX).flatMap((pair) => {
    const [target, next] = [refs.current(pair.ref), refs.current(pair.now)];
    if (target === null || next === null || !isRebuiltElement(target, next)) return [];
    const isSameDocument = target.frameId === next.frameId && target.loaderId === next.loaderId;
    return isSameDocument ? [{ pair, targets: [target, next] }] : [];
  });
  return (await askTogether(followed, pageScripts.areReplacedBy, tab)).map(({ pair }) => pair);
}

type Asked = { targets: readonly RefTarget[] };

/** The items whose elements are all known to the browser, and for which the script, which takes all elements, says yes. */
async function askTogether<T extends Asked>(
  all: readonly T[],
  script: typeof pageScripts.areInDocument | typeof pageScripts.areReplacedBy,
  tab: Tab,
): Promise<T[]> {
  const byFrame = Map.groupBy(all, ({ targets: [first] }) => first?.frameId ?? '');
  const asked = [...byFrame].map(async ([frameId, items]) => {
    const frame = tab.frame(frameId);
    const current = items.filter(({ targets }) => targets.every(({ loaderId }) => loaderId === frame?.loaderId));
    return frame === null ? [] : askInFrame(current, script, tab, frame).catch(noneIfGone);
  });
  return (await Promise.all(asked)).flat();
}

async function askInFrame<T extends Asked>(
  items: readonly T[],
  script: typeof pageScripts.areInDocument | typeof pageScripts.areReplacedBy,
  tab: Tab,
  frame: Frame,
): Promise<T[]> {
  if (items.length === 0) return [];
  const { session } = frame;
  const executionContextId = await tab.world(frame);
  const handleOf = ({ backendNodeId }: RefTarget) =>
    session
      .send('DOM.resolveNode', { backendNodeId, executionContextId, objectGroup: GROUP })
      .then(({ object: { objectId } }) => (objectId === undefined ? [] : [{ objectId }]), noneIfGone);
  try {
    const resolved = await Promise.all(
      items.map(async (item) => ({ item, handles: (await Promise.all(item.targets.map(handleOf))).flat() })),
    );
    const there = resolved.filter(({ item, handles }) => handles.length === item.targets.length);
    const handles = there.flatMap((one) => one.handles);
    const { result } = await callWithHandles(tab, frame, script, handles, RETURN_BY_VALUE);
    const answers = z.array(z.boolean()).catch([]).parse(result.value);
    return there.flatMap(({ item }, at) => (answers[at] === true ? [item] : []));
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

function noneIfGone(error: unknown): never[] {
  if (error instanceof CdpError) return [];
  throw error;
}
