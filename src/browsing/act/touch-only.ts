import type { Protocol } from 'devtools-protocol';
import { abortable } from '#core/flow/abort.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { findElementsByScript } from './elements-of.ts';

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
export async function isForTouchOnly(element: PageElement, signal: AbortSignal): Promise<boolean> {
  const { tab, frame } = element;
  try {
    const objectId = await abortable(tab.document(frame), signal);
    if (objectId === null) return false;
    const asked = frame.session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
    const { listeners } = await abortable(asked, signal);
    if (!listeners.some(({ type }) => TOUCHES.has(type))) return false;
    const around = await findElementsByScript(element, pageScripts.listAncestors, AROUND_MAX, signal);
    const ids = new Set(around.map(({ backendNodeId }) => backendNodeId));
    const types = listeners.filter((one) => isOn(one, ids)).map(({ type }) => type);
    return types.some((type) => TOUCHES.has(type)) && !types.some((type) => CLICKS.has(type));
  } catch (error) {
    if (!isGoneError(error)) throw error;
    return false;
  }
}

function isOn({ backendNodeId }: Protocol.DOMDebugger.EventListener, ids: ReadonlySet<number>): boolean {
  return backendNodeId !== undefined && ids.has(backendNodeId);
}
