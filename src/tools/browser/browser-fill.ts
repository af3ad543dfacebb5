import * as z from 'zod';
import { FILL_CHARS_MAX } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import { actedAnswer } from './acted.ts';
import { actedFields, choiceOf, dialog, dialogText, selector, session, tab, withSnapshot } from './shapes.ts';

export const browserFill = defineTool({
  name: 'browser_fill',
  toolset: 'browser',
  title: 'Fill in a field',
  description:
    'Puts a value into one field, named by a ref (@e12) or a CSS selector, in place of what it holds: text, a date or number, true or false for a check box, or the label of an option of a list. Says what the field holds then.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    selector,
    value: z.string().max(FILL_CHARS_MAX),
    snapshot: withSnapshot,
    dialog,
    dialog_text: dialogText,
    session,
    tab,
  }),
  output: z.strictObject({ ...actedFields, differs: z.boolean(), value_now: z.string().optional() }),
  async run(input, { services }) {
    const { selector: target, value, snapshot } = input;
    const { state, result } = await services.browser.ask(input.session, (object, caller) =>
      object.fill(caller, choiceOf(input), { selector: target, value, snapshot }),
    );
    const { differs, isSecret, value: now } = result;
    const shown = now === null || isSecret ? null : now;
    const notes = differs
      ? [`The field holds something else than was given${shown === null ? '' : `: ${JSON.stringify(shown)}`}.`]
      : [];
    const answer = await actedAnswer(state, result, differs ? 'Filled, but the field changed it.' : 'Filled.', notes);
    return {
      ...answer,
      structured: { ...answer.structured, differs, ...(shown === null ? {} : { value_now: shown }) },
    };
  },
});
