import { click, clickAt } from '#browsing/act/click.ts';
import type { Clicked, ClickOptions } from '#browsing/act/click.ts';
import { drag } from '#browsing/act/drag.ts';
import { modifierBits, reach, refuse, sendMouse } from '#browsing/act/reach.ts';
import type { Modifier } from '#browsing/act/reach.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Point } from '#browsing/layout/projection.ts';
import { stale } from '#browsing/see/picture.ts';
import { callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { pointedAt, wordsFor } from '#browsing/target/pointed.ts';
import { fail } from '#core/failures/failure.ts';
import { ACT_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { sleep } from '#core/flow/abort.ts';
import { oneLine } from '#core/text/text.ts';
import { act, find, tellInvalid } from './acting.ts';
import type { Acted } from './acting.ts';
import type { Work } from './perform.ts';

/** A ref or CSS selector, or a pixel of the tab's last picture. */
export type Spot = { selector: string } | { pixel: Point };
export type PointAction = 'hover' | 'click' | 'double_click' | 'right_click' | 'drag';
export type PointInput = {
  action: PointAction;
  at: Spot;
  /** The end of a drag. */
  to: Spot | null;
  modifiers: readonly Modifier[];
  holdMs: number;
  snapshot: boolean;
};

/** What lay under the pointer, where it was dragged to, and the text that is now selected, all in the page's words. */
export type PointedOut = {
  under: string;
  toUnder: string | null;
  selected: string;
  landed: Clicked['landed'];
};

/** An element and a point on it; `null` for an element that is scrolled into view when it is acted on. */
type Place = { element: PageElement; point: Point | null };

export async function pointAt(work: Work, input: PointInput): Promise<Acted<PointedOut>> {
  const { action, at, to, snapshot } = input;
  const target = to === null ? null : await placeOf(work, to, 'to_x', true);
  const itsTab = work.tab;
  const place = await placeOf(work, at, 'x', action === 'hover');
  if (target !== null && work.tab !== itsTab) return refuseTwoTabs();
  const { element } = place;
  const under = await wordsFor(element, work.signal);
  const toUnder = target === null ? null : await wordsFor(target.element, work.signal);
  const before = await selectedIn(work);
  const acted = await act(work, element, snapshot, async () => ({ landed: await deed(work, input, place, target) }));
  const after = work.tab.isOpen ? await selectedIn(work) : '';
  return { ...acted, under, toUnder, selected: after === before ? '' : oneLine(after, ACT_QUOTE_CHARS_MAX) };
}

async function placeOf(work: Work, spot: Spot, name: 'x' | 'to_x', mayBeDisabled: boolean): Promise<Place> {
  if ('selector' in spot) return { element: await find(work, spot.selector), point: null };
  return pointedAt(work.tab, spot.pixel, { name, mayBeDisabled }, work.signal);
}

async function deed(work: Work, input: PointInput, place: Place, target: Place | null): Promise<Clicked['landed']> {
  const { action, modifiers, holdMs } = input;
  if (action === 'hover') return hover(work, place, input);
  if (action === 'drag') return dragTo(work, place, target ?? place, input);
  const button = action === 'right_click' ? 'right' : 'left';
  const options: ClickOptions = { button, clickCount: action === 'double_click' ? 2 : 1, modifiers, holdMs };
  const { element, point } = place;
  const clicked =
    point === null
      ? await click(element, options, work.signal)
      : ((await clickAt(element, point, options, work.signal)) ?? stale('changed'));
  tellInvalid(work, clicked.invalid);
  return clicked.landed;
}

async function hover({ tab, signal }: Work, { element, point }: Place, input: PointInput): Promise<'click'> {
  const { x, y } = point ?? (await reach(element, signal));
  const modifiers = modifierBits(input.modifiers);
  // A pointer that is already there has to enter again.
  await sendMouse(tab, { type: 'mouseMoved', x: Math.max(x - 1, 0), y: Math.max(y - 1, 0), modifiers }, signal);
  await sendMouse(tab, { type: 'mouseMoved', x, y, modifiers }, signal);
  await sleep(input.holdMs, signal);
  return 'click';
}

async function dragTo(work: Work, from: Place, to: Place, input: PointInput): Promise<'click'> {
  const { signal } = work;
  const { modifiers, holdMs } = input;
  // If the target cannot be dropped on, there is no point in pressing. The source comes last, because it must be in
  // view.
  if (to.point === null) await reach(to.element, signal, { isHit: false });
  const start = from.point ?? (await reach(from.element, signal));
  // Scrolling to the source would make the picture out of date.
  if (to.point !== null && from.point === null && input.to !== null) await placeOf(work, input.to, 'to_x', true);
  const end = async () => to.point ?? reach(to.element, signal, { isHit: false });
  const isPressed = await drag(from.element, start, end, { modifiers, holdMs, goesPast: to.point === null }, signal);
  if (isPressed) return 'click';
  return from.point === null ? refuse(from.element, 'moved') : stale('changed');
}

/** A page that is being replaced has nothing selected. */
function selectedIn({ tab, signal }: Work): Promise<string> {
  return callIn(tab, tab.main(), pageScripts.selectedText, [ACT_QUOTE_CHARS_MAX], signal).catch((error: unknown) => {
    if (isGone(error)) return '';
    throw error;
  });
}

function refuseTwoTabs(): never {
  return fail({
    code: 'invalid_argument',
    field: 'to_selector',
    problem: 'is in another tab than what is to be dragged',
    hint: 'Drag within one tab.',
  });
}
