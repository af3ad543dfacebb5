import { PAGE_RESPONSE_MS_MAX } from '#core/limits.ts';
import type { Protocol } from 'devtools-protocol';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';
import type { Point } from '#browsing/layout/projection.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';
import { releaseAbortedPress, pressGuarded } from './click.ts';
import { isMouseOrTouchDown, modifierBits, POINT_OUTSIDE_VIEWPORT, sendDrag, sendMouse } from './input.ts';
import type { Modifier } from './input.ts';

/** Length and pause of a drag step. Sortable lists react to each step, and a frame is drawn in between. */
const DRAG_STEP_PX = 20;
const DRAG_STEP_MS = 16;
const DRAG_STEPS_MIN = 5;
/** Maximum steps, so that a drag across a large window takes two seconds at most. */
const DRAG_STEPS_MAX = 60;
/**
 * Distance of a drag beyond the middle of its target, because sortable lists swap items once the pointer has passed the
 * middle.
 */
const DRAG_PAST_PX = 2;
/** Pause of a drag over its target. During the pause, browsers send `dragover` every 50 ms. */
const DRAG_REST_MS = 120;

type DragOptions = {
  modifiers: readonly Modifier[];
  holdMs: number;
  /**
   * True if the target is an element, because a drag must pass slightly beyond its middle. False for an exact pixel.
   */
  overshoots: boolean;
  /** Called at the release with the point of the drop. */
  onDrop: (point: Point) => Promise<void>;
};

/**
 * Drags from a point on an element as a person does: press, move in steps, pause, release. If the page starts an HTML5
 * drag and drop, its events are sent by CDP, because the browser's own events would follow the real mouse.
 * @param target called once the drag has begun, because the page may have moved by then
 * @returns true if the press reached the element; if not, nothing was dragged
 */
export async function drag(
  element: PageElement,
  from: Point,
  target: () => Promise<Point>,
  options: DragOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { tab } = element;
  const pointer = new DragPointer(tab, modifierBits(options.modifiers), signal);
  await tab.session.send('Input.setInterceptDrags', { enabled: true });
  try {
    if (!(await pressGuarded(element, from, options.modifiers, signal))) return false;
    pointer.at = from;
    await sleep(options.holdMs, signal);
    await pointer.moveTo({ x: from.x + 2, y: from.y + 2 });
    await pointer.moveTo({ x: from.x + 6, y: from.y + 6 });
    const named = await target();
    const to = options.overshoots ? past(from, named) : named;
    // A vertical drag must stay exactly vertical, because grids of tiles react to any sideways movement.
    if (Math.abs(to.x - from.x) < 1) pointer.at = from;
    await pointer.walkTo(to);
    await pointer.rest(to, options.holdMs);
    await options.onDrop(to);
    await pointer.release();
    return true;
  } finally {
    await pointer.cancel();
    if (isMouseOrTouchDown(tab)) await releaseAbortedPress(element);
  }
}

/**
 * The point just past the target's middle. Pages get coordinates rounded down, so a drag to the middle itself could end
 * a fraction of a pixel before it. Lists do not swap items there yet.
 */
function past(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : DRAG_PAST_PX / length;
  return { x: to.x + (to.x - from.x) * share, y: to.y + (to.y - from.y) * share };
}

class DragPointer {
  readonly #tab: Tab;
  readonly #modifiers: number;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  #data: Protocol.Input.DragData | null = null;
  #hasEntered = false;
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

  /**
   * Pauses over the target, then moves once more, because lists make room for a dragged item only after such a move.
   */
  async rest(at: Point, holdMs: number): Promise<void> {
    await sleep(DRAG_REST_MS + holdMs, this.#signal);
    await this.moveTo({ x: at.x + 1, y: at.y });
    await this.moveTo(at);
    await sleep(DRAG_REST_MS, this.#signal);
  }

  async release(): Promise<void> {
    const { x, y } = this.at ?? POINT_OUTSIDE_VIEWPORT;
    if (this.#data !== null) {
      if (!this.#hasEntered) await this.#over(this.#data, { x, y });
      await this.#drop(this.#data, 'drop', { x, y });
    } else {
      await this.#up({ x, y }, this.#signal);
    }
    this.at = null;
  }

  /** Also runs after the call was aborted, so that the button does not stay pressed. */
  async cancel(): Promise<void> {
    this.#stop();
    await withTimeout(PAGE_RESPONSE_MS_MAX, async (late) => {
      if (this.at !== null && this.#data !== null)
        await this.#drop(this.#data, 'dragCancel', POINT_OUTSIDE_VIEWPORT, late);
      await this.#tab.session.send('Input.setInterceptDrags', { enabled: false });
    }).catch(ignoreTargetGone);
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
