import { fail } from '#core/failures/failure.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { within } from '#core/flow/abort.ts';
import { TABS_MAX } from '#core/limits.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { pageHtml, undrawnListIn, readVisibleHtml } from '#browsing/read/html.ts';
import type { PageHtml, SeenHtml } from '#browsing/read/html.ts';
import type { UndrawnList } from '#browsing/in-page/view/scrolling.ts';
import { scrollAndSettle, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { Missed, TypeOptions } from '#browsing/act/fields/type-text.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import { refuseCut, refuseSlow } from '#browsing/secrets/type-secret.ts';
import type { SecretText } from '#browsing/secrets/type-secret.ts';
import { partOfToken } from '#browsing/view/paging.ts';
import { takeView, viewOf } from '#browsing/view/view.ts';
import type { View, ViewOptions } from '#browsing/view/view.ts';
import { writeParts } from '#browsing/view/view-line.ts';
import { crashed } from './crashed.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { findFrameRoot } from '#browsing/act/inner-frame.ts';
import {
  act,
  checkFocused,
  findElement,
  insideFrame,
  takeLook,
  loadedDocument,
  viewAfter,
  viewInTime,
  tabsOf,
  logInvalidFields,
  withMarks,
  knownLook,
} from './acting.ts';
import type { ActionResult } from './acting.ts';
import { effectSince, hasNothingChanged, isAsAsked, missedTouch, noteStates } from './effects.ts';
import type { Effect } from './effects.ts';
import { requestTabFacts } from '#browsing/session/tab-facts.ts';
import { LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import { failIfForbidden, failIfNotLoaded, findHistoryEntry, moveInHistory, navigate } from './navigate.ts';
import type { HistoryStep, NavigateResult, WaitUntil } from './navigate.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import type { Work } from './perform.ts';
import { namedKeys, noteStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import { makeCaseInsensitive, isPattern } from '#browsing/locate/pattern.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { TabsOfCall } from '#browsing/locate/resolve.ts';
import type { Refs } from '#browsing/refs/refs.ts';
import { asNoField, fieldTyped, textTarget } from './text-target.ts';
import type { FieldTyped } from './text-target.ts';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitResult, WaitCondition } from '#browsing/locate/wait-for.ts';
import { logLines, requestDetails, secretHeaderValues } from '#browsing/read/log.ts';
import type { LogLines, LogQuery } from '#browsing/read/log.ts';

type NavigateInput = {
  url: string | undefined;
  history: HistoryStep | undefined;
  newTab: boolean;
  waitUntil: WaitUntil;
  timeoutMs: number;
  snapshot: boolean;
};

export async function navigateTab(
  work: Work,
  { url, history, newTab, snapshot: withSnapshot, ...options }: NavigateInput,
): Promise<NavigateResult & { snapshot: View | null; isUnread?: true }> {
  const entry = url === undefined ? await findHistoryEntry(work.tab, history ?? 'reload') : null;
  const address = entry?.url ?? addressOf(url ?? '');
  await failIfForbidden(address, work);
  if (newTab) work.tab = await openTab(work);
  if (newTab) noteStep(work, { do: 'other', what: 'a new tab was opened' });
  noteStep(work, entry === null ? { do: 'go', url: url ?? '' } : { do: 'history', to: entry.step });
  const navigated = await work.active.rules.duringAct(work.tab, () =>
    entry === null ? goTo(work, address, options) : moveInHistory(work.tab, entry, options, work.signal),
  );
  if (withSnapshot) work.tabFacts = requestTabFacts(work.active, work.tab);
  if (!withSnapshot) return { ...navigated, snapshot: null };
  const view = await viewInTime(work, tabView(work, {}));
  if (view === null) return { ...navigated, snapshot: null, isUnread: true };
  return { ...navigated, snapshot: work.active.sent.once(work.tab, view) };
}

/** Opens a URL. Uses a new tab if the old one closes meanwhile: leaving a page that hangs may crash its tab. */
async function goTo(work: Work, url: string, options: Parameters<typeof navigate>[2]): Promise<NavigateResult> {
  const { tab, signal } = work;
  const { loaderId } = tab.main();
  const bounded = { ...options, endsAt: Date.now() + options.timeoutMs };
  try {
    const navigated = await navigate(tab, url, bounded, signal);
    if (tab.isOpen || navigated.file !== undefined) return navigated;
  } catch (error) {
    if (!(await hasGone(tab, signal))) throw error;
  }
  // If the new document itself crashed the tab, it would crash another tab as well.
  if (tab.hasCrashed && tab.main().loaderId !== loaderId) fail(crashed(tab));
  work.tab = await openTab(work);
  work.active.rules.noteAct(work.tab);
  const again = await navigate(work.tab, url, bounded, signal);
  return work.tab.hasCrashed ? fail(crashed(work.tab)) : again;
}

/** True if the tab has closed. Chromium reports the failed navigation before the crash that caused it. */
async function hasGone(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (!tab.isOpen) return true;
  const answer = tab.session.send('Runtime.evaluate', { expression: '0' });
  await within(answer.catch(ignoreGone), LEAVE_MS_MAX, signal);
  return !tab.isOpen;
}

/** @throws {PeriscopeError} `invalid_argument` if the session has the maximum number of tabs */
async function openTab({ active }: Work): Promise<OpenTab> {
  if (active.tabs.all().length < TABS_MAX) return active.tabs.open(active.contextId);
  return fail({
    code: 'invalid_argument',
    field: 'new_tab',
    problem: `the session already has ${TABS_MAX} tabs, the most it may have`,
    hint: 'Close one with browser_close and its tab, or continue in an open one.',
  });
}

/**
 * Canonical URL with its fragment, which many web apps use for routing.
 * @throws {PeriscopeError} `invalid_url`
 */
function addressOf(url: string): string {
  const canonical = canonicalizeUrl(url);
  const hash = url.indexOf('#');
  return hash === -1 ? canonical : canonical + url.slice(hash).trim();
}

type ViewInput = ViewPageOptions;

export async function viewTab(work: Work, input: ViewInput): Promise<View> {
  return work.active.sent.asked(work.tab, await tabView(work, input));
}

async function tabView(work: Work, input: ViewInput): Promise<View> {
  const { active, tab } = work;
  const isWhole =
    input.target === undefined && input.interactiveOnly !== true && input.compact !== false && input.find === undefined;
  if (isWhole) return viewOf(await takeLook(work, partOfToken(input.after)), input);
  const { view, found } = await viewPart(tabsOf(work), active.refs, input, work.signal);
  const last = active.lastLooks.get(tab);
  if (found !== null && last !== undefined)
    active.lastLooks.set(tab, { ...last, found: new Set([...(last.found ?? []), ...found]) });
  return view;
}

export type ClickInput = ClickOptions & { target: string; snapshot: boolean };

/** `effect`: set only in `browser_do`. `isTouchOnly`: nothing changed, because the element listens only for touch. */
export type ClickedResult = Pick<ClickResult, 'landed'> & { effect?: Effect; isTouchOnly?: true };

export async function clickElement(work: Work, input: ClickInput): Promise<ActionResult<ClickedResult>> {
  const element = await findElement(work, input.target, 'control');
  let noted: Awaited<ReturnType<typeof noteStates>> | null = null;
  const note = async () => {
    if (work.watchesEffect === true) noted = await noteStates(work, [element], true);
  };
  const acted = await act(work, element, input.snapshot, async () => {
    const at = toScriptTarget(work, element);
    const { landed, invalid } = await click(element, input, work.signal, note);
    noteStep(work, { do: 'click', at, button: input.button, count: input.clickCount, modifiers: [...input.modifiers] });
    logInvalidFields(work, invalid);
    return { landed };
  });
  const marked = await withMarks(work, element, acted);
  const same = await effectSince(work, noted, acted);
  const effect = same === 'none' && (await isAsAsked(element, work.signal)) ? null : same;
  const hadNothing = effect === 'none' || hasNothingChanged(marked);
  const isTouchOnly = await missedTouch(work, element, input.button, hadNothing);
  return { ...marked, ...(effect === null ? {} : { effect }), ...(isTouchOnly ? { isTouchOnly } : {}) };
}

type TypeResult = FieldTyped & { missed?: Missed; effect?: Effect };
export type TypeInput = TypeOptions & { target: string | undefined; snapshot: boolean };

/** @throws {PeriscopeError} `secret_refused`, and errors of finding the element and typing */
export async function typeInto(
  work: Work,
  { target, snapshot: shows, ...typing }: TypeInput,
): Promise<ActionResult<TypeResult>> {
  const named = target === undefined ? null : await findElement(work, target, 'field');
  const hasText = (typing.text ?? '') !== '';
  const { element, isField } = named === null ? NO_TARGET : await textTarget(work, named, hasText);
  const reference = parseSecretReference(typing.text ?? '');
  if (reference !== null && element === null) {
    fail({ code: 'secret_refused', name: reference.name, reason: 'place', sites: [] });
  }
  let typed: SecretText | null = null;
  const mayPress =
    work.watchesEffect === true && !hasText && (typing.submit === true || PRESSES.test(typing.key ?? ''));
  const noted = mayPress ? await noteStates(work, [element ?? (await pageAsElement(work))], true) : null;
  const acted = await act(work, element, shows, async () => {
    if (element === null) await checkFocused(work);
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlow(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const at = element === null ? null : toScriptTarget(work, element);
    const { invalid, missed } = await typeText(work.tab, element, { ...typing, secret }, work.signal).catch(
      (error: unknown) => {
        if (isField || named === null) throw error;
        return asNoField(error, work, named, hasText);
      },
    );
    const text = typing.text === undefined ? null : toScriptValue(typing.text, true);
    noteStep(work, { do: 'type', at, text, keys: namedKeys(typing.key, typing.submit === true) });
    logInvalidFields(work, invalid);
    if (secret !== undefined) typed = secret;
    return missed === null ? {} : { missed };
  });
  if (typed !== null && element !== null) await refuseCut(element, typed, work.signal);
  const typedIn =
    isField && element !== null && reference === null ? await fieldTyped(element, typing, work.signal) : {};
  const effect = await effectSince(work, noted, acted);
  return { ...acted, ...typedIn, ...(effect === null ? {} : { effect }) };
}

const PRESSES = /(?:^|\s)(?:Enter|Space)$/u;

function pageAsElement({ tab, signal }: Work): Promise<PageElement> {
  return findFrameRoot(tab, tab.main(), false, signal);
}

const NO_TARGET = { element: null, isField: false };

export type ScrollInput = ScrollOptions & {
  target: string | undefined;
  intoView: boolean;
  snapshot: boolean;
};

export async function scrollPage(work: Work, input: ScrollInput): Promise<ActionResult<{ place: ScrollPosition }>> {
  const element = input.target === undefined ? null : await findElement(work, input.target);
  return act(work, element, input.snapshot, async () => ({
    place:
      element !== null && input.intoView
        ? await scrollTo(element, work.signal)
        : await scrollAndSettle(work.tab, await insideFrame(element, work.signal), input, work.signal),
  }));
}

type ScreenshotInput = {
  target: string | undefined;
  fullPage: boolean;
  maxSide: number | undefined;
  quality: number | undefined;
  overlay: boolean;
  text: boolean;
};

export async function screenshot(
  work: Work,
  { target, overlay, text, ...options }: ScreenshotInput,
): Promise<{ picture: Screenshot; snapshot: View | null }> {
  const element = target === undefined ? undefined : await findElement(work, target);
  const { tab, active, signal } = work;
  const shown = text || overlay ? work.active.sent.once(work.tab, await tabView(work, { target })) : null;
  const labels = overlay ? active.refs.ofTab(tab.id) : undefined;
  const { picture, ...image } = await takeScreenshot(tab, { element, labels, ...options }, signal);
  tab.picture = picture;
  return { picture: image, snapshot: text ? shown : null };
}

type HtmlInput = { target: string | undefined; maxBytes: number; keepsScripts: boolean };

export async function htmlOf(work: Work, { target, ...options }: HtmlInput): Promise<PageHtml> {
  const element = target === undefined ? null : await findElement(work, target);
  return pageHtml(work.tab, { element, ...options }, work.signal);
}

export type ReadInput = { target: string | undefined };

/** `lastFile`: the tab's last download, in case the page itself shows nothing. */
type TabHtml = SeenHtml & {
  finalUrl: string;
  documentUrl: string;
  undrawn: UndrawnList | null;
  lastFile: { id: string; name: string } | null;
};

/**
 * HTML of the page or an element as a person sees it, for text extraction.
 * @returns `finalUrl`: URL of the network response; `documentUrl`: `document.URL`, the base of links, which scripts can
 * change
 * @throws {PeriscopeError} `element_not_found` if the document was replaced meanwhile
 */
export async function readTab(work: Work, { target }: ReadInput, maxBytes: number): Promise<TabHtml> {
  const { tab, signal } = work;
  failIfNotLoaded(tab);
  const element = target === undefined ? null : await findElement(work, target);
  const frame = element?.frame ?? tab.main();
  const finalUrl = tab.responseUrl(frame);
  const undrawn = await undrawnListIn(tab, element, signal);
  const seen = await readVisibleHtml(tab, element, maxBytes, signal);
  const now = tab.frame(frame.id);
  if (now?.loaderId !== frame.loaderId) fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  const files = tab.log.since(0).flatMap((event) => (event.kind === 'file' ? [event.file] : []));
  const last = files.at(-1);
  const lastFile = last === undefined ? null : { id: last.id, name: last.name };
  return { ...seen, finalUrl, documentUrl: now.url, undrawn, lastFile };
}

export async function closeTab(work: Work): Promise<null> {
  const closed = work.tab;
  await work.active.tabs.close(closed);
  work.active.refs.forgetTab(closed.id);
  return null;
}

export type ViewPageOptions = ViewOptions & {
  target?: string | undefined;
};

/**
 * Returns the page of a tab as text with refs, within a budget (see `docs/browser.md`). The same page gives the same
 * text.
 * @throws {PeriscopeError} errors of `resolveTarget` for `target`; `invalid_argument` for an `after` that no longer
 * fits the page; `timeout` if the page does not respond
 */
export async function viewPage(
  tabs: TabsOfCall,
  refs: Refs,
  options: ViewPageOptions,
  signal: AbortSignal,
): Promise<View> {
  return (await viewPart(tabs, refs, options, signal)).view;
}

/** @returns `found`: the lines that the search has shown, as full text; `null` without a search */
async function viewPart(
  tabs: TabsOfCall,
  refs: Refs,
  { target, ...given }: ViewPageOptions,
  signal: AbortSignal,
): Promise<{ view: View; found: string[] | null }> {
  const options = given.find === undefined ? given : { ...given, find: makeCaseInsensitive(given.find) };
  const at = target === undefined ? null : await resolveTarget(target, tabs, refs, signal);
  const scope = at === null ? null : { frameId: at.frame.id, backendNodeId: at.backendNodeId };
  const { view, lines } = await takeView(at?.tab ?? tabs.tab, refs, scope, options, signal);
  return { view, found: given.find === undefined ? null : lines.map(({ parts }) => writeParts(parts)) };
}

type WaitInput = { wanted: WaitCondition; timeoutMs: number; snapshot: boolean };

export async function waitOnPage(
  work: Work,
  { wanted, timeoutMs, snapshot }: WaitInput,
): Promise<ActionResult<WaitResult>> {
  const before = loadedDocument(work);
  const shownBefore = work.isListed === true ? null : knownLook(work);
  const waited = await waitFor(wanted, tabsOf(work), work.active.refs, timeoutMs, work.signal);
  const { kind, value, isGone } = wanted;
  if (kind === 'text' && !isPattern(value)) noteStep(work, { do: 'see', text: value, isGone });
  const { unknown: _, ...seen } = await viewAfter(work, {
    before,
    shownBefore,
    withSnapshot: snapshot,
    element: null,
  });
  return { ...waited, ...seen, stillLoading: false };
}

export type LogInput = LogQuery | { kind: 'request'; id: string };

export async function logOf({ active, tab, signal }: Work, input: LogInput): Promise<LogLines> {
  const { record } = tab;
  const secrets = await secretsOf(active, record);
  const plain = { secrets, hide: (text: string) => tab.session.masked(text, 'page') };
  if (input.kind !== 'request') return logLines(record, input, plain);
  const lines = await requestDetails(record, input.id, plain, signal);
  return { lines, mark: record.mark, leftOut: 0, dropped: 0, failed: null };
}

/** Cookie and header values to mask in logs, longest first, because one may contain another. */
async function secretsOf({ browser, contextId }: Work['active'], record: Work['tab']['record']): Promise<string[]> {
  const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
  const values = [...cookies.map(({ value }) => value), ...secretHeaderValues(record)];
  const written = values.flatMap((value) => [value, decodedOf(value), encodeURIComponent(value)]);
  return [...new Set(written)].toSorted((one, other) => other.length - one.length);
}

function decodedOf(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
