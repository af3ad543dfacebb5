import type { NotTypedReason } from '#browsing/act/fields/type-text.ts';
import { findFailure, PartFailed } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { PAGE_QUOTE_CHARS_MAX, SECOND_MS } from '#core/limits.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { oneLine } from '#core/text/text.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import { maskFailureTexts } from '#core/failures/describe-failure.ts';
import type { Reply } from '#browsing/session/replies.ts';
import { findCrashBehindError } from '#browsing/session/operations/perform.ts';
import type { CallEffect } from '#browsing/rules/page-rules.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { parseRef } from '#browsing/refs/refs.ts';
import { waitForExpectation } from '#browsing/locate/expect.ts';
import type { StepExpectation } from '#browsing/locate/expect.ts';
import { isSlashRegex } from '#browsing/locate/pattern.ts';
import type { WaitCondition } from '#browsing/locate/wait-for.ts';
import { loadedDocument, scanBeforeAction } from '#browsing/session/operations/acting.ts';
import { createResolveContext, readChangesAfterAct } from '#browsing/session/operations/acting.ts';
import type { ActionResult } from '#browsing/session/operations/acting.ts';
import { fillFields, retryUntilPresent, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import type { FilledField } from '#browsing/session/operations/filling/fill-fields.ts';
import { clickElement, scrollPage, typeInto } from '#browsing/session/operations/act-operations.ts';
import { waitOnPage } from '#browsing/session/operations/look-operations.ts';
import type { ClickEffect, ClickInput, ScrollInput, TypeInput } from '#browsing/session/operations/act-operations.ts';
import { actAtPoint, effectOfPointAction } from '#browsing/session/operations/point.ts';
import type { KeptTick } from '#browsing/session/operations/missing-effects.ts';
import type { PointInput, PointResult } from '#browsing/session/operations/point.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { recordScriptStep } from '#browsing/session/history/script.ts';
import { announcedSince, goneAgain } from './announced.ts';
import type { Announced } from './announced.ts';
import { StepChanges } from './step-changes.ts';
import type { ChangeBetween } from './step-changes.ts';
import { toComparableText } from '#browsing/view/words.ts';

const LIST_REST_MS = 3 * SECOND_MS;
const LIST_WAIT_MS = 10 * SECOND_MS;

export type BrowserStep =
  | ({ kind: 'click' } & Omit<ClickInput, 'snapshot'>)
  | ({ kind: 'point' } & Omit<PointInput, 'snapshot'>)
  | { kind: 'fill'; target: string; value: string; isChoice?: true }
  | ({ kind: 'type' } & Omit<TypeInput, 'snapshot'>)
  | ({ kind: 'scroll' } & Omit<ScrollInput, 'snapshot'>)
  | { kind: 'wait'; wanted: WaitCondition }
  | ({ kind: 'expect' } & StepExpectation);

export type RunStepsInput = {
  steps: readonly BrowserStep[];
  snapshot: boolean;
  expectsDialog: boolean;
};

export type StepListStop =
  /** `isAsked`: the step waits for the user's approval. */
  | { why: 'failed'; isAsked?: true }
  /** The step's expectation is not met. `words`: the page's text that was checked. */
  | { why: 'unmet'; problem: string; words: string }
  /** The previous step had no visible effect. `isTouchOnly`: the element listens only for touch events. */
  | { why: 'nothing'; isTouchOnly: boolean }
  | { why: Surprise }
  | { why: 'person' }
  | { why: 'time'; isBegun: boolean };

/** Result of a list of steps. Steps count from 1. */
export type StepListResult = {
  /** Number of steps taken. */
  done: number;
  stopped: StepListStop | null;
  /** Values of fields that the page changed after they were set. */
  held: { step: number; value: string }[];
  missed: { step: number; what: MissingStepEffect }[];
  announced: Announced[];
  /** Visible effects of steps that the changes at the end do not show. */
  between: ChangeBetween[];
};

/**
 * Reason for a missing effect. `canvas`: only a picture could show it. `touch`: the element listens only for touch.
 * `text`: a field with options holds text, but no option was chosen. `look`: only the element's appearance changed.
 */
export type MissingStepEffect = NotTypedReason | 'scroll' | 'press' | 'off' | 'canvas' | 'touch' | 'text' | 'look';

/** Progress of the steps, reported even if the call fails. `failure`: error of the step that failed. */
type ListProgress = { done: number; total: number; failure: Failure | null };

export function createStepListProgress({ steps }: RunStepsInput): ListProgress {
  return { done: 0, total: steps.length, failure: null };
}

/**
 * Runs steps in order with the code of the single tools. Stops when a step fails or has an unexpected result, such as a
 * dialog. Reports all changes at the end, and the effects in between that the end does not show.
 * @param progress updated along the way, also when the call is aborted
 * @param hasTakenOver true if a person drives, which stops the steps
 */
export async function runSteps(
  work: OperationWork,
  input: RunStepsInput,
  progress: ListProgress,
  hasTakenOver: () => boolean,
): Promise<ActionResult<StepListResult>> {
  work.tab = tabOfRefs(work, input.steps);
  const before = loadedDocument(work);
  const shownBefore = await scanBeforeAction(work);
  await announcedSince(work);
  const leftMs = Math.max(work.endsAt - Date.now() - LIST_REST_MS, 0);
  const steps = new StepChanges(work, shownBefore);
  const taken = await withTimeout(leftMs, (late) =>
    takeInTime(work, input, { progress, changes: steps }, hasTakenOver, late),
  );
  const seen = await readChangesAfterAct(work, { before, shownBefore, withSnapshot: input.snapshot, element: null });
  const last = await announcedSince(work, false);
  const all = [...taken.announced, ...last.map((words) => ({ step: progress.done, words }))];
  const announced = goneAgain(work, all);
  const between = steps.notIn(seen, announced);
  return { ...taken, done: progress.done, ...seen, announced, between };
}

export function addStepProgress<T>(reply: Reply<T>, { done, total, failure }: ListProgress): Reply<T & StepFailure> {
  if ('failure' in reply) return { failure: { ...reply.failure, listed: { done, total } } };
  const refused = failure === null ? null : { ...failure, listed: { done, total } };
  return { done: { ...reply.done, result: { ...reply.done.result, refused } } };
}

export type StepFailure = { refused: Failure | null };

/** The tab in which the steps run: the tab of the first ref, which may differ from the tab that the call names. */
function tabOfRefs({ tab, active: { refs, tabs } }: OperationWork, steps: readonly BrowserStep[]): OpenTab {
  const targets = steps.flatMap((step) => {
    const place = step.kind === 'point' ? step.at : step;
    return 'target' in place ? (place.target ?? []) : [];
  });
  const known = targets.flatMap((target) => refs.current(parseRef(target) ?? '') ?? []);
  return known.flatMap(({ tabId }) => tabs.byId(tabId) ?? [])[0] ?? tab;
}

type Taking = Omit<StepListResult, 'done' | 'between'> & { stillLoading: boolean };

async function takeInTime(
  work: OperationWork,
  { steps, expectsDialog }: RunStepsInput,
  { progress, changes }: { progress: ListProgress; changes: StepChanges },
  hasTakenOver: () => boolean,
  late: AbortSignal,
): Promise<Taking> {
  const listed: OperationWork = { ...work, signal: AbortSignal.any([work.signal, late]), isListed: true };
  const { tab } = work;
  const written: string[] = [];
  let unchosen: Taking['missed'] = [];
  const taking: Taking = { stopped: null, held: [], missed: [], announced: [], stillLoading: false };
  for (const [at, step] of steps.entries()) {
    if (hasTakenOver()) return { ...taking, stopped: { why: 'person' } };
    if (late.aborted) return { ...taking, stopped: { why: 'time', isBegun: false } };
    const seen = { mark: tab.log.mark, tabs: new Set(work.active.tabs.all()) };
    const next = steps[at + 1];
    const watchesEffect = next !== undefined && !isCheck(next);
    const takePage = () => changes.takePage();
    const one: OperationWork = { ...listed, effect: stepEffect(step), watchesEffect, written: [...written], takePage };
    const mayCome = step.kind === 'click' && hasActed(steps[at - 1]);
    const act = () => takeOne(one, step);
    const attempt = mayCome ? retryUntilPresent(one, act, () => one.hasPressed !== true) : act();
    const outcome = await attempt.catch((error: unknown) => stopFor(error, work, late, progress));
    const taken = next !== undefined && isCheck(next) ? outcome : stopAtKeptTick(outcome);
    const words = await announcedSince(work);
    taking.announced.push(...words.map((said) => ({ step: at + 1, words: said })));
    if ('why' in taken) return { ...taking, missed: [...taking.missed, ...unchosen], stopped: taken };
    progress.done = at + 1;
    taking.stillLoading = taken.stillLoading;
    if (taken.value !== null) taking.held.push({ step: at + 1, value: taken.value });
    const missed = taken.missed === undefined ? [] : [{ step: at + 1, what: taken.missed }];
    const isChosenNext = taken.missed === 'text' && mayChoose(step, steps.slice(at + 1));
    if (!isCheck(step)) unchosen = isChosenNext ? missed : [];
    if (!isChosenNext) taking.missed.push(...missed);
    written.push(...writtenBy(step));
    const surprise = next === undefined ? null : surpriseIn(work, seen, taken.isNewDocument, next, expectsDialog);
    if (surprise !== null) return { ...taking, stopped: { why: surprise } };
    if (next !== undefined) await changes.note(at + 1, hasOwnEffect(step), isCheck(next));
    if (taken.hadNoEffect === true)
      return { ...taking, stopped: { why: 'nothing', isTouchOnly: taken.missed === 'touch' } };
  }
  return taking;
}

function stepEffect(step: BrowserStep): CallEffect {
  if (step.kind === 'point') return effectOfPointAction(step);
  if (step.kind === 'scroll') return 'pointer';
  return isCheck(step) ? 'look' : 'act';
}

/** True if effects of the previous step may still appear, such as options that the page loads for a typed text. */
function hasActed(before: BrowserStep | undefined): boolean {
  return before !== undefined && !isCheck(before) && before.kind !== 'scroll';
}

/** True for `wait` and `expect`, which check the effect of the step before them. */
function isCheck({ kind }: BrowserStep): boolean {
  return kind === 'wait' || kind === 'expect';
}

/** True for steps whose effect is more than the value that they set or the place that they show. */
function hasOwnEffect(step: BrowserStep): boolean {
  if (step.kind === 'fill') return step.isChoice === true;
  if (step.kind === 'type') return step.key !== undefined || step.submit === true;
  return step.kind === 'click' || step.kind === 'point';
}

function writtenBy(step: BrowserStep): string[] {
  const text = step.kind === 'fill' ? step.value : step.kind === 'type' ? (step.text ?? '') : '';
  return text.trim() === '' || parseSecretReference(text) !== null ? [] : [text];
}

type Taken = {
  isNewDocument: boolean;
  stillLoading: boolean;
  value: string | null;
  missed?: MissingStepEffect;
  hadNoEffect?: boolean;
  kept?: KeptTick;
};

async function takeOne(work: OperationWork, step: BrowserStep): Promise<Taken | StepListStop> {
  const quiet = { snapshot: false };
  switch (step.kind) {
    case 'click':
      return clicked(await clickElement(work, { ...step, ...quiet }));
    case 'point': {
      const pointed = await actAtPoint(work, { ...step, ...quiet });
      const isDrag = step.action === 'drag';
      if (pointed.isElsewhere === true) return { why: 'unmet', problem: DROPPED_ELSEWHERE, words: '' };
      return isDrag && pointed.effect === 'none'
        ? { why: 'unmet', problem: MOVED_NOTHING, words: '' }
        : clicked(pointed);
    }
    case 'type': {
      const { missed, held, isOnlyText, effect, ...rest } = await typeInto(work, { ...step, ...quiet });
      const note = missed === undefined ? onlyText(isOnlyText) : { missed };
      return { ...acted(rest), value: held ?? null, hadNoEffect: effect === 'none', ...note };
    }
    case 'scroll': {
      const scrolled = await scrollPage(work, { ...step, ...quiet });
      const isStill = !step.intoView && scrolled.place.moved === 0;
      return { ...acted(scrolled), ...(isStill ? { missed: 'scroll' } : {}) };
    }
    case 'wait':
      return acted(await waitOnPage(work, { wanted: step.wanted, timeoutMs: LIST_WAIT_MS, ...quiet }));
    case 'fill': {
      const given = { targets: [step.target], values: [step.value], isChoice: step.isChoice === true, ...quiet };
      const { fields, ...rest } = await fillFields(work, given, createFillProgress(given));
      const [field] = fields;
      const differs = field !== undefined && field.differs && field.isThere;
      if (differs && (step.isChoice === true || field.kind === 'check' || field.kind === 'choice'))
        return untaken(field);
      // A page that reformats a value has accepted it. A page that empties the field, or leaves it unchanged, has not.
      const isEmpty = step.value !== '' && field?.value === '' && !field.isSecret;
      if (differs && (isEmpty || field.isKept === true)) return untaken(field);
      const value = differs ? oneLine(field.value ?? '', PAGE_QUOTE_CHARS_MAX) : null;
      return { ...acted(rest), value, ...onlyText(field?.isOnlyText) };
    }
    case 'expect': {
      const unmet = await waitForExpectation(step, createResolveContext(work), work.active.refs, work.signal);
      if (unmet === null && 'wanted' in step && step.wanted.kind === 'text' && !isSlashRegex(step.wanted.value))
        recordScriptStep(work, { do: 'see', text: step.wanted.value, isGone: step.wanted.isGone });
      if (unmet !== null && unmet !== 'in field') return { why: 'unmet', ...unmet };
      return { isNewDocument: false, stillLoading: false, value: null };
    }
  }
}

function onlyText(isOnlyText: true | undefined): Pick<Taken, 'missed'> {
  return isOnlyText === true ? { missed: 'text' } : {};
}

/** True if the step after a typed text may choose an option: keys, or a click on an option, a ref or these words. */
function mayChoose(step: BrowserStep, later: readonly BrowserStep[]): boolean {
  const next = later.find((one) => !isCheck(one));
  if (next === undefined) return false;
  if (next.kind === 'type') return next.key !== undefined || next.submit === true;
  const target =
    next.kind === 'point' && 'target' in next.at ? next.at.target : next.kind === 'click' ? next.target : '';
  const [text = ''] = writtenBy(step);
  return (
    parseRef(target) !== null ||
    OPTION.test(target) ||
    (text !== '' && toComparableText(target).includes(toComparableText(text)))
  );
}

const OPTION = /^(?:option|listitem|menuitem|treeitem|row|gridcell)\b/iu;

/** Stops at a check box, choice or text field that did not accept its value, because later steps rely on it. */
function untaken({ kind, value }: FilledField): StepListStop {
  if (kind === 'check') return keptTick(value === 'true' ? 'on' : 'off');
  if (kind !== 'choice' && value === '')
    return { why: 'unmet', problem: 'the field did not accept the text: it is empty', words: '' };
  const problem =
    kind === 'choice'
      ? `the list did not accept the choice: ${value === '' ? 'nothing' : 'another option'} is selected`
      : 'the field did not accept the text and still has its earlier value';
  return { why: 'unmet', problem, words: oneLine(value ?? '', PAGE_QUOTE_CHARS_MAX) };
}

function stopAtKeptTick(taken: Taken | StepListStop): Taken | StepListStop {
  if ('why' in taken || taken.kept === undefined || taken.kept === 'chosen') return taken;
  return keptTick(taken.kept);
}

function keptTick(is: Exclude<KeptTick, 'chosen'>): StepListStop {
  return { why: 'unmet', problem: `the click did not change its state, which is still ${is}`, words: '' };
}

const MOVED_NOTHING =
  'the drag moved nothing; if the page accepts a drag only after a held press, call browser_point with drag and hold_ms';

const DROPPED_ELSEWHERE =
  'the drag was released elsewhere, because the page moved or covered the destination in the meantime';

type Clicked = Pick<PointResult, 'landed' | 'effect' | 'isTouchOnly' | 'kept'>;

function clicked(result: ActionResult<Clicked | ClickEffect>): Taken {
  const { landed, effect, isTouchOnly, kept } = result;
  const missed = missedBy(landed, effect, isTouchOnly);
  return {
    ...acted(result),
    hadNoEffect: effect === 'none' && kept !== 'chosen',
    ...(missed === null ? {} : { missed }),
    ...(kept === undefined ? {} : { kept }),
  };
}

function missedBy(
  landed: Clicked['landed'],
  effect: Clicked['effect'],
  isTouchOnly: Clicked['isTouchOnly'],
): MissingStepEffect | null {
  if (landed !== 'click') return landed;
  if (isTouchOnly === true) return 'touch';
  return effect === 'unseen' ? 'canvas' : effect === 'look' ? 'look' : null;
}

function acted({ isNewDocument, stillLoading }: ActionResult<object>): Taken {
  return { isNewDocument, stillLoading, value: null };
}

/** @throws {unknown} an error other than the failure of a step, such as a cancelled call */
async function stopFor(
  error: unknown,
  work: OperationWork,
  late: AbortSignal,
  progress: ListProgress,
): Promise<StepListStop> {
  const { signal, active, tab } = work;
  if (signal.aborted) throw error;
  if (late.aborted) return { why: 'time', isBegun: true };
  if (error instanceof PartFailed) throw error;
  const hasGone = error instanceof CdpError && error.isGone;
  const failure = (await findCrashBehindError(error, tab)) ?? (hasGone ? PAGE_GONE : findFailure(error));
  if (failure === null) throw error;
  progress.failure = maskFailureTexts(failure, active.secrets.mask?.from);
  return failure.code === 'approval_needed' ? { why: 'failed', isAsked: true } : { why: 'failed' };
}

const PAGE_GONE: Failure = { code: 'render_failed', reason: 'the page or its tab went away during the step' };

type Surprise = 'dialog' | 'moved' | 'opened' | 'closed' | 'crashed' | 'invalid' | 'chooser';

/** An unexpected result of a step that could mislead the next step, such as a dialog or a new tab; `null` for none. */
function surpriseIn(
  { active, tab }: OperationWork,
  before: { mark: number; tabs: ReadonlySet<OpenTab> },
  isNewDocument: boolean,
  next: BrowserStep,
  expectsDialog: boolean,
): Surprise | null {
  if (!tab.isOpen) return tab.hasCrashed ? 'crashed' : 'closed';
  const kinds = new Set(tab.log.since(before.mark).map(({ kind }) => kind));
  if (kinds.has('dialog') && !expectsDialog) return 'dialog';
  if (kinds.has('invalid_field')) return 'invalid';
  if (kinds.has('chooser')) return 'chooser';
  if (active.tabs.all().some((one) => !before.tabs.has(one))) return 'opened';
  return isNewDocument && next.kind !== 'wait' && next.kind !== 'expect' ? 'moved' : null;
}
