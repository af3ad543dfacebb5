import { fail } from '#core/failures/failure.ts';
import { parseSecretReference } from '#core/secrets/secret-facts.ts';
import { within } from '#core/flow/abort.ts';
import { TABS_MAX } from '#core/limits.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import { click } from '#browsing/act/click.ts';
import type { ClickOptions, ClickResult } from '#browsing/act/click.ts';
import { pageHtml, visibleHtml } from '#browsing/read/html.ts';
import type { PageHtml, SeenHtml } from '#browsing/read/html.ts';
import { scroll, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/type-text.ts';
import type { Missed, TypeOptions } from '#browsing/act/type-text.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import { refuseCut, refuseSlow } from '#browsing/secrets/type-secret.ts';
import type { SecretText } from '#browsing/secrets/type-secret.ts';
import { partOfToken } from '#browsing/view/paging.ts';
import { takeView, viewOf } from '#browsing/view/view.ts';
import type { View, ViewOptions } from '#browsing/view/view.ts';
import { crashed } from '#browsing/tabs/crashed.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { wholeDocument } from '#browsing/act/inner-frame.ts';
import {
  act,
  findElement,
  insideFrame,
  takeLook,
  loadedDocument,
  viewAfter,
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
import { moveInHistory, navigate } from './navigate.ts';
import type { NavigateResult, WaitUntil } from './navigate.ts';
import { openSecret } from '#browsing/secrets/session-secrets.ts';
import type { Work } from './perform.ts';
import { namedKeys, noteStep, targetOf, valueOf } from '#browsing/session/history/script.ts';
import { inAnyCase, isPattern } from '#browsing/locate/pattern.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { TabsOfCall } from '#browsing/locate/resolve.ts';
import type { Refs } from '#browsing/refs/refs.ts';
import { asNoField, heldInstead, textTarget } from './text-target.ts';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitResult, WaitCondition } from '#browsing/locate/wait-for.ts';
import { logLines, requestDetails, secretHeaderValues } from '#browsing/read/log.ts';
import type { LogLines, LogQuery } from '#browsing/read/log.ts';

export type NavigateInput = {
  url: string | undefined;
  history: 'back' | 'forward' | 'reload' | undefined;
  newTab: boolean;
  waitUntil: WaitUntil;
  timeoutMs: number;
  snapshot: boolean;
};

export async function navigateTab(
  work: Work,
  { url, history, newTab, snapshot: withSnapshot, ...options }: NavigateInput,
): Promise<NavigateResult & { snapshot: View | null }> {
  if (newTab) work.tab = await openTab(work);
  if (newTab) noteStep(work, { do: 'other', what: 'a new tab was opened' });
  noteStep(work, url === undefined ? { do: 'history', to: history ?? 'reload' } : { do: 'go', url });
  const navigated =
    url === undefined
      ? await moveInHistory(work.tab, history ?? 'reload', options, work.signal)
      : await goTo(work, addressOf(url), options);
  if (withSnapshot) work.tabFacts = requestTabFacts(work.active, work.tab);
  return { ...navigated, snapshot: withSnapshot ? await viewTab(work, {}) : null };
}

/** A page that hangs may take its tab down when it is left; the address is then opened in a new tab. */
async function goTo(work: Work, url: string, options: Parameters<typeof navigate>[2]): Promise<NavigateResult> {
  const { tab, signal } = work;
  const { loaderId } = tab.main();
  try {
    const navigated = await navigate(tab, url, options, signal);
    if (tab.isOpen || navigated.file !== undefined) return navigated;
  } catch (error) {
    if (!(await hasGone(tab, signal))) throw error;
  }
  // The document that crashed is the new one, which would crash another tab as well.
  if (tab.hasCrashed && tab.main().loaderId !== loaderId) fail(crashed(tab));
  work.tab = await openTab(work);
  const again = await navigate(work.tab, url, options, signal);
  return work.tab.hasCrashed ? fail(crashed(work.tab)) : again;
}

/** Chromium reports the failed navigation before the crash that caused it. */
async function hasGone(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (!tab.isOpen) return true;
  const answer = tab.session.send('Runtime.evaluate', { expression: '0' });
  await within(answer.catch(ignoreGone), LEAVE_MS_MAX, signal);
  return !tab.isOpen;
}

/** @throws {PeriscopeError} `invalid_argument` when the session has too many tabs */
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
 * Keeps the fragment, which many applications route by.
 * @throws {PeriscopeError} `invalid_url`
 */
function addressOf(url: string): string {
  const canonical = canonicalizeUrl(url);
  const hash = url.indexOf('#');
  return hash === -1 ? canonical : canonical + url.slice(hash).trim();
}

export type ViewInput = ViewPageOptions;

export async function viewTab(work: Work, input: ViewInput): Promise<View> {
  const isWhole =
    input.target === undefined && input.interactiveOnly !== true && input.compact !== false && input.find === undefined;
  if (!isWhole) return viewPage(tabsOf(work), work.active.refs, input, work.signal);
  return viewOf(await takeLook(work, partOfToken(input.after)), input);
}

export type ClickInput = ClickOptions & { target: string; snapshot: boolean };

/** `effect`: in a list of steps. `isTouchOnly`: nothing changed, because the page listens for touch only. */
export type ClickedResult = ClickResult & { effect?: Effect; isTouchOnly?: true };

export async function clickElement(work: Work, input: ClickInput): Promise<ActionResult<ClickedResult>> {
  const element = await findElement(work, input.target, 'control');
  let noted: Awaited<ReturnType<typeof noteStates>> | null = null;
  const note = async () => {
    if (work.watchesEffect === true) noted = await noteStates(work, [element], true);
  };
  const acted = await act(work, element, input.snapshot, async () => {
    const at = targetOf(work, element);
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

/** `held`: what the field holds, if that does not contain the text. */
export type TypeResult = { missed?: Missed; held?: string; effect?: Effect };
export type TypeInput = TypeOptions & { target: string | undefined; snapshot: boolean };

/** @throws {PeriscopeError} `secret_refused`, and what finding the element and typing throw */
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
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlow(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const at = element === null ? null : targetOf(work, element);
    const { invalid, missed } = await typeText(work.tab, element, { ...typing, secret }, work.signal).catch(
      (error: unknown) => {
        if (isField || named === null) throw error;
        return asNoField(error, work, named, hasText);
      },
    );
    const text = typing.text === undefined ? null : valueOf(typing.text, true);
    noteStep(work, { do: 'type', at, text, keys: namedKeys(typing.key, typing.submit === true) });
    logInvalidFields(work, invalid);
    if (secret !== undefined) typed = secret;
    return missed === null ? {} : { missed };
  });
  if (typed !== null && element !== null) await refuseCut(element, typed, work.signal);
  const held =
    isField && element !== null && reference === null ? await heldInstead(element, typing, work.signal) : null;
  const effect = await effectSince(work, noted, acted);
  return { ...acted, ...(held === null ? {} : { held }), ...(effect === null ? {} : { effect }) };
}

/** Keys that press what has the focus, or send a form. */
const PRESSES = /(?:^|\s)(?:Enter|Space)$/u;

function pageAsElement({ tab, signal }: Work): Promise<PageElement> {
  return wholeDocument(tab, tab.main(), false, signal);
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
        : await scroll(work.tab, await insideFrame(element, work.signal), input, work.signal),
  }));
}

export type ScreenshotInput = {
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
  // A fresh view first, so that every label in the picture is a valid ref.
  const shown = text || overlay ? await viewTab(work, { target }) : null;
  const labels = overlay ? active.refs.ofTab(tab.id) : undefined;
  const { picture, ...image } = await takeScreenshot(tab, { element, labels, ...options }, signal);
  tab.picture = picture;
  return { picture: image, snapshot: text ? shown : null };
}

export type HtmlInput = { target: string | undefined; maxBytes: number; keepsScripts: boolean };

export async function htmlOf(work: Work, { target, ...options }: HtmlInput): Promise<PageHtml> {
  const element = target === undefined ? null : await findElement(work, target);
  return pageHtml(work.tab, { element, ...options }, work.signal);
}

export type ReadInput = { target: string | undefined };

type TabHtml = SeenHtml & { finalUrl: string; documentUrl: string };

/**
 * The page or an element as a person sees it, for extraction.
 * @returns `finalUrl`: the address of the network response; `documentUrl`: `document.URL`, which scripts can change and
 * links are relative to
 * @throws {PeriscopeError} `element_not_found` when the document was replaced meanwhile
 */
export async function readTab(work: Work, { target }: ReadInput, maxBytes: number): Promise<TabHtml> {
  const { tab, signal } = work;
  const element = target === undefined ? null : await findElement(work, target);
  const frame = element?.frame ?? tab.main();
  const finalUrl = tab.responseUrl(frame);
  const seen = await visibleHtml(tab, element, maxBytes, signal);
  const now = tab.frame(frame.id);
  if (now?.loaderId !== frame.loaderId) fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  return { ...seen, finalUrl, documentUrl: now.url };
}

export async function closeTab(work: Work): Promise<null> {
  const closed = work.tab;
  await work.active.tabs.close(closed);
  work.active.refs.forgetTab(closed.id);
  return null;
}

export type ViewPageOptions = ViewOptions & {
  /** A ref or CSS selector: only this element and its content. */
  target?: string | undefined;
};

/**
 * The page of a tab as text with refs, within a budget: see `docs/browser.md`. The same page gives the same text.
 * @throws {PeriscopeError} what `resolveTarget` throws for `target`; `invalid_argument` for an `after` that no longer
 * fits the page; `timeout` when the page does not answer
 */
export async function viewPage(
  tabs: TabsOfCall,
  refs: Refs,
  { target, ...given }: ViewPageOptions,
  signal: AbortSignal,
): Promise<View> {
  const options = given.find === undefined ? given : { ...given, find: inAnyCase(given.find) };
  if (target === undefined) return takeView(tabs.tab, refs, null, options, signal);
  const { tab, frame, backendNodeId } = await resolveTarget(target, tabs, refs, signal);
  return takeView(tab, refs, { frameId: frame.id, backendNodeId }, options, signal);
}

export type WaitInput = { wanted: WaitCondition; timeoutMs: number; snapshot: boolean };

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

/** Credentials and secrets are redacted. */
export async function logOf({ active, tab, signal }: Work, input: LogInput): Promise<LogLines> {
  const { record } = tab;
  const secrets = await secretsOf(active, record);
  const plain = { secrets, hide: (text: string) => tab.session.masked(text, 'page') };
  if (input.kind !== 'request') return logLines(record, input, plain);
  const lines = await requestDetails(record, input.id, plain, signal);
  return { lines, mark: record.mark, leftOut: 0, dropped: 0, failed: null };
}

/** The longest first, because one may contain another. */
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
