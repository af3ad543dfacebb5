import { foldBehindNewDialog } from '#browsing/view/changes/folded.ts';
import { percentDecode } from '#core/text/text.ts';
import { fail } from '#core/failures/failure.ts';
import { readHtmlOfPage, findVirtualListInTab, readVisibleHtml } from '#browsing/read/html.ts';
import type { PageHtml, VisiblePageHtml } from '#browsing/read/html.ts';
import type { VirtualList } from '#browsing/in-page/view/scrolling.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import type { Screenshot } from '#browsing/see/screenshot.ts';
import { parseTokenPart } from '#browsing/view/paging.ts';
import { takeView, paginateView } from '#browsing/view/view.ts';
import type { View, ViewOptions } from '#browsing/view/view.ts';
import { writeParts } from '#browsing/view/view-line.ts';
import {
  findTargetElement,
  scanTab,
  loadedDocument,
  readChangesAfterAct,
  createResolveContext,
  findLastScan,
} from './acting.ts';
import type { ActionResult } from './acting.ts';
import { failIfBrowserErrorPage } from './navigate.ts';
import type { OperationWork } from './perform.ts';
import { recordScriptStep } from '#browsing/session/history/script.ts';
import { makeCaseInsensitive, isSlashRegex } from '#browsing/locate/pattern.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { ResolveContext } from '#browsing/locate/resolve.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { waitFor } from '#browsing/locate/wait-for.ts';
import type { WaitResult, WaitCondition } from '#browsing/locate/wait-for.ts';
import { logLines, requestDetails } from '#browsing/read/log.ts';
import type { LogLines, LogQuery } from '#browsing/read/log.ts';
import { isSecretParameterName } from '#core/secrets/secret-addresses.ts';
import type { ConsoleAndRequestRecord } from '#browsing/tabs/page-record.ts';

type ViewInput = ViewPageOptions;

export async function viewTabOnRequest(work: OperationWork, input: ViewInput): Promise<View> {
  const { active, tab } = work;
  if (!isWholeView(input) || input.after !== undefined) return active.sent.asked(tab, await takeTabView(work, input));
  const scan = await scanTab(work);
  const lines = foldBehindNewDialog(scan.lines, active.sent.linesOf(tab));
  return active.sent.asked(tab, paginateView({ ...scan, lines }, input));
}

function isWholeView({ target, interactiveOnly, compact, find }: ViewInput): boolean {
  return target === undefined && interactiveOnly !== true && compact !== false && find === undefined;
}

export async function takeTabView(work: OperationWork, input: ViewInput): Promise<View> {
  const { active, tab } = work;
  if (isWholeView(input)) return paginateView(await scanTab(work, parseTokenPart(input.after)), input);
  const { view, found } = await takePageView(createResolveContext(work), active.refs, input, work.signal);
  const last = active.lastLooks.get(tab);
  if (found !== null && last !== undefined)
    active.lastLooks.set(tab, { ...last, found: new Set([...(last.found ?? []), ...found]) });
  return view;
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
  work: OperationWork,
  { target, overlay, text, ...options }: ScreenshotInput,
): Promise<{ picture: Screenshot; snapshot: View | null }> {
  const element = target === undefined ? undefined : await findTargetElement(work, target);
  const { tab, active, signal } = work;
  const shown = text || overlay ? work.active.sent.once(work.tab, await takeTabView(work, { target })) : null;
  const labels = overlay ? active.refs.ofTab(tab.id) : undefined;
  const { picture, ...image } = await takeScreenshot(tab, { element, labels, ...options }, signal);
  tab.picture = picture;
  return { picture: image, snapshot: text ? shown : null };
}

type HtmlInput = { target: string | undefined; maxBytes: number; keepsScripts: boolean };

export async function readPageHtml(work: OperationWork, { target, ...options }: HtmlInput): Promise<PageHtml> {
  const element = target === undefined ? null : await findTargetElement(work, target);
  return readHtmlOfPage(work.tab, { element, ...options }, work.signal);
}

export type ReadTabInput = { target: string | undefined };

/** The page or element that was read. */
type TabHtml = VisiblePageHtml & {
  finalUrl: string;
  documentUrl: string;
  undrawn: VirtualList | null;
  /** The last download of the tab, in case the page itself is empty. */
  lastFile: { id: string; name: string } | null;
};

/**
 * HTML of the page or an element as a person sees it, for text extraction.
 * @returns `finalUrl`: URL of the network response; `documentUrl`: `document.URL`, the base of links, which scripts can
 * change
 * @throws {PeriscopeError} `element_not_found` if the document was replaced meanwhile
 */
export async function readTabHtml(work: OperationWork, { target }: ReadTabInput, maxBytes: number): Promise<TabHtml> {
  const { tab, signal } = work;
  failIfBrowserErrorPage(tab);
  const element = target === undefined ? null : await findTargetElement(work, target);
  const frame = element?.frame ?? tab.main();
  const finalUrl = tab.responseUrl(frame);
  const undrawn = await findVirtualListInTab(tab, element, signal);
  const seen = await readVisibleHtml(tab, element, maxBytes, signal);
  const now = tab.frame(frame.id);
  if (now?.loaderId !== frame.loaderId) fail({ code: 'element_not_found', target: 'page', reason: 'replaced' });
  const files = tab.log.since(0).flatMap((event) => (event.kind === 'file' ? [event.file] : []));
  const last = files.at(-1);
  const lastFile = last === undefined ? null : { id: last.id, name: last.name };
  return { ...seen, finalUrl, documentUrl: now.url, undrawn, lastFile };
}

export type ViewPageOptions = ViewOptions & {
  target?: string | undefined;
};

/**
 * Returns the page of a tab as text with refs, within a budget (see `docs/browser.md`). The same page gives the same
 * text.
 * @throws {PeriscopeError} errors of `resolveTarget` for `target`; `invalid_argument` for an `after` that no longer
 * fits the page; `timeout` if the page does not respond
 * @returns `found`: the lines that the search has shown, as full text; `null` without a search
 */
export async function takePageView(
  tabs: ResolveContext,
  refs: ElementRefs,
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
  work: OperationWork,
  { wanted, timeoutMs, snapshot }: WaitInput,
): Promise<ActionResult<WaitResult>> {
  const before = loadedDocument(work);
  const shownBefore = work.isListed === true ? null : findLastScan(work);
  const waited = await waitFor(wanted, createResolveContext(work), work.active.refs, timeoutMs, work.signal);
  const { kind, value, isGone } = wanted;
  if (kind === 'text' && !isSlashRegex(value)) recordScriptStep(work, { do: 'see', text: value, isGone });
  const { unknown: _, ...seen } = await readChangesAfterAct(work, {
    before,
    shownBefore,
    withSnapshot: snapshot,
    element: null,
  });
  return { ...waited, ...seen, stillLoading: false };
}

export type LogInput = LogQuery | { kind: 'request'; id: string };

export async function readPageLog({ active, tab, signal }: OperationWork, input: LogInput): Promise<LogLines> {
  const { record } = tab;
  const secrets = await secretsOf(active, record);
  const plain = { secrets, mask: (text: string) => tab.session.masked(text) };
  if (input.kind !== 'request') return logLines(record, input, plain);
  const lines = await requestDetails(record, input.id, plain, signal);
  return { lines, mark: record.mark, leftOut: 0, dropped: 0, failed: null };
}

/** Cookie and header values to mask in logs, longest first, because one may contain another. */
async function secretsOf(
  { browser, contextId }: OperationWork['active'],
  record: OperationWork['tab']['record'],
): Promise<string[]> {
  const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
  const values = [...cookies.map(({ value }) => value), ...secretHeaderValues(record)];
  const written = values.flatMap((value) => [value, percentDecode(value), encodeURIComponent(value)]);
  return [...new Set(written)].toSorted((one, other) => other.length - one.length);
}

/** Header values that authenticate the browser, such as cookies. No output may show them. */
function secretHeaderValues({ requests }: ConsoleAndRequestRecord): string[] {
  const values = requests.flatMap(({ sent, received }) => [...sent, ...received]);
  return values.flatMap(([name, value]) => (isSecretParameterName(name) ? value.split(/[\s,;]+/) : []));
}
