import * as z from 'zod';
import type { BrowserPort } from '#browsing/port.ts';
import type { SessionState } from '#browsing/session/replies.ts';
import type {
  StepListResult,
  MissingStepEffect,
  StepFailure,
  StepListStop,
  BrowserStep,
} from '#browsing/session/steps/step-list.ts';
import { sanitizePageText, quotePageText } from '#browsing/view/words.ts';
import { PAGE_QUOTE_CHARS_MAX } from '#core/limits.ts';
import { defineTool } from '#tools/define-tool.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import {
  createActionAnswer,
  actionFields,
  writeActionHead,
  actionInput,
  toCallOptions,
  dialogTextUnusedRule,
  writeNextCall,
} from './shapes.ts';
import { PRESS_WITHOUT_CLICK_NOTE, TOUCH_ONLY_NOTE, suggestTouchSession } from './browser-click.ts';
import { ONLY_STYLE_CHANGED_NOTE, HOVER_MISSED_NOTE, CANVAS_UNSEEN_NOTE } from './browser-point.ts';
import { TYPED_ELSEWHERE_NOTES } from './browser-type.ts';
import {
  repeatStepLines,
  describeRepetition,
  STEP_LINE_CHARS_MAX,
  STEPS_PER_CALL_MAX,
} from '#browsing/session/steps/each.ts';
import type { RepeatedStepLines } from '#browsing/session/steps/each.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';

/** Maximum steps of one call: enough for a form or a list, and well within the time limit of a call. */
const STEPS_MAX = 20;

export const browserDo = defineTool({
  name: 'browser_do',
  toolset: 'browser',
  title: 'Take several steps',
  historyWords: ['Took steps on', 'take steps on'],
  description:
    'Do several browser actions in one go or a single call: up to 20 steps (a sequence, batch). Steps open a menu, choose, select, fill in, press, pick a date, wait, submit or confirm. It stops at the first step that fails or does something unexpected, and reports what changed.',
  hints: { readOnly: false, destructive: true, openWorld: true },
  input: z.strictObject({
    steps: z
      .array(z.string().max(STEP_LINE_CHARS_MAX))
      .min(1)
      .max(STEPS_MAX)
      .describe(
        'Each is one step: click @e12 · fill "Name" = Ann · type Ann · press Control+A · choose "Size" = Large · check "Gift" · hover @e3 · scroll down · wait text=Saved · expect row "Order 17" has "Paid".',
      ),
    each: z
      .array(z.string().max(STEP_LINE_CHARS_MAX))
      .min(1)
      .max(STEPS_PER_CALL_MAX)
      .optional()
      .describe(
        `Run the steps once for each of these strings, in place of {} in them ({{ is a brace). Up to ${STEPS_PER_CALL_MAX} steps in all.`,
      ),
    times: z.int().min(1).max(STEPS_PER_CALL_MAX).optional().describe('Run the steps this often, without each.'),
    ...actionInput,
  }),
  unused: [
    dialogTextUnusedRule,
    {
      options: ['times'],
      when: ({ each }: { each?: string[] | undefined }) => each !== undefined,
      because: 'each repeats the steps',
    },
  ],
  costsMore: (input) => ({ calls: readInput(input).steps.length - 1 }),
  output: z.strictObject({
    ...actionFields,
    steps_done: z.int(),
    steps_total: z.int(),
    stopped: z
      .strictObject({ step: z.int(), why: z.string(), error: z.string().optional(), hint: z.string().optional() })
      .optional(),
  }),
  async run(input, { services }) {
    const { steps, repeated } = readInput(input);
    const list = { steps, snapshot: input.snapshot, expectsDialog: input.dialog === 'accept' };
    const { state, result } = await services.browser.call(input.session, 'do', list, toCallOptions(input));
    const { head, stopped, after } = told(withLink(result, services.browser), repeated);
    const answer = await createActionAnswer(
      state,
      result,
      writeActionHead(head, state, result),
      missedNotes(result),
      pageLines(result).join('\n'),
      [
        ...suggestTouchSession(result.missed.some(({ what }) => what === 'touch') ? { isTouchOnly: true } : {}, state),
        ...callsThatGoOn(input, findRemainingLines(repeated.lines, steps, result), repeated, state),
      ],
    );
    return {
      ...answer,
      text: [answer.text, ...after].join('\n'),
      structured: {
        ...answer.structured,
        steps_done: result.done,
        steps_total: steps.length,
        ...(stopped === null ? {} : { stopped }),
      },
    };
  },
});

/** Adds the URL of the page on which the user approves an action. The session does not know that URL. */
function withLink(
  result: StepListResult & StepFailure,
  { withPage }: Pick<BrowserPort, 'withPage'>,
): StepListResult & StepFailure {
  return result.refused === null ? result : { ...result, refused: withPage(result.refused) };
}

/** Calls that continue a stopped list: the remainder of the interrupted repetition, then the remaining repetitions. */
function callsThatGoOn(
  input: { steps: string[]; snapshot: boolean; dialog: 'accept' | 'dismiss'; dialog_text?: string | undefined },
  left: readonly string[],
  { perRound, each, times }: RepeatedStepLines,
  state: SessionState,
): string[] {
  const look = input.snapshot ? { snapshot: true } : {};
  const answer = input.dialog === 'accept' ? { dialog: input.dialog } : {};
  const text = input.dialog_text === undefined ? {} : { dialog_text: input.dialog_text };
  const call = (run: { steps: readonly string[]; each?: readonly string[]; times?: number }) =>
    writeNextCall('browser_do', { ...run, ...look, ...answer, ...text }, state);
  if (times === 1 && each.length === 0) return left.length === 0 ? [] : [call({ steps: left })];
  const begun = left.slice(0, left.length % perRound);
  const rounds = Math.floor(left.length / perRound);
  return [
    ...(begun.length === 0 ? [] : [call({ steps: begun })]),
    ...(rounds === 0
      ? []
      : [call({ steps: input.steps, ...(each.length === 0 ? { times: rounds } : { each: each.slice(-rounds) }) })]),
  ];
}

type ListInput = { steps: string[]; each?: string[] | undefined; times?: number | undefined };

function readInput({ steps: lines, each, times }: ListInput) {
  const repeated = repeatStepLines(lines, each, times);
  return { steps: parseStepLines(repeated.lines, repeated.perRound), repeated };
}

type Told = {
  head: string;
  stopped: { step: number; why: string; error?: string; hint?: string } | null;
  after: string[];
};

function told({ done, stopped, refused }: StepListResult & StepFailure, repeated: RepeatedStepLines): Told {
  const total = repeated.lines.length;
  if (stopped === null)
    return { head: `Took ${total === 1 ? 'the step' : `all ${total} steps`}.`, stopped: null, after: [] };
  const step = isAfter(stopped) ? done : done + 1;
  const left = total - done - (isAfter(stopped) || !hasBegun(stopped) ? 0 : 1);
  const from = total - left + 1;
  const untaken =
    left === 0 ? '' : left === 1 ? ` Step ${total} was not run.` : ` Steps ${from}–${total} were not run.`;
  const begun = `Took ${done} of ${total} steps.`;
  if (refused === null) {
    const why = whyOf(stopped, step);
    return {
      head: `${begun} ${why}${describeRepetition(step, repeated)}${untaken}`,
      stopped: { step, why },
      after: [],
    };
  }
  const { error, message, hint, extra } = describeFailure(refused);
  const { steps_done: _, ...facts } = extra;
  return {
    head: `${begun} ${sentence(message)} ${hint}${describeRepetition(step, repeated)}${untaken}`,
    stopped: { step, why: message, error, hint },
    after: Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`),
  };
}

/** True if a step that ran caused the stop, for example by opening a dialog. */
function isAfter({ why }: StepListStop): boolean {
  return (
    why === 'dialog' ||
    why === 'moved' ||
    why === 'opened' ||
    why === 'closed' ||
    why === 'crashed' ||
    why === 'nothing' ||
    why === 'invalid' ||
    why === 'chooser'
  );
}

function hasBegun(stopped: StepListStop): boolean {
  if (stopped.why === 'time') return stopped.isBegun;
  return stopped.why === 'failed' || stopped.why === 'unmet';
}

function sentence(message: string): string {
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}

function whyOf(stopped: StepListStop, step: number): string {
  switch (stopped.why) {
    case 'failed':
      return `Step ${step} was refused.`;
    case 'unmet':
      return `Step ${step} did not have the expected result: ${stopped.problem}.`;
    case 'nothing':
      return stopped.isTouchOnly
        ? `Step ${step} was done, but nothing visible changed, so the list stopped.`
        : `Step ${step} was done, but nothing visible changed, so the list stopped. Call browser_snapshot before you repeat the step or run the others.`;
    case 'crashed':
      return `The page crashed in step ${step}, and its tab is closed.`;
    case 'dialog':
      return `Step ${step} opened a dialog. The answer to it is listed below.`;
    case 'moved':
      return `Step ${step} opened another page, so the list stopped. Put a wait or expect step after such a step.`;
    case 'opened':
      return `Step ${step} opened another tab.`;
    case 'closed':
      return `Step ${step} closed the tab.`;
    case 'invalid':
      return `Step ${step} did not send the form: a field is invalid.`;
    case 'chooser':
      return `Step ${step} opened a file chooser.`;
    case 'person':
      return `A person has taken over before step ${step}: ask with browser_handoff when they are done.`;
    case 'time':
      return stopped.isBegun
        ? `The list ran out of time in step ${step}, which may have been done: check the page before you repeat it. The call below continues the list.`
        : `The list ran out of time before step ${step}. The call below continues the list.`;
  }
}

function missedNotes({ missed }: StepListResult): string[] {
  return missed.map(({ step, what }) => `Step ${step}: ${missedNote(what)}`);
}

function missedNote(what: MissingStepEffect): string {
  if (what === 'scroll')
    return 'Nothing scrolled: the page or area is at its end, or the page handles the wheel itself.';
  if (what === 'off') return HOVER_MISSED_NOTE;
  if (what === 'canvas') return CANVAS_UNSEEN_NOTE;
  if (what === 'touch') return TOUCH_ONLY_NOTE;
  if (what === 'text') return ONLY_TEXT_IN_LIST;
  if (what === 'look') return ONLY_STYLE_CHANGED_NOTE;
  return what === 'press'
    ? PRESS_WITHOUT_CLICK_NOTE
    : `${TYPED_ELSEWHERE_NOTES[what]} Name the field: type "…" into "Name".`;
}

const ONLY_TEXT_IN_LIST =
  'Only text was typed, and no option of the field’s list was chosen. A choose step types the text and chooses the option.';

function pageLines({ stopped, held, announced, between }: StepListResult): string[] {
  const unmet =
    stopped?.why === 'unmet' && stopped.words !== ''
      ? [`there: ${sanitizePageText(stopped.words, PAGE_QUOTE_CHARS_MAX)}`]
      : [];
  return [
    ...held.map(({ step, value }) => `step ${step}: the field holds ${quotePageText(value, PAGE_QUOTE_CHARS_MAX)}`),
    ...unmet,
    ...between.map(({ step, words }) => `step ${step}: ${sanitizePageText(words, PAGE_QUOTE_CHARS_MAX)}`),
    ...announced.map(
      ({ step, words }) => `shown for a moment, after step ${step}: ${quotePageText(words, PAGE_QUOTE_CHARS_MAX)}`,
    ),
  ];
}

const REPEATABLE: ReadonlySet<BrowserStep['kind']> = new Set(['fill', 'wait', 'expect']);

/**
 * The lines to send in the next call if the steps stopped for an external reason, such as an elapsed time limit. A step
 * that may already have run is included only if it may run twice.
 */
export function findRemainingLines(
  lines: readonly string[],
  steps: readonly BrowserStep[],
  { done, stopped }: Pick<StepListResult, 'done' | 'stopped'>,
): readonly string[] {
  if (stopped?.why === 'failed' && stopped.isAsked === true) return lines.slice(done);
  if (stopped?.why !== 'time' && stopped?.why !== 'moved') return [];
  const begun = stopped.why === 'time' && stopped.isBegun ? steps[done] : undefined;
  const left = lines.slice(begun === undefined || REPEATABLE.has(begun.kind) ? done : done + 1);
  // If the page was replaced, lines with refs are of no use, because the refs belong to the previous page.
  return stopped.why === 'moved' && left.some((line) => /@e\d/u.test(line)) ? [] : left;
}
