import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { within } from '#core/flow/abort.ts';
import { PAGE_ALIVE_MS, SECOND_MS } from '#core/limits.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import { failAsGone } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

/**
 * The browser confirms an input event when the page has handled it. If the page is busy for longer, the event is left
 * to it.
 */
const ACT_INPUT_MS_MAX = 5 * SECOND_MS;

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type MouseButton = 'left' | 'right' | 'middle';

const MODIFIER_BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

export function modifierBits(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);
}

/** Outside any viewport: releasing a button there clicks nothing. */
export const NOWHERE: Point = { x: -1, y: -1 };

const NEVER = new AbortController().signal;

/** The button that is down in each tab. */
const held = new WeakMap<Tab, Protocol.Input.DispatchMouseEventRequest>();
/** Tabs that a finger touches. */
const touched = new WeakSet<Tab>();

/**
 * Trusted events with user activation. The browser routes them to the right frame, even in another process. A page that
 * is too busy to confirm an event is not waited for long.
 */
export async function sendMouse(
  tab: Tab,
  event: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (event.type === 'mousePressed') held.set(tab, event);
  if (event.type === 'mouseReleased') held.delete(tab);
  await send(tab, signal, 'Input.dispatchMouseEvent', event);
}

/** A tap sends the page the events of a finger and then, unless the page prevents them, those of a mouse. */
export async function sendTouch(
  tab: Tab,
  event: Protocol.Input.DispatchTouchEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (event.type === 'touchStart') touched.add(tab);
  else touched.delete(tab);
  await send(tab, signal, 'Input.dispatchTouchEvent', event);
}

export function isPressing(tab: Tab): boolean {
  return held.has(tab) || touched.has(tab);
}

/** Releases a button that is down where nothing is hit, or ends a touch without a tap, also after the call has ended. */
export async function releaseButton(tab: Tab): Promise<void> {
  if (touched.has(tab)) {
    const cancel = sendTouch(tab, { type: 'touchCancel', touchPoints: [] }, NEVER);
    await within(cancel, PAGE_ALIVE_MS).catch(ignoreGone);
  }
  const pressed = held.get(tab);
  if (pressed === undefined) return;
  const release = sendMouse(tab, { ...pressed, ...NOWHERE, type: 'mouseReleased' }, NEVER);
  await within(release, PAGE_ALIVE_MS).catch(ignoreGone);
}

export async function sendDrag(
  tab: Tab,
  event: Protocol.Input.DispatchDragEventRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // The browser has released the button when it intercepts a drag.
  held.delete(tab);
  await send(tab, signal, 'Input.dispatchDragEvent', event);
}

/** Presses a key and releases it. Both are sent at once, so that no call can end while a key is down. */
export async function pressKey(tab: Tab, events: readonly KeyEvent[], signal: AbortSignal): Promise<void> {
  await Promise.all(events.map((event) => send(tab, signal, 'Input.dispatchKeyEvent', event)));
}

export async function insertText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  await send(tab, signal, 'Input.insertText', { text });
}

export type KeyEvent = Protocol.Input.DispatchKeyEventRequest;

type InputMethod =
  | 'dispatchMouseEvent'
  | 'dispatchTouchEvent'
  | 'dispatchDragEvent'
  | 'dispatchKeyEvent'
  | 'insertText';

/** The one door for input of calls: a call that has ended sends nothing more. */
async function send<M extends `Input.${InputMethod}`>(
  { session }: Tab,
  signal: AbortSignal,
  method: M,
  ...event: ProtocolMapping.Commands[M]['paramsType']
): Promise<void> {
  signal.throwIfAborted();
  const confirmed = session.send(method, ...event);
  await within(confirmed, ACT_INPUT_MS_MAX, signal).catch((error: unknown) => failAsGone(error, 'page'));
}
