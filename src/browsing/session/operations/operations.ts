import { fail } from '#core/failures/failure.ts';
import { secretReference } from '#core/secrets/secret-facts.ts';
import { within } from '#core/flow/abort.ts';
import { TABS_MAX } from '#core/limits.ts';
import { canonicalUrl } from '#net/fetch/canonical-url.ts';
import { ignoreGone } from '#browsing/cdp/connection.ts';
import { click } from '#browsing/act/click.ts';
import type { Clicked } from '#browsing/act/click.ts';
import { pageHtml, visibleHtml } from '#browsing/read/html.ts';
import type { PageHtml, SeenHtml } from '#browsing/read/html.ts';
import type { Modifier, MouseButton } from '#browsing/act/reach.ts';
import { scroll, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPosition } from '#browsing/act/scroll.ts';
import { typeText } from '#browsing/act/type-text.ts';
import type { Typing } from '#browsing/act/type-text.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import { refuseCut, refuseSlow } from '#browsing/secrets/type-secret.ts';
import type { SecretText } from '#browsing/secrets/type-secret.ts';
import { partOfToken } from '#browsing/view/paging.ts';
import { takeView, viewOf } from '#browsing/view/view.ts';
import type { View, ViewOptions } from '#browsing/view/view.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { act, find, lookAround, loadedDocument, seeAfter, tabsOf, tellInvalid } from './acting.ts';
import type { Acted } from './acting.ts';
import { requestTabFacts } from '#browsing/session/tab-facts.ts';
import { LEAVE_MS_MAX } from '#browsing/session/limits.ts';
import { moveInHistory, navigate } from './navigate.ts';
import type { Navigated, WaitUntil } from './navigate.ts';
import { openSecret } from '#browsing/secrets/open-secret.ts';
import type { Work } from './perform.ts';
import { resolveTarget } from '#browsing/target/resolve.ts';
import type { TabsOfCall } from '#browsing/target/resolve.ts';
import type { Refs } from '#browsing/refs/refs.ts';
import { waitFor } from '#browsing/target/wait-for.ts';
import type { Waited, Wanted } from '#browsing/target/wait-for.ts';
import { logLines, requestLines, secretHeaderValues } from '#browsing/read/log.ts';
import type { LogLines, LogQuery } from '#browsing/read/log.ts';

/** The operations of a session, one for each tool: find the element, act, report the result. */

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
): Promise<Navigated & { snapshot: View | null }> {
  if (newTab) work.tab = await openTab(work);
  const navigated =
    url === undefined
      ? await moveInHistory(work.tab, history ?? 'reload', options, work.signal)
      : await goTo(work, addressOf(url), options);
  if (withSnapshot) work.beside = requestTabFacts(work.live, work.tab);
  return { ...navigated, snapshot: withSnapshot ? await viewTab(work, {}) : null };
}

/** A page that hangs may take its tab with it when it is left: then the address is opened in a new tab. */
async function goTo(work: Work, url: string, options: Parameters<typeof navigate>[2]): Promise<Navigated> {
  const { tab, signal } = work;
  try {
    const navigated = await navigate(tab, url, options, signal);
    if (tab.isOpen || navigated.file !== undefined) return navigated;
  } catch (error) {
    if (!(await hasGone(tab, signal))) throw error;
  }
  work.tab = await openTab(work);
  return navigate(work.tab, url, options, signal);
}

/** A navigation that a crash broke off is told of before the crash: a page that is there answers. */
async function hasGone(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (!tab.isOpen) return true;
  const answer = tab.session.send('Runtime.evaluate', { expression: '0' });
  await within(answer.catch(ignoreGone), LEAVE_MS_MAX, signal);
  return !tab.isOpen;
}

/** @throws {PeriscopeError} `invalid_argument` when the session has as many tabs as it may */
async function openTab({ live }: Work): Promise<OpenTab> {
  if (live.tabs.all().length < TABS_MAX) return live.tabs.open(live.contextId);
  return fail({
    code: 'invalid_argument',
    field: 'new_tab',
    problem: `the session already has ${TABS_MAX} tabs, the most it may have`,
    hint: 'Close one with browser_close and its tab, or continue in an open one.',
  });
}

/** Canonical, but with its fragment: in many applications that is the place. @throws {PeriscopeError} `invalid_url` */
function addressOf(url: string): string {
  const canonical = canonicalUrl(url);
  const hash = url.indexOf('#');
  return hash === -1 ? canonical : canonical + url.slice(hash).trim();
}

export type ViewInput = ViewPageOptions;

export async function viewTab(work: Work, input: ViewInput): Promise<View> {
  const isWhole =
    input.target === undefined && input.interactiveOnly !== true && input.compact !== false && input.find === undefined;
  if (!isWhole) return viewPage(tabsOf(work), work.live.refs, input, work.signal);
  return viewOf(await lookAround(work, partOfToken(input.after)), input);
}

export type ClickInput = {
  selector: string;
  button: MouseButton;
  clickCount: 1 | 2 | 3;
  modifiers: readonly Modifier[];
  snapshot: boolean;
};

export async function clickElement(work: Work, input: ClickInput): Promise<Acted<Clicked>> {
  const element = await find(work, input.selector);
  return act(work, element, input.snapshot, async () => {
    const { landed, invalid } = await click(element, input, work.signal);
    tellInvalid(work, invalid);
    return { landed };
  });
}

export type TypeInput = Typing & { selector: string | undefined; snapshot: boolean };

export async function typeInto(
  work: Work,
  { selector, snapshot: shows, ...typing }: TypeInput,
): Promise<Acted<object>> {
  const element = selector === undefined ? null : await find(work, selector);
  const reference = secretReference(typing.text ?? '');
  if (reference !== null && element === null) {
    fail({ code: 'secret_refused', name: reference.name, reason: 'place', sites: [] });
  }
  let typed: SecretText | null = null;
  const acted = await act(work, element, shows, async () => {
    const secret = reference === null || element === null ? undefined : await openSecret(work, reference, element);
    if (secret !== undefined && element !== null) {
      await refuseSlow(element, secret, typing.slowly === true, work.endsAt, work.signal);
    }
    const { invalid } = await typeText(work.tab, element, { ...typing, secret }, work.signal);
    tellInvalid(work, invalid);
    if (secret !== undefined) typed = secret;
    return {};
  });
  if (typed !== null && element !== null) await refuseCut(element, typed, work.signal);
  return acted;
}

export type ScrollInput = ScrollOptions & {
  selector: string | undefined;
  /** Scrolls until the element is in view, instead of by an amount. */
  intoView: boolean;
  snapshot: boolean;
};

export async function scrollPage(work: Work, input: ScrollInput): Promise<Acted<{ place: ScrollPosition }>> {
  const element = input.selector === undefined ? null : await find(work, input.selector);
  return act(work, element, input.snapshot, async () => ({
    place:
      element !== null && input.intoView
        ? await scrollTo(element, work.signal)
        : await scroll(work.tab, element, input, work.signal),
  }));
}

export type ScreenshotInput = {
  selector: string | undefined;
  fullPage: boolean;
  maxSide: number | undefined;
  quality: number | undefined;
  /** Marks the refs of the page on the picture. */
  overlay: boolean;
  /** Whether the picture comes with the page as text. */
  text: boolean;
};

export async function screenshot(
  work: Work,
  { selector, overlay, text, ...options }: ScreenshotInput,
): Promise<{ picture: Screenshot; snapshot: View | null }> {
  const element = selector === undefined ? undefined : await find(work, selector);
  const { tab, live, signal } = work;
  // Marks are those of the page as it is now, so that every number on the picture is one that can be used.
  const shown = text || overlay ? await viewTab(work, { target: selector }) : null;
  const labels = overlay ? live.refs.ofTab(tab.id) : undefined;
  const { picture, ...image } = await takeScreenshot(tab, { element, labels, ...options }, signal);
  tab.picture = picture;
  return { picture: image, snapshot: text ? shown : null };
}

export type HtmlInput = { selector: string | undefined; maxBytes: number; keepsScripts: boolean };

export async function htmlOf(work: Work, { selector, ...options }: HtmlInput): Promise<PageHtml> {
  const element = selector === undefined ? null : await find(work, selector);
  return pageHtml(work.tab, { element, ...options }, work.signal);
}

export type ReadInput = { selector: string | undefined };

/** `documentUrl`: an object of an earlier version does not tell, and gives it as `url`. */
export type LiveHtml = SeenHtml & { url: string; documentUrl?: string };

/**
 * The page, or an element of it, as a person sees it, fit for extraction.
 * @returns `url`: the address that answered for its document; `documentUrl`: `document.URL`, which scripts can change,
 *   and which links are relative to
 */
export async function readLive(work: Work, { selector }: ReadInput, maxBytes: number): Promise<LiveHtml> {
  const { tab, signal } = work;
  const element = selector === undefined ? null : await find(work, selector);
  const frame = element?.frame ?? tab.main();
  const url = tab.responseUrl(frame);
  const seen = await visibleHtml(tab, element, maxBytes, signal);
  const now = tab.frame(frame.id);
  if (now?.loaderId !== frame.loaderId) fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  return { ...seen, url, documentUrl: now.url };
}

export async function closeTab(work: Work): Promise<null> {
  const closed = work.tab;
  await work.live.tabs.close(closed);
  work.live.refs.forgetTab(closed.id);
  return null;
}

export type ViewPageOptions = ViewOptions & {
  /** A ref or CSS selector: only this element and its content. */
  target?: string | undefined;
};

/**
 * The page of a tab as text with refs, within a budget: see `docs/browser.md`. The same page gives the same text.
 *
 * @throws {PeriscopeError} what `resolveTarget` throws for `target`; `invalid_argument` for an `after` that no longer
 *   fits the page; `timeout` when the page does not answer
 */
export async function viewPage(
  tabs: TabsOfCall,
  refs: Refs,
  { target, ...options }: ViewPageOptions,
  signal: AbortSignal,
): Promise<View> {
  if (target === undefined) return takeView(tabs.tab, refs, null, options, signal);
  const { tab, frame, backendNodeId } = await resolveTarget(target, tabs, refs, signal);
  return takeView(tab, refs, { frameId: frame.id, backendNodeId }, options, signal);
}

export type WaitInput = { wanted: Wanted; timeoutMs: number; snapshot: boolean };

export async function waitOnPage(work: Work, { wanted, timeoutMs, snapshot }: WaitInput): Promise<Acted<Waited>> {
  const before = loadedDocument(work);
  const shownBefore = work.live.looks.get(work.tab) ?? null;
  const waited = await waitFor(wanted, tabsOf(work), work.live.refs, timeoutMs, work.signal);
  const seen = await seeAfter(work, { before, shownBefore, withSnapshot: snapshot });
  return { ...waited, ...seen, stillLoading: false };
}

export type LogInput = LogQuery | { kind: 'request'; id: string };

/** What the page of a tab logged and requested, without anything that gives access. */
export async function logOf({ live, tab, signal }: Work, input: LogInput): Promise<LogLines> {
  const { record } = tab;
  const secrets = await secretsOf(live, record);
  const plain = { secrets, hide: (text: string) => tab.session.told(text, 'page') };
  if (input.kind !== 'request') return logLines(record, input, plain);
  const lines = await requestLines(record, input.id, plain, signal);
  return { lines, mark: record.mark, leftOut: 0, dropped: 0, failed: null };
}

/** The longest first, because one may be part of another. */
async function secretsOf({ browser, contextId }: Work['live'], record: Work['tab']['record']): Promise<string[]> {
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
