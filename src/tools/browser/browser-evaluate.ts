import { SECOND_MS } from '#core/limits.ts';
import * as z from 'zod';
import { EVALUATED_SCRIPT_CHARS_MAX } from '#tools/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  toCallOptions,
  dialogInput,
  dialogTextUnusedRule,
  selectorInput,
  sessionInput,
  tabInput,
} from './shapes.ts';

const EVALUATE_TIMEOUT_MS_DEFAULT = 5 * SECOND_MS;
/** Maximum time of a script. The call needs some time afterwards, to stop a page whose script hangs. */
const EVALUATE_TIMEOUT_MS_MAX = 15 * SECOND_MS;

export const browserEvaluate = defineTool({
  name: 'browser_evaluate',
  toolset: 'browser',
  scope: 'browser:evaluate',
  title: 'Run a script in the page',
  historyWords: ['Ran a script on', 'run a script on'],
  description:
    'Run JavaScript (execute a JS script, code or snippet such as document.title) on the current page and return its value, such as a number or count, as JSON.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    script: z
      .string()
      .min(1)
      .max(EVALUATED_SCRIPT_CHARS_MAX)
      .describe('An expression, a function or statements. With selector, a function gets that element.'),
    selector: selectorInput.optional(),
    timeout_ms: z
      .int()
      .min(100)
      .max(EVALUATE_TIMEOUT_MS_MAX)
      .default(EVALUATE_TIMEOUT_MS_DEFAULT)
      .describe('Maximum run time of the script.'),
    ...dialogInput,
    session: sessionInput,
    tab: tabInput,
  }),
  unused: [dialogTextUnusedRule],
  output: z.strictObject({ ...actionFields, value: z.string(), cut: z.boolean() }),
  async run(input, { services }) {
    const { script, selector: target, timeout_ms: timeoutMs } = input;
    const { state, result } = await services.browser.call(
      input.session,
      'evaluate',
      { script, target, timeoutMs },
      toCallOptions(input),
    );
    const { json, isCut } = result;
    const notes = isCut ? ['The value was too large: "…" marks the parts that were left out.'] : [];
    const answer = await createActionAnswer(state, result, 'The script ran.', notes, `value: ${json}`);
    return { ...answer, structured: { ...answer.structured, value: json, cut: isCut } };
  },
});
