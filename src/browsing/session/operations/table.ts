import type { TextOrigins } from '#core/text/page-texts.ts';
import { LIST_MS_MAX } from '#browsing/session/limits.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { View } from '#browsing/view/view.ts';
import type { ActionResult } from './acting.ts';
import { evaluateScript } from './evaluate-script.ts';
import { fillFields, startFilling, withFilling } from '#browsing/session/operations/filling/fill-fields.ts';
import type { FilledField, FillInput } from '#browsing/session/operations/filling/fill-fields.ts';
import { ACTS, LOOKS, operation } from './declare-operation.ts';
import type { Operation, SessionOfCall } from './declare-operation.ts';
import { clickElement, scrollPage, typeInto } from './act-operations.ts';
import { closeTab, navigateTab } from './tab-operations.ts';
import { htmlOf, logOf, readTab, screenshot, viewTab, waitOnPage } from './look-operations.ts';
import type { ReadInput } from './look-operations.ts';
import type { Work } from './perform.ts';
import { pointAt, pointEffect } from './point.ts';
import type { PutInput } from './session-files.ts';
import { setUp } from './set-up.ts';
import { startList, takeSteps, withProgress } from '#browsing/session/steps/step-list.ts';
import type { ListInput, ListResult, Refused } from '#browsing/session/steps/step-list.ts';

const VIEW: TextOrigins<View> = { text: 'page', next: 'ours' };
const ACTED: TextOrigins<ActionResult<object>> = {
  changes: { lines: 'page' },
  unknown: 'ours',
  marks: 'page',
  snapshot: VIEW,
};

const fill: Operation<FillInput, ActionResult<{ fields: FilledField[] }>> = {
  ...ACTS,
  effect: 'act',
  did: 'Filled fields',
  origins: { ...ACTED, fields: { kind: 'ours', value: 'page', target: 'page', chosen: 'page' } },
  begin: (input) => {
    const filling = startFilling(input);
    return {
      run: (work) => fillFields(work, input, filling),
      report: (reply) => withFilling(reply, filling),
    };
  },
};

const steps: Operation<ListInput, ActionResult<ListResult>, ActionResult<ListResult> & Refused> = {
  ...ACTS,
  // Only `look` for the call as a whole, because each step is checked with its own effect.
  effect: 'look',
  msMax: LIST_MS_MAX,
  did: 'Took several steps',
  origins: {
    ...ACTED,
    stopped: { why: 'ours', problem: 'ours', words: 'page' },
    held: { value: 'page' },
    missed: { what: 'ours' },
    announced: { words: 'page' },
  },
  begin: (input) => {
    const progress = startList(input);
    return {
      run: (work, session) => takeSteps(work, input, progress, session.isDrivenByPerson),
      report: (reply) => withProgress(reply, progress),
    };
  },
};

/** All operations on the pages of a session. The keys also name the steps in the stored history. */
const TABLE = {
  launch: operation({
    ...ACTS,
    effect: 'none',
    opens: true,
    repeatable: true,
    did: 'Started or set up the browser',
    origins: { settings: { device: 'ours', colorScheme: 'ours', locale: 'ours', timezone: 'ours' } },
    run: async (work: Work, change: Partial<TabSettings>, { existed, saveSettings }: SessionOfCall) => {
      const settings = await setUp(work, change);
      await saveSettings(settings);
      return { existed, settings };
    },
  }),
  navigate: operation({
    ...ACTS,
    effect: 'leave',
    opens: true,
    did: 'Went to an address',
    origins: { mimeType: 'page', file: 'ours', snapshot: VIEW },
    run: navigateTab,
  }),
  snapshot: operation({ ...LOOKS, origins: VIEW, run: viewTab }),
  click: operation({
    ...ACTS,
    effect: 'act',
    did: 'Clicked',
    origins: { ...ACTED, landed: 'ours', effect: 'ours' },
    run: clickElement,
  }),
  fill,
  type: operation({
    ...ACTS,
    effect: 'act',
    did: 'Typed',
    origins: { ...ACTED, missed: 'ours', held: 'page', effect: 'ours' },
    run: typeInto,
  }),
  scroll: operation({ ...ACTS, effect: 'pointer', did: 'Scrolled', origins: ACTED, run: scrollPage }),
  point: operation({
    ...ACTS,
    effect: pointEffect,
    did: 'Pointed or dragged',
    origins: { ...ACTED, under: 'page', toUnder: 'page', selected: 'page', landed: 'ours', effect: 'ours' },
    run: pointAt,
  }),
  do: steps,
  evaluate: operation({
    ...ACTS,
    effect: 'script',
    did: 'Ran a script',
    origins: { ...ACTED, json: 'page' },
    run: evaluateScript,
  }),
  put_file: operation({
    ...ACTS,
    effect: 'act',
    did: 'Uploaded a file to the page',
    origins: { ...ACTED, how: 'ours' },
    run: (work: Work, input: PutInput, { files, caller }: SessionOfCall) => files.put(work, input, caller),
  }),
  close_tab: operation({ ...ACTS, effect: 'none', did: 'Closed a tab', origins: 'page', run: closeTab }),
  wait: operation({ ...LOOKS, changes: true, origins: ACTED, run: waitOnPage }),
  log: operation({ ...LOOKS, origins: { lines: 'page', failed: 'ours' }, run: logOf }),
  screenshot: operation({
    ...LOOKS,
    origins: { picture: { jpegBase64: 'ours', note: 'ours' }, snapshot: VIEW },
    run: screenshot,
  }),
  html: operation({ ...LOOKS, origins: { html: 'page', notes: 'ours' }, run: htmlOf }),
  read: operation({
    ...LOOKS,
    origins: { html: 'page', finalUrl: 'page', documentUrl: 'page', lastFile: { id: 'ours', name: 'page' } },
    run: (work: Work, input: ReadInput, { pageBytesMax }: SessionOfCall) => readTab(work, input, pageBytesMax),
  }),
  /** Requested by a person, so events that the model has not seen stay unreported until the next call. */
  restore: operation({ ...LOOKS, effect: 'none', reports: false, origins: 'page', run: async () => null }),
};

export type OperationName = keyof typeof TABLE;
type Types = {
  [Name in OperationName]: (typeof TABLE)[Name] extends Operation<infer Input, infer Result, infer Reported>
    ? { input: Input; result: Result; reported: Reported }
    : never;
};
export type InputOf<Name extends OperationName> = Types[Name]['input'];
export type ResultOf<Name extends OperationName> = Types[Name]['reported'];

export const OPERATIONS: {
  readonly [Name in OperationName]: Operation<Types[Name]['input'], Types[Name]['result'], Types[Name]['reported']>;
} = TABLE;

export function isOperation(name: unknown): name is OperationName {
  return typeof name === 'string' && Object.hasOwn(TABLE, name);
}

/** The console's text for a step of the history; `null` for an unknown name. */
export function describeOperation(step: string): string | null {
  return isOperation(step) ? (OPERATIONS[step].did ?? null) : null;
}
