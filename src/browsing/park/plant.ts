import { RESTORE_PLANT_MS, RESTORE_POLL_MS } from './limits.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import { sleep, within } from '#core/with-timeout.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import type { OwnAnswer, RequestGate } from '#browsing/gate/request-gate.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { StorageArea } from './parked-state.ts';

/** One origin in a tree of nested blank documents, with its frames below it. */
type Node = {
  origin: string;
  local: StorageArea['entries'];
  session: StorageArea['entries'];
  frames: Map<string, Node>;
};

/**
 * Fills storage before any page of its site runs. The tab loads blank documents of our own in place of each origin,
 * nested in frames where Chromium partitions storage, and these documents fill their storage. Nothing goes to the
 * network. Afterwards the tab still shows such a document.
 *
 * @returns how many entries could not be restored
 */
export async function plantStorage(
  tab: Tab,
  areas: readonly StorageArea[],
  answerAll: RequestGate['answerAll'],
  signal: AbortSignal,
): Promise<number> {
  let missed = 0;
  for (const node of nest(areas).values()) missed += await plantTop({ tab, answerAll, signal }, node);
  return missed;
}

/** Any path works, because the site never sees the request. */
const PLACE = '/periscope-restores-storage';
const BLANK: OwnAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  base64: btoa('<!doctype html><link rel="icon" href="data:,"><body>'),
};

function nest(areas: readonly StorageArea[]): Map<string, Node> {
  const tops = new Map<string, Node>();
  for (const { origins, tabId, entries } of areas) {
    let level = tops;
    let node: Node | undefined;
    for (const origin of origins) {
      node = level.get(origin) ?? { origin, local: [], session: [], frames: new Map() };
      level.set(origin, node);
      level = node.frames;
    }
    (tabId === null ? node?.local : node?.session)?.push(...entries);
  }
  return tops;
}

type Planting = { tab: Tab; answerAll: RequestGate['answerAll']; signal: AbortSignal };

async function plantTop(planting: Planting, node: Node): Promise<number> {
  const { tab, answerAll, signal } = planting;
  const stop = await answerAll(tab.session, BLANK);
  try {
    const asked = tab.session.send('Page.navigate', { url: node.origin + PLACE });
    const begun = await within(asked, RESTORE_PLANT_MS, signal);
    if (begun === null || begun.errorText !== undefined) return countOf(node);
    return await plantNode(planting, node, () => tab.main());
  } finally {
    await stop();
  }
}

/** @param find returns the frame that shows the node's document, once it does */
async function plantNode(planting: Planting, node: Node, find: () => Frame | undefined): Promise<number> {
  const { tab, signal } = planting;
  const local = JSON.stringify(node.local);
  const session = JSON.stringify(node.session);
  const end = Date.now() + RESTORE_PLANT_MS;
  for (;;) {
    const frame = find();
    const refused =
      frame?.url !== node.origin + PLACE ? null : await tryToPlant(tab, frame, node.origin, local, session, signal);
    if (frame !== undefined && refused !== null) return refused + (await plantFrames(planting, node, frame));
    if (Date.now() > end) return countOf(node);
    await sleep(RESTORE_POLL_MS, signal);
  }
}

async function plantFrames(planting: Planting, node: Node, outer: Frame): Promise<number> {
  const { tab, answerAll, signal } = planting;
  if (node.frames.size === 0) return 0;
  // A frame with a target of its own requests its frames through that target.
  const stop = outer.session === tab.session ? async () => undefined : await answerAll(outer.session, BLANK);
  try {
    let missed = 0;
    for (const inner of node.frames.values()) {
      const known = new Set(tab.frames().map(({ id }) => id));
      await callIn(tab, outer, pageScripts.addFrame, [inner.origin + PLACE], signal);
      const find = () => tab.frames().find(({ id, parentId }) => parentId === outer.id && !known.has(id));
      missed += await plantNode(planting, inner, find);
    }
    await callIn(tab, outer, pageScripts.removeFrames, [], signal);
    return missed;
  } finally {
    await stop();
  }
}

async function tryToPlant(
  tab: Tab,
  frame: Frame,
  origin: string,
  local: string,
  session: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    return await callIn(tab, frame, pageScripts.plantFrame, [origin, local, session], signal);
  } catch (error) {
    if (signal.aborted || error instanceof BrowserGone) throw error;
    return null; // the document was just changing
  }
}

function countOf({ local, session, frames }: Node): number {
  return [...frames.values()].reduce((sum, frame) => sum + countOf(frame), local.length + session.length);
}
