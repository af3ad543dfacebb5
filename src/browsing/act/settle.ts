import {
  ACT_ARRIVED_SIGN_MS,
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

/**
 * Brings a document to a tab and waits until it is at rest: what its scripts asked for while it loaded is answered, and
 * nothing begins any more. A page that is complete when it has loaded is at rest within `ACT_ARRIVED_SIGN_MS`.
 * @param bring resolves when the document has come as far as it is waited for: `false` when it was too slow, and is not
 *   waited for any longer
 * @returns what `bring` did
 * @throws what `bring` throws, and what `signal` was aborted with
 */
export async function arrived(tab: Tab, bring: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const seen = new Consequences(tab);
  const isBusy = () => seen.isNavigating || seen.isLoading;
  try {
    if (!(await bring())) return false;
    const before = isBusy() ? null : await changes(tab, null, signal);
    await seen.until(isBusy, ACT_ARRIVED_SIGN_MS, signal);
    const count = await changes(tab, null, signal);
    if (isBusy() || before === null || count !== before) await untilQuiet(tab, null, seen, count, signal);
    return true;
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
  const count = await changes(tab, at, signal);
  if (!seen.hasBegun && count === before) return { isQuiet: true, hasNavigated: false, stillLoading: false };
  return untilQuiet(tab, at, seen, count, signal);
}

/** Waits until everything that was begun is over and nothing has changed for a while. */
async function untilQuiet(
  tab: Tab,
  at: Target | null,
  seen: Consequences,
  known: number | null,
  signal: AbortSignal,
): Promise<Settled> {
  let count = known;
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
