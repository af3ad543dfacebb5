import { fail } from '#core/failures/failure.ts';
import { ACT_QUOTE_CHARS_MAX, ACT_READY_MS_MAX } from '#core/limits.ts';
import { sleep } from '#core/flow/abort.ts';
import { oneLine } from '#core/text/text.ts';
import { click } from '#browsing/act/click.ts';
import { fill } from '#browsing/act/fill.ts';
import { wheelDown } from '#browsing/act/scroll.ts';
import type { FillResult } from '#browsing/act/fill.ts';
import { quote } from '#browsing/act/reach.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { isWithin } from '#browsing/locate/within.ts';
import { elementOfNode, everyElement, isOn } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import { nameShown, stateWords, textWithin } from '#browsing/view/element-line.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import { isUnseen } from '#browsing/view/pieces.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { alike } from '#browsing/view/words.ts';
import { chooseSuggested, knownSuggestion, stillSuggested } from './choose-suggested.ts';
import type { Suggestion } from './choose-suggested.ts';
import type { Work } from './perform.ts';
import { noteStep, targetOf } from '#browsing/session/history/script.ts';

const LOOK_AGAIN_MS = 150;
/** A list that was open, or is opened by a click, shows its options at once. */
const LOOK_ALL_MS = 600;
/** How long a list of which only a part is drawn is scrolled, and how long it may draw after each time. */
const SCROLL_MS_MAX = 5_000;
const SCROLLED_MS = 60;
/** Less than lists show at once. */
const SCROLL_PX = 180;
/** Options that a refusal names. */
const OPTIONS_SHOWN_MAX = 20;
const OPTIONS_CHARS_MAX = 1_000;
/** How far around a list what it holds may stand: some draw it beside the field. */
const HOLDER_STEPS_MAX = 3;

const LISTS: ReadonlySet<string> = new Set(['combobox', 'listbox', 'PopUpButton', 'button']);
const OPTIONS: ReadonlySet<string> = new Set(['option', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'treeitem']);
const POPUP_KINDS: ReadonlySet<string> = new Set(['listbox', 'tree']);
const POPUPS: ReadonlySet<string> = new Set([...OPTIONS, 'listbox', 'menu', 'tree']);

/** Result of a choice in a list that the page draws itself. `label`: of the option. `suggestion`: under a text field. */
export type DrawnChoice = FillResult & { label: string; suggestion?: Suggestion };

/**
 * Chooses in a list that a page draws itself, as a person does: opens it, and clicks the option.
 * @param isChoice whether an option is asked for where the field also takes text
 * @returns `null` for any other field
 * @throws {PeriscopeError} `invalid_argument` with the options when none of them is called so
 */
export async function chooseDrawn(
  work: Work,
  element: PageElement,
  value: string,
  isChoice: boolean,
): Promise<DrawnChoice | null> {
  const { signal } = work;
  if (!LISTS.has(element.role) && !isChoice) return null;
  const { kind, isReadOnly, isSecret } = await callOn(element, pageScripts.field, [], signal);
  const takesText = kind === 'text' && !isReadOnly;
  const suggested = isChoice && takesText ? await chooseInText(work, element, value, isSecret) : null;
  if (suggested !== null || !LISTS.has(element.role)) return suggested;
  if (kind !== 'none' && !(kind === 'text' && isReadOnly) && !(isChoice && takesText)) return null;
  const at = targetOf(work, element);
  let before = await optionsIn(work, element, value);
  // A button is a list if it says that it opens one.
  if (element.role === 'button' && !POPUP_KINDS.has(String(before.list?.properties.get('hasPopup')))) return null;
  const open = async () => {
    await click(element, { button: 'left', clickCount: 1, modifiers: [] }, signal);
    noteStep(work, { do: 'click', at, button: 'left', count: 1, modifiers: [] });
  };
  let found = { ...before, options: element.role === 'listbox' ? before.options : [] };
  if (isExpanded(before)) found.options = before.options.filter(({ role }) => OPTIONS.has(role));
  let option = pick(found, value);
  if (option === null && isExpanded(before) && found.options.length === 0) {
    // Of what reacts to a click on the page, nobody knows what is in the list, but by what comes when it opens: it is closed.
    await open();
    before = await optionsIn(work, element, value);
  }
  if (option === null && takesText) {
    await fill(element, value, signal);
    noteStep(work, { do: 'click', at, button: 'left', count: 1, modifiers: [] });
    found = await opened(work, element, value, before, ACT_READY_MS_MAX);
    option = pick(found, value);
    if (option === null) {
      // Some lists look for other words than they show: without any, they show all.
      await fill(element, '', signal);
      let all = await opened(work, element, value, before, LOOK_ALL_MS);
      if (all.options.length === 0) {
        await open();
        all = await opened(work, element, value, before, LOOK_ALL_MS);
      }
      if (all.options.length === 0) return refuse(found);
      found = all;
    }
  } else if (option === null && !(isExpanded(before) && found.options.length > 0)) {
    // A click on a list that is open closes it.
    await open();
    found = await opened(work, element, value, before, ACT_READY_MS_MAX);
  }
  option ??= pick(found, value);
  if (option === null && found.options.length > 0) {
    const further = await scrolledFor(work, element, value, before, found);
    option = further === null ? null : pick(further, value);
    if (further !== null) found = further;
  }
  const target = option === null ? null : await pageElementOf(work.tab, option);
  if (option === null || target === null) return refuse(found);
  const label = nameOf(option, found.page);
  const itsPlace = targetOf(work, target);
  await click(target, { button: 'left', clickCount: 1, modifiers: [] }, signal);
  noteStep(work, { do: 'click', at: itsPlace, button: 'left', count: 1, modifiers: [] });
  return { ...CHOSEN, label };
}

/** Among what the browser suggests, outside of the page, or else what the page shows; `null` where the field opens a list. */
async function chooseInText(
  work: Work,
  element: PageElement,
  value: string,
  isSecret: boolean,
): Promise<DrawnChoice | null> {
  const known = await knownSuggestion(element, value, work.signal);
  if (known !== null) return { ...(await fill(element, known, work.signal)), kind: 'choice', label: known };
  if (isSecret) return refuseSecret();
  if (LISTS.has(element.role)) return null;
  const suggestion = await chooseSuggested(work, element, value);
  return { ...CHOSEN, label: suggestion.label, suggestion };
}

const CHOSEN = { kind: 'choice', isSecret: false, value: null, differs: false, isThere: true } as const;

function refuseSecret(): never {
  const problem = 'is a private field, which has no options; nothing was typed';
  return fail({ code: 'invalid_argument', field: 'selector', problem, hint: 'Use fill to set its text.' });
}

/** Whether the list shows the option that was clicked, or says that it is selected. */
export async function stillChosen(work: Work, element: PageElement, choice: DrawnChoice): Promise<FillResult> {
  const { label, suggestion, ...result } = choice;
  if (suggestion !== undefined) return { ...result, ...(await stillSuggested(work, element, suggestion)) };
  const { page, list } = await optionsIn(work, element, label);
  if (list === null) return { ...result, isThere: false };
  const wanted = alike(label);
  const isSelected = optionsOf(page, list, element.frame.id).some(
    (one) => alike(nameOf(one, page)) === wanted && stateWords(one, page).some((state) => TAKEN.has(state)),
  );
  const held = heldBy(list);
  if (isSelected || alike(held).includes(wanted)) return { ...result, value: label };
  let around: AxElement | null = list.parent;
  for (let steps = 0; around !== null && steps < HOLDER_STEPS_MAX; around = around.parent, steps += 1) {
    // Of what other fields hold, nothing is its choice.
    if ([...everyElement(around)].some((one) => one !== list && FIELD_ROLES.has(one.role) && !isWithin(one, list)))
      break;
    if (alike(heldBy(around)).includes(wanted)) return { ...result, value: label };
  }
  return { ...result, value: oneLine(held, ACT_QUOTE_CHARS_MAX), differs: true };
}

const TAKEN: ReadonlySet<string> = new Set(['selected', 'checked', 'pressed', 'current']);

/** `list`: the element itself; `null` when it is gone. */
type Options = { page: Page; list: AxElement | null; options: AxElement[] };

async function optionsIn({ tab, signal }: Work, element: PageElement, value: string): Promise<Options> {
  const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null, named: value }, signal);
  const root = page.documents.find(({ frame }) => frame.id === element.frame.id)?.root;
  const list = root === undefined ? null : elementOfNode(root, element.backendNodeId);
  return { page, list, options: optionsOf(page, list, element.frame.id) };
}

/** @param list `null` where it is hidden from assistive technology while its options are shown */
function optionsOf(page: Page, list: AxElement | null, frameId: string): AxElement[] {
  const all = page.documents
    .filter(({ frame }) => frame.id === frameId)
    .flatMap(({ root }) => [...everyElement(root)])
    .filter((one) => isOption(one, page) && !one.ignored && one.backendNodeId !== null && !isUnseen(one, page))
    .filter((one) => nameOf(one, page) !== '');
  return list?.role === 'listbox' ? all.filter((one) => isWithin(one, list)) : all;
}

/** Some lists say of their options what they are to assistive technology alone, and draw others that react to a click. */
function isOption(element: AxElement, page: Page): boolean {
  return OPTIONS.has(element.role) || (element.role === 'generic' && page.isClickable(element));
}

function isExpanded({ list }: Options): boolean {
  return list !== null && isOn(list, 'expanded');
}

/** The options that have come, once one of them is called so or nothing comes any more. */
async function opened(
  work: Work,
  element: PageElement,
  value: string,
  before: Options,
  waitMs: number,
): Promise<Options> {
  const end = Date.now() + waitMs;
  for (;;) {
    const found = await comeSince(before, work, element, value);
    if (pick(found, value) !== null || Date.now() >= end) return found;
    await sleep(LOOK_AGAIN_MS, work.signal);
  }
}

async function comeSince(before: Options, work: Work, element: PageElement, value: string): Promise<Options> {
  const now = await optionsIn(work, element, value);
  if (element.role === 'listbox') return now;
  const known = new Set(before.options.map(({ backendNodeId }) => backendNodeId));
  const isItsOwn = ({ role, backendNodeId }: AxElement) =>
    !known.has(backendNodeId) || (isExpanded(before) && OPTIONS.has(role));
  return { ...now, options: now.options.filter(isItsOwn) };
}

/** The options of a list that draws only those in sight, scrolled down until one is called so. @returns `null` at its end */
async function scrolledFor(
  work: Work,
  element: PageElement,
  value: string,
  before: Options,
  shown: Options,
): Promise<Options | null> {
  const end = Date.now() + SCROLL_MS_MAX;
  let found = shown;
  for (let still = 0; still < 2 && Date.now() < end;) {
    const last = found.options.at(-1);
    const inList = last === undefined ? null : await pageElementOf(work.tab, last);
    if (inList === null) return null;
    await wheelDown(inList, SCROLL_PX, work.signal);
    await sleep(SCROLLED_MS, work.signal);
    const names = namesOf(found).join();
    found = await comeSince(before, work, element, value);
    if (pick(found, value) !== null) return found;
    still = namesOf(found).join() === names ? still + 1 : 0;
  }
  return null;
}

function namesOf({ page, options }: Options): string[] {
  return options.map((option) => nameOf(option, page));
}

/** By its name, or by the only name that contains the words. What only reacts to a click is no option if one is called so. */
function pick({ page, options }: Options, value: string): AxElement | null {
  const wanted = alike(value);
  const exact = options.filter((one) => alike(nameOf(one, page)) === wanted);
  const [first] = exact;
  const named = exact.find(({ role }) => OPTIONS.has(role));
  if (named !== undefined || first !== undefined) return named ?? (exact.length === 1 ? (first ?? null) : null);
  const containing = options.filter((one) => wanted !== '' && alike(nameOf(one, page)).includes(wanted));
  return containing.length === 1 ? (containing[0] ?? null) : null;
}

function nameOf(option: AxElement, page: Page): string {
  return nameShown(option, page) || textWithin(option);
}

/** What it shows, without the options in it. */
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

async function refuse(found: Options): Promise<never> {
  const names = namesOf(found).slice(0, OPTIONS_SHOWN_MAX);
  return fail({
    code: 'invalid_argument',
    field: 'value',
    problem:
      names.length === 0
        ? 'the page draws this list itself, and no options came when it was clicked'
        : 'the list has no such option, or several; it was opened and nothing was chosen',
    hint:
      names.length === 0
        ? 'Call browser_snapshot to see what came, and click the option.'
        : 'Pass the name of an option as in the list. A long list may show more as it is scrolled or typed into.',
    ...(names.length === 0 ? {} : { quoted: await quote(names.join(' | '), OPTIONS_CHARS_MAX) }),
  });
}
