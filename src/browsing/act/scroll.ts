import * as pageScripts from '#generated/page-scripts.js';
import type { ScrollDistance, ScrollMetrics } from '#browsing/in-page/view/scrolling.ts';
import type { Tab, PageElement } from '#browsing/tabs/tab.ts';
import { callIn, callOn } from '#browsing/tabs/call-in-page.ts';
import { pointToTabViewport, findActionPoint } from './reach.ts';
import { sendMouse } from './input.ts';
import { actAndSettle } from '#browsing/settle/settle.ts';
import type { SettleResult } from '#browsing/settle/settle.ts';

export type ScrollOptions = { direction: 'up' | 'down' | 'left' | 'right'; amount: number; unit: 'px' | 'pages' };
/** Scroll positions and sizes in CSS pixels. */
export type ScrollPosition = {
  x: number;
  y: number;
  /** Width of the whole content. It grows in lists that load more. */
  totalWidth: number;
  /** Height of the whole content. It grows in lists that load more. */
  totalHeight: number;
  shownWidth: number;
  shownHeight: number;
  /** Distance scrolled: negative for up and left. */
  moved: number;
  atStart: boolean;
  atEnd: boolean;
  cutsOff: boolean;
  settled: SettleResult;
};

const NOT_AT_ALL: ScrollDistance = { unit: 'px', right: 0, down: 0 };

/**
 * Scrolls the page, an element or the scrollable box around it, and waits for the effects. If nothing can be scrolled,
 * sends a real wheel event, because maps and virtual lists handle such events themselves.
 */
export async function scrollAndSettle(
  tab: Tab,
  element: PageElement | null,
  { direction, amount, unit }: ScrollOptions,
  signal: AbortSignal,
): Promise<ScrollPosition> {
  const sign = direction === 'up' || direction === 'left' ? -amount : amount;
  const isAcross = direction === 'left' || direction === 'right';
  const distance: ScrollDistance = { unit, right: isAcross ? sign : 0, down: isAcross ? 0 : sign };
  const before = await scrollBy(tab, element, NOT_AT_ALL, signal);
  const act = async () => {
    const after = await scrollBy(tab, element, distance, signal);
    // No wheel event is sent to a box that can be scrolled, because at its end the event would scroll another box
    // around it.
    const scrolls = isAcross ? after.width > after.shownWidth : after.height > after.shownHeight;
    if (!scrolls) await turnWheel(tab, element, after, distance, signal);
  };
  const { settled: ended } = await actAndSettle(tab, element, act, signal);
  return positionAfter(before, await scrollBy(tab, element, NOT_AT_ALL, signal), isAcross, ended);
}

const REVEALS = { isHit: false, stays: true };

export async function scrollTo(element: PageElement, signal: AbortSignal): Promise<ScrollPosition> {
  const { tab } = element;
  const before = await scrollBy(tab, null, NOT_AT_ALL, signal);
  const { settled: ended } = await actAndSettle(tab, element, () => findActionPoint(element, signal, REVEALS), signal);
  return positionAfter(before, await scrollBy(tab, null, NOT_AT_ALL, signal), false, ended);
}

function scrollBy(
  tab: Tab,
  element: PageElement | null,
  distance: ScrollDistance,
  signal: AbortSignal,
): Promise<ScrollMetrics> {
  return element === null
    ? callIn(tab, tab.main(), pageScripts.scrollNearestPane, [distance], signal)
    : callOn(element, pageScripts.scrollNearestPane, [distance], signal);
}

/** Turns the wheel over an element, for virtualized lists that scripts cannot scroll. */
export async function scrollByWheel(element: PageElement, px: number, signal: AbortSignal): Promise<void> {
  const { x, y } = await findActionPoint(element, signal, { isHit: false, stays: true });
  await sendMouse(element.tab, { type: 'mouseWheel', x, y, deltaX: 0, deltaY: px }, signal);
}

async function turnWheel(
  tab: Tab,
  element: PageElement | null,
  { middle, shownWidth, shownHeight }: ScrollMetrics,
  { unit, right, down }: ScrollDistance,
  signal: AbortSignal,
): Promise<void> {
  const point = await pointToTabViewport(tab, element?.frame ?? tab.main(), middle, signal);
  const deltaX = unit === 'px' ? right : right * shownWidth;
  const deltaY = unit === 'px' ? down : down * shownHeight;
  await sendMouse(tab, { type: 'mouseWheel', x: point.x, y: point.y, deltaX, deltaY }, signal);
}

/**
 * Distance in pixels that still counts as the end, because positions are rounded and zoomed pages end a pixel early.
 */
const END_SLACK_PX = 2;

function positionAfter(
  before: ScrollMetrics,
  after: ScrollMetrics,
  isAcross: boolean,
  ended: SettleResult,
): ScrollPosition {
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
    cutsOff: isAcross ? after.cutsOff.across : after.cutsOff.down,
    settled: ended,
  };
}
