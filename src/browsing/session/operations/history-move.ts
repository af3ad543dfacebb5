import type { Protocol } from 'devtools-protocol';
import { fail } from '#core/failures/failure.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';

export type HistoryNavigation = 'back' | 'forward' | 'reload';

export type HistoryEntry = { step: HistoryNavigation; id: number; url: string };

/** Answer of `Page.navigate`. Without a loader id and an error, no document is loading. */
export type BegunNavigation = Pick<Protocol.Page.NavigateResponse, 'errorText' | 'isDownload'> & {
  loaderId?: string | undefined;
};

/** @throws {PeriscopeError} `invalid_argument` if there is no such history entry */
export async function findHistoryEntry({ session }: OpenTab, step: HistoryNavigation): Promise<HistoryEntry> {
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  const entry = entries[currentIndex + (step === 'back' ? -1 : step === 'forward' ? 1 : 0)];
  if (entry !== undefined) return { step, id: entry.id, url: entry.url };
  return fail({
    code: 'invalid_argument',
    field: 'history',
    problem: `there is no page to go ${step} to`,
    hint: 'Pass a url instead.',
  });
}

/**
 * Begins a move in the history. Chromium answers these commands before the navigation begins, so only events show
 * whether the tab has another document.
 * @param hasLeft true if the tab has left the page that is reloaded
 * @param onShown called when the tab shows a restored document, which reports no further states
 */
export async function beginHistoryMove(
  tab: OpenTab,
  { step, id, url }: HistoryEntry,
  hasLeft: boolean,
  onShown: () => void,
): Promise<BegunNavigation> {
  const { session, targetId } = tab;
  if (step === 'reload' && hasLeft) return session.send('Page.navigate', { url });
  const { promise, resolve } = Promise.withResolvers<BegunNavigation | 'crashed'>();
  const begun = new Set<string>();
  let errorText = '';
  let isAskedToStay = false;
  const stops = [
    session.on('Page.frameStartedNavigating', ({ frameId, loaderId, navigationType }) => {
      if (frameId === targetId && MOVES.test(navigationType)) begun.add(loaderId);
    }),
    session.on('Page.frameNavigated', ({ frame, type }) => {
      if (frame.id !== targetId) return;
      if (type === 'BackForwardCacheRestore') {
        onShown();
        resolve({});
      } else if (begun.has(frame.loaderId)) {
        resolve(frame.unreachableUrl === undefined ? { loaderId: frame.loaderId } : { errorText });
      }
    }),
    session.on('Page.navigatedWithinDocument', ({ frameId, url: shown }) => {
      if (frameId === targetId && step !== 'reload' && shown === url) resolve({});
    }),
    session.on('Network.loadingFailed', (failed) => {
      if (!begun.has(failed.requestId)) return;
      ({ errorText } = failed);
      // Other failures show an error page.
      if (failed.canceled === true || errorText.includes('ABORTED')) resolve({ errorText });
    }),
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      isAskedToStay = type === 'beforeunload';
    }),
    session.on('Page.javascriptDialogClosed', ({ result }) => {
      if (isAskedToStay && !result) resolve({});
    }),
    session.on('Inspector.targetCrashed', () => resolve('crashed')),
    ...watchMovesOfFrames(tab, () => resolve({})),
  ];
  try {
    if (step === 'reload') await session.send('Page.reload');
    else await session.send('Page.navigateToHistoryEntry', { entryId: id });
    const moved = await promise;
    return moved === 'crashed' ? fail({ code: 'render_failed', reason: 'the page crashed' }) : moved;
  } finally {
    for (const stop of stops) stop();
  }
}

const MOVES = /^(?:reload|history|restore)/u;

/**
 * Watches for a move in the history that changes only a frame, such as back after a link in the frame was followed. The
 * tab's own document reports nothing then.
 * @returns functions that end the watch
 */
function watchMovesOfFrames(tab: OpenTab, onMoved: () => void): (() => void)[] {
  const begun = new Map<string, string>();
  const sessions = new Set(tab.frames().map(({ session }) => session));
  return [...sessions].flatMap((session) => [
    session.on('Page.frameStartedNavigating', ({ frameId, loaderId, navigationType }) => {
      if (frameId !== tab.targetId && MOVES_BACK_OR_FORWARD.test(navigationType)) begun.set(frameId, loaderId);
    }),
    session.on('Page.frameNavigated', ({ frame }) => {
      if (begun.get(frame.id) === frame.loaderId) onMoved();
    }),
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (begun.has(frameId)) onMoved();
    }),
    session.on('Network.loadingFailed', ({ requestId, canceled }) => {
      if (canceled === true && [...begun.values()].includes(requestId)) onMoved();
    }),
    // The frame has got the new document in another process, or was removed.
    session.on('Page.frameDetached', ({ frameId }) => {
      if (begun.has(frameId)) onMoved();
    }),
  ]);
}

const MOVES_BACK_OR_FORWARD = /^(?:history|restore)/u;
