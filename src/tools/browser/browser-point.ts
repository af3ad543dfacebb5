import { SECOND_MS } from '#core/limits.ts';
import * as z from 'zod';
import type { PointAction, PointTarget } from '#browsing/session/operations/point.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import { clickedHead, PRESS_WITHOUT_CLICK_NOTE, TOUCH_ONLY_NOTE, suggestTouchSession } from './browser-click.ts';
import {
  createActionAnswer,
  actionFields,
  actionInput,
  toCallOptions,
  dialogTextUnusedRule,
  heldKeysInput,
  selectorInput,
} from './shapes.ts';

/** Maximum time that a press is held. Gestures on pages need less. */
const POINT_HOLD_MS_MAX = 5 * SECOND_MS;

const pixel = z.number().min(0).optional();

export const browserPoint = defineTool({
  name: 'browser_point',
  toolset: 'browser',
  title: 'Hover, drag or click at a point',
  historyWords: ['Pointed on', 'point on'],
  description:
    'Move the mouse (pointer): hover over an element, drag and drop (sliders, cards, lists), double-click or right-click. Takes an element, or pixels (coordinates) of the last browser_screenshot (canvas, maps), and names the element at that point. For plain clicks, use browser_click.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    action: z
      .enum(['hover', 'click', 'double_click', 'right_click', 'drag'])
      .describe('drag also needs a destination.'),
    selector: selectorInput.optional(),
    x: pixel.describe('Pixel from the left of the last screenshot, instead of selector.'),
    y: pixel.describe('Pixel from its top.'),
    to_selector: selectorInput.optional().describe('Element to drop on.'),
    to_x: pixel.describe('Pixel to drop on, from the left, instead of to_selector.'),
    to_y: pixel.describe('Pixel from the top.'),
    modifiers: heldKeysInput,
    hold_ms: z.int().min(0).max(POINT_HOLD_MS_MAX).default(0).describe('Time to hold the mouse button down.'),
    ...actionInput,
  }),
  unused: [
    dialogTextUnusedRule,
    {
      options: ['to_selector', 'to_x', 'to_y'],
      when: ({ action }) => action !== 'drag',
      because: 'only a drag has a destination',
    },
  ],
  output: z.strictObject({
    ...actionFields,
    under: z.string(),
    to_under: z.string().optional(),
    selected: z.string().optional(),
  }),
  check: spotsIn,
  async run(input, { services }) {
    const { action, hold_ms: holdMs, snapshot } = input;
    const { at, to } = spotsIn(input);
    const { state, result } = await services.browser.call(
      input.session,
      'point',
      { action, at, to, modifiers: input.modifiers, holdMs, snapshot },
      toCallOptions(input),
    );
    const { under, toUnder, selected, landed, effect, isTouchOnly, kept, isElsewhere, isMoving } = result;
    const notes = [
      ...(landed === 'click' ? [] : [MISSES[landed]]),
      ...(effect === undefined ? [] : [EFFECTS[effect]]),
      ...(isTouchOnly === true ? [TOUCH_ONLY_NOTE] : []),
      ...(isMoving === true ? [MOVING_NOTE] : []),
    ];
    const lines = [
      `under the pointer: ${under}`,
      ...(toUnder === null ? [] : [`dragged to: ${toUnder}`]),
      ...(selected === '' ? [] : [`selected text: ${JSON.stringify(selected)}`]),
    ];
    const clicked = action === 'click' ? clickedHead(kept) : DONE[action];
    const done = landed === 'click' ? clicked : MISSED[landed];
    const ended = isElsewhere === true ? DROPPED_ELSEWHERE : done;
    const head = effect === 'none' ? MOVED_NOTHING : ended;
    const answer = await createActionAnswer(
      state,
      result,
      head,
      notes,
      lines.join('\n'),
      suggestTouchSession(result, state),
    );
    return {
      ...answer,
      structured: {
        ...answer.structured,
        under,
        ...(toUnder === null ? {} : { to_under: toUnder }),
        ...(selected === '' ? {} : { selected }),
      },
    };
  },
});

const DONE: Record<PointAction, string> = {
  hover: 'The pointer is there.',
  click: 'Clicked.',
  double_click: 'Double-clicked.',
  right_click: 'Right-clicked.',
  drag: 'Dragged and released.',
};

const MISSED = {
  press: 'Pressed, but not clicked.',
  off: 'The pointer was moved to the element, and the element moved away from it.',
} as const;
export const HOVER_MISSED_NOTE = 'The element moved away from the pointer, so the page may not have reacted to it.';
const MISSES = { press: PRESS_WITHOUT_CLICK_NOTE, off: HOVER_MISSED_NOTE } as const;
export const CANVAS_UNSEEN_NOTE =
  'No snapshot shows what a canvas or a player has drawn: call browser_screenshot to see it.';
export const ONLY_STYLE_CHANGED_NOTE = 'Only the look of the element changed.';
const MOVING_NOTE =
  'The picture at this point changes all the time, so it was not compared with the screenshot. Check what happened.';
const MOVED_NOTHING = 'Dragged and released, but nothing on the page moved or changed.';
const DROPPED_ELSEWHERE =
  'Dragged, but released on another element: the page moved or covered the destination during the drag.';
const EFFECTS = {
  none: 'Some pages accept a drag only after the button has been held: pass hold_ms, such as 500.',
  unseen: CANVAS_UNSEEN_NOTE,
  look: ONLY_STYLE_CHANGED_NOTE,
} as const;

/** Arguments that name the place of an action and, with `to_…`, the end of a drag: an element or a pixel. */
type Spots = {
  action: string;
  selector?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
  to_selector?: string | undefined;
  to_x?: number | undefined;
  to_y?: number | undefined;
};

function spotsIn(input: Spots): { at: PointTarget; to: PointTarget | null } {
  const at = spotIn('', input.selector, input.x, input.y);
  return { at, to: input.action === 'drag' ? spotIn('to_', input.to_selector, input.to_x, input.to_y) : null };
}

function spotIn(
  prefix: '' | 'to_',
  element: string | undefined,
  x: number | undefined,
  y: number | undefined,
): PointTarget {
  const hasPixel = x !== undefined && y !== undefined;
  const hasNumber = x !== undefined || y !== undefined;
  if (element !== undefined && !hasNumber) return { target: element };
  if (element === undefined && hasPixel) return { pixel: { x, y } };
  const [field, both] = [`${prefix}selector`, `${prefix}x and ${prefix}y`];
  return fail({
    code: 'invalid_argument',
    field: element === undefined && hasNumber ? `${prefix}${x === undefined ? 'x' : 'y'}` : field,
    problem:
      element !== undefined
        ? `does not go with ${both}`
        : hasNumber
          ? 'is missing: a pixel has both'
          : `is missing: there is ${prefix === '' ? 'nothing to point at' : 'nowhere to drag to'}`,
    hint: `Pass ${field} for an element, or ${both} for a pixel of the last browser_screenshot of the tab.`,
  });
}
