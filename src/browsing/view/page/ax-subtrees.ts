import type { Protocol } from 'devtools-protocol';
import * as pageScripts from '#generated/page-scripts.js';
import { resolveWithin } from '#core/flow/abort.ts';
import { callWithHandles, RETURN_BY_VALUE } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';

/** Queries whose answers are timed. The first of them is not: Chromium may build the accessibility tree for it. */
const SAMPLE_QUERIES = 12;
/** Expected time of the other queries above which the tree is rebuilt, which itself takes about as long. */
const REBUILD_WORTH_MS = 1_000;
/** Time without an answer after which an animation frame is requested. Most queries are answered sooner. */
const FRAME_REQUESTED_AFTER_MS = 100;

/** The accessibility nodes of an element and its descendants, except those hidden from assistive technology. */
export function readAxSubtree(tab: Tab, frame: Frame, backendNodeId: number): Promise<Protocol.Accessibility.AXNode[]> {
  return answerInFrame(tab, frame, queryAxTree(frame, backendNodeId));
}

async function queryAxTree({ session }: Frame, backendNodeId: number): Promise<Protocol.Accessibility.AXNode[]> {
  const { nodes } = await session.send('Accessibility.queryAXTree', { backendNodeId });
  return nodes;
}

/**
 * Waits for the answers to queries. Chromium answers them in an animation frame. Until a document has loaded, it may
 * have no reason for one, and a document whose connection stalled or broke may never finish loading.
 */
async function answerInFrame<T>(tab: Tab, frame: Frame, answers: Promise<T>): Promise<T> {
  const ended = answers.then(
    () => true,
    () => true,
  );
  while ((await resolveWithin(ended, FRAME_REQUESTED_AFTER_MS)) === null) {
    const inFrame = callWithHandles(tab, frame, pageScripts.waitForNextTask, [], RETURN_BY_VALUE);
    // If the document is gone, its queries fail, too.
    await Promise.race([ended, inFrame.catch(() => ended)]);
  }
  return answers;
}

/**
 * Reads many subtrees. Once the focus or the page has changed, Chromium goes through the whole document again for each
 * query. For thousands of labels or links on one line, that takes up to a quarter of a second. A rebuilt tree ends it.
 */
export async function readAxSubtrees(
  tab: Tab,
  frame: Frame,
  ids: readonly number[],
): Promise<Protocol.Accessibility.AXNode[]> {
  const [first, sample, others] = [ids.slice(0, 1), ids.slice(1, SAMPLE_QUERIES), ids.slice(SAMPLE_QUERIES)];
  const answeredAt: number[] = [];
  const readTimed = async (id: number) => {
    const nodes = await queryAxTree(frame, id);
    answeredAt.push(Date.now());
    return nodes;
  };
  const readAll = (some: readonly number[], read: (id: number) => Promise<Protocol.Accessibility.AXNode[]>) =>
    answerInFrame(tab, frame, Promise.all(some.map(read)));
  const read = await readAll(first, (id) => queryAxTree(frame, id));
  read.push(...(await readAll(sample, readTimed)));
  // The time between answers has no round trip in it.
  const each = ((answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0)) / Math.max(1, answeredAt.length - 1);
  if (each * others.length > REBUILD_WORTH_MS) await rebuildAxTree(frame);
  read.push(...(await readAll(others, (id) => queryAxTree(frame, id))));
  return read.flat();
}

/** Makes Chromium discard its accessibility tree, so that the next query builds it. */
async function rebuildAxTree({ session }: Frame): Promise<void> {
  await session.send('Accessibility.enable');
  await session.send('Accessibility.disable');
}
