import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { ACTIONABLE_WAIT_MS_MAX } from '#core/limits.ts';
import { fill, splitOptionNames } from '#browsing/act/fields/fill.ts';
import type { FillResult } from '#browsing/act/fields/fill.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { FieldKind } from '#browsing/in-page/script-types.ts';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { isDescendantOf } from '#browsing/locate/within.ts';
import { elementOfNode, everyElement, hasTrueProperty } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { CHECKABLE_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';
import { stateWords } from '#browsing/view/line/element-line.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { hasOnlyInvisibleText } from '#browsing/view/pieces.ts';
import type { Page } from '#browsing/view/page/page.ts';
import {
  chooseTypedSuggestion,
  clickOption,
  chooseFromDatalist,
  optionName,
  retryWhileRedrawn,
} from './choose-suggested.ts';
import type { ChosenSuggestion } from './choose-suggested.ts';
import { AwaitedOptions } from './awaited-options.ts';
import { hasSameNames, namesOf, OPTIONS, pick } from './named-options.ts';
import { refuseOption, refuseSameNames } from './refuse-option.ts';
import { waitForChip, recordChipBaseline } from './chips.ts';
import type { ChipBaseline } from './chips.ts';
import { scrollLongListToOption, findWidget, findListSearchField, typeInListSearchField } from './search-long-list.ts';
import type { OptionList } from './search-long-list.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { recordScriptStep, toScriptTarget } from '#browsing/session/history/script.ts';

/** Time to wait for options after opening a list. */
const LOOK_ALL_MS = 600;

const LISTS: ReadonlySet<string> = new Set(['combobox', 'listbox', 'PopUpButton', 'button']);
/** Roles of elements without a meaning, which a page may have made a list by a script. */
const OPENERS: ReadonlySet<string> = new Set(['generic', 'paragraph', 'listitem', 'group']);
const POPUP_KINDS: ReadonlySet<string> = new Set(['listbox', 'tree']);

/** Result of choosing in a list that the page draws itself. */
export type CustomListChoice = FillResult & {
  labels: readonly string[];
  /** Set if the option was one of the suggestions for a text field. */
  suggestion?: ChosenSuggestion;
  /** For each label, the surroundings of the text field before the choice; `null` if the list is not a text field. */
  chips?: readonly (ChipBaseline | null)[];
};

/**
 * Chooses in a list that the page draws itself (no `<select>`): opens it, then clicks the option.
 * @param value name of an option, or several names joined by ` | `
 * @param isChoice true if an option must be chosen even if the field accepts free text
 * @returns `null` for a field that is not such a list
 * @throws {PeriscopeError} `invalid_argument` if no option, or more than one, has this name; lists the options, if any
 */
export async function chooseInCustomList(
  work: OperationWork,
  element: PageElement,
  value: string,
  isChoice: boolean,
): Promise<CustomListChoice | null> {
  const values = splitOptionNames(value);
  if (values === null) return chooseOne(work, element, value, isChoice, false);
  const labels: string[] = [];
  const chips: (ChipBaseline | null)[] = [];
  let last: CustomListChoice | null = null;
  let field = element;
  for (const one of values) {
    last = await chooseOne(work, field, one, isChoice, true).catch((error: unknown) =>
      failAfter(error, labels.length, values.length),
    );
    if (last === null) return null;
    labels.push(...last.labels);
    chips.push(...(last.chips ?? [null]));
    field = await waitForChip(work, field, last.chips?.[0] ?? null);
  }
  return last === null ? null : { ...last, labels, chips };
}

/** Fails with the given error, extended by the number of values chosen before it. */
function failAfter(error: unknown, chosen: number, total: number): never {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  if (failure?.code !== 'invalid_argument' || chosen === 0) throw error;
  const before = chosen === 1 ? 'value 1 was chosen before' : `values 1–${chosen} were chosen before`;
  const problem = `value ${chosen + 1} of ${total}: ${failure.problem}; ${before}`;
  return fail({ ...failure, problem }, { cause: error });
}

async function chooseOne(
  work: OperationWork,
  element: PageElement,
  value: string,
  isChoice: boolean,
  keepsChosen: boolean,
): Promise<CustomListChoice | null> {
  const { signal } = work;
  const inWidget = await chooseInWidget(work, element, value, keepsChosen);
  if (inWidget !== null || (!LISTS.has(element.role) && !isChoice)) return inWidget;
  const { kind, isReadOnly, isSecret } = await callOn(element, pageScripts.describeFieldState, [], signal);
  const takesText = kind === 'text' && !isReadOnly;
  const suggested = isChoice && takesText ? await chooseInText(work, element, value, isSecret) : null;
  const isList = suggested === null && (await mayBeList(element, kind, signal));
  if (suggested !== null || !isList) return suggested;
  if (kind !== 'none' && !(kind === 'text' && isReadOnly) && !(isChoice && takesText)) return null;
  const before = await optionsIn(work, element, value);
  if (!opensList(element.role, before, isChoice)) return null;
  const awaited = new AwaitedOptions(element);
  try {
    return await chooseInList(work, element, value, { before, takesText, keepsChosen, awaited });
  } finally {
    awaited.stop();
  }
}

type ClosedList = { before: OptionList; takesText: boolean; keepsChosen: boolean; awaited: AwaitedOptions };

async function chooseInList(
  work: OperationWork,
  element: PageElement,
  value: string,
  { takesText, keepsChosen, awaited, ...closed }: ClosedList,
): Promise<CustomListChoice> {
  const { signal } = work;
  let { before } = closed;
  let hadSameNames = false;
  const isDecided = (shown: OptionList) => {
    // Equal names are reported only if a second look shows them too, because a filter may be about to narrow the list.
    const isAmbiguous = hasSameNames(shown, value);
    const wasAmbiguous = hadSameNames;
    hadSameNames = isAmbiguous;
    return pick(shown, value) !== null || (isAmbiguous && wasAmbiguous);
  };
  const opened = (mostMs: number) =>
    awaited.look({ mostMs, leastMs: LOOK_ALL_MS }, () => comeSince(before, work, element, value), isDecided, signal);
  const at = toScriptTarget(work, element);
  const open = () => clickOption(work, element, at);
  let found = { ...before, options: element.role === 'listbox' ? before.options : [] };
  if (isExpanded(before)) found.options = before.options.filter(({ role }) => OPTIONS.has(role));
  let option = pick(found, value);
  if (hasSameNames(found, value)) return refuseSameNames(namesOf(found));
  if (option === null && isExpanded(before) && found.options.length === 0) {
    // An open list without option roles is closed first, because its options are recognized by appearing on opening.
    await open();
    before = await optionsIn(work, element, value);
  }
  if (option === null && takesText) {
    await fill(element, value, signal);
    recordScriptStep(work, { do: 'click', at, button: 'left', count: 1, modifiers: [] });
    found = await opened(ACTIONABLE_WAIT_MS_MAX);
    option = pick(found, value);
    if (hasSameNames(found, value)) return refuseSameNames(namesOf(found));
    if (option === null) {
      // The filter may search other words than the list shows, such as a country code. Without a filter, the list
      // shows all options.
      await fill(element, '', signal);
      let all = await opened(LOOK_ALL_MS);
      if (all.options.length === 0) {
        await open();
        all = await opened(LOOK_ALL_MS);
      }
      if (all.options.length === 0) return refuseOption(namesOf(found));
      found = all;
    }
  } else if (option === null && !(isExpanded(before) && found.options.length > 0)) {
    // Only a closed list is clicked, because a click on an open list would close it.
    await open();
    found = await openedAndSearched(work, element, value, before, opened);
  }
  const again = (words = value) => comeSince(before, work, element, words);
  if (option === null) ({ option, found } = await scrollToOption(work, found, value, again));
  const watch = (one: AxElement, { page, options }: OptionList, isAwaited: boolean) =>
    takesText ? recordChipBaseline(page, element, { option: one, options, value, isAwaited }) : null;
  return chooseOption(work, option, { value, found, keepsChosen, again, watch });
}

/** @throws {PeriscopeError} `invalid_argument` if no option, or more than one, has this name */
async function scrollToOption(
  work: OperationWork,
  shown: OptionList,
  value: string,
  now: (value: string) => Promise<OptionList>,
): Promise<{ option: AxElement; found: OptionList }> {
  const first = pick(shown, value);
  if (first !== null) return { option: first, found: shown };
  if (hasSameNames(shown, value)) return refuseSameNames(namesOf(shown));
  if (shown.options.length === 0) return refuseOption(namesOf(shown));
  const { found, reach } = await scrollLongListToOption(work, { value, shown, now, pick, namesOf });
  const option = pick(found, value);
  return option === null ? refuseOption(namesOf(found), reach) : { option, found };
}

/**
 * Chooses in the widget that a page shows in place of the `<select>` of a label; `null` if there is none, or if it has
 * no such option.
 */
async function chooseInWidget(
  work: OperationWork,
  element: PageElement,
  value: string,
  keepsChosen: boolean,
): Promise<CustomListChoice | null> {
  if (FIELD_ROLES.has(element.role) || CHECKABLE_ROLES.has(element.role)) return null;
  const widget = await findWidget(element, work.signal);
  return widget === null ? null : chooseOne(work, widget, value, true, keepsChosen).catch(nullIfNoOption);
}

/** Returns `null` for a widget without such an option, so that the `<select>` behind it is set. */
function nullIfNoOption(error: unknown): null {
  const failure = error instanceof PeriscopeError ? error.failure : null;
  if (failure?.code !== 'invalid_argument') throw error;
  return null;
}

async function mayBeList(element: PageElement, kind: FieldKind, signal: AbortSignal): Promise<boolean> {
  const hasRole = LISTS.has(element.role) || (kind === 'none' && OPENERS.has(element.role));
  return hasRole || isWidget(element, kind, signal);
}

/** False for a button that does not say that it opens a list (for a choice: a popup), and for what does not react. */
function opensList(role: string, { list, page }: OptionList, isChoice: boolean): boolean {
  const popup = list?.properties.get('hasPopup');
  if (role === 'button') return POPUP_KINDS.has(String(popup)) || (isChoice && popup !== undefined);
  return !OPENERS.has(role) || (list !== null && isInteractive(list, page));
}

/** True for a part of the page that stands for an invisible `<select>`, whatever its own role. */
async function isWidget(element: PageElement, kind: FieldKind, signal: AbortSignal): Promise<boolean> {
  if (kind !== 'none') return false;
  return (await callOn(element, pageScripts.chosenBehind, [], signal)) !== null;
}

type Choosing = {
  value: string;
  found: OptionList;
  /** True to leave a selected option unchanged, because a click would deselect it. */
  keepsChosen: boolean;
  again: () => Promise<OptionList>;
  watch: (option: AxElement, found: OptionList, isAwaited: boolean) => ChipBaseline | null;
};

async function chooseOption(
  work: OperationWork,
  first: AxElement,
  { found, ...choosing }: Choosing,
): Promise<CustomListChoice> {
  let shown = found;
  let option: AxElement | null = first;
  return retryWhileRedrawn(async (isAgain) => {
    if (isAgain) {
      shown = await choosing.again();
      option = pick(shown, choosing.value);
    }
    if (option === null) return refuseOption(namesOf(shown));
    const target = await pageElementOf(work.tab, option);
    if (target === null) return null;
    const isMultiple = choosing.keepsChosen || (shown.list !== null && hasTrueProperty(shown.list, 'multiselectable'));
    const isNew = !isMultiple || !isTaken(option, shown.page);
    const chip = choosing.watch(option, shown, isNew);
    if (isNew) await clickOption(work, target);
    return { ...CHOSEN, labels: [optionName(option, shown.page)], chips: [chip] };
  });
}

export function isTaken(option: AxElement, page: Page): boolean {
  return stateWords(option, page).some((state) => TAKEN.has(state));
}

/** Chooses from the suggestions of a `<datalist>` or of the page; `null` for a combobox and other roles of lists. */
async function chooseInText(
  work: OperationWork,
  element: PageElement,
  value: string,
  isSecret: boolean,
): Promise<CustomListChoice | null> {
  const known = await chooseFromDatalist(element, value, work.signal);
  if (known !== null) return { ...(await fill(element, known, work.signal)), kind: 'choice', labels: [known] };
  // Must come before the check for secrets, because libraries declare comboboxes as new passwords to turn off autofill.
  if (LISTS.has(element.role)) return null;
  if (isSecret) return refuseSecret();
  const suggestion = await chooseTypedSuggestion(work, element, value);
  return { ...CHOSEN, labels: [suggestion.label], suggestion, chips: [suggestion.chip] };
}

const CHOSEN = { kind: 'choice', isSecret: false, value: null, differs: false, isThere: true } as const;

function refuseSecret(): never {
  const problem = 'is a private field, which has no options; nothing was typed';
  return fail({ code: 'invalid_argument', field: 'selector', problem, hint: 'Use fill to set its text.' });
}

const TAKEN: ReadonlySet<string> = new Set(['selected', 'checked', 'pressed', 'current']);

export async function optionsIn(
  { tab, signal }: OperationWork,
  element: PageElement,
  value: string,
): Promise<OptionList> {
  const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null, named: value }, signal);
  const root = page.documents.find(({ frame }) => frame.id === element.frame.id)?.root;
  const list = root === undefined ? null : elementOfNode(root, element.backendNodeId);
  return { page, list, options: optionsOf(page, list, element.frame.id) };
}

/** The options on the page. @param list `null` if assistive technology ignores the list while its options are open */
export function optionsOf(page: Page, list: AxElement | null, frameId: string): AxElement[] {
  const all = page.documents
    .filter(({ frame }) => frame.id === frameId)
    .flatMap(({ root }) => [...everyElement(root)])
    .filter(
      (one) => isOption(one, page) && !one.ignored && one.backendNodeId !== null && !hasOnlyInvisibleText(one, page),
    )
    .filter((one) => optionName(one, page) !== '');
  const around = new Set<AxElement>();
  for (const { parent } of all) for (let at = parent; at !== null && !around.has(at); at = at.parent) around.add(at);
  const options = all.filter((one) => one.role !== 'listitem' || !around.has(one));
  return list?.role === 'listbox' ? options.filter((one) => isDescendantOf(one, list)) : options;
}

/** True for an option. Some lists give option roles only to hidden elements and draw clickable ones without a role. */
function isOption(element: AxElement, page: Page): boolean {
  return OPTIONS.has(element.role) || (ROLELESS.has(element.role) && page.isClickable(element));
}

const ROLELESS: ReadonlySet<string> = new Set(['generic', 'listitem']);

function isExpanded({ list }: OptionList): boolean {
  return list !== null && hasTrueProperty(list, 'expanded');
}

/** The options that a list shows after opening, and after a search in the list's own search field if it has one. */
async function openedAndSearched(
  work: OperationWork,
  element: PageElement,
  value: string,
  before: OptionList,
  opened: (mostMs: number) => Promise<OptionList>,
): Promise<OptionList> {
  const shown = await opened(LOOK_ALL_MS);
  if (pick(shown, value) !== null) return shown;
  const field = await findListSearchField(work, element, shown.page, before.page);
  if (field === null && hasSameNames(shown, value)) return shown;
  if (field === null) return opened(ACTIONABLE_WAIT_MS_MAX);
  await typeInListSearchField(work, field, value);
  const found = await opened(ACTIONABLE_WAIT_MS_MAX);
  if (pick(found, value) !== null) return found;
  // The search field may search other words than the options show. Without a search, the list shows all options.
  await fill(field, '', work.signal);
  return opened(LOOK_ALL_MS);
}

async function comeSince(
  before: OptionList,
  work: OperationWork,
  element: PageElement,
  value: string,
): Promise<OptionList> {
  const now = await optionsIn(work, element, value);
  if (element.role === 'listbox') return now;
  const known = new Set(before.options.map(({ backendNodeId }) => backendNodeId));
  const isItsOwn = ({ role, backendNodeId }: AxElement) =>
    !known.has(backendNodeId) || (isExpanded(before) && OPTIONS.has(role));
  return { ...now, options: now.options.filter(isItsOwn) };
}
