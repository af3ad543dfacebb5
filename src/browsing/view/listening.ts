import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/** Elements by backend node id. */
export type Listening = {
  /** They have a listener for clicks. */
  clicks: ReadonlySet<number>;
  /** They have one for what is dragged over them, or dropped on them. */
  drops: ReadonlySet<number>;
};

/**
 * The elements with listeners that tell what they are for. Those of a framework, which listens to everything at its root,
 * tell nothing. They are told through a handle of the page's own context only, unless Chromium is asked for those of all
 * contexts; then the renderer crashes on some pages a moment later.
 * @throws {CdpError} when the document went away
 */
export async function findListening(tab: Tab, frame: Frame): Promise<Listening> {
  const objectId = await tab.document(frame);
  if (objectId === null) return { clicks: new Set(), drops: new Set() };
  const { listeners } = await frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
  const kinds = new Map<number, Set<string>>();
  for (const { backendNodeId: id = 0, type } of listeners) {
    const known = kinds.get(id);
    if (known === undefined) kinds.set(id, new Set([type]));
    else known.add(type);
  }
  const telling = [...kinds].filter(([, types]) => types.size < LISTENS_TO_EVERYTHING);
  const of = (wanted: ReadonlySet<string>) =>
    new Set(telling.flatMap(([id, types]) => ([...types].some((type) => wanted.has(type)) ? [id] : [])));
  return { clicks: of(CLICKS), drops: of(DROPS) };
}

const CLICKS = new Set(
  'click dblclick mousedown mouseup pointerdown pointerup touchstart touchend contextmenu'.split(' '),
);
/** A list that can be sorted listens only for what is over it, until something is. */
const DROPS = new Set(['dragover', 'drop']);
/** Kinds of events: no element by itself has a use for as many. */
const LISTENS_TO_EVERYTHING = 25;
