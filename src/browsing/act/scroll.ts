import * as pageScripts from '#generated/page-scripts.js';
import type { Distance, Scrolled } from '#browsing/in-page/scripts.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { pointAround, reach, sendMouse } from './reach.ts';
import { settled } from '#browsing/settle/settle.ts';
import type { Settled } from '#browsing/settle/settle.ts';

export type ScrollOptions = { direction: 'up' | 'down' | 'left' | 'right'; amount: number; unit: 'px' | 'pages' };
/**
 * The scroll position afterwards, in pixels. `moved` is the distance it moved. `total` grows for lists that load more.
 */
export type ScrollPosition = {
  x: number;
  y: number;
  totalWidth: number;
  totalHeight: number;
  shownWidth: number;
  shownHeight: number;
  moved: number;
  atStart: boolean;
  atEnd: boolean;
  settled: Settled;
};

const NOT_AT_ALL: Distance = { unit: 'px', right: 0, down: 0 };

/**
 * Scrolls the page, or the pane that contains or is the element, and waits for what that causes. Pages that listen to
 * the wheel instead of scrolling (maps, virtual lists) get a real wheel event.
 */
export async function scroll(
  tab: Tab,
  element: PageElement | null,
  { direction, amount, unit }: ScrollOptions,
  signal: AbortSignal,
): Promise<ScrollPosition> {
  const sign = direction === 'up' || direction === 'left' ? -amount : amount;
  const isAcross = direction === 'left' || direction === 'right';
  const distance: Distance = { unit, right: isAcross ? sign : 0, down: isAcross ? 0 : sign };
  const before = await place(tab, element, NOT_AT_ALL, signal);
  const act = async () => {
    const after = await place(tab, element, distance, signal);
    // A pane that is already at its end stays there: a wheel event would move another pane under the pointer.
    const scrolls = isAcross ? after.width > after.shownWidth : after.height > after.shownHeight;
    if (!scrolls) await turnWheel(tab, element, after, distance, signal);
  };
  const { settled: ended } = await settled(tab, element, act, signal);
  return placeNow(before, await place(tab, element, NOT_AT_ALL, signal), isAcross, ended);
}

/** Scrolls every pane and frame around the element until it is in view. */
export async function scrollTo(element: PageElement, signal: AbortSignal): Promise<ScrollPosition> {
  const { tab } = element;
  const before = await place(tab, null, NOT_AT_ALL, signal);
  const { settled: ended } = await settled(tab, element, () => reach(element, signal, { isHit: false }), signal);
  return placeNow(before, await place(tab, null, NOT_AT_ALL, signal), false, ended);
}

function place(tab: Tab, element: PageElement | null, distance: Distance, signal: AbortSignal): Promise<Scrolled> {
  return element === null
    ? callIn(tab, tab.main(), pageScripts.scroll, [distance], signal)
    : callOn(element, pageScripts.scroll, [distance], signal);
}

async function turnWheel(
  tab: Tab,
  element: PageElement | null,
  { middle, shownWidth, shownHeight }: Scrolled,
  { unit, right, down }: Distance,
  signal: AbortSignal,
): Promise<void> {
  const point = await pointAround(tab, element?.frame ?? tab.main(), middle, signal);
  const deltaX = unit === 'px' ? right : right * shownWidth;
  const deltaY = unit === 'px' ? down : down * shownHeight;
  await sendMouse(tab, { type: 'mouseWheel', x: point.x, y: point.y, deltaX, deltaY }, signal);
}

/** Positions are rounded, and zoomed pages end a pixel early. */
const END_SLACK_PX = 2;

function placeNow(before: Scrolled, after: Scrolled, isAcross: boolean, ended: Settled): ScrollPosition {
  const [at, shown, total] = isAcross
    ? [after.x, after.shownWidth, after.width]
    : [after.y, after.shownHeight, after.height];
  return {
    x: after.x,
    y: after.y,
    totalWidth: after.width,
    totalHeight: after.height,
    shownWidth: after.shownWidth,
    shownHeight: after.shownHeight,
    moved: isAcross ? after.x - before.x : after.y - before.y,
    atStart: at <= END_SLACK_PX,
    atEnd: at + shown >= total - END_SLACK_PX,
    settled: ended,
  };
}
