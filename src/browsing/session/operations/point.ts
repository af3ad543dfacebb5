import { click, clickAt } from '#browsing/act/click.ts';
import type { ClickResult, ClickOptions } from '#browsing/act/click.ts';
import { drag } from '#browsing/act/drag.ts';
import { hasMovedFromPoint, missesDropAt } from '#browsing/act/inner-frame.ts';
import { findActionPoint, throwElementProblem } from '#browsing/act/reach.ts';
import type { CallEffect } from '#browsing/rules/page-rules.ts';
import { modifierBits, sendMouse } from '#browsing/act/input.ts';
import type { Modifier } from '#browsing/act/input.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Point } from '#browsing/layout/projection.ts';
import { comparePictureAt, recordOwnChange } from '#browsing/see/picture-at.ts';
import type { PictureAtPoint } from '#browsing/see/picture-at.ts';
import type { Box } from '#browsing/in-page/script-types.ts';
import { failStaleScreenshot, readScreenshotViewport } from '#browsing/see/picture.ts';
import { callIn, asArguments, callWithHandles, callOn, failElementGone, ifGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement, Frame, Tab } from '#browsing/tabs/tab.ts';
import { fail } from '#core/failures/failure.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { sleep, abortable } from '#core/flow/abort.ts';
import { oneLine } from '#core/text/text.ts';
import { actAndReport, checkRulesForElement, findTargetElement, logInvalidFields } from './acting.ts';
import type { ActionResult } from './acting.ts';
import { findClickFaults, findMissingEffect, readTick, recordPageStates } from './missing-effects.ts';
import type { ClickFaults } from './missing-effects.ts';
import type { OperationWork } from './perform.ts';
import type { ScriptStep } from '#core/script-steps.ts';
import { recordScriptStep, toScriptTarget } from '#browsing/session/history/script.ts';
import { invertProjection, projectPoint, UNBOUNDED_BOX, framePosition } from '#browsing/layout/projection.ts';
import type { ScreenshotRecord } from '#browsing/tabs/page-record.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import { readNodeIdentity } from '#browsing/locate/node-identity.ts';

/** Tolerance in pixels when positions are compared, because the DevTools protocol rounds them. */
const SLACK = 0.5;

export type PointTarget = { target: string } | { pixel: Point };
export type PointAction = 'hover' | 'click' | 'double_click' | 'right_click' | 'drag';
export type PointInput = {
  action: PointAction;
  at: PointTarget;
  to: PointTarget | null;
  modifiers: readonly Modifier[];
  holdMs: number;
  snapshot: boolean;
};

export function effectOfPointAction({ action }: Pick<PointInput, 'action'>): CallEffect {
  return action === 'hover' ? 'pointer' : 'act';
}

/** Result of an action at a point. All texts come from the page. `effect` is also checked for drags. */
export type PointResult = ClickFaults & {
  under: string;
  toUnder: string | null;
  selected: string;
  landed: ClickResult['landed'] | 'off';
  /** Set if another element was under the pointer at the drop. */
  isElsewhere?: true;
  /** Set if the picture at the pixel changes all the time, so that it could not be compared with the screenshot. */
  isMoving?: true;
};

/** `point`: the requested pixel; `null` for a named element, which is scrolled into view by the action. */
type Target = { element: PageElement; point: Point | null; isMoving: boolean; isDrawn: boolean };

const DROP: PixelOptions = { name: 'to_x', mayBeDisabled: true, comparesPixels: true };

export async function actAtPoint(work: OperationWork, input: PointInput): Promise<ActionResult<PointResult>> {
  const { action, at, to, snapshot } = input;
  const target = to === null ? null : await pointOf(work, to, DROP);
  const itsTab = work.tab;
  const place = await pointOf(work, at, {
    name: 'x',
    mayBeDisabled: action === 'hover',
    comparesPixels: action !== 'hover',
  });
  if (target !== null && work.tab !== itsTab) return refuseTwoTabs();
  const { element } = place;
  const step = scriptOf(work, input, place, target);
  const under = await describeTarget(element, work.signal);
  const toUnder = target === null ? null : await describeTarget(target.element, work.signal);
  const before = await selectedIn(work);
  const tick = action === 'click' ? await readTick(element, work.signal) : null;
  let noted = target === null ? null : await recordPageStates(work, [element, target.element], false);
  const note = async () => {
    if (work.watchesEffect === true && target === null) noted = await recordPageStates(work, [element], true);
  };
  work.tab.lastWritten = null;
  const isDrawn = place.isDrawn || target?.isDrawn === true;
  const pixels = [at, to].flatMap((one) => (one !== null && 'pixel' in one ? [one.pixel] : []));
  const recordChange = isDrawn ? await recordOwnChange(itsTab, pixels, work.signal) : null;
  const acted = await actAndReport(work, element, snapshot, () => pointerAction(work, input, place, target, note));
  if (itsTab.isOpen) await recordChange?.();
  recordScriptStep(work, step);
  const after = work.tab.isOpen ? await selectedIn(work) : '';
  const moving = place.isMoving || target?.isMoving === true ? { isMoving: true as const } : {};
  const selected = after === before ? '' : oneLine(after, PAGE_QUOTE_CHARS_MAX);
  // A drag from a pixel may be meant to select text. For a drag of an element, selected text means that it failed.
  if (selected !== '' && place.point !== null) noted = null;
  if (target !== null) {
    const effect = await findMissingEffect(work, noted, acted);
    const destination = acted.isElsewhere === true ? null : toUnder;
    return { ...acted, ...moving, under, toUnder: destination, selected, ...(effect === null ? {} : { effect }) };
  }
  const faults = await findClickFaults(work, element, acted, { noted, tick, mayBeTouch: action === 'click' });
  return { ...acted, ...moving, under, toUnder, selected, ...faults };
}

/** The step for a recorded script. Pixels are not recorded, because another run may have another layout. */
function scriptOf(
  work: OperationWork,
  { action, modifiers }: PointInput,
  place: Target,
  target: Target | null,
): ScriptStep {
  if (place.point !== null || (target !== null && target.point !== null))
    return { do: 'other', what: `${action} at a pixel` };
  const at = toScriptTarget(work, place.element);
  if (action === 'hover') return { do: 'hover', at };
  if (action === 'drag') return { do: 'drag', at, to: target === null ? at : toScriptTarget(work, target.element) };
  const button = action === 'right_click' ? 'right' : 'left';
  return { do: 'click', at, button, count: action === 'double_click' ? 2 : 1, modifiers: [...modifiers] };
}

async function pointOf(work: OperationWork, spot: PointTarget, options: PixelOptions): Promise<Target> {
  if ('target' in spot)
    return {
      element: await findTargetElement(work, spot.target, 'control'),
      point: null,
      isMoving: false,
      isDrawn: false,
    };
  const found = await findElementAtScreenshotPixel(work.tab, spot.pixel, options, work.signal);
  checkRulesForElement(work, found.element);
  return found;
}

async function pointerAction(
  work: OperationWork,
  input: PointInput,
  place: Target,
  target: Target | null,
  note: () => Promise<void>,
): Promise<Pick<PointResult, 'landed' | 'isElsewhere'>> {
  const { action, modifiers, holdMs } = input;
  if (action === 'hover') return { landed: await hover(work, place, input) };
  if (action === 'drag') return dragTo(work, place, target ?? place, input);
  const button = action === 'right_click' ? 'right' : 'left';
  const options: ClickOptions = { button, clickCount: action === 'double_click' ? 2 : 1, modifiers, holdMs };
  const { element, point } = place;
  const clicked =
    point === null
      ? await click(element, options, work.signal, note)
      : ((await clickAt(element, point, options, work.signal, note)) ?? failStaleScreenshot('changed'));
  logInvalidFields(work, clicked.invalid);
  return { landed: clicked.landed };
}

async function hover(
  { tab, signal }: OperationWork,
  { element, point }: Target,
  input: PointInput,
): Promise<'click' | 'off'> {
  const { x, y } = point ?? (await findActionPoint(element, signal));
  const modifiers = modifierBits(input.modifiers);
  // Moves away first, because a pointer that is already on the element would not enter it again.
  await sendMouse(tab, { type: 'mouseMoved', x: Math.max(x - 1, 0), y: Math.max(y - 1, 0), modifiers }, signal);
  await sendMouse(tab, { type: 'mouseMoved', x, y, modifiers }, signal);
  const isOff = await hasMovedFromPoint(element, { x, y }, signal).catch(ifGone(false));
  await sleep(input.holdMs, signal);
  return isOff ? 'off' : 'click';
}

async function dragTo(
  work: OperationWork,
  from: Target,
  to: Target,
  input: PointInput,
): Promise<Pick<PointResult, 'landed' | 'isElsewhere'>> {
  const { signal } = work;
  const { modifiers, holdMs } = input;
  // Scrolls to the drop target first and to the source last, because the source must be in view for the press.
  if (to.point === null) await findActionPoint(to.element, signal, { isHit: false });
  const start = from.point ?? (await findActionPoint(from.element, signal));
  // Scrolling to the source may have moved the page at the target's pixel, so it is checked again.
  if (to.point !== null && from.point === null && input.to !== null)
    await pointOf(work, input.to, { ...DROP, comparesPixels: false });
  const end = async () => to.point ?? findActionPoint(to.element, signal, { isHit: false });
  let isElsewhere = false;
  const onDrop = async (point: Point) => {
    isElsewhere = await missesDropAt(to.element, from.element, point, signal).catch(ifGone(false));
  };
  const options = { modifiers, holdMs, overshoots: to.point === null, onDrop };
  const isPressed = await drag(from.element, start, end, options, signal);
  if (isPressed) return { landed: 'click', ...(isElsewhere ? { isElsewhere } : {}) };
  return from.point === null ? throwElementProblem(from.element, 'moved') : failStaleScreenshot('changed');
}

function selectedIn({ tab, signal }: OperationWork): Promise<string> {
  return callIn(tab, tab.main(), pageScripts.readSelectedText, [PAGE_QUOTE_CHARS_MAX], signal).catch(ifGone(''));
}

function refuseTwoTabs(): never {
  return fail({
    code: 'invalid_argument',
    field: 'to_selector',
    problem: 'is in another tab than the element to drag',
    hint: 'Drag within one tab.',
  });
}

type ElementAtPoint = { element: PageElement; point: Point; isMoving: boolean; isDrawn: boolean };
type PixelOptions = { name: 'x' | 'to_x'; mayBeDisabled: boolean; comparesPixels: boolean };

/**
 * The element under a pixel of the last screenshot. Fails unless the page still shows the same element there.
 * @throws {PeriscopeError} `stale_picture` or `invalid_argument` as in `screenshotPixelToViewport`; `element_not_found` for a
 * disabled element
 */
export async function findElementAtScreenshotPixel(
  tab: Tab & { picture: ScreenshotRecord | null },
  pixel: Point,
  { name, mayBeDisabled, comparesPixels }: PixelOptions,
  signal: AbortSignal,
): Promise<ElementAtPoint> {
  const point = await screenshotPixelToViewport(tab, pixel, name, signal);
  const mark = tab.picture?.mark ?? '';
  let frame = tab.main();
  for (let inside = point; ;) {
    const found = await abortable(hitIn(tab, frame, mark, inside), signal).catch(failElementGone('page'));
    if (found === null) return failStaleScreenshot('changed');
    const inner = frameInside(tab, frame, found);
    if (inner === null) {
      const near = { x: -found.left, y: -found.top, width: found.left + found.right, height: found.top + found.bottom };
      const seen = comparesPixels ? await comparePixels(tab, found.look, pixel, near, signal) : 'unknown';
      if (seen === 'changed') return failStaleScreenshot('redrawn');
      const { role, name: called } = await readNodeIdentity(tab, frame, found.backendNodeId, found.objectId);
      const { backendNodeId, objectId } = found;
      const element = { tab, frame, backendNodeId, objectId, role, name: called };
      return found.isDisabled && !mayBeDisabled
        ? throwElementProblem(element, 'disabled')
        : { element, point, isMoving: seen === 'moving', isDrawn: found.look === 'drawn' && seen !== 'moving' };
    }
    const { onto } = await abortable(framePosition(tab, inner, UNBOUNDED_BOX), signal);
    inside = projectPoint(invertProjection(onto), point);
    frame = inner;
  }
}

/** The frame that an element shows. CDP gives a document's root element its own frame's id, which does not count. */
function frameInside(tab: Tab, frame: Frame, { frameId }: Hit): Frame | null {
  return frameId === undefined || frameId === frame.id ? null : tab.frame(frameId);
}

/** Compares the pixels around a point with the screenshot, if the reasons for a difference are not known. */
async function comparePixels(
  tab: Tab & { picture: ScreenshotRecord | null },
  look: unknown,
  pixel: Point,
  near: Box,
  signal: AbortSignal,
): Promise<PictureAtPoint> {
  if (look === 'moving') return 'moving';
  if ((look !== 'comparable' && look !== 'drawn') || tab.picture === null) return 'unknown';
  return comparePictureAt(tab, tab.picture, pixel, near, signal);
}

type Distances = Record<'left' | 'top' | 'right' | 'bottom', number>;
type Hit = Distances & {
  backendNodeId: number;
  objectId: string;
  frameId: string | undefined;
  isDisabled: boolean;
  look: unknown;
};

async function hitIn(tab: Tab, frame: Frame, mark: string, { x, y }: Point): Promise<Hit | null> {
  const { session } = frame;
  const { result } = await callWithHandles(tab, frame, pageScripts.findScreenshotPoint, asArguments([mark, x, y]), {});
  if (result.objectId === undefined) return null;
  const { result: members } = await session.send('Runtime.getProperties', {
    objectId: result.objectId,
    ownProperties: true,
  });
  const valueOf = (called: string): unknown => members.find(({ name }) => name === called)?.value?.value;
  const state = valueOf('state');
  const objectId = members.find(({ name }) => name === 'hit')?.value?.objectId;
  if (objectId === undefined || (state !== 'same' && state !== 'disabled')) return null;
  const { node } = await session.send('DOM.describeNode', { objectId });
  const [left = 0, top = 0, right = 0, bottom = 0] = ['left', 'top', 'right', 'bottom'].map((side) =>
    Number(valueOf(side)),
  );
  const { backendNodeId, frameId } = node;
  const isDisabled = state === 'disabled';
  return { backendNodeId, objectId, frameId, isDisabled, look: valueOf('look'), left, top, right, bottom };
}

const NO_ROLES: ReadonlySet<string> = new Set([
  'generic',
  'none',
  'GenericContainer',
  'LayoutTable',
  'image',
  'Canvas',
]);

async function describeTarget(element: PageElement, signal: AbortSignal): Promise<string> {
  const { role, name } = element;
  if (name !== '' && !NO_ROLES.has(role))
    return oneLine(`${displayRole(role)} ${JSON.stringify(name)}`, PAGE_QUOTE_CHARS_MAX);
  return oneLine(await callOn(element, pageScripts.describeElement, [], signal), PAGE_QUOTE_CHARS_MAX);
}

/**
 * Converts a pixel of the last screenshot into a point of the viewport, if the tab has not changed since.
 * @param name the argument's name, for error messages
 * @throws {PeriscopeError} `stale_picture`; `invalid_argument` for a pixel outside the screenshot or the viewport
 */
async function screenshotPixelToViewport(
  tab: Tab & { picture: ScreenshotRecord | null },
  pixel: Point,
  name: 'x' | 'to_x',
  signal: AbortSignal,
): Promise<Point> {
  const { picture } = tab;
  if (picture === null) return failStaleScreenshot('none');
  if (picture.loaderId !== tab.main().loaderId) return failStaleScreenshot('document');
  const { clip, width, height, view } = picture;
  if (pixel.x >= width || pixel.y >= height) {
    return fail({
      code: 'invalid_argument',
      field: name,
      problem: `the last picture has ${width} × ${height} pixels`,
      hint: 'Count the pixels from its top left corner, which is 0, 0.',
    });
  }
  const now = await abortable(readScreenshotViewport(tab), signal).catch(failElementGone('page'));
  const isElsewhere = Math.abs(now.x - view.x) > SLACK || Math.abs(now.y - view.y) > SLACK;
  const isResized = Math.abs(now.width - view.width) > SLACK || Math.abs(now.height - view.height) > SLACK;
  if (now.zoom !== view.zoom || isResized) return failStaleScreenshot('resized');
  if (isElsewhere) return failStaleScreenshot('scrolled');
  const x = clip.x + (pixel.x * clip.width) / width - now.x;
  const y = clip.y + (pixel.y * clip.height) / height - now.y;
  if (x >= 0 && y >= 0 && x < now.width && y < now.height) return { x, y };
  return fail({
    code: 'invalid_argument',
    field: name,
    problem: 'this part of the picture is not in view now, so nothing can be pointed at there',
    hint: 'Scroll there with browser_scroll, then call browser_screenshot without full_page and use its pixels.',
  });
}
