import type { TextOrigins } from '#core/text/page-texts.ts';
import { STEP_LIST_MS_MAX } from '#browsing/session/limits.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { View } from '#browsing/view/view.ts';
import type { ActionResult } from './acting.ts';
import { evaluateScript } from './evaluate-script.ts';
import {
  fillFields,
  createFillProgress,
  addFillProgressToReply,
} from '#browsing/session/operations/filling/fill-fields.ts';
import type { FilledField, FillInput } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement, scrollPage, typeInto } from './act-operations.ts';
import { closeTab, navigateTab, changeTabSettings } from './tab-operations.ts';
import { readPageHtml, readPageLog, readTabHtml, screenshot, viewTabOnRequest, waitOnPage } from './look-operations.ts';
import type { ReadTabInput } from './look-operations.ts';
import type { OperationWork } from './perform.ts';
import { actAtPoint, effectOfPointAction } from './point.ts';
import type { UploadInput, SessionFiles } from './session-files.ts';
import { createStepListProgress, runSteps, addStepProgress } from '#browsing/session/steps/step-list.ts';
import type { RunStepsInput, StepListResult, StepFailure } from '#browsing/session/steps/step-list.ts';
import type { Caller, Reply } from '#browsing/session/replies.ts';
import type { CallEffect } from '#browsing/rules/page-rules.ts';

type Traits = {
  opens: boolean;
  /** True if the operation may change the page. The session is then saved afterwards. */
  changes: boolean;
  /**
   * Name of the step in the session history. Absent for read-only operations. Operations with a name are refused while
   * a person drives.
   */
  did?: string;
  reports: boolean;
  /** True if the operation may safely run again after the browser or the session object ended during the call. */
  repeatable: boolean;
  /**
   * Time limit of one call, including its time in the queue. By default, a call may run for `SESSION_CALL_MS_MAX` after
   * its time in the queue.
   */
  msMax?: number;
};

export const READ_ONLY_TRAITS = {
  effect: 'look',
  opens: false,
  changes: false,
  reports: true,
  repeatable: true,
} as const;
const ACTING_TRAITS = { opens: false, changes: true, reports: true, repeatable: false } as const;

export type OperationSession = {
  caller: Caller;
  existed: boolean;
  files: SessionFiles;
  pageBytesMax: number;
  saveSettings: (settings: TabSettings) => Promise<void>;
  isDrivenByPerson: () => boolean;
};

/** One kind of call to a session. `Reported`: the result including the progress that `report` adds. */
export type Operation<Input, Result, Reported = Result> = Traits & {
  /** Origin of each text in the result: `page` or `ours`. Secrets are masked only in page text. */
  origins: TextOrigins<Result>;
  /** Effect for which the site rules are checked: on the page before the call, and on each element and input event. */
  effect: CallEffect | ((input: Input) => CallEffect);
  begin: (input: Input) => BegunCall<Result, Reported>;
};

type BegunCall<Result, Reported> = {
  run: (work: OperationWork, session: OperationSession) => Promise<Result>;
  /** Adds the progress of the call to its reply, even if the call failed or never ran. */
  report: (reply: Reply<Result>) => Reply<Reported>;
};

export type StartedOperation<Result> = Traits &
  Pick<Operation<never, Result>, 'origins'> &
  Pick<BegunCall<Result, Result>, 'run'> & { name: string; effect: CallEffect; endAt: number };

type Declared<Input, Result> = Traits & {
  origins: TextOrigins<NoInfer<Result>>;
  effect: CallEffect | ((input: Input) => CallEffect);
  run: (work: OperationWork, input: Input, session: OperationSession) => Promise<Result>;
};

export function declareOperation<Input, Result>({
  run,
  ...declared
}: Declared<Input, Result>): Operation<Input, Result> {
  return {
    ...declared,
    begin: (input) => ({ run: (work, session) => run(work, input, session), report: (reply) => reply }),
  };
}

const VIEW: TextOrigins<View> = { text: 'page', next: 'ours' };
const ACTED: TextOrigins<ActionResult<object>> = {
  changes: { lines: 'page', renamed: { ref: 'ours', now: 'ours' }, voided: 'ours', replaced: 'page' },
  unknown: 'ours',
  marks: 'page',
  snapshot: VIEW,
};

const fill: Operation<FillInput, ActionResult<{ fields: FilledField[] }>> = {
  ...ACTING_TRAITS,
  effect: 'act',
  did: 'Filled fields',
  origins: { ...ACTED, fields: { kind: 'ours', value: 'page', target: 'page', chosen: 'page' } },
  begin: (input) => {
    const filling = createFillProgress(input);
    return {
      run: (work) => fillFields(work, input, filling),
      report: (reply) => addFillProgressToReply(reply, filling),
    };
  },
};

const steps: Operation<RunStepsInput, ActionResult<StepListResult>, ActionResult<StepListResult> & StepFailure> = {
  ...ACTING_TRAITS,
  // For the call as a whole, only `look` is checked: each step is checked for its own effect.
  effect: 'look',
  msMax: STEP_LIST_MS_MAX,
  did: 'Took several steps',
  origins: {
    ...ACTED,
    stopped: { why: 'ours', problem: 'ours', words: 'page' },
    held: { value: 'page' },
    missed: { what: 'ours' },
    announced: { words: 'page' },
    between: { words: 'page' },
  },
  begin: (input) => {
    const progress = createStepListProgress(input);
    return {
      run: (work, session) => runSteps(work, input, progress, session.isDrivenByPerson),
      report: (reply) => addStepProgress(reply, progress),
    };
  },
};

/** All operations on the pages of a session. The keys also name the steps in the stored history. */
const TABLE = {
  launch: declareOperation({
    ...ACTING_TRAITS,
    effect: 'none',
    opens: true,
    repeatable: true,
    did: 'Started or set up the browser',
    origins: { settings: { device: 'ours', colorScheme: 'ours', locale: 'ours', timezone: 'ours' } },
    run: async (work: OperationWork, change: Partial<TabSettings>, { existed, saveSettings }: OperationSession) => {
      const settings = await changeTabSettings(work, change);
      await saveSettings(settings);
      return { existed, settings };
    },
  }),
  navigate: declareOperation({
    ...ACTING_TRAITS,
    effect: 'leave',
    opens: true,
    did: 'Went to an address',
    origins: { mimeType: 'page', file: 'ours', cut: 'ours', snapshot: VIEW },
    run: navigateTab,
  }),
  snapshot: declareOperation({ ...READ_ONLY_TRAITS, origins: VIEW, run: viewTabOnRequest }),
  click: declareOperation({
    ...ACTING_TRAITS,
    effect: 'act',
    did: 'Clicked',
    origins: { ...ACTED, landed: 'ours', effect: 'ours', kept: 'ours' },
    run: clickElement,
  }),
  fill,
  type: declareOperation({
    ...ACTING_TRAITS,
    effect: 'act',
    did: 'Typed',
    origins: { ...ACTED, missed: 'ours', held: 'page', effect: 'ours' },
    run: typeInto,
  }),
  scroll: declareOperation({ ...ACTING_TRAITS, effect: 'pointer', did: 'Scrolled', origins: ACTED, run: scrollPage }),
  point: declareOperation({
    ...ACTING_TRAITS,
    effect: effectOfPointAction,
    did: 'Pointed or dragged',
    origins: {
      ...ACTED,
      under: 'page',
      toUnder: 'page',
      selected: 'page',
      landed: 'ours',
      effect: 'ours',
      kept: 'ours',
    },
    run: actAtPoint,
  }),
  do: steps,
  evaluate: declareOperation({
    ...ACTING_TRAITS,
    effect: 'script',
    did: 'Ran a script',
    origins: { ...ACTED, json: 'page' },
    run: evaluateScript,
  }),
  put_file: declareOperation({
    ...ACTING_TRAITS,
    effect: 'act',
    did: 'Uploaded a file to the page',
    origins: { ...ACTED, how: 'ours' },
    run: (work: OperationWork, input: UploadInput, { files, caller }: OperationSession) =>
      files.put(work, input, caller),
  }),
  close_tab: declareOperation({
    ...ACTING_TRAITS,
    effect: 'none',
    did: 'Closed a tab',
    origins: 'page',
    run: closeTab,
  }),
  wait: declareOperation({ ...READ_ONLY_TRAITS, changes: true, origins: ACTED, run: waitOnPage }),
  log: declareOperation({ ...READ_ONLY_TRAITS, origins: { lines: 'page', failed: 'ours' }, run: readPageLog }),
  screenshot: declareOperation({
    ...READ_ONLY_TRAITS,
    origins: { picture: { jpegBase64: 'ours', note: 'ours' }, snapshot: VIEW },
    run: screenshot,
  }),
  html: declareOperation({ ...READ_ONLY_TRAITS, origins: { html: 'page', notes: 'ours' }, run: readPageHtml }),
  read: declareOperation({
    ...READ_ONLY_TRAITS,
    origins: { html: 'page', finalUrl: 'page', documentUrl: 'page', lastFile: { id: 'ours', name: 'page' } },
    run: (work: OperationWork, input: ReadTabInput, { pageBytesMax }: OperationSession) =>
      readTabHtml(work, input, pageBytesMax),
  }),
  /** Requested by a person, so events that the model has not seen stay unreported until the next call. */
  restore: declareOperation({
    ...READ_ONLY_TRAITS,
    effect: 'none',
    reports: false,
    origins: 'page',
    run: async () => null,
  }),
};

export type OperationName = keyof typeof TABLE;
type Types = {
  [Name in OperationName]: (typeof TABLE)[Name] extends Operation<infer Input, infer Result, infer Reported>
    ? { input: Input; result: Result; reported: Reported }
    : never;
};
export type OperationInputOf<Name extends OperationName> = Types[Name]['input'];
export type OperationResultOf<Name extends OperationName> = Types[Name]['reported'];

export const OPERATIONS: {
  readonly [Name in OperationName]: Operation<Types[Name]['input'], Types[Name]['result'], Types[Name]['reported']>;
} = TABLE;

export function isOperation(name: unknown): name is OperationName {
  return typeof name === 'string' && Object.hasOwn(TABLE, name);
}

/** The console's text for a step of the history; `null` for an unknown name or a read-only operation. */
export function describeOperationStep(step: string): string | null {
  return isOperation(step) ? (OPERATIONS[step].did ?? null) : null;
}
