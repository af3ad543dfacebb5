import type { WithoutCuts } from '#core/text/page-texts.ts';
import { ACT_NAVIGATION_MS_MAX, ACT_REQUESTS_MS_MAX, VIEW_FRAMES_MAX } from '#core/limits.ts';
import type { PageFunction, JsonArguments, ScriptSource } from '#browsing/in-page/script-types.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Frame, Tab, PageElement } from '#browsing/tabs/tab.ts';
import { callIn, callOn, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import { sleep, resolveWithin, withTimeout } from '#core/flow/abort.ts';
import { PageActivity } from './page-activity.ts';
import { TimerWatcher } from './timer-watcher.ts';

/** Time limit for the first sign of an action's effect. Frameworks render within one or two frames. */
const ACT_SIGN_MS = 80;
/** Time limit for a first change after a page has loaded completely: three frames, in which its scripts can react. */
const ACT_ARRIVED_SIGN_MS = 50;
/** Limit for `ACT_ARRIVED_SIGN_MS` as a share of the load time, for pages that load in under 0.2 s. */
const ACT_ARRIVED_SIGN_SHARE = 0.25;
/**
 * Time without changes after which a page has finished drawing. Pictures, animation frames, fonts and timers that were set
 * before the action change a page about 100 ms after its last change, and nothing announces them.
 */
const ACT_QUIET_MS = 150;
/** Time for a response to reach the page's scripts. Also the polling interval while a document is being replaced. */
const ACT_QUIET_POLL_MS = 50;
/** Maximum wait for pages that never stop changing, because of clocks, carousels or spinners. */
const ACT_NOISE_MS_MAX = 1_000;
/**
 * Maximum length of timers, set by an action, that are awaited. Filter fields, for example, search this long after the
 * last key.
 */
const ACT_TIMER_MS_MAX = 300;
/** Maximum wait for the preparation of the next view, which is usually complete unless the page is busy. */
const ACT_WORLDS_MS_MAX = 100;

/** `isIdle`: true if the action caused no request and no change. */
export type SettleResult = { isQuiet: boolean; stillLoading: boolean; isIdle?: boolean };

/**
 * Acts on a page and waits for the effects: any navigation has loaded, requests are answered, and the document has
 * stopped changing. An action without effects returns within about 100 ms.
 * @throws {unknown} errors of the action, and the reason of `signal` after an abort
 */
export async function actAndSettle<T>(
  tab: Tab,
  at: PageElement | null,
  action: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ result: T; settled: SettleResult }> {
  const seen = new PageActivity(tab);
  const timers = new TimerWatcher(tab, ACT_TIMER_MS_MAX);
  try {
    await Promise.all([timers.begun(), ...inDocuments(tab, at, pageScripts.startChangeWatch, [], signal)]);
    const result = await action();
    void makeWorlds(tab);
    return { result, settled: await afterAction(tab, at, seen, timers, signal) };
  } finally {
    timers.stop();
    seen.stop();
  }
}

/**
 * Loads a document and waits until it is idle: all requests of its scripts are answered, and no new ones begin. A page
 * without open requests is idle when its next frame is drawn, its scripts are idle, and a share of its load time
 * (`ACT_ARRIVED_SIGN_MS` at most) has passed.
 * @param bring loads the document; resolves with `false` if that took too long
 * @param endsAt Unix time in ms after which a page that is not idle is used as it is
 * @returns false if the document or the page took too long
 * @throws {unknown} errors of `bring`, and the reason of `signal` after an abort
 */
export async function settleAfterLoad(
  tab: Tab,
  bring: () => Promise<boolean>,
  endsAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = new PageActivity(tab);
  const answersByLoader = new Map<string, Promise<boolean>>();
  let worlds = 0;
  // Prepares the next view while the document loads, which saves a round trip afterwards.
  const stop = tab.session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== tab.main().id) {
      const inner = worlds < VIEW_FRAMES_MAX ? tab.frame(frame.id) : null;
      worlds += 1;
      if (inner !== null) void makeWorld(tab, inner);
      return;
    }
    const hasChanged = changedOnceLoaded(tab, signal);
    hasChanged.catch(() => undefined);
    answersByLoader.set(frame.loaderId, hasChanged);
  });
  try {
    if (!(await bring())) return false;
    const early = answersByLoader.get(tab.main().loaderId) ?? null;
    return await untilIdle(tab, seen, early, endsAt, signal);
  } finally {
    stop();
    seen.stop();
  }
}

/** @returns false if the page is not idle at `endsAt` */
async function untilIdle(
  tab: Tab,
  seen: PageActivity,
  early: Promise<boolean> | null,
  endsAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const prepared = makeWorlds(tab);
  const isBusy = () => seen.isNavigating || seen.isLoading;
  const isOver = () => isBusy() || seen.isBroken;
  const wait = async (both: AbortSignal) => {
    const inTime = early === null ? null : resolveWithin(early, ACT_ARRIVED_SIGN_MS, both);
    let hasChanged = inTime === null ? null : await seen.unless(isOver, inTime, both);
    // Also asks a script that polls in the page, because some documents stop loading without an event.
    const again = () => Promise.race([changedOnceLoaded(tab, both), ...(early === null ? [] : [early])]);
    if (!isOver()) hasChanged ??= await seen.unless(isOver, again(), both);
    if (isBusy() || hasChanged !== false) await untilQuiet(tab, null, seen, Date.now(), both);
    // Counts the document's elements again, because the page has added some since the last count.
    if (hasChanged !== false) void makeWorld(tab, tab.main());
    await resolveWithin(prepared, ACT_WORLDS_MS_MAX, both);
  };
  return await withTimeout(Math.max(endsAt - Date.now(), 0), async (late) => {
    try {
      await wait(AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error;
    }
    return !late.aborted;
  });
}

/** Prepares the next view: creates an isolated world in each frame and counts its elements. */
async function makeWorlds(tab: Tab): Promise<void> {
  await Promise.all(
    tab
      .frames()
      .slice(0, VIEW_FRAMES_MAX)
      .map((frame) => makeWorld(tab, frame)),
  );
}

async function makeWorld(tab: Tab, frame: Frame): Promise<void> {
  await Promise.all([tab.sizes.count(frame), tab.document(frame)]).catch(() => undefined);
}

function changedOnceLoaded(tab: Tab, signal: AbortSignal): Promise<boolean> {
  const args: [number, number] = [ACT_ARRIVED_SIGN_SHARE, ACT_ARRIVED_SIGN_MS];
  return someHave(inDocuments(tab, null, pageScripts.waitForChangeAfterLoad, args, signal));
}

async function afterAction(
  tab: Tab,
  at: PageElement | null,
  seen: PageActivity,
  timers: TimerWatcher,
  signal: AbortSignal,
): Promise<SettleResult> {
  const begun = Date.now();
  const signs = inDocuments(tab, at, pageScripts.waitForChange, [ACT_SIGN_MS], signal);
  const hasChanged = await seen.unless(() => seen.hasBegun, someHave(signs), signal);
  const hadTimers = await timers.over(signal);
  if (!seen.hasBegun && hasChanged === false && !hadTimers) return { isQuiet: true, stillLoading: false, isIdle: true };
  const rest = await untilQuiet(tab, at, seen, begun, signal);
  // Counts the document's elements again, because the page has added some since the last count.
  void makeWorld(tab, tab.main());
  return rest;
}

/**
 * Waits until all requests and loads have ended and nothing has changed for a while. A page that keeps starting
 * requests counts as still loading.
 */
async function untilQuiet(
  tab: Tab,
  at: PageElement | null,
  seen: PageActivity,
  begun: number,
  signal: AbortSignal,
): Promise<SettleResult> {
  const isBusy = () => seen.isNavigating || seen.isLoading;
  let goneMs = 0;
  while (!signal.aborted) {
    if (seen.isNavigating) await seen.until(() => !seen.isNavigating, ACT_NAVIGATION_MS_MAX, signal);
    if (seen.isLoading) await seen.until(() => !seen.isLoading, ACT_REQUESTS_MS_MAX, signal);
    const longestMs = seen.hasNavigated ? ACT_NAVIGATION_MS_MAX : ACT_REQUESTS_MS_MAX;
    if (isBusy() || Date.now() > begun + longestMs) return report(seen, false);
    const now = Date.now();
    // The page's scripts still need this time to receive the last response.
    const leastMs = Math.max(seen.lastEnd + ACT_QUIET_POLL_MS - now, 0);
    const leftMs = Math.max(Math.max(begun, seen.lastEnd) + ACT_NOISE_MS_MAX - now, leastMs);
    const args: [number, number, number, number] = [ACT_QUIET_MS, now - begun, leastMs, leftMs];
    const answers = Promise.all(inDocuments(tab, at, pageScripts.waitForQuiet, args, signal));
    const quiet = await seen.unless(isBusy, answers, signal);
    if (quiet === null) {
      // Limits the polling of a page that sends a request every few milliseconds.
      await sleep(Math.max(now + ACT_QUIET_POLL_MS - Date.now(), 0), signal);
      continue;
    }
    if (quiet[0] !== null) return report(seen, !quiet.includes(false));
    // The script got no answer, so the document is being replaced. Usually, another document appears soon.
    if (goneMs >= ACT_QUIET_MS) return report(seen, true);
    goneMs += ACT_QUIET_POLL_MS;
    await seen.until(isBusy, ACT_QUIET_POLL_MS, signal);
  }
  return report(seen, false);
}

function report(seen: PageActivity, isQuiet: boolean): SettleResult {
  return { isQuiet, stillLoading: seen.isNavigating || seen.isLoading };
}

/** Runs a script in the tab's own document and at the element. Returns `null` for a document that is gone. */
function inDocuments<Run extends PageFunction>(
  tab: Tab,
  at: PageElement | null,
  script: ScriptSource<'document', Run>,
  args: Parameters<Run> & JsonArguments,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<Run>> | null>[] {
  const answers = [callIn(tab, tab.main(), script, args, signal).catch(nullIfGone)];
  const isThere = at !== null && tab.frame(at.frame.id)?.loaderId === at.frame.loaderId;
  if (isThere) answers.push(callOn(at, script, args, signal).catch(() => null));
  return answers;
}

function someHave(answers: readonly Promise<boolean | null>[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    for (const answer of answers) answer.then((has) => (has === false ? undefined : resolve(true)), reject);
    Promise.all(answers).then(() => resolve(false), reject);
  });
}
