import type { WithoutCuts } from '#core/text/page-texts.ts';
import {
  ACT_ARRIVED_SIGN_MS,
  ACT_ARRIVED_SIGN_SHARE,
  ACT_INPUT_PAUSE_MS,
  ACT_NOISE_MS_MAX,
  ACT_QUIET_MS,
  ACT_QUIET_POLL_MS,
  ACT_SIGN_MS,
  ACT_TIMER_MS_MAX,
  ACT_WORLDS_MS_MAX,
} from './limits.ts';
import { ACT_NAVIGATION_MS_MAX, ACT_REQUESTS_MS_MAX, VIEW_FRAMES_MAX } from '#core/limits.ts';
import type { DocumentScripts, Sendable, Source } from '#browsing/in-page/scripts.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { callIn, callOn, isGone } from '#browsing/tabs/call-in-page.ts';
import { sleep, within } from '#core/flow/abort.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { Consequences } from './consequences.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { AS_DATA, callFunction } from '#browsing/tabs/call-function.ts';

/**
 * How the wait ended. `isQuiet`: the page came to rest. `stillLoading`: what the action started did not end in time.
 */
export type Settled = { isQuiet: boolean; stillLoading: boolean };

/**
 * Acts on a page and waits for the effects: a navigation has loaded, requests are answered, the document has come to
 * rest. An action without effects returns within about 100 ms.
 * @throws what the action throws, and the reason of `signal` when it is aborted
 */
export async function settled<T>(
  tab: Tab,
  at: PageElement | null,
  action: () => Promise<T>,
  signal: AbortSignal,
): Promise<{ result: T; settled: Settled }> {
  const seen = new Consequences(tab);
  const timers = new ShortTimers(tab);
  try {
    await Promise.all([timers.begun(), ...inDocuments(tab, at, pageScripts.markChanges, [], signal)]);
    const result = await action();
    void makeWorlds(tab);
    return { result, settled: await afterAction(tab, at, seen, timers, signal) };
  } finally {
    timers.stop();
    seen.stop();
  }
}

/**
 * Loads a document in a tab and waits until it is at rest: what its scripts requested while it loaded is answered, and
 * nothing new begins. A page that is complete when loaded is at rest when its next frame is drawn, its scripts are
 * idle, and a share of its load time (`ACT_ARRIVED_SIGN_MS` at most) has passed.
 * @param bring resolves when the document has loaded far enough; `false` when it took too long and is no longer waited
 *   for
 * @returns what `bring` returned
 * @throws what `bring` throws, and the reason of `signal` when it is aborted
 */
export async function arrived(tab: Tab, bring: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const seen = new Consequences(tab);
  const isBusy = () => seen.isNavigating || seen.isLoading;
  const asked = new Map<string, Promise<boolean>>();
  let worlds = 0;
  // The document is asked while it loads, so that no message is needed afterwards.
  const stop = tab.session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== tab.main().id) {
      const inner = worlds < VIEW_FRAMES_MAX ? tab.frame(frame.id) : null;
      worlds += 1;
      if (inner !== null) void makeWorld(tab, inner);
      return;
    }
    const hasChanged = changedOnceLoaded(tab, signal);
    hasChanged.catch(() => undefined);
    asked.set(frame.loaderId, hasChanged);
  });
  try {
    if (!(await bring())) return false;
    const prepared = makeWorlds(tab);
    const early = asked.get(tab.main().loaderId);
    const inTime = early === undefined ? null : within(early, ACT_ARRIVED_SIGN_MS, signal);
    let hasChanged = inTime === null ? null : await seen.unless(isBusy, inTime, signal);
    // Some documents stop loading without an event, so they are asked again.
    const again = () => Promise.race([changedOnceLoaded(tab, signal), ...(early === undefined ? [] : [early])]);
    if (!isBusy()) hasChanged ??= await seen.unless(isBusy, again(), signal);
    if (isBusy() || hasChanged !== false) await untilQuiet(tab, null, seen, Date.now(), signal);
    // The page has drawn more since it was counted.
    if (hasChanged !== false) void makeWorld(tab, tab.main());
    await within(prepared, ACT_WORLDS_MS_MAX, signal);
    return true;
  } finally {
    stop();
    seen.stop();
  }
}

/** The next look at the page needs an isolated world in each frame, and its size. They are had while the page comes to rest. */
async function makeWorlds(tab: Tab): Promise<void> {
  await Promise.all(
    tab
      .frames()
      .slice(0, VIEW_FRAMES_MAX)
      .map((frame) => makeWorld(tab, frame)),
  );
}

async function makeWorld(tab: Tab, frame: Frame): Promise<void> {
  // A frame that is gone needs none.
  await Promise.all([tab.sizes.count(frame), tab.document(frame)]).catch(() => undefined);
}

function changedOnceLoaded(tab: Tab, signal: AbortSignal): Promise<boolean> {
  const args: [number, number] = [ACT_ARRIVED_SIGN_SHARE, ACT_ARRIVED_SIGN_MS];
  return someHave(inDocuments(tab, null, pageScripts.changedOnceLoaded, args, signal));
}

async function afterAction(
  tab: Tab,
  at: PageElement | null,
  seen: Consequences,
  timers: ShortTimers,
  signal: AbortSignal,
): Promise<Settled> {
  const begun = Date.now();
  const signs = inDocuments(tab, at, pageScripts.changedSoon, [ACT_SIGN_MS], signal);
  const hasChanged = await seen.unless(() => seen.hasBegun, someHave(signs), signal);
  const hadTimers = await timers.over(signal);
  if (!seen.hasBegun && hasChanged === false && !hadTimers) return { isQuiet: true, stillLoading: false };
  const rest = await untilQuiet(tab, at, seen, begun, signal);
  // The page has drawn more since it was counted.
  void makeWorld(tab, tab.main());
  return rest;
}

/**
 * Waits until everything that began has ended and nothing has changed for a while. A page that keeps starting something
 * is given up as still loading.
 */
async function untilQuiet(
  tab: Tab,
  at: PageElement | null,
  seen: Consequences,
  begun: number,
  signal: AbortSignal,
): Promise<Settled> {
  const isBusy = () => seen.isNavigating || seen.isLoading;
  let goneMs = 0;
  while (!signal.aborted) {
    if (seen.isNavigating) await seen.until(() => !seen.isNavigating, ACT_NAVIGATION_MS_MAX, signal);
    if (seen.isLoading) await seen.until(() => !seen.isLoading, ACT_REQUESTS_MS_MAX, signal);
    const longestMs = seen.hasNavigated ? ACT_NAVIGATION_MS_MAX : ACT_REQUESTS_MS_MAX;
    if (isBusy() || Date.now() > begun + longestMs) return report(seen, false);
    const now = Date.now();
    // An answer first has to reach the page's scripts.
    const leastMs = Math.max(seen.lastEnd + ACT_QUIET_POLL_MS - now, 0);
    const leftMs = Math.max(Math.max(begun, seen.lastEnd) + ACT_NOISE_MS_MAX - now, leastMs);
    const args: [number, number, number, number] = [ACT_QUIET_MS, now - begun, leastMs, leftMs];
    const answers = Promise.all(inDocuments(tab, at, pageScripts.quietSoon, args, signal));
    const quiet = await seen.unless(isBusy, answers, signal);
    if (quiet === null) {
      // Otherwise a page that starts something every few milliseconds would be asked that often.
      await sleep(Math.max(now + ACT_QUIET_POLL_MS - Date.now(), 0), signal);
      continue;
    }
    if (quiet[0] !== null) return report(seen, !quiet.includes(false));
    // A document that goes away is mostly replaced by another.
    if (goneMs >= ACT_QUIET_MS) return report(seen, true);
    goneMs += ACT_QUIET_POLL_MS;
    await seen.until(isBusy, ACT_QUIET_POLL_MS, signal);
  }
  return report(seen, false);
}

function report(seen: Consequences, isQuiet: boolean): Settled {
  return { isQuiet, stillLoading: seen.isNavigating || seen.isLoading };
}

type ChangeScript = 'markChanges' | 'changedSoon' | 'quietSoon' | 'changedOnceLoaded';

/** The answers of a script in the tab's own document and at the element; `null` for what is gone. */
function inDocuments<Name extends ChangeScript>(
  tab: Tab,
  at: PageElement | null,
  script: Source<Name>,
  args: Parameters<DocumentScripts[Name]> & Sendable,
  signal: AbortSignal,
): Promise<WithoutCuts<ReturnType<DocumentScripts[Name]>> | null>[] {
  const answers = [callIn(tab, tab.main(), script, args, signal).catch(nullIfGone)];
  const isThere = at !== null && tab.frame(at.frame.id)?.loaderId === at.frame.loaderId;
  if (isThere) answers.push(callOn(at, script, args, signal).catch(() => null));
  return answers;
}

function nullIfGone(error: unknown): null {
  if (!isGone(error)) throw error;
  return null;
}

/** Resolves as soon as one of them has changed. A document that is gone has changed. */
function someHave(answers: readonly Promise<boolean | null>[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    for (const answer of answers) answer.then((has) => (has === false ? undefined : resolve(true)), reject);
    Promise.all(answers).then(() => resolve(false), reject);
  });
}

/**
 * The short timers that a document sets during an action. Filter fields, lists that load more and menus act a moment
 * later. These timers can only be seen among the page's own scripts.
 */
class ShortTimers {
  readonly #session: CdpSession;
  /** The watch in the page; `null` when the document is gone. */
  readonly #watch: Promise<Protocol.Runtime.RemoteObjectId | null>;
  #ended: Promise<boolean> | null = null;

  constructor({ session }: Tab) {
    this.#session = session;
    const expression = `(${pageScripts.watchTimers})(${ACT_TIMER_MS_MAX})`;
    this.#watch = session
      .send('Runtime.evaluate', { expression })
      .then(({ result }) => result.objectId ?? null)
      .catch(nullUnlessGone);
    this.#watch.catch(() => undefined);
  }

  /** Resolves when timers are being watched. A page that is too busy for that is not waited for. */
  async begun(): Promise<void> {
    await within(this.#watch, ACT_INPUT_PAUSE_MS);
  }

  /** Waits until the timers that were set so far are over. @returns whether there were any */
  async over(signal: AbortSignal): Promise<boolean> {
    return (await within(this.#end(), 2 * ACT_TIMER_MS_MAX, signal)) === true;
  }

  /** Leaves the page as it was, however the action ended. */
  stop(): void {
    // If the browser is gone, so is the page.
    this.#end().catch(() => undefined);
  }

  #end(): Promise<boolean> {
    this.#ended ??= this.#stopped();
    return this.#ended;
  }

  async #stopped(): Promise<boolean> {
    const objectId = await this.#watch;
    if (objectId === null) return false;
    const answer = await callFunction(this.#session, { objectId }, pageScripts.timersOver, [], AS_DATA).catch(
      nullUnlessGone,
    );
    this.#session.send('Runtime.releaseObject', { objectId }).catch(() => undefined);
    return answer?.result.value === true;
  }
}

/** A document that is gone has no timers. */
function nullUnlessGone(error: unknown): null {
  if (error instanceof BrowserGone) throw error;
  return null;
}
