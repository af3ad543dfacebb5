import { countPlatform } from './counted-platform.ts';
import type { Counts } from './counted-platform.ts';
import { grantTokens } from './grants.ts';
import { callTool, structured } from './mcp-call.ts';

/** Counts the costs in `docs/deploying.md` on the real runtime: D1, KV and objects, with an OAuth token. */

/**
 * Time for the work that a call does after its answer: activity is written once a second. Counters are written for many
 * calls together and are not counted here.
 */
const SETTLE_MS = 1_600;

export type Costs = {
  call: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Waits until the deferred work of earlier calls is done. */
  settle: () => Promise<void>;
  counted: (work: () => Promise<unknown>) => Promise<Counts>;
  stop: () => void;
};

export async function countCosts(subject: string): Promise<Costs> {
  const token = (await grantTokens(subject, ['web:read', 'browser:use'])).access_token;
  const call = async (name: string, args: Record<string, unknown>) =>
    structured(await callTool('modern', name, args, { token }));
  const settle = () => scheduler.wait(SETTLE_MS);
  // Does one-time work first, such as what the first call of a person creates.
  await call('open_url', { url: 'http://app.acme.dev/plain.txt' });
  await settle();
  const platform = await countPlatform();
  const counted = async (work: () => Promise<unknown>): Promise<Counts> => {
    const before = { ...platform.counts };
    await work();
    await settle();
    const { objectRequests, d1Trips, rowsRead, rowsWritten, kvReads, objectRowsWritten } = platform.counts;
    return {
      objectRequests: objectRequests - before.objectRequests,
      d1Trips: d1Trips - before.d1Trips,
      rowsRead: rowsRead - before.rowsRead,
      rowsWritten: rowsWritten - before.rowsWritten,
      kvReads: kvReads - before.kvReads,
      objectRowsWritten: objectRowsWritten - before.objectRowsWritten,
    };
  };
  return { call, settle, counted, stop: () => platform.stop() };
}

/** Corrections for `scripts/docs/measured-calls.ts`. Some counts vary, such as at the end of a budget block. */
export function corrections(found: Counts, stated: Readonly<Counts>): Partial<Counts> {
  const far = NAMES.filter((name) => Math.abs(found[name] - stated[name]) > Math.max(1, stated[name] / 5));
  return Object.fromEntries(far.map((name) => [name, found[name]]));
}

const NAMES = ['objectRequests', 'd1Trips', 'rowsRead', 'rowsWritten', 'kvReads', 'objectRowsWritten'] as const;
