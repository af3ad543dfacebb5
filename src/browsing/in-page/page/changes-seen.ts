import { mayHaveClosedShadowRoot } from '#browsing/in-page/elements/frame-hits.ts';
import { elementCalledOn } from '#browsing/in-page/elements/safe-dom.ts';
import { recordElementMarks } from '#browsing/in-page/page/marks.ts';
import { restoreScrolledBoxes } from '#browsing/in-page/elements/into-view.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { TimerWatch } from '#browsing/in-page/script-types.ts';
import { scriptState } from './script-state.ts';

type Watch = {
  count: number;
  mark: number;
  changedAt: number;
  observer: MutationObserver;
  watched: Set<Node>;
  /** Callbacks that run on every change. */
  told: Set<() => void>;
};

declare global {
  interface ScriptState {
    changes?: Watch;
  }
}

/**
 * Watches a document for changes. The observer stays for the life of the document and only counts changes. It runs in
 * the isolated world, so the page cannot detect it. Called on an element, also watches the shadow tree around it.
 */

export function startChangeWatch(this: AnyElement | Window): void {
  const watch = watchAround(this);
  watch.mark = watch.count;
  const element = elementCalledOn(this);
  if (element !== null) recordElementMarks(element);
}

/**
 * The number of changes so far. Equal numbers mean that the document is the same. `null` if the document has shadow roots,
 * whose changes are not counted.
 */
export function countChanges(): number | null {
  for (const element of Document.prototype.querySelectorAll.call(document, '*'))
    if (element.shadowRoot !== null || mayHaveClosedShadowRoot(element)) return null;
  return watchOf(null).count;
}

/**
 * True as soon as anything changes after `startChangeWatch`; false when the time is up. First scrolls back the boxes that
 * were scrolled for the action, because the page did not cause that change.
 */
export function waitForChange(this: AnyElement | Window, ms: number): Promise<boolean> {
  restoreScrolledBoxes();
  return changed(watchAround(this), ms);
}

/**
 * True once nothing has changed for `quietMs`, no short animation runs and the page's scripts are idle; false when the
 * time is up. Waits from `leastMs` to `ms`. Quiet time before the call counts, up to `sinceMs`.
 */
export function waitForQuiet(
  this: AnyElement | Window,
  quietMs: number,
  sinceMs: number,
  leastMs: number,
  ms: number,
): Promise<boolean> {
  return quiet(watchAround(this), quietMs, sinceMs, leastMs, ms);
}

/**
 * True if a loaded document still changes. Watches it in the next frame, until its scripts are idle, for at most 4
 * times `ms`, and for a `share` of its load time, for at most `ms`.
 */
export async function waitForChangeAfterLoad(share: number, ms: number): Promise<boolean> {
  if (document.readyState !== 'complete') {
    await new Promise<void>((resolve) => addEventListener('load', () => resolve(), { once: true }));
    // Changes by other listeners of the `load` event still count as loading.
    await new Promise<void>((resolve) => setTimeout(resolve));
  }
  // Starts watching only after loading, because an observer would slow the loading down.
  const watch = watchOf(null);
  const { count } = watch;
  const now = performance.now();
  const enough = Math.min(now * (1 + share), now + ms);
  await untilDrawn(ms);
  await new Promise((isEnough) => setTimeout(isEnough, enough - performance.now()));
  return watch.count !== count;
}

function changed(watch: Watch, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      watch.told.delete(end);
      resolve(watch.count !== watch.mark);
    };
    watch.told.add(end);
    const late = new Promise((isLate) => setTimeout(isLate, ms));
    if (watch.count === watch.mark) void Promise.all([late, untilDrawn(ms)]).then(end);
    else end();
  });
}

/**
 * Waits until a frame is drawn and the page's scripts are idle, so that intersection observers have run. These run late
 * on a busy machine and never in a hidden document, so the wait ends after 4 times `ms`.
 */
function untilDrawn(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 4 * ms);
    requestAnimationFrame(() => requestIdleCallback(() => resolve()));
  });
}

function quiet(watch: Watch, quietMs: number, sinceMs: number, leastMs: number, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isQuiet: boolean) => {
      watch.told.delete(again);
      clearTimeout(late);
      clearTimeout(rest);
      resolve(isQuiet);
    };
    const again = () => {
      if (!watch.told.has(again)) return;
      clearTimeout(rest);
      rest = setTimeout(endIfStill, quietMs);
    };
    // A running animation usually shows or hides an element, and the page changes the document when it ends.
    const endIfStill = () => {
      const leftMs = animatedFor();
      const { count } = watch;
      // Scripts that render in slices change the document only after the last one.
      if (leftMs <= 0) void untilDrawn(IDLE_MS).then(() => (watch.count === count ? end(true) : undefined));
      else rest = setTimeout(() => framesPassed().then(again), leftMs);
    };
    const late = setTimeout(end, ms, false);
    const quietFor = Math.min(sinceMs, performance.now() - watch.changedAt);
    let rest = setTimeout(endIfStill, Math.max(quietMs - quietFor, leastMs));
    watch.told.add(again);
  });
}

/** Remaining time of the running animations in ms. Endless and long animations do not count. */
function animatedFor(): number {
  const left = Document.prototype.getAnimations.call(document).map(({ playState, effect, currentTime, timeline }) => {
    const { endTime } = effect?.getComputedTiming() ?? {};
    const isTimed = playState === 'running' && timeline === document.timeline;
    return isTimed && Number.isFinite(Number(endTime)) ? Number(endTime) - Number(currentTime) : 0;
  });
  return Math.max(0, ...left.filter((ms) => ms <= ANIMATED_MS_MAX));
}

/** Time limit for idle scripts, before it is multiplied for busy machines. Most pages are idle after two frames. */
const IDLE_MS = 50;

/** Maximum remaining time of an animation that counts. Longer ones do not show or hide an element. */
const ANIMATED_MS_MAX = 1_000;

/**
 * Resolves after two frames, because the second shows changes made when an animation ends. Hidden pages get a timeout.
 */
function framesPassed(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 100);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

function watchAround(target: AnyElement | Window): Watch {
  return watchOf(elementCalledOn(target)?.getRootNode() ?? null);
}

function watchOf(shadow: Node | null): Watch {
  let watch = scriptState().changes;
  if (watch === undefined) {
    const made: Watch = {
      count: 0,
      mark: -1,
      changedAt: 0,
      observer: new MutationObserver(({ length }) => {
        made.count += length;
        made.changedAt = performance.now();
        for (const tell of made.told) tell();
      }),
      watched: new Set(),
      told: new Set(),
    };
    scriptState().changes = made;
    watch = made;
  }
  for (const root of [document, shadow]) {
    if (root === null || watch.watched.has(root)) continue;
    watch.watched.add(root);
    watch.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  return watch;
}

/**
 * Replaces `setTimeout` and `setInterval` in the page's own world to record timers of up to `msMax`. {@link stopTimerWatch}
 * restores the originals, unless a page script has wrapped a function meanwhile.
 */
export function watchTimers(msMax: number): TimerWatch {
  const before = NAMES.map((name): [string, unknown] => [name, Reflect.get(window, name)]);
  const set = window.setTimeout.bind(window);
  const clear = window.clearTimeout.bind(window);
  const repeat = window.setInterval.bind(window);
  const pending = new Map<number, number>();
  const repeating = new Set<number>();
  const isWatched = (handler: TimerHandler, ms: number): handler is () => void =>
    typeof handler === 'function' && ms <= msMax;
  const sets = (handler: TimerHandler, ms = 0, ...args: unknown[]): number => {
    if (!isWatched(handler, ms)) return set(handler, ms, ...args);
    const id = set(
      (...given: unknown[]) => {
        pending.delete(id);
        Reflect.apply(handler, window, given);
      },
      ms,
      ...args,
    );
    pending.set(id, performance.now() + ms);
    return id;
  };
  const repeats = (handler: TimerHandler, ms = 0, ...args: unknown[]): number => {
    const id = repeat(handler, ms, ...args);
    if (isWatched(handler, ms)) repeating.add(id);
    return id;
  };
  // Either function ends both kinds of timers.
  const clears = (id?: number) => {
    if (id !== undefined) pending.delete(id);
    if (id !== undefined) repeating.delete(id);
    clear(id);
  };
  const ours = new Map<string, unknown>([
    ['setTimeout', Object.assign(sets, { __promisify__: undefined })],
    ['setInterval', Object.assign(repeats, { __promisify__: undefined })],
    ['clearTimeout', clears],
    ['clearInterval', clears],
  ]);
  for (const [name, own] of ours) Reflect.set(window, name, own);
  return {
    dueInMs: () => Math.max(-1, ...[...pending.values()].map((due) => due - performance.now())),
    isPending: () => pending.size + repeating.size > 0,
    stop: () => {
      for (const [name, was] of before)
        if (Reflect.get(window, name) === ours.get(name)) Reflect.set(window, name, was);
    },
    wait: (ms) => new Promise((resolve) => set(resolve, ms)),
  };
}

const NAMES = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'];

/** Waits until the timers recorded so far have run. @returns true if there were any */
export async function waitForTimers(this: TimerWatch): Promise<boolean> {
  const ms = this.dueInMs();
  if (ms < 0) return false;
  // One ms more, so that the recorded timers run before this one.
  await this.wait(ms + 1);
  return true;
}

/** True if a recorded timer has not run yet, or runs again and again. */
export function isTimerPending(this: TimerWatch): boolean {
  return this.isPending();
}

export function stopTimerWatch(this: TimerWatch): void {
  this.stop();
}

/** Resolves after the page has run the tasks that follow a key press, such as selection events. */
export async function waitForNextTask(): Promise<true> {
  // A hidden page gets no animation frame.
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, FRAME_MS_MAX);
  });
  await new Promise<void>((resolve) => setTimeout(resolve));
  return true;
}

const FRAME_MS_MAX = 50;
