import { vi } from 'vitest';
import { unwrittenActivity } from '#telemetry/call-counts.ts';
import { countPlatform } from './counted-platform.ts';
import type { Counts } from './counted-platform.ts';
import { grantTokens } from './grants.ts';
import { callTool, structured } from './mcp-call.ts';
import { watchPending } from './pending.ts';

/** Counts the costs in `docs/deploying.md` on the real runtime: D1, KV and objects, with an OAuth token. */

/** Between two operations of one piece of work, nothing is pending for a moment. */
const QUIET_POLLS = 3;
/** Timers of a session's work after an answer. */
const SESSION_TIMERS = ['/session/after-call.ts', '/session/call-queue.ts'];

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
  const platform = await countPlatform();
  const watch = watchPending();
  // Counters are written for many calls together. They are not counted here.
  const isBusy = () =>
    unwrittenActivity.size > 0 ||
    platform.isBusy() ||
    watch.pending().timers.some((from) => SESSION_TIMERS.some((file) => from.includes(file)));
  const settle = async () => {
    let quiet = 0;
    await vi.waitUntil(() => (quiet = isBusy() ? 0 : quiet + 1) === QUIET_POLLS, 60_000);
  };
  // Does one-time work first, such as what the first call of a person creates.
  await call('open_url', { url: 'http://app.acme.dev/plain.txt' });
  await settle();
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
  const stop = () => {
    watch.stop();
    platform.stop();
  };
  return { call, settle, counted, stop };
}

/** Corrections for `scripts/docs/measured-calls.ts`. Some counts vary, such as at the end of a budget block. */
export function corrections(found: Counts, stated: Readonly<Counts>): Partial<Counts> {
  const far = NAMES.filter((name) => Math.abs(found[name] - stated[name]) > Math.max(1, stated[name] / 5));
  return Object.fromEntries(far.map((name) => [name, found[name]]));
}

const NAMES = ['objectRequests', 'd1Trips', 'rowsRead', 'rowsWritten', 'kvReads', 'objectRowsWritten'] as const;
