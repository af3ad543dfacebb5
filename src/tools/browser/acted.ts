import { shownText } from '#browsing/result-text.ts';
import type { SessionState } from '#browsing/session/answers.ts';
import type { Acted } from '#browsing/session/operations/acting.ts';
import { lookFurther, snapshotShape, stateShape, stepsAfter } from './shapes.ts';

/**
 * The answer of a tool that acts on a page: what it did, where that led, what changed, and the page itself if it was
 * asked for.
 * @param pageText page text that the answer holds beside a snapshot
 */
export async function actedAnswer(
  state: SessionState,
  { hasMoved, isNewDocument, stillLoading, isQuiet, changes, snapshot }: Acted<object>,
  head: string,
  ownNotes: readonly string[] = [],
  pageText?: string,
) {
  const left = changes?.left ?? 0;
  const looks = snapshot !== null || hasMoved || left > 0;
  const next = [...(looks ? lookFurther(snapshot, state) : []), ...stepsAfter(state)];
  const notes = [
    ...ownNotes,
    ...(state.tab === null ? ['The tab is closed: the page closed it.'] : []),
    ...(isNewDocument ? ['A different page is open now.'] : []),
    ...(hasMoved && !isNewDocument ? ['The address changed within the page.'] : []),
    ...(stillLoading ? ['The page was still loading when this was written.'] : []),
    ...(isQuiet === false && !stillLoading ? ['The page was still changing when this was written.'] : []),
  ];
  const changed = changes?.lines ?? [];
  const more = left > 0 ? [`(${left} more changed lines)`] : [];
  return {
    text: await shownText(state, {
      head,
      isPlaceKnown: !hasMoved && state.restored === null,
      body: [pageText, ...changed, ...more, ...(snapshot === null ? [] : [snapshot.text])].filter(Boolean).join('\n'),
      notes,
      next,
    }),
    structured: {
      ...stateShape(state, next, notes),
      navigated: hasMoved,
      ...(changes === null || changes === undefined ? {} : { changes: [...changed, ...more] }),
      ...snapshotShape(snapshot),
    },
    url: state.tab?.url,
  };
}

/** Says what was done. Where a model would expect an effect and there was none, it says that, too. */
export function headOf(done: string, { events, opened }: SessionState, { changes, hasMoved }: Acted<object>): string {
  const hasNothing = changes?.lines.length === 0 && !hasMoved && events.length + opened.length === 0;
  return hasNothing ? `${done} Nothing changed on the page that a snapshot shows.` : done;
}
