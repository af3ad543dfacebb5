import { within } from '#core/abortable.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import { TABS_MAX } from '#core/limits.ts';
import { canonicalUrl } from '#net/canonical-url.ts';
import { click } from '#browsing/act/click.ts';
import type { Clicked } from '#browsing/act/click.ts';
import { evaluate } from '#browsing/act/evaluate.ts';
import type { Evaluated } from '#browsing/act/evaluate.ts';
import { pageHtml } from '#browsing/read/html.ts';
import type { PageHtml } from '#browsing/read/html.ts';
import type { Modifier, MouseButton } from '#browsing/act/input.ts';
import type { InvalidField } from '#browsing/act/invalid-fields.ts';
import { scroll, scrollTo } from '#browsing/act/scroll.ts';
import type { ScrollOptions, ScrollPlace } from '#browsing/act/scroll.ts';
import { settled } from '#browsing/settle/settle.ts';
import { typeText } from '#browsing/act/type-text.ts';
import type { Typing } from '#browsing/act/type-text.ts';
import { resolveTarget } from '#browsing/target/resolve.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { visibleHtml } from '#browsing/read/visible-html.ts';
import type { SeenHtml } from '#browsing/read/visible-html.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import { viewPage } from './view-page.ts';
import type { ViewPageOptions } from './view-page.ts';
import { changesBetween, lookAfter } from '#browsing/view/changes.ts';
import type { Changes } from '#browsing/view/changes.ts';
import { partOfToken } from '#browsing/view/paging.ts';
import { lookAt, viewOf } from '#browsing/view/view.ts';
import type { Look, View } from '#browsing/view/view.ts';
import { CHANGES_BESIDE_VIEW_CHARS_MAX, CHANGES_CHARS_MAX, LOOK_BEFORE_MS_MAX } from './limits.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { DOWNLOAD_REST_MS, DOWNLOAD_WAIT_MS } from './limits.ts';
import { moveInHistory, navigate } from './navigate.ts';
import type { Navigated, WaitUntil } from './navigate.ts';
import type { Work } from './perform.ts';

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
  const { tab, signal } = work;
  const navigated =
    url === undefined
      ? await moveInHistory(tab, history ?? 'reload', options, signal)
      : await navigate(tab, addressOf(url), options, signal);
  return { ...navigated, snapshot: withSnapshot ? await viewTab(work, {}) : null };
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

export function tabsOf({ tab, live }: Work) {
  return { tab, byId: (id: string) => live.tabs.byId(id) };
}

/** What every action says beside its own result. */
export type Acted<T> = T & {
  /** Whether the tab shows another address, or another document: one that a form was sent for may have the same address. */
  hasMoved: boolean;
  /** Whether it is another document. All refs from before are stale then. */
  isNewDocument: boolean;
  stillLoading: boolean;
  /** Whether the page had come to rest. */
  isQuiet?: boolean;
  /** Lines that a view of the page shows now and did not show before; `null` for another document or one that does not answer. */
  changes?: Changes | null;
  /** The page afterwards, when it was asked for. Called as tools call it: an answer of an object keeps its fields. */
  snapshot: View | null;
};

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
  return act(work, element, shows, async () => {
    const { invalid } = await typeText(work.tab, element, typing, work.signal);
    tellInvalid(work, invalid);
    return {};
  });
}

/** What the browser shows a person beside the page, and no view contains. */
export function tellInvalid({ tab }: Work, fields: readonly InvalidField[] = []): void {
  for (const { name, problem } of fields) tab.log.add({ kind: 'invalid_field', name, problem });
}

export type EvaluateInput = { script: string; selector: string | undefined; timeoutMs: number };

export async function evaluateScript(
  work: Work,
  { script, selector, timeoutMs }: EvaluateInput,
): Promise<Acted<Evaluated>> {
  const element = selector === undefined ? null : await find(work, selector);
  refuseWhereTyped(work.tab);
  return act(work, element, false, () => evaluate({ tab: work.tab, element }, script, { timeoutMs }, work.signal));
}

/** A script could read what the person typed. @throws {PeriscopeError} `script_blocked` */
function refuseWhereTyped(tab: OpenTab): void {
  if (!tab.frames().some(({ loaderId }) => tab.typedIn.has(loaderId))) return;
  fail({
    code: 'script_blocked',
    reason: 'a person has typed in this page, and a script could read it',
    hint: 'Use browser_snapshot, or load the page again with browser_navigate {"history": "reload"} first.',
  });
}

export type ScrollInput = ScrollOptions & {
  selector: string | undefined;
  /** Scrolls until the element is in view, instead of by an amount. */
  intoView: boolean;
  snapshot: boolean;
};

export async function scrollPage(work: Work, input: ScrollInput): Promise<Acted<{ place: ScrollPlace }>> {
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

/** The page, or an element of it, as a person sees it, fit for extraction; with the address its links are relative to. */
export async function readLive(
  work: Work,
  { selector }: ReadInput,
  maxBytes: number,
): Promise<SeenHtml & { url: string }> {
  const element = selector === undefined ? null : await find(work, selector);
  const seen = await visibleHtml(work.tab, element, maxBytes, work.signal);
  return { ...seen, url: (element?.frame ?? work.tab.main()).url };
}

export async function closeTab(work: Work): Promise<null> {
  const closed = work.tab;
  await work.live.tabs.close(closed);
  work.live.refs.forgetTab(closed.id);
  return null;
}

/**
 * Acts, waits for what that sets off, and tells what the page shows now that it did not show before.
 * @param own elements whose own change the answer tells in another way
 */
export async function act<T extends object>(
  work: Work,
  element: PageElement | null,
  withSnapshot: boolean,
  action: () => Promise<T>,
  own: (result: T) => readonly PageElement[] = () => [],
): Promise<Acted<T>> {
  const { tab, live } = work;
  const before = placeOf(work);
  const shownBefore = live.looks.get(tab) ?? (await orNull(within(lookAround(work), LOOK_BEFORE_MS_MAX, work.signal)));
  // Only what a click or a key sets off may open tabs; a page that is merely loading may not.
  live.isActing = true;
  const restBy = Date.now() + DOWNLOAD_WAIT_MS;
  const done = settled(tab, element, action, work.signal);
  const { result, settled: rest } = await done.finally(() => (live.isActing = false));
  await live.downloads.atRest(Math.max(restBy - Date.now(), DOWNLOAD_REST_MS), work.signal);
  const seen = await seeAfter(work, { before, shownBefore, withSnapshot }, () => own(result));
  return { ...result, ...rest, ...seen };
}

type Before = { before: Place; shownBefore: Look | null; withSnapshot: boolean };

/** Where the tab is now, what it shows that it did not show before, and all of it when that was asked for. */
export async function seeAfter(
  work: Work,
  { before, shownBefore, withSnapshot }: Before,
  own: () => readonly PageElement[] = () => [],
): Promise<Pick<Acted<object>, 'hasMoved' | 'isNewDocument' | 'changes' | 'snapshot'>> {
  const { tab, live } = work;
  const moved = movedSince(before, work);
  const isTold = tab.isOpen && shownBefore !== null && !moved.isNewDocument;
  // Of a large page, the part that the model saw last.
  const part = moved.isNewDocument ? null : (live.looks.get(tab)?.part?.from ?? null);
  const look = () => lookAround(work, part);
  const shown = withSnapshot && tab.isOpen ? await look() : isTold ? await orNull(look()) : null;
  const ownRefs = new Set(own().flatMap((one) => live.refs.refOf(one) ?? []));
  const maxChars = withSnapshot ? CHANGES_BESIDE_VIEW_CHARS_MAX : CHANGES_CHARS_MAX;
  return {
    ...moved,
    changes: isTold && shown !== null ? changesBetween(shownBefore, shown, ownRefs, maxChars) : null,
    snapshot: withSnapshot && shown !== null ? viewOf(shown, {}) : null,
  };
}

/** @param partFrom of a large page, the node that the part begins with */
async function lookAround({ tab, live, signal }: Work, partFrom: number | null = null): Promise<Look> {
  const shown = lookAfter(live.looks.get(tab) ?? null, await lookAt(tab, live.refs, null, {}, signal, partFrom));
  live.looks.set(tab, shown);
  return shown;
}

/** For additional facts: a page that does not answer is not waited for. */
async function orNull(look: Promise<Look | null>): Promise<Look | null> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }
}

type Place = { loaderId: string; url: string };

export function placeOf({ tab }: Work): Place {
  const { loaderId, url } = tab.main();
  return { loaderId, url };
}

function movedSince(before: Place, work: Work): { hasMoved: boolean; isNewDocument: boolean } {
  const now = placeOf(work);
  const isNewDocument = now.loaderId !== before.loaderId;
  return { hasMoved: isNewDocument || now.url !== before.url, isNewDocument };
}

/** A ref may lead to another tab than the one the call names; then the call goes on there. */
export async function find(work: Work, selector: string): Promise<PageElement> {
  const element = await resolveTarget(selector, tabsOf(work), work.live.refs, work.signal);
  work.tab = work.live.tabs.byId(element.tab.id) ?? work.tab;
  return element;
}
