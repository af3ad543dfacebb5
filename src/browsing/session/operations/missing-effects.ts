import * as pageScripts from '#generated/page-scripts.js';
import { ancestorFrames, findElementsByScript } from '#browsing/act/reach.ts';
import { abortable } from '#core/flow/abort.ts';
import { callIn, callOn, isGoneError, nullIfGone, ifGone } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { PageEvent } from '#browsing/tabs/page-record.ts';
import type { Frame, PageElement } from '#browsing/tabs/tab.ts';
import type { Tick } from '#browsing/in-page/script-types.ts';
import { CHECKABLE_ROLES } from '#browsing/tree/roles.ts';
import { documentInsideFrame } from './acting.ts';
import type { ActionResult } from './acting.ts';
import type { OperationWork } from './perform.ts';

/**
 * An action without visible effect. `none`: the page is unchanged. `unseen`: unchanged, except perhaps for a
 * canvas or plug-in.
 * `look`: only the appearance of the element changed, such as its colour.
 */
export type MissingEffect = 'none' | 'unseen' | 'look';

type Noted = {
  ends: readonly PageElement[];
  frames: readonly Frame[];
  drawn: boolean;
  isFocusTold: boolean;
  mark: number;
  tabs: readonly OpenTab[];
};

/** Records the state of the documents in which an action takes place, and of the documents around their frames. */
export async function recordPageStates(
  work: OperationWork,
  ends: readonly PageElement[],
  isFocusTold: boolean,
): Promise<Noted> {
  const { tab, signal, active } = work;
  const { mark } = tab.log;
  const elements = await Promise.all(
    ends.map(async (element) => (await documentInsideFrame(element, signal)) ?? element),
  );
  const frames = [...new Set(elements.flatMap(({ frame }) => [frame, ...ancestorFrames(tab, frame)]))];
  const drawing = Promise.all(elements.map((element) => callOn(element, pageScripts.isCanvasOrPlugin, [], signal)));
  await Promise.all(
    frames.map((frame) => callIn(tab, frame, pageScripts.comparePageState, [false, isFocusTold], signal)),
  );
  if (isFocusTold)
    await Promise.all(elements.map((element) => callOn(element, pageScripts.recordElementStyle, [], signal)));
  return { ends: elements, frames, drawn: (await drawing).includes(true), isFocusTold, mark, tabs: active.tabs.all() };
}

/** @returns `null` if the action had an effect, or if its effect is unknown */
export async function findMissingEffect(
  work: OperationWork,
  noted: Noted | null,
  { hasMoved, isIdle = false }: Pick<ActionResult<object>, 'hasMoved' | 'isIdle'>,
): Promise<MissingEffect | null> {
  const { tab, active } = work;
  if (noted === null || !tab.isOpen || hasMoved) return null;
  if (tab.log.since(noted.mark).some(({ kind }) => EFFECTS.has(kind))) return null;
  if (active.tabs.all().some((one) => !noted.tabs.includes(one))) return null;
  const changed = await haveChanged(work, noted);
  if (changed === true || (changed === null && !isIdle)) return null;
  if (noted.drawn) return 'unseen';
  const looks = noted.ends.map((one) => callOn(one, pageScripts.hasStyleChanged, [], work.signal).catch(nullIfGone));
  return (await Promise.all(looks)).includes(true) ? 'look' : 'none';
}

const EFFECTS: ReadonlySet<PageEvent['kind']> = new Set([
  'dialog',
  'download',
  'file',
  'chooser',
  'copied',
  'denied',
  'invalid_field',
  'popup',
]);

/** @returns `null` if no change was found, but a document is too large to compare */
async function haveChanged({ tab, signal }: OperationWork, { frames, isFocusTold }: Noted): Promise<boolean | null> {
  const asked = frames.map((frame) =>
    callIn(tab, frame, pageScripts.comparePageState, [true, isFocusTold], signal).catch(ifGone(true)),
  );
  const changed = await Promise.all(asked);
  return changed.includes(true) ? true : changed.includes(null) ? null : false;
}

/** Reasons why a click may have done nothing. */
export type ClickFaults = {
  /** Set only in `browser_do`, for a click without visible effect. */
  effect?: MissingEffect;
  /** Set if nothing changed because the element listens only for touch events. */
  isTouchOnly?: true;
  /** Set if the click left a check box, switch or radio button as it was. */
  kept?: KeptTick;
};

/** @param click.mayBeTouch true for a left click, which an element that listens only for touch events ignores */
export async function findClickFaults(
  work: OperationWork,
  element: PageElement,
  acted: ActionResult<object>,
  { noted, tick, mayBeTouch }: { noted: Noted | null; tick: Tick | null; mayBeTouch: boolean },
): Promise<ClickFaults> {
  const { tab, signal } = work;
  const same = await findMissingEffect(work, noted, acted);
  const effect = same === 'none' && (await wasAlreadySelected(element, signal)) ? null : same;
  const hadNothing = effect === 'none' || hasNothingChanged(acted);
  const isTouchOnly =
    mayBeTouch && hadNothing && !tab.hasTouch && tab.isOpen && (await isForTouchOnly(element, signal));
  const kept = isTouchOnly ? null : await findKeptTick(work, element, tick, acted);
  return {
    ...(effect === null ? {} : { effect }),
    ...(isTouchOnly ? { isTouchOnly } : {}),
    ...(kept === null ? {} : { kept }),
  };
}

/** True if a click need not change anything: the element is a text field with the focus, or is already selected. */
async function wasAlreadySelected(element: PageElement, signal: AbortSignal): Promise<boolean> {
  const { kind, hasFocus } = await callOn(element, pageScripts.describeFieldState, [element.role], signal).catch(
    ifGone(NO_FIELD),
  );
  if (hasFocus && (kind === 'text' || kind === 'editable' || kind === 'exact')) return true;
  if (!CHOSEN_ROLES.has(element.role)) return false;
  const { objectId, frame } = element;
  const asked = frame.session.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
  const { nodes } = await abortable(asked, signal).catch(ifGone(NO_NODES));
  const states = nodes[0]?.properties ?? [];
  return states.some(({ name, value }) => CHOSEN_STATES.has(name) && String(value.value) === 'true');
}

const CHOSEN_ROLES: ReadonlySet<string> = new Set(['tab', 'option', 'radio', 'menuitemradio', 'treeitem', 'row']);
const CHOSEN_STATES: ReadonlySet<string> = new Set(['selected', 'checked']);

const NO_FIELD = { kind: 'none', hasFocus: false };
const NO_NODES = { nodes: [] };

/**
 * State of a check box, switch or radio button that a click did not change. `chosen`: a radio button that was already
 * on, which no click switches off.
 */
export type KeptTick = Tick['state'] | 'chosen';

/** State of the box that a click on this element sets; `null` if it is gone or is neither a box nor its label. */
export async function readTick(element: PageElement, signal: AbortSignal): Promise<Tick | null> {
  const mayTick = CHECKABLE_ROLES.has(element.role) || element.role === 'LabelText' || element.words !== undefined;
  return mayTick ? callOn(element, pageScripts.tickState, [], signal).catch(nullIfGone) : null;
}

/** @returns `null` without a box, if the click changed it or the URL, or if the page replaced or removed it */
async function findKeptTick(
  { tab, signal }: OperationWork,
  element: PageElement,
  before: Tick | null,
  { hasMoved }: Pick<ActionResult<object>, 'hasMoved'>,
): Promise<KeptTick | null> {
  if (before === null || hasMoved || !tab.isOpen) return null;
  const now = await readTick(element, signal);
  if (now?.state !== before.state) return null;
  return now.isRadio && now.state === 'on' ? 'chosen' : now.state;
}

function hasNothingChanged({ changes, changesInView = 0, marks, hasMoved }: ActionResult<object>): boolean {
  return changes?.lines.length === 0 && changesInView === 0 && marks === undefined && !hasMoved;
}

const AROUND_MAX = 60;

const TOUCHES: ReadonlySet<string> = new Set(['touchstart', 'touchend']);
const CLICKS: ReadonlySet<string> = new Set([
  'click',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'dblclick',
  'auxclick',
]);

/** True if an element and its ancestors listen for touches, but for no clicks, presses or releases of a pointer. */
async function isForTouchOnly(element: PageElement, signal: AbortSignal): Promise<boolean> {
  const { tab, frame } = element;
  try {
    const objectId = await abortable(tab.document(frame), signal);
    if (objectId === null) return false;
    const asked = frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
    const { listeners } = await abortable(asked, signal);
    if (!listeners.some(({ type }) => TOUCHES.has(type))) return false;
    const around = await findElementsByScript(element, pageScripts.listAncestors, AROUND_MAX, signal);
    const ids = new Set(around.map(({ backendNodeId }) => backendNodeId));
    const types = listeners.flatMap(({ backendNodeId = 0, type }) => (ids.has(backendNodeId) ? [type] : []));
    return types.some((type) => TOUCHES.has(type)) && !types.some((type) => CLICKS.has(type));
  } catch (error) {
    if (!isGoneError(error)) throw error;
    return false;
  }
}
