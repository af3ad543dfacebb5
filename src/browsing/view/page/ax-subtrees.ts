import type { Protocol } from 'devtools-protocol';
import type { Frame } from '#browsing/tabs/tab.ts';

/** Queries whose answers are timed. The first of them is not: Chromium may build the accessibility tree for it. */
const SAMPLE_QUERIES = 12;
/** Expected time of the other queries above which the tree is rebuilt, which itself takes about as long. */
const REBUILD_WORTH_MS = 1_000;

/** The accessibility nodes of an element and its descendants, except those hidden from assistive technology. */
export async function readAxSubtree(
  { session }: Frame,
  backendNodeId: number,
): Promise<Protocol.Accessibility.AXNode[]> {
  const { nodes } = await session.send('Accessibility.queryAXTree', { backendNodeId });
  return nodes;
}

/**
 * Reads many subtrees. Once the focus or the page has changed, Chromium goes through the whole document again for each
 * query. For thousands of labels or links on one line, that takes up to a quarter of a second. A rebuilt tree ends it.
 */
export async function readAxSubtrees(frame: Frame, ids: readonly number[]): Promise<Protocol.Accessibility.AXNode[]> {
  const [first, sample, others] = [ids.slice(0, 1), ids.slice(1, SAMPLE_QUERIES), ids.slice(SAMPLE_QUERIES)];
  const read = await Promise.all(first.map((id) => readAxSubtree(frame, id)));
  const answeredAt: number[] = [];
  const readTimed = async (id: number) => {
    const nodes = await readAxSubtree(frame, id);
    answeredAt.push(Date.now());
    return nodes;
  };
  read.push(...(await Promise.all(sample.map(readTimed))));
  // The time between answers has no round trip in it.
  const each = ((answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0)) / Math.max(1, answeredAt.length - 1);
  if (each * others.length > REBUILD_WORTH_MS) await rebuildAxTree(frame);
  read.push(...(await Promise.all(others.map((id) => readAxSubtree(frame, id)))));
  return read.flat();
}

/** Makes Chromium discard its accessibility tree, so that the next query builds it. */
async function rebuildAxTree({ session }: Frame): Promise<void> {
  await session.send('Accessibility.enable');
  await session.send('Accessibility.disable');
}
