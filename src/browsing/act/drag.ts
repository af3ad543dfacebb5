import { PAGE_ALIVE_MS } from '#core/limits.ts';
import type { Protocol } from 'devtools-protocol';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { pressGuarded } from './click.ts';
import { modifierBits, sendDrag, sendMouse } from './reach.ts';
import type { Modifier } from './reach.ts';
import { DRAG_PAST_PX, DRAG_REST_MS, DRAG_STEP_MS, DRAG_STEP_PX, DRAG_STEPS_MAX, DRAG_STEPS_MIN } from './limits.ts';

export type DragOptions = {
  modifiers: readonly Modifier[];
  /** How long the button is held before the first move, and again over the target. */
  holdMs: number;
  /**
   * Whether the drag goes a little past the target, because that is the middle of an element and not a pixel that was
   * asked for.
   */
  goesPast: boolean;
};

/** Outside any viewport. */
const NOWHERE: Point = { x: -1, y: -1 };

/**
 * Drags from a point on an element to another point as a hand does: press, move in steps, rest, release. If the page
 * starts a drag and drop of the browser (HTML5), that one's events follow; a real one would follow the mouse of a
 * screen that does not exist.
 * @param target gives the destination once the drag has begun, because the page may have moved by then
 * @returns whether the press reached the element; if not, nothing was dragged
 */
export async function drag(
  element: PageElement,
  from: Point,
  target: () => Promise<Point>,
  options: DragOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { tab } = element;
  const hand = new Hand(tab, modifierBits(options.modifiers), signal);
  await tab.session.send('Input.setInterceptDrags', { enabled: true });
  try {
    if (!(await pressGuarded(element, from, options.modifiers, signal))) return false;
    hand.at = from;
    await sleep(options.holdMs, signal);
    await hand.moveTo({ x: from.x + 2, y: from.y + 2 });
    await hand.moveTo({ x: from.x + 6, y: from.y + 6 });
    const named = await target();
    const to = options.goesPast ? past(from, named) : named;
    // A list of tiles goes by the side that the hand drifts to, however slowly: straight up means straight up.
    if (Math.abs(to.x - from.x) < 1) hand.at = from;
    await hand.walkTo(to);
    await hand.rest(to, options.holdMs);
    await hand.release();
    return true;
  } finally {
    await hand.letGo();
  }
}

/**
 * Pages receive whole pixels, rounded down. Without this, a list whose items change places at their middle would be
 * missed by a fraction of a pixel.
 */
function past(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : DRAG_PAST_PX / length;
  return { x: to.x + (to.x - from.x) * share, y: to.y + (to.y - from.y) * share };
}

/** A hand with its button down. */
class Hand {
  readonly #tab: Tab;
  readonly #modifiers: number;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  /** What the page drags, once it has started to. */
  #data: Protocol.Input.DragData | null = null;
  #hasEntered = false;
  /** Where the button was last pressed or moved to; `null` while it is up. */
  at: Point | null = null;

  constructor(tab: Tab, modifiers: number, signal: AbortSignal) {
    this.#tab = tab;
    this.#modifiers = modifiers;
    this.#signal = signal;
    this.#stop = tab.session.on('Input.dragIntercepted', ({ data }) => {
      this.#data = data;
    });
  }

  async moveTo(point: Point): Promise<void> {
    const modifiers = this.#modifiers;
    if (this.#data === null) {
      const move = { type: 'mouseMoved', ...point, button: 'left', buttons: 1, modifiers } as const;
      await sendMouse(this.#tab, move, this.#signal);
    } else {
      await this.#over(this.#data, point);
    }
    this.at = point;
    await sleep(DRAG_STEP_MS, this.#signal);
  }

  async walkTo(to: Point): Promise<void> {
    const from = this.at ?? to;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const steps = Math.min(Math.max(Math.ceil(length / DRAG_STEP_PX), DRAG_STEPS_MIN), DRAG_STEPS_MAX);
    for (let step = 1; step <= steps; step += 1) {
      const share = step / steps;
      await this.moveTo({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    }
  }

  /** Lists make room for a dragged item after a moment, and on the next move. */
  async rest(at: Point, holdMs: number): Promise<void> {
    await sleep(DRAG_REST_MS + holdMs, this.#signal);
    await this.moveTo({ x: at.x + 1, y: at.y });
    await this.moveTo(at);
    await sleep(DRAG_REST_MS, this.#signal);
  }

  async release(): Promise<void> {
    const { x, y } = this.at ?? NOWHERE;
    if (this.#data !== null) {
      if (!this.#hasEntered) await this.#over(this.#data, { x, y });
      await this.#drop(this.#data, 'drop', { x, y });
    } else {
      await this.#up({ x, y }, this.#signal);
    }
    this.at = null;
  }

  /** Also runs when the call was given up, because the button must not stay down. */
  async letGo(): Promise<void> {
    this.#stop();
    await withTimeout(PAGE_ALIVE_MS, async (late) => {
      if (this.at !== null && this.#data !== null) await this.#drop(this.#data, 'dragCancel', NOWHERE, late);
      else if (this.at !== null) await this.#up(NOWHERE, late);
      await this.#tab.session.send('Input.setInterceptDrags', { enabled: false });
    }).catch((error: unknown) => {
      if (!(error instanceof CdpError) && !(error instanceof BrowserGone)) throw error;
    });
  }

  async #over(data: Protocol.Input.DragData, point: Point): Promise<void> {
    if (!this.#hasEntered) await this.#drop(data, 'dragEnter', point);
    this.#hasEntered = true;
    await this.#drop(data, 'dragOver', point);
  }

  #drop(
    data: Protocol.Input.DragData,
    type: Protocol.Input.DispatchDragEventRequest['type'],
    point: Point,
    signal = this.#signal,
  ): Promise<void> {
    return sendDrag(this.#tab, { type, ...point, data, modifiers: this.#modifiers }, signal);
  }

  #up(point: Point, signal: AbortSignal): Promise<void> {
    const event = { type: 'mouseReleased', ...point, button: 'left', clickCount: 1 } as const;
    return sendMouse(this.#tab, { ...event, modifiers: this.#modifiers }, signal);
  }
}
