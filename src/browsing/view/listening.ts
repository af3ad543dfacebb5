import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/**
 * The elements with a listener for clicks, by backend node id. That of a framework, which listens to everything at its root,
 * tells nothing. They are told through a handle of the page's own context only, unless Chromium is asked for those of all
 * contexts; then the renderer crashes on some pages a moment later.
 * @throws {CdpError} when the document went away
 */
export async function findListening(tab: Tab, frame: Frame): Promise<ReadonlySet<number>> {
  const objectId = await tab.document(frame);
  if (objectId === null) return new Set();
  const { listeners } = await frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
  const kinds = new Map<number, Set<string>>();
  for (const { backendNodeId: id = 0, type } of listeners) {
    const known = kinds.get(id);
    if (known === undefined) kinds.set(id, new Set([type]));
    else known.add(type);
  }
  const telling = [...kinds].filter(
    ([, types]) => types.size < LISTENS_TO_EVERYTHING && [...types].some((type) => CLICKS.has(type)),
  );
  return new Set(telling.map(([id]) => id));
}

const CLICKS = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu'.split(' '),
);
/** Kinds of events: no element by itself has a use for as many. */
const LISTENS_TO_EVERYTHING = 25;
