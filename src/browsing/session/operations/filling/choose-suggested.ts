import { fail } from '#core/failures/failure.ts';
import { ACTIONABLE_WAIT_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { click } from '#browsing/act/click.ts';
import { fill, SEVERAL_OPTIONS, TELL_OPTIONS_APART } from '#browsing/act/fields/fill.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn, isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { containsWholeWords } from '#browsing/locate/within.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import { resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { isInteractive, acceptsOnlyDrops } from '#browsing/view/interactive.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { hasOnlyInvisibleText } from '#browsing/view/pieces.ts';
import { toCasedText, toComparableText } from '#browsing/view/words.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { stripPunctuation, recordChipBaseline } from './chips.ts';
import type { ChipBaseline } from './chips.ts';
import { AwaitedOptions } from './awaited-options.ts';

/** Minimum wait for suggestions, because a script may set timers that cannot be watched. */
const UNSEEN_TIMER_MS = 600;
/** Time to wait for newer suggestions. The first suggestions may belong to the text without its last letter. */
const SUGGESTED_AGAIN_MS = 1 * SECOND_MS;
const OPTIONS_SHOWN_MAX = 20;
/** Suggestions listed in an error, those with the most words of the value first. */
const SUGGESTED_SHOWN_MAX = 5;
const SUGGESTED_CHARS_MAX = 1_000;

export type ChosenSuggestion = { typed: string; clicked: PageElement; label: string; chip: ChipBaseline | null };

/** `unseen`: names of options whose text is not drawn. */
type Suggested = { page: Page; options: AxElement[]; unseen: string[] };

/**
 * Chooses from the browser's suggestions for a field (`<datalist>`).
 * @returns value of the option; `null` for a field without a `<datalist>`
 * @throws {PeriscopeError} `invalid_argument` with the options if none has this name
 */
export async function chooseFromDatalist(element: PageElement, value: string, signal: AbortSignal) {
  const known = await callOn(element, pageScripts.readDatalist, [value, OPTIONS_SHOWN_MAX], signal);
  if (known === null || known.value !== null) return known?.value ?? null;
  if (known.alike.length > 0) return refuse(SEVERAL_OPTIONS, known.alike, TELL_OPTIONS_APART);
  return refuse('the field suggests no such option; nothing was chosen', known.options);
}

/**
 * Types into a plain text field and clicks the suggestion that the page shows for it.
 * @throws {PeriscopeError} `invalid_argument` with the suggestions if none, or more than one, has this name
 */
export async function chooseTypedSuggestion(
  work: OperationWork,
  element: PageElement,
  value: string,
): Promise<ChosenSuggestion> {
  const shown = await suggestedIn(work, element, new Set());
  // An open list may filter its options and keep their nodes.
  const isOpenOption = openOptionTest(shown.page, element);
  const before = new Set(shown.options.filter((one) => !isOpenOption(one)).map(({ backendNodeId }) => backendNodeId));
  const awaited = new AwaitedOptions(element);
  try {
    return await chooseAfterTyping(work, element, value, { before, awaited });
  } finally {
    awaited.stop();
  }
}

type Waiting = { before: ReadonlySet<number | null>; awaited: AwaitedOptions };

async function chooseAfterTyping(
  work: OperationWork,
  element: PageElement,
  value: string,
  waiting: Waiting,
): Promise<ChosenSuggestion> {
  const { tab } = work;
  await typeForSuggestions(work, element, value);
  let typed = value;
  return retryWhileRedrawn(async () => {
    let found = await comeFor(work, element, value, waiting, { leastMs: UNSEEN_TIMER_MS });
    // Many pages suggest only what begins with the typed text, and so nothing for a value of several parts.
    for (const part of found.options.length > 0 ? [] : beginningsOf(value)) {
      await typeForSuggestions(work, element, part);
      typed = part;
      found = await comeFor(work, element, value, waiting, { mostMs: SUGGESTED_AGAIN_MS });
      if (found.options.length > 0) break;
    }
    const option = pick(found, value);
    if (option === null) return refuseAfterTyping(work, element, { found, value, typed });
    const clicked = await pageElementOf(tab, option);
    if (clicked === null) return null;
    const chip = recordChipBaseline(found.page, element, { option, options: found.options, value });
    await clickOption(work, clicked);
    return { typed, clicked, label: optionName(option, found.page), chip };
  });
}

async function typeForSuggestions(work: OperationWork, element: PageElement, text: string): Promise<void> {
  const letters = Array.from(text);
  await fill(element, letters.slice(0, -1).join(''), work.signal);
  // The last letter is typed as a key, because some pages search only on key events, and ignore `input` events.
  await typeText(work.tab, element, { text: letters.at(-1) ?? '' }, work.signal);
  const at = toScriptTarget(work, element);
  recordScriptStep(work, { do: 'fill', at, field: 'text', value: toScriptValue(text, false) });
}

/** Shorter texts to search for: the part before the first punctuation mark, the first word, the first letters. */
function beginningsOf(value: string): string[] {
  const [part = ''] = value.split(/[,;:(|/]/u);
  const [word = ''] = value.trim().split(/\s/u);
  const parts = [part, word, Array.from(word).slice(0, FIRST_LETTERS).join('')].map((one) => one.trim());
  return [...new Set(parts)].filter((one) => one !== '' && one !== value.trim());
}

/** Many pages suggest nothing for fewer letters. */
const FIRST_LETTERS = 3;

/** Restores the whole text of the field before the error, which states that the text is in the field. */
async function refuseAfterTyping(
  work: OperationWork,
  element: PageElement,
  { found, value, typed }: { found: Suggested; value: string; typed: string },
): Promise<never> {
  if (typed !== value) await typeForSuggestions(work, element, value);
  return refuseSuggested(found, value);
}

/**
 * Repeats a choice if the page replaces the option before it is clicked: many pages redraw all options for each letter.
 * @param choose returns `null` if the option is gone
 */
export async function retryWhileRedrawn<T>(choose: (isAgain: boolean) => Promise<T | null>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries >= REDRAWN_TRIES_MAX;
    const chosen = await choose(tries > 1).catch((error: unknown) => {
      if (isLast || !isGoneError(error)) throw error;
      return null;
    });
    if (chosen !== null) return chosen;
    if (isLast) return fail({ code: 'element_not_found', target: 'element', reason: 'replaced' });
  }
}

const REDRAWN_TRIES_MAX = 3;

export async function clickOption(
  work: OperationWork,
  option: PageElement,
  at = toScriptTarget(work, option),
): Promise<void> {
  await click(option, { button: 'left', clickCount: 1, modifiers: [] }, work.signal);
  recordScriptStep(work, { do: 'click', at, button: 'left', count: 1, modifiers: [] });
}

/** Waits for suggestions. After the first suggestions appear, waits a little longer for one with exactly this name. */
function comeFor(
  work: OperationWork,
  element: PageElement,
  value: string,
  { before, awaited }: Waiting,
  times: { leastMs: number } | { mostMs: number },
): Promise<Suggested> {
  return awaited.look(
    { mostMs: ACTIONABLE_WAIT_MS_MAX, afterFirstMs: SUGGESTED_AGAIN_MS, ...times },
    () => suggestedIn(work, element, before),
    (found) => exact(found, value) !== null,
    work.signal,
  );
}

/** Elements in the field's document that are clickable now and were not there before the text was typed. */
async function suggestedIn(
  { tab, signal }: OperationWork,
  { frame }: PageElement,
  before: ReadonlySet<number | null>,
): Promise<Suggested> {
  const page = await readTabPage(tab, null, signal);
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const acting = (root === undefined ? [] : [...everyElement(root)]).filter(
    (one) =>
      !one.ignored &&
      !before.has(one.backendNodeId) &&
      !FIELD_ROLES.has(one.role) &&
      isInteractive(one, page) &&
      !acceptsOnlyDrops(one, page) &&
      optionName(one, page) !== '',
  );
  const seen = acting.filter((one) => !hasOnlyInvisibleText(one, page));
  const outer = new Set(seen.flatMap(({ parent }) => around(parent)));
  const unseen = acting.filter((one) => one.role === 'option' && !seen.includes(one));
  return { page, options: seen.filter((one) => !outer.has(one)), unseen: unseen.map((one) => optionName(one, page)) };
}

/** A test for the options of a list over the page that does not contain the field. A header or a chat may be over it too. */
function openOptionTest(page: Page, { frame, backendNodeId }: PageElement): (element: AxElement) => boolean {
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const own = new Set(around(root === undefined ? null : elementOfNode(root, backendNodeId)));
  return (element) => element.role === 'option' && around(element).some((one) => page.isOver(one) && !own.has(one));
}

function around(element: AxElement | null): AxElement[] {
  const all: AxElement[] = [];
  for (let at = element; at !== null; at = at.parent) all.push(at);
  return all;
}

function pick(found: Suggested, value: string): AxElement | null {
  const { page, options } = found;
  const containing = (wanted: string, words: (name: string) => string) => {
    const isFitting = (name: string) => containsWholeWords(name, wanted) || isBegunBy(name, wanted);
    const [only, ...others] = options.filter((one) => isFitting(words(optionName(one, page))));
    return others.length > 0 ? null : (only ?? null);
  };
  return (
    exact(found, value) ??
    containing(toComparableText(value), toComparableText) ??
    containing(stripPunctuation(value), stripPunctuation)
  );
}

/** True if the name begins with the words, of which the last one may be cut. One word, or a cut number, is too little. */
function isBegunBy(name: string, wanted: string): boolean {
  return wanted.includes(' ') && !/\p{N}$/u.test(wanted) && name.startsWith(wanted);
}

/** The only suggestion with this name, or else with the same words in other punctuation; `null` for none or several. */
function exact({ page, options }: Suggested, value: string): AxElement | null {
  for (const words of [toComparableText, stripPunctuation]) {
    const named = options.filter((one) => words(optionName(one, page)) === words(value));
    const [only, ...others] = preferSameCase(named, page, value);
    if (only !== undefined) return others.length === 0 ? only : null;
  }
  return null;
}

/** Options whose name has the case of the value too; all options if there are none. */
export function preferSameCase(options: AxElement[], page: Page, value: string): AxElement[] {
  const wanted = toCasedText(value);
  const sameCase = options.filter((one) => toCasedText(optionName(one, page)) === wanted);
  return sameCase.length > 0 ? sameCase : options;
}

export function optionName(option: AxElement, page: Page): string {
  return resolveShownName(option, page) || textWithin(option);
}

function refuseSuggested({ page, options, unseen }: Suggested, value: string): Promise<never> {
  const came = options.map((option) => optionName(option, page));
  const names = mostAlike(came.length > 0 ? came : unseen, value);
  const problem =
    names.length === 0
      ? 'the field takes text, and no suggestion came for it'
      : came.length === 0
        ? 'the suggestions that came are not visible'
        : 'no suggestion, or more than one, has this name';
  return refuse(`${problem}; the text is in the field, nothing was chosen`, names);
}

/** The suggestions with the most words of the value. */
function mostAlike(names: readonly string[], value: string): string[] {
  const words = stripPunctuation(value).split(' ');
  const scoreOf = (name: string) => words.filter((word) => word !== '' && stripPunctuation(name).includes(word)).length;
  return names.toSorted((one, other) => scoreOf(other) - scoreOf(one)).slice(0, SUGGESTED_SHOWN_MAX);
}

async function refuse(problem: string, names: readonly string[], hint = hintFor(names)): Promise<never> {
  const shown = names.slice(0, OPTIONS_SHOWN_MAX).join(' | ');
  return fail({
    code: 'invalid_argument',
    field: 'value',
    problem,
    hint,
    ...(names.length === 0 ? {} : { quoted: await fenceQuote(shown, SUGGESTED_CHARS_MAX) }),
  });
}

function hintFor(names: readonly string[]): string {
  return names.length === 0
    ? 'Use fill if the field takes any text, or choose with a shorter part of the name.'
    : 'Pass the whole name of one of the suggestions listed below.';
}
