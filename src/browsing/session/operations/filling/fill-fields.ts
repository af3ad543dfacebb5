import { fail, PeriscopeError } from '#core/failures/failure.ts';
import {
  ACT_NAVIGATION_MS_MAX,
  ACTIONABLE_WAIT_MS_MAX,
  ACT_REQUESTS_MS_MAX,
  PAGE_QUOTE_CHARS_MAX,
} from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { sleep } from '#core/flow/abort.ts';
import { PageActivity } from '#browsing/settle/page-activity.ts';
import { fill, isNotAFieldError, recheckFilledField, SEVERAL_OPTIONS } from '#browsing/act/fields/fill.ts';
import { findActionPoint } from '#browsing/act/reach.ts';
import { fillSecret, refuseCutSecret, MASKED_SECRET_VALUE } from '#browsing/secrets/type-secret.ts';
import type { OpenedSecret } from '#browsing/secrets/type-secret.ts';
import type { FillResult } from '#browsing/act/fields/fill.ts';
import { actAndSettle } from '#browsing/settle/settle.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { Reply } from '#browsing/session/replies.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { parseLocator } from '#browsing/locate/named.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import { CHECKABLE_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import { chooseInCustomList, isTaken, optionsIn, optionsOf } from './choose-drawn.ts';
import type { CustomListChoice } from './choose-drawn.ts';
import { findOnlyFieldInside } from '#browsing/session/operations/act-operations.ts';
import { actAndReport, findTargetElement, noteEnteredFrame } from '#browsing/session/operations/acting.ts';
import type { ActionResult } from '#browsing/session/operations/acting.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn, isGoneError, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import { containsWholeWords, isDescendantOf } from '#browsing/locate/within.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { findNewChip } from './chips.ts';
import { OPTIONS } from './named-options.ts';
import { optionName } from './choose-suggested.ts';
import type { ChosenSuggestion } from './choose-suggested.ts';

const ACT_SELECTOR_CHARS_SHOWN_MAX = 120;
/**
 * Polling interval for a field that appears only after an earlier field is filled. Polling ends after
 * `ACTIONABLE_WAIT_MS_MAX`.
 */
const FILL_AGAIN_MS = 250;

export type FillInput = {
  targets: readonly string[];
  values: readonly string[];
  snapshot: boolean;
  isChoice?: boolean;
};

export type FilledField = FillResult & { target: string };

type FillProgress = { at: string | null; set: string[]; total: number };

export function createFillProgress({ targets }: FillInput): FillProgress {
  return { at: null, set: [], total: targets.length };
}

/**
 * Sets fields in order. Each field is looked up just before it is set, after the effects of the previous one, because a
 * list of cities may depend on the chosen country. Finally, every field is read again.
 * @param filling updated along the way, also when the call is aborted
 * @throws {PeriscopeError} errors of the first field that cannot be found or set; earlier fields stay set
 */
export async function fillFields(
  work: OperationWork,
  { targets, values, snapshot, isChoice = false }: FillInput,
  filling: FillProgress,
): Promise<ActionResult<{ fields: FilledField[] }>> {
  const wanted = targets.map((target, at) => ({ target, value: values[at] ?? '', isChoice }));
  const [{ target: firstTarget } = { target: '' }] = wanted;
  filling.at = firstTarget;
  const failNamed = (error: unknown) => failWithListName(error, work);
  const first = await findTargetElement(work, firstTarget, 'field').catch(failNamed);
  const fillThem = async () => ({ done: await fillAll(work, first, wanted, filling) });
  const itsOwn = (result: { done: Done[] }) => result.done.map((field) => field.element);
  const { done, ...acted } = await actAndReport(work, first, snapshot, fillThem, itsOwn);
  for (const { target, element, secret } of done) {
    filling.at = target;
    if (secret !== null) await refuseCutSecret(element, secret, work.signal);
  }
  const fields = done.map(async ({ target, value, element, filled, drawn }) => {
    if (drawn !== null) return { ...(await recheckChoice(work, element, drawn)), target };
    const held = parseSecretReference(value) === null ? value : MASKED_SECRET_VALUE;
    return { ...(await recheckFilledField(element, filled, held, work.signal)), target };
  });
  return { ...acted, fields: await Promise.all(fields) };
}

export function addFillProgressToReply<T>(reply: Reply<T>, { at, set, total }: FillProgress): Reply<T> {
  if ('done' in reply || at === null || total === 1) return reply;
  if (reply.failure.code === 'render_failed') return reply;
  const shown = (target: string) => oneLine(target, ACT_SELECTOR_CHARS_SHOWN_MAX);
  return { failure: { ...reply.failure, filling: { at: shown(at), set: set.map(shown), total } } };
}

type Wanted = { target: string; value: string; isChoice: boolean };
type Outcome = { filled: FillResult; secret: OpenedSecret | null; drawn: CustomListChoice | null };
type Done = Wanted & Outcome & { element: PageElement };

async function fillAll(
  work: OperationWork,
  first: PageElement,
  wanted: readonly Wanted[],
  filling: FillProgress,
): Promise<Done[]> {
  const done: Done[] = [];
  for (const [at, field] of wanted.entries()) {
    filling.at = field.target;
    const isLast = at === wanted.length - 1;
    const set = async (found: PageElement) => {
      const element = (await boxIn(work, found, field.value)) ?? found;
      return fillOne(work, element, field, isLast).then(
        (outcome) => ({ ...field, element, ...outcome }),
        (error: unknown) => fillInside(error, work, element, field, isLast),
      );
    };
    const setNext = async () => set(await findInTab(work, first.tab.id, field.target));
    const retry = () => retryUntilPresent(work, setNext, () => isRepeatable(field));
    const setFirst = () =>
      set(first).catch((error: unknown) => {
        if (!isReplaced(error) || !isRepeatable(field) || !isDocumentOpen(first)) throw error;
        return retry();
      });
    const attempt = at === 0 ? setFirst() : retry();
    done.push(await attempt.catch((error: unknown) => failWithListName(error, work)));
    filling.set.push(field.target);
  }
  return done;
}

/** Fills the only field inside a web component whose host element itself has the role of a field. */
async function fillInside(
  error: unknown,
  work: OperationWork,
  element: PageElement,
  field: Wanted,
  isLast: boolean,
): Promise<Done> {
  const inner = isNotAFieldError(error) ? await findOnlyFieldInside(work, element) : null;
  if (inner === null) return failWithBox(error, work, field);
  return { ...field, element: inner, ...(await fillOne(work, inner, field, isLast)) };
}

/** Rethrows an error. If the target is the text of an item with a check box, the error then suggests the check box. */
async function failWithBox(error: unknown, work: OperationWork, { target, value }: Wanted): Promise<never> {
  const named = isNotAFieldError(error) && isTruth(value) ? parseLocator(target) : null;
  if (named === null || named.role !== '' || named.within !== undefined || named.words.includes('"')) throw error;
  const box = `checkbox in "${named.words}"`;
  const found = await findTargetElement(work, box, 'field').catch((failure: unknown) => {
    if (failure instanceof PeriscopeError) return null;
    throw failure;
  });
  if (found === null || !(error instanceof PeriscopeError) || error.failure.code !== 'invalid_argument') throw error;
  return fail({ ...error.failure, hint: `Pass the check box instead: ${box}.` }, { cause: error });
}

function isTruth(value: string): boolean {
  return value === 'true' || value === 'false';
}

/**
 * The only check box in a row or menu item, if the value is `true` or `false`; `null` for another value, for a target
 * that is itself a field, and for a row without a check box.
 * @throws {PeriscopeError} `invalid_argument` if the row has several
 */
async function boxIn({ tab, signal }: OperationWork, { role, frame, backendNodeId }: PageElement, value: string) {
  if (!isTruth(value) || CHECKABLE_ROLES.has(role) || FIELD_ROLES.has(role)) return null;
  const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null }, signal);
  const root = page.documents.find(({ frame: { id } }) => id === frame.id)?.root;
  const around = root === undefined ? null : elementOfNode(root, backendNodeId);
  const [only, ...others] =
    around === null ? [] : [...everyElement(around)].filter((one) => CHECKABLE_ROLES.has(one.role));
  if (others.length > 0) {
    const problem = `holds ${others.length + 1} boxes, and one of them has to be meant`;
    fail({
      code: 'invalid_argument',
      field: 'selector',
      problem,
      hint: 'Pass the ref of the box, or its role and name.',
    });
  }
  return only === undefined ? null : pageElementOf(tab, only);
}

async function findInTab(work: OperationWork, tabId: string, target: string): Promise<PageElement> {
  const element = await findTargetElement(work, target, 'field');
  if (element.tab.id === tabId) return element;
  const hint = 'Fill the fields of each tab in a separate call.';
  return fail({ code: 'invalid_argument', field: 'selector', problem: 'is in another tab than the first field', hint });
}

function isDocumentOpen({ tab, frame }: PageElement): boolean {
  return tab.frame(frame.id)?.loaderId === frame.loaderId;
}

/** False for a secret, which is typed only once, and for a choice, whose options may have been clicked before. */
function isRepeatable({ value, isChoice }: Wanted): boolean {
  return !isChoice && parseSecretReference(value) === null;
}

/**
 * Retries, because an earlier step may still make this element appear, such as a further part of a form.
 * @param mayRepeat true if the action may be repeated on the element that replaced its element in the same document
 */
export async function retryUntilPresent<T>(
  work: OperationWork,
  act: () => Promise<T>,
  mayRepeat: () => boolean,
): Promise<T> {
  const { tab, signal } = work;
  const { loaderId } = tab.main();
  const end = Date.now() + ACTIONABLE_WAIT_MS_MAX;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isRedrawn = isReplaced(error) && mayRepeat() && tab.isOpen && tab.main().loaderId === loaderId;
      if (!(isRedrawn || mayStillCome(error)) || Date.now() >= end) throw error;
      await sleep(FILL_AGAIN_MS, signal);
    }
  }
}

function isReplaced(error: unknown): boolean {
  return error instanceof PeriscopeError && isGoneError(error);
}

/**
 * True for errors that may end when an earlier field changes the page: the field is missing or read-only, or its list
 * lacks the option. Other errors of a field are final, because the call has already waited for the field to become
 * usable.
 */
function mayStillCome(error: unknown): boolean {
  if (!(error instanceof PeriscopeError)) return false;
  const { failure } = error;
  if (failure.code === 'element_not_found') return failure.reason === undefined || failure.reason === 'readonly';
  if (failure.code !== 'invalid_argument' || failure.problem === SEVERAL_OPTIONS) return false;
  return failure.field === 'value' && failure.quoted !== undefined;
}

async function fillOne(
  work: OperationWork,
  element: PageElement,
  { value, isChoice }: Wanted,
  isLast: boolean,
): Promise<Outcome> {
  const { tab, signal } = work;
  const seen = new PageActivity(tab);
  try {
    const at = toScriptTarget(work, element);
    noteEnteredFrame(work, element.frame);
    const outcome = await fillWith(work, element, value, isChoice);
    const { filled } = outcome;
    work.tab.lastWritten = outcome.drawn === null ? { element, text: filled.isSecret ? '' : value } : null;
    if (outcome.drawn === null)
      recordScriptStep(work, { do: 'fill', at, field: fieldOf(filled), value: toScriptValue(value, filled.isSecret) });
    // A choice may make the page load more fields. Text mostly starts a validation, which ends before the final read.
    const isAnswered = filled.kind === 'choice' || filled.kind === 'check';
    if (isLast || !(isAnswered || seen.hasBegun)) return outcome;
    await seen.until(() => !seen.isNavigating, ACT_NAVIGATION_MS_MAX, signal);
    await seen.until(() => !seen.isLoading, ACT_REQUESTS_MS_MAX, signal);
    await actAndSettle(tab, element, async () => undefined, signal);
    return outcome;
  } finally {
    seen.stop();
  }
}

function fieldOf({ kind }: FillResult): 'text' | 'check' | 'choice' {
  return kind === 'check' || kind === 'choice' ? kind : 'text';
}

async function fillWith(work: OperationWork, element: PageElement, value: string, isChoice: boolean): Promise<Outcome> {
  const reference = parseSecretReference(value);
  if (reference === null) {
    const drawn = await chooseInCustomList(work, element, value, isChoice);
    return { filled: drawn ?? (await fill(element, value, work.signal)), secret: null, drawn };
  }
  const secret = await openSecret(work, reference, element);
  await findActionPoint(element, work.signal, { isHit: false });
  return { filled: await fillSecret(element, secret, work.signal), secret, drawn: null };
}

/**
 * Renames the argument in an error: `browser_fill` takes lists (`selectors`, `values`), but a step sets a single field.
 */
function failWithListName(error: unknown, { isListed }: Pick<OperationWork, 'isListed'>): never {
  if (!(error instanceof PeriscopeError) || isListed === true) throw error;
  const { failure } = error;
  if (failure.code !== 'invalid_argument' || !(failure.field in LISTS)) throw error;
  return fail({ ...failure, field: `${failure.field}s` }, { cause: error });
}

const LISTS = { selector: true, value: true };

/** Maximum levels climbed from a list to find its chosen value, which some pages draw next to the field. */
const HOLDER_STEPS_MAX = 3;
const POPUPS: ReadonlySet<string> = new Set([...OPTIONS, 'listbox', 'menu', 'tree']);

/** Checks what a drawn list holds after a choice, and the invisible `<select>` behind it if the list shows no choice. */
async function recheckChoice(work: OperationWork, element: PageElement, choice: CustomListChoice): Promise<FillResult> {
  const seen = await recheckShown(work, element, choice);
  if (!seen.differs && seen.isThere) return seen;
  const behind = await callOn(element, pageScripts.chosenBehind, [], work.signal).catch(nullIfGone);
  const chosen = new Set(behind?.map(toComparableText));
  const { labels } = choice;
  if (!labels.every((label) => chosen.has(toComparableText(label)))) return seen;
  return { ...seen, value: labels.join('\n'), differs: false, isThere: true };
}

async function recheckShown(work: OperationWork, element: PageElement, choice: CustomListChoice): Promise<FillResult> {
  const { labels, suggestion, chips = [], ...result } = choice;
  const shown = await Promise.all(chips.map((chip) => findNewChip(work, chip)));
  const isChip = (at: number) => shown[at] === 'new' || (shown[at] === 'as before' && suggestion === undefined);
  if (labels.every((_, at) => isChip(at))) return { ...result, value: labels.join('\n') };
  if (suggestion !== undefined && labels.length === 1)
    return { ...result, ...(await recheckSuggestion(work, element, suggestion)) };
  const { page, list } = await optionsIn(work, element, labels.at(-1) ?? '');
  if (list === null) return { ...result, isThere: false };
  const options = optionsOf(page, list, element.frame.id);
  const held = heldBy(list);
  const around = heldAround(list);
  const isHeld = (label: string, at: number) => {
    const wanted = toComparableText(label);
    const isSelected = options.some((one) => toComparableText(optionName(one, page)) === wanted && isTaken(one, page));
    // A label that was next to the field before the click does not prove the choice.
    const texts = [held, ...((chips[at] ?? null) === null ? around : [])];
    return isChip(at) || isSelected || texts.some((words) => containsWholeWords(toComparableText(words), wanted));
  };
  if (labels.every(isHeld)) return { ...result, value: labels.join('\n') };
  return { ...result, value: oneLine(held, PAGE_QUOTE_CHARS_MAX), differs: true };
}

/** Texts of the containers around a list, up to the next field, whose value is not a choice of this list. */
function heldAround(list: AxElement): string[] {
  const words: string[] = [];
  let around: AxElement | null = list.parent;
  for (let steps = 0; around !== null && steps < HOLDER_STEPS_MAX; around = around.parent, steps += 1) {
    if (
      [...everyElement(around)].some((one) => one !== list && FIELD_ROLES.has(one.role) && !isDescendantOf(one, list))
    )
      break;
    words.push(heldBy(around));
  }
  return words;
}

function heldBy(part: AxElement): string {
  if (part.value !== '') return part.value;
  const words: string[] = [];
  const open: AxElement[] = part.children.toReversed();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (POPUPS.has(one.role)) continue;
    if (one.role === 'StaticText') words.push(one.name);
    if (one.value !== '') words.push(one.value);
    else open.push(...one.children.toReversed());
  }
  return words.filter((word) => word !== '').join(' ') || part.name;
}

/**
 * Checks whether the field accepted the suggestion. A value other than the typed text must not be empty. A value equal
 * to the typed text counts only if it is the suggestion's name and the suggestion has disappeared. A field that is gone
 * counts as accepted.
 */
async function recheckSuggestion(
  { signal }: OperationWork,
  element: PageElement,
  { typed, clicked, label }: ChosenSuggestion,
): Promise<Pick<FillResult, 'value' | 'differs'>> {
  const held = await callOn(element, pageScripts.describeField, [], signal).catch(nullIfGone);
  if (held === null) return { value: null, differs: false };
  const { value } = held;
  if (toComparableText(value) !== toComparableText(typed)) return { value, differs: value === '' };
  const shown = await callOn(clicked, pageScripts.checkElementVisibility, [], signal).catch(nullIfGone);
  return { value, differs: toComparableText(typed) !== toComparableText(label) || shown?.state === 'seen' };
}
