import type { LiveState } from '#browsing/live-view/messages.ts';
import { requireElement } from './parts.ts';

/**
 * A message that replaces the first picture, and covers the picture while the remote page adapts to this phone's
 * screen.
 */

const canvas = requireElement('canvas', HTMLCanvasElement);
const wait = requireElement('wait', HTMLElement);
const reason = requireElement('wait-why', HTMLElement);

/**
 * Maximum time for which taps are blocked while the page is laid out for a phone's screen. Pages take less time to
 * adapt.
 */
const LAYOUT_MS_MAX = 5_000;
/** Tolerance when the aspect ratio of a picture is compared, because pictures have whole pixels. */
const SHAPE_DIFFERENCE = 0.05;

let isLayingOut = false;
let isOver = 0;

/** Shows or hides the message. @param why `null` to hide the message */
export function showWaitMessage(why: string | null): void {
  wait.hidden = why === null && !isLayingOut;
  wait.classList.toggle('over', !canvas.hidden);
  if (why !== null) reason.textContent = why;
}

export function hideWaitMessage(): void {
  endLayoutWait();
  wait.hidden = true;
}

/** False while the remote page adapts to the screen, because a tap would hit an element that is about to move. */
export function areTapsAccepted(): boolean {
  return !isLayingOut;
}

export function startLayoutWait(): void {
  isLayingOut = true;
  showWaitMessage('The page is being laid out for your screen.');
  clearTimeout(isOver);
  isOver = setTimeout(endLayoutWait, LAYOUT_MS_MAX);
}

/** Ends the wait when the session has the phone's screen size and a picture with this aspect ratio has arrived. */
export function checkLayoutWait(size: LiveState['size'] | undefined): void {
  if (!isLayingOut || size?.isTouched !== true) return;
  const shape = size.width / size.height;
  if (Math.abs(canvas.width / canvas.height - shape) < SHAPE_DIFFERENCE * shape) endLayoutWait();
}

export function endLayoutWait(): void {
  isLayingOut = false;
  clearTimeout(isOver);
  showWaitMessage(null);
}
