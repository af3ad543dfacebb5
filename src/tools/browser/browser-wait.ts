import { SECOND_MS } from '#core/limits.ts';
import * as z from 'zod';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import {
  createActionAnswer,
  actionFields,
  toCallOptions,
  selectorInput,
  sessionInput,
  tabInput,
  snapshotInput,
} from './shapes.ts';

/**
 * Maximum wait. With the time in the session's queue, it stays below the time limit of a call. For a longer process,
 * such as a report, the model waits again.
 */
const WAIT_TIMEOUT_MS_MAX = 20 * SECOND_MS;
const WAIT_TIMEOUT_MS_DEFAULT = 10 * SECOND_MS;
/** Maximum characters of a text to wait for. A sentence or two are enough to recognize the loaded page. */
const WAIT_TEXT_CHARS_MAX = 500;

const text = z.string().trim().min(1).max(WAIT_TEXT_CHARS_MAX).optional();

export const browserWait = defineTool({
  name: 'browser_wait',
  toolset: 'browser',
  title: 'Wait for the page',
  historyWords: ['Waited on', 'wait on'],
  description:
    'Wait (pause) until a text or element appears (shows, loads) on the page or disappears, such as a loading spinner, in every frame and across navigations. Pass exactly one of text, gone_text, selector and gone_selector. Other tools already wait for the effects of an action.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    text: text.describe('Text to appear.'),
    gone_text: text.describe('Text to disappear.'),
    selector: selectorInput.optional().describe('Element to appear.'),
    gone_selector: selectorInput.optional().describe('Element to disappear.'),
    timeout_ms: z.int().min(100).max(WAIT_TIMEOUT_MS_MAX).default(WAIT_TIMEOUT_MS_DEFAULT).describe('Maximum wait.'),
    snapshot: snapshotInput,
    session: sessionInput,
    tab: tabInput,
  }),
  output: z.strictObject({ ...actionFields, waited_ms: z.int(), already: z.boolean() }),
  check: wantedIn,
  async run(input, { services }) {
    const { timeout_ms: timeoutMs, snapshot } = input;
    const wanted = wantedIn(input);
    const { state, result } = await services.browser.call(
      input.session,
      'wait',
      { wanted, timeoutMs, snapshot },
      toCallOptions(input),
    );
    const { waitedMs, alreadySo } = result;
    const what = `The ${wanted.kind === 'text' ? 'text' : 'element'} is ${wanted.isGone ? 'not there' : 'there'}`;
    const head = alreadySo ? `${what} already.` : `${what} now, after ${waitedMs} ms.`;
    const answer = await createActionAnswer(state, result, head);
    return { ...answer, structured: { ...answer.structured, waited_ms: waitedMs, already: alreadySo } };
  },
});

type Conditions = Partial<Record<'text' | 'gone_text' | 'selector' | 'gone_selector', string | undefined>>;

function wantedIn(conditions: Conditions): WaitCondition {
  const { text: there, gone_text: goneText, selector: element, gone_selector: goneElement } = conditions;
  const given = [
    { kind: 'text' as const, value: there, isGone: false },
    { kind: 'text' as const, value: goneText, isGone: true },
    { kind: 'selector' as const, value: element, isGone: false },
    { kind: 'selector' as const, value: goneElement, isGone: true },
  ].flatMap(({ value, ...wanted }) => (value === undefined ? [] : [{ ...wanted, value }]));
  const [wanted] = given;
  if (wanted !== undefined && given.length === 1) return wanted;
  return fail({
    code: 'invalid_argument',
    field: 'text',
    problem: given.length === 0 ? 'there is nothing to wait for' : 'there is more than one thing to wait for',
    hint: 'Pass exactly one of text, gone_text, selector and gone_selector, such as {"text": "Saved"}.',
  });
}
