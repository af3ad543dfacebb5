import type { Protocol } from 'devtools-protocol';
import { within } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';
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

/**
 * Trusted events with user activation. The browser routes them to the right frame, even in another process. A page that
 * is too busy to confirm an event is not waited for long.
 */
export async function sendMouse(
  tab: Tab,
  event: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchMouseEvent', event), signal);
}

export async function sendDrag(
  tab: Tab,
  event: Protocol.Input.DispatchDragEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchDragEvent', event), signal);
}

export async function sendKey(
  tab: Tab,
  event: Protocol.Input.DispatchKeyEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchKeyEvent', event), signal);
}

export async function insertText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  await confirmed(tab.session.send('Input.insertText', { text }), signal);
}

async function confirmed(sent: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await within(sent, ACT_INPUT_MS_MAX, signal).catch((error: unknown) => failAsGone(error, 'page'));
}
