import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { resolveWithin } from '#core/flow/abort.ts';
import { PAGE_RESPONSE_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { ApprovableInput, Tab } from '#browsing/tabs/tab.ts';

/**
 * Maximum wait for the browser to confirm that the page has handled an input event. A busier page handles the event
 * later.
 */
const ACT_INPUT_MS_MAX = 5 * SECOND_MS;

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type MouseButton = 'left' | 'right' | 'middle';

const MODIFIER_BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
/** With Control or Meta, Enter submits the text of an editor in many web apps. */
const SUBMITTING = MODIFIER_BITS.Control | MODIFIER_BITS.Meta;

export function modifierBits(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);
}

/** A point outside any viewport, where releasing a button clicks nothing. */
export const POINT_OUTSIDE_VIEWPORT: Point = { x: -1, y: -1 };

const NEVER = new AbortController().signal;

const held = new WeakMap<Tab, Protocol.Input.DispatchMouseEventRequest>();
const touched = new WeakSet<Tab>();

/**
 * Sends trusted mouse events with user activation. The browser routes them to the right frame, even in another process.
 * The wait for a busy page's confirmation is limited.
 */
export async function sendMouse(
  tab: Tab,
  event: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (event.type !== 'mouseReleased') tab.checkInput(event.type === 'mousePressed' ? 'act' : 'pointer');
  await checkMouse(tab, event, signal);
  if (event.type === 'mousePressed') held.set(tab, event);
  if (event.type === 'mouseReleased') held.delete(tab);
  await send(tab, signal, 'Input.dispatchMouseEvent', event);
}

/** Maximum movement in pixels between press and release that still counts as a click, not a drop. */
const CLICK_SLACK_PX = 3;

async function checkMouse(
  tab: Tab,
  { type, x, y, clickCount = 1 }: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  if (type === 'mousePressed') await askFirst(tab, { kind: 'press', x, y, isRepeated: clickCount > 1 }, signal);
  const from = type === 'mouseReleased' && x >= 0 && y >= 0 ? held.get(tab) : undefined;
  if (from === undefined) return;
  const hasMoved = Math.abs(from.x - x) > CLICK_SLACK_PX || Math.abs(from.y - y) > CLICK_SLACK_PX;
  if (hasMoved) await askFirst(tab, { kind: 'drop', x, y, isRepeated: false }, signal);
}

async function askFirst(tab: Tab, input: ApprovableInput, signal: AbortSignal): Promise<void> {
  const ask = tab.askFirst ?? null;
  if (ask !== null) await ask(input, signal);
}

/** Sends touch events. The browser then also sends mouse events for a tap, unless the page prevents them. */
export async function sendTouch(
  tab: Tab,
  event: Protocol.Input.DispatchTouchEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (event.type !== 'touchCancel') tab.checkInput('act');
  const [first] = event.touchPoints;
  if (event.type === 'touchStart' && first !== undefined)
    await askFirst(tab, { kind: 'press', x: first.x, y: first.y, isRepeated: false }, signal);
  if (event.type === 'touchStart') touched.add(tab);
  else touched.delete(tab);
  await send(tab, signal, 'Input.dispatchTouchEvent', event);
}

export function isMouseOrTouchDown(tab: Tab): boolean {
  return held.has(tab) || touched.has(tab);
}

/** Releases a pressed button where it hits nothing, or ends a touch without a tap. Works after the call has ended. */
export async function releaseButton(tab: Tab): Promise<void> {
  if (touched.has(tab)) {
    const cancel = sendTouch(tab, { type: 'touchCancel', touchPoints: [] }, NEVER);
    await resolveWithin(cancel, PAGE_RESPONSE_MS_MAX).catch(ignoreTargetGone);
  }
  const pressed = held.get(tab);
  if (pressed === undefined) return;
  const release = sendMouse(tab, { ...pressed, ...POINT_OUTSIDE_VIEWPORT, type: 'mouseReleased' }, NEVER);
  await resolveWithin(release, PAGE_RESPONSE_MS_MAX).catch(ignoreTargetGone);
}

export async function sendDrag(
  tab: Tab,
  event: Protocol.Input.DispatchDragEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (event.type !== 'dragCancel') tab.checkInput('act');
  const { type, x, y } = event;
  if (type === 'drop') await askFirst(tab, { kind: 'drop', x, y, isRepeated: false }, signal);
  // Chromium itself releases the button when CDP intercepts a drag.
  held.delete(tab);
  await send(tab, signal, 'Input.dispatchDragEvent', event);
}

/** Presses and releases a key. Both events are sent together, so that no call can end while a key is down. */
export async function pressKey(tab: Tab, events: readonly KeyEvent[], signal: AbortSignal): Promise<void> {
  tab.checkInput('act');
  const checked = toApprovableKey(events);
  if (checked !== null) await askFirst(tab, checked, signal);
  await Promise.all(events.map((event) => send(tab, signal, 'Input.dispatchKeyEvent', event)));
}

/** The approval check for a key that operates the focused control, such as Enter; `null` for other keys. */
export function toApprovableKey([event]: readonly KeyEvent[]): ApprovableInput | null {
  const { key = '', modifiers = 0 } = event ?? {};
  if (key === 'Enter') return { kind: 'key', key: (modifiers & SUBMITTING) === 0 ? 'Enter' : 'Submit' };
  if (key === ' ') return { kind: 'key', key: 'Space' };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'key', key: 'Delete' };
  const hasAlt = (modifiers & MODIFIER_BITS.Alt) !== 0;
  return hasAlt && /^[\p{L}\p{N}]$/u.test(key) ? { kind: 'access_key', character: key.toLowerCase() } : null;
}

export async function insertText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  tab.checkInput('act');
  await send(tab, signal, 'Input.insertText', { text });
}

export type KeyEvent = Protocol.Input.DispatchKeyEventRequest;

type InputMethod =
  | 'dispatchMouseEvent'
  | 'dispatchTouchEvent'
  | 'dispatchDragEvent'
  | 'dispatchKeyEvent'
  | 'insertText';

/** Sends an input event. All input events of calls are sent here, so that a call that has ended sends nothing more. */
async function send<M extends `Input.${InputMethod}`>(
  tab: Tab,
  signal: AbortSignal,
  method: M,
  ...event: ProtocolMapping.Commands[M]['paramsType']
): Promise<void> {
  signal.throwIfAborted();
  const sent = () => tab.session.send(method, ...event);
  // Requests until the confirmation count as caused by this input, because a busy page may handle it late.
  const confirmed = tab.duringInput === undefined ? sent() : tab.duringInput(sent);
  await resolveWithin(confirmed, ACT_INPUT_MS_MAX, signal).catch(failElementGone('page'));
}
