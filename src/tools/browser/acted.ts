import { renderShown } from '#browsing/render.ts';
import type { SessionState } from '#browsing/session/answers.ts';
import type { Acted } from '#browsing/session/operations.ts';
import { lookFurther, snapshotShape, stateShape, stepsAfter } from './shapes.ts';

/**
 * The answer of a tool that acts on a page: what it did, where that led, and the page when it was asked for.
 * @param pageText what the page gave beside a snapshot
 */
export async function actedAnswer(
  state: SessionState,
  { hasMoved, isNewDocument, stillLoading, snapshot }: Acted<object>,
  head: string,
  ownNotes: readonly string[] = [],
  pageText?: string,
) {
  const next = [...(snapshot !== null || hasMoved ? lookFurther(snapshot, state) : []), ...stepsAfter(state)];
  const notes = [
    ...ownNotes,
    ...(isNewDocument ? ['A different page is open now.'] : []),
    ...(hasMoved && !isNewDocument ? ['The address changed within the page.'] : []),
    ...(stillLoading ? ['The page was still loading when this was written.'] : []),
  ];
  return {
    text: await renderShown(state, {
      head,
      isPlaceKnown: !hasMoved && state.restored === null,
      body: [pageText, snapshot?.text].filter(Boolean).join('\n'),
      notes,
      next,
    }),
    structured: {
      ...stateShape(state, next, notes),
      navigated: hasMoved,
      ...snapshotShape(snapshot),
    },
    url: state.tab?.url,
  };
}
