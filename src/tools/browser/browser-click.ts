import * as z from 'zod';
import type { SessionState } from '#browsing/session/replies.ts';
import type { KeptTick } from '#browsing/session/operations/missing-effects.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  writeActionHead,
  actionInput,
  toCallOptions,
  dialogTextUnusedRule,
  heldKeysInput,
  writeNextCall,
  selectorInput,
} from './shapes.ts';

export const browserClick = defineTool({
  name: 'browser_click',
  toolset: 'browser',
  title: 'Click an element',
  historyWords: ['Clicked on', 'click on'],
  description:
    'Click (tap, select) an element of the page: press a button, follow a link, tick a box (checkbox), choose an option, open a menu, dismiss a banner or popup. Waits for the effects and reports what changed.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.describe(
      'The element: a ref (@e12), role and name (button "Save"), text=Save, a field label, or CSS. If several match: nth=2 for the second, or in "Order 17" for the row or section.',
    ),
    button: z.enum(['left', 'right', 'middle']).default('left').describe('Mouse button.'),
    click_count: z.int().min(1).max(3).default(1).describe('2 for a double click.'),
    modifiers: heldKeysInput,
    ...actionInput,
  }),
  unused: [dialogTextUnusedRule],
  output: z.strictObject(actionFields),
  async run(input, { services }) {
    const { selector: target, button, modifiers, snapshot } = input;
    const clickCount = input.click_count === 3 ? 3 : input.click_count === 2 ? 2 : 1;
    const { state, result } = await services.browser.call(
      input.session,
      'click',
      { target, button, clickCount, modifiers, snapshot },
      toCallOptions(input),
    );
    const isClick = result.landed === 'click';
    const done = isClick ? clickedHead(result.kept) : 'Pressed, but not clicked.';
    const notes = [
      ...(isClick ? [] : [PRESS_WITHOUT_CLICK_NOTE]),
      ...(result.isTouchOnly === true ? [TOUCH_ONLY_NOTE] : []),
    ];
    const head = writeActionHead(done, state, result);
    return createActionAnswer(state, result, head, notes, undefined, suggestTouchSession(result, state));
  },
});

/** @param kept state of the box or radio button that the click did not change, if it is one */
export function clickedHead(kept: KeptTick | undefined): string {
  if (kept === undefined) return 'Clicked.';
  return kept === 'chosen'
    ? 'Clicked. It was already on.'
    : `Clicked, but its state did not change: it is still ${kept}.`;
}

const TOUCH = { device: 'phone' } as const;

export const TOUCH_ONLY_NOTE = `The page listens for touch only there, and this session has no touch screen. Call browser_launch ${JSON.stringify(TOUCH)} for this session, then click again: a click is a tap then.`;

export function suggestTouchSession({ isTouchOnly }: { isTouchOnly?: true }, state: SessionState): string[] {
  return isTouchOnly === true ? [writeNextCall('browser_launch', TOUCH, { ...state, tab: null })] : [];
}

export const PRESS_WITHOUT_CLICK_NOTE =
  'The page removed or covered the element while the mouse button was down, so it got a press but no click. Some pages act on the press alone: check the changes before you repeat it.';
