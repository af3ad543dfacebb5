import type { OpenTab } from '#browsing/tabs/open-tab.ts';

export type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle';

export const LIFECYCLE: Record<WaitUntil, string> = {
  load: 'load',
  domcontentloaded: 'DOMContentLoaded',
  networkidle: 'networkIdle',
};

/** For `networkIdle`: time without requests after which a page that has stopped its own loading counts as idle. */
const STOPPED_IDLE_MS = 500;
/** Time to wait for a further navigation, because a page may call `window.stop()` just before it navigates. */
const STOPPED_MS = 250;

type WatchedTab = Pick<OpenTab, 'session' | 'targetId' | 'isOpen'>;

/** Watches for a document to arrive. Must be created before the navigation, so that no event is missed. */
export function watchDocumentArrival(tab: WatchedTab, name: string) {
  const shown = new Map<string, boolean>();
  let look: () => void = () => undefined;
  let crash: () => void = () => undefined;
  const arrive = (loaderId: string) => {
    shown.set(loaderId, true);
    look();
  };
  const stopped = watchStopped(tab, name, shown, arrive);
  const stops = [
    tab.session.on('Inspector.targetCrashed', () => crash()),
    tab.session.on('Inspector.detached', () => crash()),
    tab.session.on('Page.lifecycleEvent', (event) => {
      if (event.frameId !== tab.targetId) return;
      if (!shown.has(event.loaderId)) stopped.goOn();
      shown.set(event.loaderId, event.name === name || shown.get(event.loaderId) === true);
      look();
    }),
    // A document whose connection broke reaches no further state. A cancelled document may have been replaced by
    // another.
    tab.session.on('Network.loadingFailed', ({ requestId, type, canceled }) => {
      if (canceled !== true && type === 'Document' && shown.has(requestId)) arrive(requestId);
    }),
  ];
  return {
    stop: () => {
      stopped.stop();
      for (const stop of stops) stop();
    },
    /** @param onShown called when the tab shows the document */
    of: (loaderId: string, onShown: () => void = () => undefined): Promise<boolean> =>
      new Promise((done) => {
        let isShown = false;
        crash = () => done(false);
        if (!tab.isOpen) crash();
        look = () => {
          if (!isShown && shown.has(loaderId)) onShown();
          isShown = shown.has(loaderId);
          if (hasArrived(shown, loaderId)) done(true);
        };
        look();
      }),
  };
}

/**
 * Watches for a document that stops its own loading (`window.stop()`), for which Chromium reports no further state.
 * @param shown the documents that have arrived so far, newest last
 */
function watchStopped(
  tab: WatchedTab,
  name: string,
  shown: ReadonlyMap<string, boolean>,
  arrive: (loaderId: string) => void,
) {
  const ms = name === LIFECYCLE.networkidle ? STOPPED_IDLE_MS : STOPPED_MS;
  const open = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped: string | null = null;
  let coming: string | null = null;
  const wait = () => {
    if (timer !== null) clearTimeout(timer);
    const isLeaving = coming !== null && !shown.has(coming);
    if (stopped === null || isLeaving || (open.size > 0 && name === LIFECYCLE.networkidle)) return;
    timer = setTimeout(arrive, ms, stopped);
  };
  const goOn = () => {
    stopped = null;
    wait();
  };
  const end = (requestId: string) => {
    if (open.delete(requestId)) wait();
  };
  const stops = [
    tab.session.on('Page.frameStoppedLoading', ({ frameId }) => {
      const last = [...shown.keys()].at(-1);
      if (frameId !== tab.targetId || last === undefined) return;
      stopped = last;
      // Chromium reports no end of the document's own request if the document stops itself.
      open.delete(last);
      wait();
    }),
    tab.session.on('Page.frameStartedNavigating', ({ frameId, loaderId, navigationType }) => {
      if (frameId !== tab.targetId || /same/iu.test(navigationType)) return;
      coming = loaderId;
      goOn();
    }),
    tab.session.on('Network.requestWillBeSent', ({ requestId }) => {
      open.add(requestId);
      wait();
    }),
    tab.session.on('Network.loadingFinished', ({ requestId }) => end(requestId)),
    tab.session.on('Network.loadingFailed', ({ requestId }) => {
      if (requestId === coming) coming = null;
      end(requestId);
    }),
  ];
  return {
    goOn,
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}

/** True if the document, or a document to which it redirected immediately, has reached the awaited state. */
function hasArrived(shown: ReadonlyMap<string, boolean>, loaderId: string): boolean {
  const states = [...shown];
  const from = states.findIndex(([loader]) => loader === loaderId);
  return from !== -1 && states.slice(from).some(([, hasReached]) => hasReached);
}
