import { fail } from '#core/failures/failure.ts';
import { ACTIONABLE_WAIT_MS_MAX, SECOND_MS } from '#core/limits.ts';
import { sleep } from '#core/flow/abort.ts';
import { click } from '#browsing/act/click.ts';
import { fill } from '#browsing/act/fields/fill.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn, isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { containsWholeWords } from '#browsing/locate/within.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES } from '#browsing/tree/roles.ts';
import { resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { isInteractive, acceptsOnlyDrops } from '#browsing/view/interactive.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { hasOnlyInvisibleText } from '#browsing/view/pieces.ts';
import { toComparableText } from '#browsing/view/words.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { stripPunctuation, recordChipBaseline } from './chips.ts';
import type { ChipBaseline } from './chips.ts';

const LOOK_AGAIN_MS = 150;
/** Time to wait for newer suggestions. The first suggestions may belong to the text without its last letter. */
const SUGGESTED_AGAIN_MS = 1 * SECOND_MS;
const SUGGESTED_SHOWN_MAX = 20;
const SUGGESTED_CHARS_MAX = 1_000;

export type ChosenSuggestion = { typed: string; clicked: PageElement; label: string; chip: ChipBaseline | null };

type Suggested = { page: Page; options: AxElement[] };

/**
 * Chooses from the browser's suggestions for a field (`<datalist>`).
 * @returns value of the option; `null` for a field without a `<datalist>`
 * @throws {PeriscopeError} `invalid_argument` with the options if none has this name
 */
export async function chooseFromDatalist(element: PageElement, value: string, signal: AbortSignal) {
  const known = await callOn(element, pageScripts.readDatalist, [value, SUGGESTED_SHOWN_MAX], signal);
  if (known === null || known.value !== null) return known?.value ?? null;
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
  const { tab, signal } = work;
  const letters = Array.from(value);
  const before = new Set(
    (await suggestedIn(work, element, new Set())).options.map(({ backendNodeId }) => backendNodeId),
  );
  await fill(element, letters.slice(0, -1).join(''), signal);
  // The last letter is typed as a key, because some pages search only on key events, and ignore `input` events.
  await typeText(tab, element, { text: letters.at(-1) ?? '' }, signal);
  recordScriptStep(work, {
    do: 'fill',
    at: toScriptTarget(work, element),
    field: 'text',
    value: toScriptValue(value, false),
  });
  return retryWhileRedrawn(async () => {
    const found = await comeFor(work, element, value, before);
    const option = pick(found, value);
    if (option === null) return refuseSuggested(found);
    const clicked = await pageElementOf(tab, option);
    if (clicked === null) return null;
    const chip = recordChipBaseline(found.page, element, { option, options: found.options, value });
    await clickOption(work, clicked);
    return { typed: value, clicked, label: optionName(option, found.page), chip };
  });
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
async function comeFor(
  work: OperationWork,
  element: PageElement,
  value: string,
  before: ReadonlySet<number | null>,
): Promise<Suggested> {
  let end = Date.now() + ACTIONABLE_WAIT_MS_MAX;
  for (let hasCome = false; ;) {
    const found = await suggestedIn(work, element, before);
    if (exact(found, value) !== null || Date.now() >= end) return found;
    if (!hasCome && found.options.length > 0) end = Math.min(end, Date.now() + SUGGESTED_AGAIN_MS);
    hasCome ||= found.options.length > 0;
    await sleep(LOOK_AGAIN_MS, work.signal);
  }
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
      !hasOnlyInvisibleText(one, page) &&
      optionName(one, page) !== '',
  );
  const outer = new Set(acting.flatMap(({ parent }) => around(parent)));
  return { page, options: acting.filter((one) => !outer.has(one)) };
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
    const [only, ...others] = options.filter((one) => words(optionName(one, page)) === words(value));
    if (only !== undefined) return others.length === 0 ? only : null;
  }
  return null;
}

export function optionName(option: AxElement, page: Page): string {
  return resolveShownName(option, page) || textWithin(option);
}

function refuseSuggested({ page, options }: Suggested): Promise<never> {
  const names = options.map((option) => optionName(option, page));
  return names.length === 0
    ? refuse('the field takes text, and no suggestion came for it; the text is in the field, nothing was chosen', names)
    : refuse('no suggestion, or more than one, has this name; the text is in the field, nothing was chosen', names);
}

async function refuse(problem: string, names: readonly string[]): Promise<never> {
  const shown = names.slice(0, SUGGESTED_SHOWN_MAX).join(' | ');
  return fail({
    code: 'invalid_argument',
    field: 'value',
    problem,
    hint:
      names.length === 0
        ? 'Use fill if the field takes any text, or choose with a shorter part of the name.'
        : 'Pass the whole name of one of the suggestions listed below.',
    ...(names.length === 0 ? {} : { quoted: await fenceQuote(shown, SUGGESTED_CHARS_MAX) }),
  });
}
