import * as z from 'zod';
import { quotePageText } from '#browsing/view/words.ts';
import { fail } from '#core/failures/failure.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  writeActionHead,
  actionInput,
  toCallOptions,
  suggestChooseSteps,
  dialogTextUnusedRule,
  ONLY_TEXT_TYPED_NOTE,
  selectorInput,
} from './shapes.ts';

export const TYPED_ELSEWHERE_NOTES = {
  nothing: 'Typed to the page: no field had the focus.',
  control: 'No text field had the focus: the keys went to a button, a link or a box.',
} as const;
const NOT_HELD = 'The keys were sent, but the field does not contain the text.';
const MISSED_NOTE = 'To type into a field, pass it as selector. The page may have treated the keys as shortcuts.';

/** Maximum characters that one call types. Each key is two messages to the browser. */
const TYPE_CHARS_MAX = 5_000;

export const browserType = defineTool({
  name: 'browser_type',
  toolset: 'browser',
  title: 'Type on the keyboard',
  historyWords: ['Typed on', 'type on'],
  description:
    'Type text one key at a time, as keystrokes, or press keys (Enter, Escape, Tab, arrows, keyboard shortcuts such as Ctrl+S), in one element or where the focus is. Use it for fields that react to single keys, such as autocomplete. To fill in a field, browser_fill is faster.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    selector: selectorInput.optional().describe('Element to type in. Default: the element that has the focus.'),
    text: z.string().max(TYPE_CHARS_MAX).optional().describe('Text to type.'),
    key: z
      .string()
      .max(200)
      .optional()
      .describe('Keys to press after the text, such as Enter, Control+A or "ArrowDown ArrowDown".'),
    submit: z.boolean().default(false).describe('Press Enter at the end.'),
    slowly: z.boolean().default(false).describe('Pause between keys, for pages that miss fast typing.'),
    ...actionInput,
  }),
  unused: [
    dialogTextUnusedRule,
    {
      options: ['slowly'],
      when: ({ text }) => !text,
      because: 'there is no text to type; keys are pressed one by one',
    },
  ],
  output: z.strictObject(actionFields),
  check: refuseNothing,
  async run(input, { services }) {
    const { selector: target, text, key, submit, slowly, snapshot } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'type',
      { target, text, key, submit, slowly, snapshot },
      toCallOptions(input),
    );
    const { missed, held, isOnlyText = false } = result;
    const done =
      missed !== undefined ? TYPED_ELSEWHERE_NOTES[missed] : text === undefined ? 'The keys were pressed.' : 'Typed.';
    const sent = missed === undefined ? 'The keys were sent.' : done;
    return createActionAnswer(
      state,
      result,
      writeActionHead(held === undefined ? done : NOT_HELD, state, result, held === undefined ? sent : NOT_HELD),
      [...(missed === undefined ? [] : [MISSED_NOTE]), ...(isOnlyText ? [ONLY_TEXT_TYPED_NOTE] : [])],
      held === undefined ? undefined : `the field holds: ${quotePageText(held, PAGE_QUOTE_CHARS_MAX)}`,
      isOnlyText ? suggestChooseSteps([{ target, value: text }], state) : [],
    );
  },
});

function refuseNothing({ text, key, submit }: { text?: unknown; key?: unknown; submit: boolean }): void {
  if (text !== undefined || key !== undefined || submit) return;
  const hint = 'Pass text, key, or both.';
  fail({ code: 'invalid_argument', field: 'text', problem: 'there is nothing to type', hint });
}
