import type { DomDocument, DomElement, DomRoot } from './dom.ts';
import { pageScript } from './page-script.ts';

type Watch = {
  count: number;
  /** The count when it was last marked. */
  mark: number;
  /** When it changed last. */
  changedAt: number;
  observer: { observe: (node: object, options: object) => void };
  watched: Set<object>;
  /** Told of every change. */
  told: Set<() => void>;
};

declare const document: DomDocument & { readonly readyState: string };
declare const self: { periscopeChanges?: Watch };
declare const addEventListener: (kind: string, listener: () => void, options: { once: boolean }) => void;
declare const MutationObserver: new (seen: (records: readonly object[]) => void) => Watch['observer'];
declare const requestAnimationFrame: (then: () => void) => void;
declare const requestIdleCallback: (then: () => void) => void;

/**
 * Watches a document for changes. The observer stays for the life of the document: it counts, and its callbacks are of
 * the isolated world, out of the page's sight. Those that end in `_AT` have the element as `this`, and watch the shadow
 * tree it stands in, too.
 */

/** From here on changes count. */
export const MARK_CHANGES = pageScript(markChanges, [watchOf]);
export const MARK_CHANGES_AT = pageScript(markChangesAt, [watchOf]);
/** Whether anything has changed since the mark, as soon as it has, or when the time is up. */
export const CHANGED_SOON = pageScript(changedSoon, [watchOf, changed]);
export const CHANGED_SOON_AT = pageScript(changedSoonAt, [watchOf, changed]);
/**
 * Whether nothing changed for `quietMs`, when it has not, or when the time is up. They are counted from `sinceMs` ago on,
 * and it takes `leastMs` in any case.
 */
export const QUIET_SOON = pageScript(quietSoon, [watchOf, quiet]);
export const QUIET_SOON_AT = pageScript(quietSoonAt, [watchOf, quiet]);
/**
 * Whether a document that has loaded still changes: in the frame that is drawn next, until its scripts have nothing more
 * to do for now – timers that are due have run, and what waits for something to come into view has seen it – and for a
 * `share` of the time it took to load. No longer than `ms`.
 */
export const CHANGED_ONCE_LOADED = pageScript(changedOnceLoaded, [watchOf]);

function markChanges(): void {
  const watch = watchOf(null);
  watch.mark = watch.count;
}

function markChangesAt(this: DomElement): void {
  const watch = watchOf(this.getRootNode());
  watch.mark = watch.count;
}

function changedSoon(ms: number): Promise<boolean> {
  return changed(watchOf(null), ms);
}

function changedSoonAt(this: DomElement, ms: number): Promise<boolean> {
  return changed(watchOf(this.getRootNode()), ms);
}

function quietSoon(quietMs: number, sinceMs: number, leastMs: number, ms: number): Promise<boolean> {
  return quiet(watchOf(null), quietMs, sinceMs, leastMs, ms);
}

function quietSoonAt(
  this: DomElement,
  quietMs: number,
  sinceMs: number,
  leastMs: number,
  ms: number,
): Promise<boolean> {
  return quiet(watchOf(this.getRootNode()), quietMs, sinceMs, leastMs, ms);
}

async function changedOnceLoaded(share: number, ms: number): Promise<boolean> {
  if (document.readyState !== 'complete') {
    await new Promise<void>((resolve) => addEventListener('load', () => resolve(), { once: true }));
    // What other listeners of the same event change belongs to loading.
    await new Promise<void>((resolve) => setTimeout(resolve));
  }
  // Not before: to watch a document come would cost something for each of its elements.
  const watch = watchOf(null);
  const { count } = watch;
  const enough = performance.now() * (1 + share);
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
    requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, enough - performance.now())));
  });
  return watch.count !== count;
}

function changed(watch: Watch, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    let isDrawn = false;
    let isLate = false;
    const end = () => {
      watch.told.delete(end);
      clearTimeout(late);
      clearTimeout(undrawn);
      resolve(watch.count !== watch.mark);
    };
    // What waits for something to come into view sees it when a frame is drawn, which a busy machine does late, and a
    // document that nobody looks at never.
    const undrawn = setTimeout(end, 4 * ms);
    const late = setTimeout(() => {
      isLate = true;
      if (isDrawn) end();
    }, ms);
    requestAnimationFrame(() =>
      requestIdleCallback(() => {
        isDrawn = true;
        if (isLate) end();
      }),
    );
    if (watch.count === watch.mark) watch.told.add(end);
    else end();
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
      clearTimeout(rest);
      rest = setTimeout(end, quietMs, true);
    };
    const late = setTimeout(end, ms, false);
    const quietFor = Math.min(sinceMs, performance.now() - watch.changedAt);
    let rest = setTimeout(end, Math.max(quietMs - quietFor, leastMs), true);
    watch.told.add(again);
  });
}

function watchOf(shadow: DomRoot | null): Watch {
  let watch = self.periscopeChanges;
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
    self.periscopeChanges = made;
    watch = made;
  }
  for (const root of [document, shadow]) {
    if (root === null || watch.watched.has(root)) continue;
    watch.watched.add(root);
    watch.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  return watch;
}
