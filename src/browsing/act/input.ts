import type { Protocol } from 'devtools-protocol';
import { ACT_INPUT_MS_MAX } from './limits.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { gone } from '#browsing/tabs/call-in-page.ts';
import { within } from '#core/with-timeout.ts';

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';
export type MouseButton = 'left' | 'right' | 'middle';

const MODIFIER_BITS: Record<Modifier, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

export function modifierBits(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);
}

/**
 * Real, trusted events with user activation, as from a person's mouse and keyboard. The browser routes them to the
 * right frame, even in another process. A page that is too busy to confirm an event is not waited for long.
 */
export async function sendMouse(
  tab: Tab,
  event: Protocol.Input.DispatchMouseEventRequest,
  signal: AbortSignal,
): Promise<void> {
  await confirmed(tab.session.send('Input.dispatchMouseEvent', event), signal);
}

/** One step of the browser's own drag and drop. */
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

/** Replaces the selection with text at the focus, as an input method does. */
export async function insertText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  await confirmed(tab.session.send('Input.insertText', { text }), signal);
}

async function confirmed(sent: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await within(sent, ACT_INPUT_MS_MAX, signal).catch((error: unknown) => gone(error, 'page'));
}
