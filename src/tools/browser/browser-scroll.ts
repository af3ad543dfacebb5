import * as z from 'zod';
import type { ScrollPosition } from '#browsing/act/scroll.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  toCallOptions,
  selectorInput,
  sessionInput,
  tabInput,
  snapshotInput,
} from './shapes.ts';

/** Maximum pixels that one call scrolls: the length of a long page. */
const SCROLL_PX_MAX = 100_000;
const SCROLL_PAGES_MAX = 50;

export const browserScroll = defineTool({
  name: 'browser_scroll',
  toolset: 'browser',
  title: 'Scroll the page',
  historyWords: ['Scrolled', 'scroll'],
  description:
    'Scroll the live page in the browser: move down or up, to the bottom or top, load more of an endless feed, or bring an element into view. With selector, scrolls the area around that element. Waits for content that loads; other tools scroll automatically.',
  hints: { readOnly: false, destructive: false, openWorld: true },
  input: z.strictObject({
    direction: z.enum(['up', 'down', 'left', 'right']).default('down').describe('Direction to scroll in.'),
    amount: z.number().min(0).max(SCROLL_PX_MAX).default(1).describe('Distance, in unit. 0 reports the position only.'),
    unit: z.enum(['pages', 'px']).default('pages').describe('A page is the visible height or width.'),
    selector: selectorInput.optional().describe('An element in the area to scroll, or to bring into view.'),
    into_view: z.boolean().default(false).describe('Scroll until the element of selector is visible.'),
    snapshot: snapshotInput,
    session: sessionInput,
    tab: tabInput,
  }),
  unused: [
    {
      options: ['direction', 'amount', 'unit'],
      when: ({ into_view: intoView }) => intoView,
      because: 'into_view scrolls as far as the element needs',
    },
  ],
  output: z.strictObject({
    ...actionFields,
    x: z.int(),
    y: z.int(),
    total_width: z.int(),
    total_height: z.int(),
    moved: z.int(),
    at_start: z.boolean(),
    at_end: z.boolean(),
  }),
  check: refuseUnclear,
  async run(input, { services }) {
    const { direction, amount, unit, selector: target, into_view: intoView, snapshot } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'scroll',
      { direction, amount, unit, target, intoView, snapshot },
      toCallOptions(input),
    );
    const { x, y, totalWidth, totalHeight, moved, atStart, atEnd } = result.place;
    const isAcross = !intoView && (direction === 'left' || direction === 'right');
    const answer = await createActionAnswer(
      state,
      result,
      scrollHead(result.place, isAcross, intoView, (result.changes?.lines.length ?? 0) > 0),
    );
    return {
      ...answer,
      structured: {
        ...answer.structured,
        x: Math.round(x),
        y: Math.round(y),
        total_width: Math.round(totalWidth),
        total_height: Math.round(totalHeight),
        moved: Math.round(moved),
        at_start: atStart,
        at_end: atEnd,
      },
    };
  },
});

type ScrollInput = { unit: 'pages' | 'px'; amount: number; selector?: string | undefined; into_view: boolean };

function refuseUnclear({ unit, amount, selector: target, into_view: intoView }: ScrollInput): void {
  if (intoView && target === undefined) {
    fail({
      code: 'invalid_argument',
      field: 'into_view',
      problem: 'needs the element to bring into view',
      hint: 'Pass selector, too, such as {"selector": "@e12", "into_view": true}.',
    });
  }
  if (unit === 'pages' && amount > SCROLL_PAGES_MAX) {
    fail({
      code: 'invalid_argument',
      field: 'amount',
      problem: `is at most ${SCROLL_PAGES_MAX} pages`,
      hint: 'Pass unit "px" for more, or scroll again.',
    });
  }
}

/** Returns the first line of the answer. @param isChanged true if the page now shows other text */
function scrollHead(position: ScrollPosition, isAcross: boolean, intoView: boolean, isChanged: boolean): string {
  const { moved, atStart, atEnd } = position;
  const [at, total, shown] = isAcross
    ? [position.x, position.totalWidth, position.shownWidth]
    : [position.y, position.totalHeight, position.shownHeight];
  if (atStart && atEnd && !intoView) {
    const side = isAcross ? 'from side to side' : 'from top to bottom';
    if (position.cutsOff && !isChanged)
      return `Nothing scrolled: nothing here scrolls ${side}, and the content that does not fit is cut off. To show an element of it, call browser_scroll with selector and into_view.`;
    if (isChanged)
      return 'The page has no scroll bar of its own, but it changed when the mouse wheel was turned over it.';
    return `Nothing scrolled: all of it is already in view ${side}. The mouse wheel was turned over it, in case the page reacts to that.`;
  }
  const where = `at ${Math.round(at)} of ${Math.round(total)} px, ${Math.round(shown)} px of it in view`;
  const end = atEnd ? ' This is the end.' : atStart ? ' This is the beginning.' : '';
  if (intoView) return `In view now: the page is ${where}.${end}`;
  const px = Math.round(moved);
  return `${px === 0 ? 'Nothing scrolled' : `Scrolled by ${px} px`}: ${where}.${end}`;
}
