import { PAGE_RESPONSE_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { fail } from '#core/failures/failure.ts';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { ClickKind, GuardedEvents } from '#browsing/in-page/script-types.ts';
import { callOn, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';
import { findHitInInnerFrame, isHitThroughFrames } from './inner-frame.ts';
import { guardOtherFrames } from './other-frames.ts';
import { findActionPointDetails, throwElementProblem } from './reach.ts';
import type { ChangedWords } from './reach.ts';
import {
  isMouseOrTouchDown,
  modifierBits,
  POINT_OUTSIDE_VIEWPORT,
  releaseButton,
  sendMouse,
  sendTouch,
} from './input.ts';
import type { Modifier, MouseButton } from './input.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { takeInvalidFieldReports, watchInvalidFields } from '#browsing/act/fields/invalid-fields.ts';
import type { InvalidField } from '#browsing/act/fields/invalid-fields.ts';
import { refuseFillingFileField } from '#browsing/act/fields/put-file.ts';

/** Lifetime of a click guard that could not be removed from a page. Longer than any click takes. */
export const CLICK_GUARD_LIFETIME_MS = 15 * SECOND_MS;
const ACT_TRIES_MAX = 3;

export type ClickOptions = {
  button: MouseButton;
  clickCount: 1 | 2 | 3;
  modifiers: readonly Modifier[];
  holdMs?: number | undefined;
};
/** `press`: the page removed or covered the element before the release, or before a later press of a double click. */
export type ClickResult = {
  landed: 'click' | 'press';
  invalid?: InvalidField[];
};

const GUARDED = 'pointerdown touchstart mousedown pointerup touchend mouseup click auxclick dblclick contextmenu'.split(
  ' ',
);

/**
 * Clicks by real mouse events, or by a tap if the emulated device has a touch screen. No other element can receive
 * them: if one comes under the pointer, the events are blocked before the page sees them, and the click is repeated or
 * refused.
 * @param findAgain called before the pointer moves if the page has changed the words of the element or its row, because it
 * may have reused the element for another name. The element that it returns is pressed whatever its words become
 * @throws {PeriscopeError} `element_not_found` with the reason; `invalid_argument` for elements that a click cannot
 * operate
 */
export async function click(
  element: PageElement,
  options: ClickOptions,
  signal: AbortSignal,
  beforePress: BeforePress = async () => undefined,
  findAgain: FindAgain = async () => element,
): Promise<ClickResult> {
  refuseKind(await callOn(element, pageScripts.classifyClick, [element.words === undefined], signal), options);
  for (let tries = 1; ; tries += 1) {
    const { point, mayHoldFrame, changed } = await findActionPointDetails(element, signal);
    const again = changed === null || tries > 1 ? element : await findAgain(changed);
    if (again !== element) return click(again, options, signal, beforePress);
    const inner = mayHoldFrame ? await findHitInInnerFrame(element, point, signal) : null;
    if (inner !== null) refuseKind(await callOn(inner.hit, pageScripts.classifyClick, [false], signal), options);
    const clicked = await tryToClick(inner?.whole ?? element, point, options, signal, beforePress);
    if (clicked !== null) return clicked;
    if (tries === ACT_TRIES_MAX) return throwElementProblem(element, 'moved');
  }
}

/**
 * Clicks a point of the tab's viewport, without scrolling or waiting.
 * @returns `null` if the element is no longer at that point, so that nothing was clicked
 * @throws {PeriscopeError} same errors as {@link click}
 */
export async function clickAt(
  element: PageElement,
  point: Point,
  options: ClickOptions,
  signal: AbortSignal,
  beforePress: BeforePress,
): Promise<ClickResult | null> {
  refuseKind(await callOn(element, pageScripts.classifyClick, [false], signal), options);
  return tryToClick(element, point, options, signal, beforePress);
}

type BeforePress = () => Promise<void>;
type FindAgain = (changed: ChangedWords) => Promise<PageElement>;

/** @returns true if the press reached the element; if not, the button was released without a click */
export async function pressGuarded(
  target: PageElement,
  point: Point,
  held: readonly Modifier[],
  signal: AbortSignal,
): Promise<boolean> {
  const element = (await findHitInInnerFrame(target, point, signal))?.whole ?? target;
  const { tab } = element;
  tab.inputFrame = element.frame.id;
  const modifiers = modifierBits(held);
  const event = { button: 'left', clickCount: 1, modifiers } as const;
  await sendMouse(tab, { type: 'mouseMoved', ...point, modifiers }, signal);
  const unguard = await armGuards(element, signal);
  try {
    await sendMouse(tab, { type: 'mousePressed', ...point, ...event }, signal);
    const isPressed = hasPressed(await guardState(element, false, signal));
    if (!isPressed) await sendMouse(tab, { type: 'mouseReleased', ...POINT_OUTSIDE_VIEWPORT, ...event }, signal);
    return isPressed;
  } finally {
    await Promise.all([disarm(element), unguard()]);
  }
}

function hasPressed(guarded: GuardedEvents | null): boolean {
  return guarded === null || guarded.accepted.some((kind) => PRESSES.has(kind));
}

const PRESSES = new Set(['pointerdown', 'touchstart', 'mousedown']);

async function tryToClick(
  element: PageElement,
  point: Point,
  options: ClickOptions,
  signal: AbortSignal,
  beforePress: BeforePress,
): Promise<ClickResult | null> {
  const { tab, frame } = element;
  tab.inputFrame = frame.id;
  const { clickCount, holdMs = 0 } = options;
  const taps = isTap(tab, options);
  const pointer = taps ? finger(tab, point, options, signal) : mouse(tab, point, options, signal);
  await pointer.move();
  await beforePress();
  const [isHit, unguard] = await Promise.all([
    isHitThroughFrames(element, point, signal),
    armGuards(element, signal),
    watchInvalidFields(tab, frame, signal),
  ]);
  try {
    // The page may have added a frame that has no guard, so a last hit test is made just before the press.
    if (!isHit) return null;
    for (let count = 1; count <= clickCount; count += 1) {
      await pointer.press(count);
      if (!hasPressed(await guardState(element, false, signal))) {
        await pointer.withdraw(count);
        return count === 1 ? null : { landed: 'press' };
      }
      if (holdMs > 0) await sleep(holdMs, signal);
      await pointer.release(count);
    }
    const [guarded, invalid, isKeptFromFrame] = await Promise.all([
      guardState(element, true, signal),
      takeInvalidFieldReports(tab, frame, signal),
      unguard(),
    ]);
    return {
      landed: guarded === null || hasClicked(guarded, taps && !isKeptFromFrame) ? 'click' : 'press',
      ...(invalid.length === 0 ? {} : { invalid }),
    };
  } finally {
    if (isMouseOrTouchDown(tab)) await releaseAbortedPress(element);
    else await disarm(element);
    await unguard();
  }
}

const CLICKS = new Set(['click', 'auxclick', 'contextmenu']);
/** Mouse events that the browser sends after a tap. */
const AFTER_TAP = new Set(['mousedown', 'mouseup', 'click']);
const MOUSE_ENDS = new Set(['pointerup', 'mouseup']);

/**
 * True if the click has succeeded. Many menus act on the release and remove the element, so that no click event
 * follows. Elements for touch prevent the click after a tap, unlike an element that has received the click instead.
 */
function hasClicked({ accepted, refused, isRemoved }: GuardedEvents, mayBeTap: boolean): boolean {
  if (accepted.some((kind) => CLICKS.has(kind))) return true;
  if (mayBeTap && accepted.includes('touchend') && !refused.some((kind) => AFTER_TAP.has(kind))) return true;
  return isRemoved && accepted.some((kind) => MOUSE_ENDS.has(kind));
}

/** `withdraw` ends a press that reached another element, without causing a click there. */
type Pointer = {
  move: () => Promise<void>;
  press: (count: number) => Promise<void>;
  release: (count: number) => Promise<void>;
  withdraw: (count: number) => Promise<void>;
};

/** True for a tap. A touch screen has no middle and right buttons. */
function isTap({ hasTouch }: Tab, { button }: ClickOptions): boolean {
  return hasTouch && button === 'left';
}

function mouse(tab: Tab, point: Point, { button, modifiers: held }: ClickOptions, signal: AbortSignal): Pointer {
  const modifiers = modifierBits(held);
  const send = (type: 'mousePressed' | 'mouseReleased', at: Point) => (clickCount: number) =>
    sendMouse(tab, { type, ...at, button, clickCount, modifiers }, signal);
  return {
    move: () => sendMouse(tab, { type: 'mouseMoved', ...point, modifiers }, signal),
    press: send('mousePressed', point),
    release: send('mouseReleased', point),
    withdraw: send('mouseReleased', POINT_OUTSIDE_VIEWPORT),
  };
}

function finger(tab: Tab, point: Point, { modifiers: held }: ClickOptions, signal: AbortSignal): Pointer {
  const modifiers = modifierBits(held);
  const send = (type: 'touchStart' | 'touchEnd' | 'touchCancel', touchPoints: readonly Point[]) => () =>
    sendTouch(tab, { type, touchPoints: [...touchPoints], modifiers }, signal);
  return {
    move: async () => undefined,
    press: send('touchStart', [point]),
    release: send('touchEnd', []),
    withdraw: send('touchCancel', []),
  };
}

/** @returns a function that ends the guards of the other frames */
async function armGuards(element: PageElement, signal: AbortSignal): Promise<() => Promise<boolean>> {
  const [unguard] = await Promise.all([
    guardOtherFrames(element, GUARDED, CLICK_GUARD_LIFETIME_MS, signal),
    callOn(element, pageScripts.armClickGuard, [GUARDED, CLICK_GUARD_LIFETIME_MS], signal),
  ]);
  return unguard;
}

/**
 * Reads the state of the click guard.
 * @returns `null` if the document is gone because the press made the page navigate; nothing else was clicked then
 */
async function guardState(element: PageElement, stops: boolean, signal: AbortSignal): Promise<GuardedEvents | null> {
  const { tab, frame } = element;
  if (tab.frame(frame.id)?.loaderId !== frame.loaderId) return null;
  return callOn(element, pageScripts.readClickGuard, [stops], signal).catch(nullIfGone);
}

/**
 * Releases the button of a call that was aborted between press and release. Releases it outside the viewport and under
 * a click guard, because the page would otherwise receive a click.
 */
export async function releaseAbortedPress(element: PageElement): Promise<void> {
  await withTimeout(PAGE_RESPONSE_MS_MAX, (late) =>
    Promise.allSettled([callOn(element, pageScripts.armClickGuard, [[...CLICKS], CLICK_GUARD_LIFETIME_MS], late)]),
  );
  await releaseButton(element.tab);
  await disarm(element);
}

/**
 * Removes the click guard. Also runs after the call was aborted, because a guard left in the page would block all
 * input.
 */
async function disarm(element: PageElement): Promise<void> {
  const { tab, frame } = element;
  if (tab.frame(frame.id)?.loaderId !== frame.loaderId) return;
  await withTimeout(PAGE_RESPONSE_MS_MAX, (late) =>
    Promise.allSettled([callOn(element, pageScripts.readClickGuard, [true], late)]),
  );
}

function refuseKind(kind: ClickKind, { button }: ClickOptions): void {
  if (kind === 'plain' || (kind === 'text' && button !== 'middle')) return;
  if (kind === 'file') return refuseFillingFileField();
  const [problem, hint] = KIND_WORDS[kind];
  fail({ code: 'invalid_argument', field: 'selector', problem, hint });
}

const KIND_WORDS: Record<Exclude<ClickKind, 'plain' | 'file'>, [problem: string, hint: string]> = {
  option: [
    'this is an option of a drop-down list; nothing was done',
    'Call browser_fill on the drop-down list itself, with the label of the option as value.',
  ],
  select: [
    'a click would only open the list, which the browser draws outside the page; nothing was done',
    'Call browser_fill with the label of the option to choose.',
  ],
  list: [
    'a click would choose whichever option of this list is at that point; nothing was done',
    'Click one of its options, or call browser_fill on a list box with labels of options: for several, such as Red | Blue.',
  ],
  text: [
    'a middle click in a text field would paste the last selection of another session; nothing was done',
    'Click it with the left button, and type with browser_type.',
  ],
  picker: [
    'a click would only open a color picker, which the browser draws outside the page; nothing was done',
    'Call browser_fill with a color such as #3366cc.',
  ],
};
