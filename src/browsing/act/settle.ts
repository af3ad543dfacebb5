import {
  ACT_NAVIGATION_MS_MAX,
  ACT_NOISE_MS_MAX,
  ACT_QUIET_MS,
  ACT_QUIET_POLL_MS,
  ACT_REQUESTS_MS_MAX,
  ACT_SIGN_MS,
} from '#core/limits.ts';
import { CHANGES_SEEN, CHANGES_SEEN_AT } from '#browsing/act/scripts/changes-seen.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { callIn, callOn, isGone, wait } from './call-in-page.ts';
import type { Target } from './call-in-page.ts';
import { Consequences } from './consequences.ts';

/** How it ended: `still_loading` when what the action began was not over within its time. */
export type Settled = { isQuiet: boolean; hasNavigated: boolean; stillLoading: boolean };

/**
 * Does something to a page and waits until its consequences are there: a navigation it began has loaded, requests it
 * began are answered, the document has come to rest. An action without consequences returns within about 100 ms.
 * @throws what the action throws, and what `signal` was aborted with
 */
export async function settled<T>(
  tab: Tab,
  at: Target | null,
  action: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ result: T; settled: Settled }> {
  const seen = new Consequences(tab);
  try {
    const before = await changes(tab, at, signal);
    const result = await action();
    return { result, settled: await afterAction(tab, at, seen, before, signal) };
  } finally {
    seen.stop();
  }
}

async function afterAction(
  tab: Tab,
  at: Target | null,
  seen: Consequences,
  before: number | null,
  signal: AbortSignal,
): Promise<Settled> {
  await seen.until(() => seen.hasBegun, ACT_SIGN_MS, signal);
  let count = await changes(tab, at, signal);
  if (!seen.hasBegun && count === before) return { isQuiet: true, hasNavigated: false, stillLoading: false };
  const noiseEnd = Date.now() + ACT_NOISE_MS_MAX;
  let quietSince = Date.now();
  while (!signal.aborted) {
    if (seen.isNavigating) await seen.until(() => !seen.isNavigating, ACT_NAVIGATION_MS_MAX, signal);
    if (seen.isLoading) await seen.until(() => !seen.isLoading, ACT_REQUESTS_MS_MAX, signal);
    if (seen.isNavigating || seen.isLoading) return report(seen, false);
    await seen.until(() => seen.isNavigating || seen.isLoading, ACT_QUIET_POLL_MS, signal);
    const now = await changes(tab, at, signal);
    if (now !== count) quietSince = Date.now();
    count = now;
    if (seen.isNavigating || seen.isLoading) continue;
    if (Date.now() - quietSince >= ACT_QUIET_MS) return report(seen, true);
    if (Date.now() >= Math.max(noiseEnd, seen.lastEnd + ACT_NOISE_MS_MAX)) return report(seen, false);
  }
  return report(seen, false);
}

function report(seen: Consequences, isQuiet: boolean): Settled {
  return { isQuiet, hasNavigated: seen.hasNavigated, stillLoading: seen.isNavigating || seen.isLoading };
}

/** `null` while the document goes away. */
async function changes(tab: Tab, at: Target | null, signal: AbortSignal): Promise<number | null> {
  try {
    const main = await callIn(tab, tab.main(), CHANGES_SEEN, [], signal);
    if (at === null || tab.frame(at.frame.id)?.loaderId !== at.frame.loaderId) return main;
    return main + (await callOn(at, CHANGES_SEEN_AT, [], signal).catch(() => 0));
  } catch (error) {
    if (!isGone(error)) throw error;
    await wait(ACT_QUIET_POLL_MS, signal);
    return null;
  }
}
