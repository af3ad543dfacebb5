import { toBase64 } from '#core/text/base64.ts';
import { PeriscopeError, fail } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { RENDER_EMPTY_PAGE_WAIT_MS_MAX } from './limits.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { abortable, sleep, resolveWithin } from '#core/flow/abort.ts';
import { closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser, BrowserBinding } from '#browsing/cdp/connect.ts';
import { installRequestGate } from '#browsing/gate/request-gate.ts';
import type {
  GatedRequest,
  DecideUrl,
  SecondRequestCheck,
  SyntheticResponse,
  RefusedRequest,
} from '#browsing/gate/request-gate.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { readVisibleHtml } from '#browsing/read/html.ts';
import { BROWSER_VIEWPORT, APP_SHELL_TEXT_CHARS_MAX, SECOND_MS } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn, ifGone } from '#browsing/tabs/call-in-page.ts';
import { PageActivity } from '#browsing/settle/page-activity.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import { drawFile, createDrawingResponses, isDrawingAddress } from './draw-file.ts';
import type { DrawnFile, FileToDraw } from '#core/document/file-facts.ts';
import type { DrawingResponses } from './draw-file.ts';

/** Part of a rendering's time limit that is reserved for reading and closing the page. */
const RENDER_READ_RESERVE_MS = 2.5 * SECOND_MS;
const RENDER_POLL_MS = 100;
/** Time without change after which the text of a page is complete, unless open requests could still change it. */
const RENDER_QUIET_MS = 400;
/** Time without growth after which the text is used despite open requests, because streams and polling never end. */
const RENDER_STALLED_MS = 3 * SECOND_MS;
/**
 * Maximum height of the viewport in CSS pixels. It is large, so that content that loads when scrolled into view is in
 * view.
 */
const RENDER_HEIGHT_MAX = 8_000;
/** Time limit for loading a document's own scripts and styles. Afterwards, the document is read as it is. */
const RENDER_LOAD_MS_MAX = 9 * SECOND_MS;
/**
 * Time to open an empty tab, which usually takes a tenth of a second. A browser that has taken longer when the call
 * ends counts as hung and is closed.
 */
const RENDER_OPEN_MS_MAX = 5 * SECOND_MS;
const RENDER_DEATH_MS = 2 * SECOND_MS;

export type PageToRender = {
  url: string;
  html: string;
  /** Maximum UTF-8 bytes of HTML to return. */
  maxBytes: number;
};

export type RenderedPage = {
  html: string;
  isCut: boolean;
  /** URL of the last document response. Scripts can navigate there, but unlike `documentUrl` they cannot forge it. */
  finalUrl: string;
  /** `document.URL`, which scripts can change within their origin by `history.pushState`. */
  documentUrl: string;
  stillLoading: boolean;
};

/** @throws {PeriscopeError} if robots.txt does not allow the URL */
type CheckMayRead = (url: string, signal: AbortSignal) => Promise<void>;

type Job = { page: PageToRender; isAnswered: boolean; ended: AbortController };

export class RenderBrowser {
  readonly #browser: AcquiredBrowser;
  readonly #tabs: OpenTabs;
  readonly #mayRead: CheckMayRead;
  readonly #jobs = new Map<string, Job>();
  /** Responses for tabs that draw a file, by tab (`targetId`). Other requests of these tabs are refused. */
  readonly #drawings = new Map<string, DrawingResponses>();

  constructor(browser: AcquiredBrowser, mayRead: CheckMayRead) {
    this.#browser = browser;
    this.#mayRead = mayRead;
    this.#tabs = new OpenTabs(browser.connection, { mayOpen: () => false });
  }

  async start(decide: DecideUrl): Promise<this> {
    const secondCheck: SecondRequestCheck = (request) => this.#secondCheck(request);
    const { browser } = this.#browser.connection;
    await this.#tabs.start(installRequestGate(browser, decide, (refused) => this.#refused(refused), secondCheck));
    return this;
  }

  get id(): string {
    return this.#browser.id;
  }

  get isOpen(): boolean {
    return this.#browser.connection.isOpen;
  }

  /** True if the browser died. Waits a moment first, because its pages fail shortly before its connection closes. */
  async hasDied(): Promise<boolean> {
    await Promise.race([this.#browser.connection.closed, scheduler.wait(RENDER_DEATH_MS)]);
    return !this.isOpen;
  }

  async close(binding: BrowserBinding): Promise<void> {
    await closeBrowserAndConnection(binding, this.#browser);
  }

  /**
   * Renders a page. Its document request is answered with the HTML fetched before; all other requests pass the gate.
   * @param endAt deadline as Unix time in ms
   * @throws {PeriscopeError} `ssrf_blocked` or `robots_disallowed` if its scripts navigate to such a URL, `http_error`,
   * `fetch_failed`, `render_failed`, `timeout`
   * @throws {BrowserGone} if the browser died
   */
  async render(page: PageToRender, endAt: number, signal: AbortSignal): Promise<RenderedPage> {
    const job: Job = { page, isAnswered: false, ended: new AbortController() };
    const either = AbortSignal.any([signal, job.ended.signal]);
    const context = this.#tabs.openContext();
    try {
      const tab = await this.#open(context, either);
      this.#jobs.set(tab.targetId, job);
      const { stillLoading } = await loadWhole(tab, page.url, endAt - RENDER_READ_RESERVE_MS, either);
      const { url: documentUrl, loaderId } = tab.main();
      const finalUrl = arrivedAt(tab, page.url);
      const { html, isCut } = await readVisibleHtml(tab, null, page.maxBytes, either, true);
      if (tab.main().loaderId !== loaderId) fail({ code: 'render_failed', reason: NOT_AT_REST });
      return { html, isCut, finalUrl, documentUrl, stillLoading };
    } finally {
      this.#jobs.forEach((known, id) => known === job && this.#jobs.delete(id));
      context.then((id) => this.#tabs.closeContext(id)).catch(() => undefined);
    }
  }

  /**
   * Draws a file in a blank document without network access.
   * @throws {PeriscopeError} same errors as {@link drawFile}
   * @throws {BrowserGone} if the browser died
   */
  async draw(request: FileToDraw, signal: AbortSignal): Promise<DrawnFile> {
    const context = this.#tabs.openContext();
    let targetId: string | null = null;
    try {
      const tab = await this.#open(context, signal);
      targetId = tab.targetId;
      this.#drawings.set(targetId, createDrawingResponses(request));
      return await drawFile(tab, request, signal);
    } finally {
      if (targetId !== null) this.#drawings.delete(targetId);
      context.then((id) => this.#tabs.closeContext(id)).catch(() => undefined);
    }
  }

  /** Opens a tab. If the call ends after waiting too long, closes the browser, so that the next page gets a new one. */
  async #open(context: Promise<string>, signal: AbortSignal): Promise<OpenTab> {
    const since = Date.now();
    const opened = context.then((id) => this.#tabs.open(id));
    return abortable(opened, signal).catch((error: unknown) => {
      if (Date.now() - since >= RENDER_OPEN_MS_MAX) this.#browser.connection.close();
      throw error;
    });
  }

  /** Answers the first GET request for the page's URL with the fetched page. Checks robots.txt for other documents. */
  async #secondCheck({ url, method, frameId, resourceType }: GatedRequest): ReturnType<SecondRequestCheck> {
    const drawing = this.#drawings.get(frameId);
    if (drawing !== undefined || isDrawingAddress(url)) {
      const answer = drawing?.get(url);
      return answer === undefined ? { reason: 'a file that is drawn reaches nothing' } : { answer: await answer() };
    }
    const job = this.#jobs.get(frameId);
    if (job === undefined || resourceType !== 'Document') return null;
    if (!job.isAnswered && method === 'GET' && isSame(url, job.page.url)) {
      job.isAnswered = true;
      return { answer: documentOf(job.page.html) };
    }
    try {
      await this.#mayRead(url, job.ended.signal);
      return null;
    } catch (error) {
      const failure: Failure =
        error instanceof PeriscopeError
          ? error.failure
          : { code: 'fetch_failed', url: redactUrl(url), reason: 'its robots.txt could not be read' };
      job.ended.abort(new PeriscopeError(failure));
      return { reason: 'its robots.txt does not allow it' };
    }
  }

  #refused(request: RefusedRequest): void {
    this.#tabs.noteRefused(request);
    const { url, reason, frameId, resourceType } = request;
    if (resourceType !== 'Document') return;
    this.#jobs.get(frameId)?.ended.abort(new PeriscopeError({ code: 'ssrf_blocked', url: redactUrl(url), reason }));
  }
}

const NOT_AT_REST = 'its scripts went on to another document while it was read';

/** @throws {PeriscopeError} if the tab shows no readable page */
function arrivedAt(tab: OpenTab, from: string): string {
  const url = tab.responseUrl(tab.main());
  const { response } = tab;
  if (!/^https?:/u.test(url)) {
    fail({
      code: 'render_failed',
      url: redactUrl(from),
      reason: 'its scripts redirect to an address that cannot be read',
    });
  }
  if (response !== null && response.status >= 400) {
    fail({ code: 'http_error', url: redactUrl(url), statusCode: response.status });
  }
  if (response !== null && !/^(?:text\/html|application\/xhtml\+xml)$/u.test(response.mimeType)) {
    fail({ code: 'render_failed', url: redactUrl(from), reason: 'its scripts redirect to a file instead of a page' });
  }
  return url;
}

function isSame(url: string, other: string): boolean {
  return URL.canParse(url) && URL.canParse(other) && withoutHash(url) === withoutHash(other);
}

function withoutHash(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/**
 * The fetched document as a response. It is UTF-8, whatever its `<meta charset>` declares, because it was decoded
 * before.
 */
function documentOf(html: string): SyntheticResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    base64: toBase64(new TextEncoder().encode(html)),
  };
}

type Rest = { stillLoading: boolean; height: number };

/**
 * Loads a page and waits until its resources are loaded and its text has stopped changing. If the page shows almost no
 * text, its clock is run ahead. If that is not possible, the page gets more time. A page that never becomes idle is
 * used as it is.
 * @param endAt deadline as Unix time in ms
 * @throws {PeriscopeError} `fetch_failed` if no document arrived, `timeout` if it was not shown in time,
 * `render_failed` if the page crashed
 */
async function loadWhole(
  tab: OpenTab,
  url: string,
  endAt: number,
  signal: AbortSignal,
): Promise<{ stillLoading: boolean }> {
  const seen = new PageActivity(tab);
  const timers = new PageTimers(tab);
  const begunAt = Date.now();
  try {
    const begun = await abortable(tab.session.send('Page.navigate', { url }), signal);
    if (begun.isDownload === true || begun.errorText !== undefined) {
      fail({ code: 'fetch_failed', url: redactUrl(url), reason: 'the browser could not load it' });
    }
    // `Page.navigate` returns when the browser has received the document. The tab shows the document a moment later.
    const loadMs = Math.max(Math.min(RENDER_LOAD_MS_MAX, endAt - Date.now()), 0);
    await seen.until(() => !tab.isBlank, loadMs, signal);
    if (tab.isBlank) {
      fail({ code: 'timeout', what: 'Loading the page', afterMs: Date.now() - begunAt, url: redactUrl(url) });
    }
    const first = await rest(tab, seen, timers, endAt, signal);
    if (first.height <= BROWSER_VIEWPORT.height || first.stillLoading) return first;
    await heighten(tab, Math.min(first.height, RENDER_HEIGHT_MAX), signal);
    return await rest(tab, seen, timers, endAt, signal);
  } finally {
    seen.stop();
    timers.stop();
  }
}

async function heighten(tab: OpenTab, height: number, signal: AbortSignal): Promise<void> {
  const { width } = BROWSER_VIEWPORT;
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await abortable(tab.session.send('Emulation.setDeviceMetricsOverride', metrics), signal);
}

async function rest(
  tab: OpenTab,
  seen: PageActivity,
  timers: PageTimers,
  endAt: number,
  signal: AbortSignal,
): Promise<Rest> {
  const loadEnd = Math.min(Date.now() + RENDER_LOAD_MS_MAX, endAt);
  let size = { chars: 0, height: 0 };
  let changedAt = Date.now();
  while (Date.now() < endAt) {
    await sleep(RENDER_POLL_MS, signal);
    await timers.keepPace(RENDER_POLL_MS);
    if (!tab.isOpen) fail({ code: 'render_failed', reason: 'the page crashed' });
    if (seen.isNavigating && Date.now() < loadEnd) continue;
    const now = await sizeOf(tab, signal);
    if (now.chars !== size.chars) changedAt = Date.now();
    size = now;
    const { height } = size;
    if (seen.isNavigating) return { stillLoading: true, height };
    const isEmpty = size.chars <= APP_SHELL_TEXT_CHARS_MAX;
    const unchangedMs = Date.now() - changedAt;
    if (!isEmpty && unchangedMs >= RENDER_STALLED_MS) return { stillLoading: seen.isLoading, height };
    // A page shows content a moment after the response has arrived, so the end of a request counts like a change.
    const quietMs = Date.now() - Math.max(changedAt, seen.lastEnd);
    const isReady = !isEmpty || timers.isAhead || timers.canRunAhead;
    const isQuiet = quietMs >= (isReady ? RENDER_QUIET_MS : RENDER_EMPTY_PAGE_WAIT_MS_MAX);
    if (!isQuiet || seen.isLoading) continue;
    if (!isEmpty || !timers.canRunAhead) return { stillLoading: false, height };
    await timers.runAhead(RENDER_EMPTY_PAGE_WAIT_MS_MAX, signal);
    changedAt = Date.now();
  }
  return { stillLoading: true, height: size.height };
}

const NO_SIZE = { chars: 0, height: 0 };

async function sizeOf(tab: OpenTab, signal: AbortSignal): Promise<{ chars: number; height: number }> {
  return callIn(tab, tab.main(), pageScripts.measureText, [], signal).catch(ifGone(NO_SIZE));
}

/**
 * Runs the clock of a page ahead (virtual time). Timers of the next seconds fire immediately, and their requests are
 * awaited. Afterwards, only {@link keepPace} advances the clock.
 */
class PageTimers {
  readonly #tab: OpenTab;
  readonly #stops: (() => void)[] = [];
  #hasOtherSources = false;
  #isAhead = false;
  #isRefused = false;
  #expired: () => void = () => undefined;

  constructor(tab: OpenTab) {
    this.#tab = tab;
    const note = () => {
      this.#hasOtherSources = true;
    };
    this.#stops.push(
      // WebSockets, event streams and workers deliver text at their own speed, whatever the page's clock shows.
      tab.session.on('Network.webSocketCreated', note),
      tab.session.on('Network.requestWillBeSent', ({ type }) => type === 'EventSource' && note()),
      tab.session.on('Target.attachedToTarget', ({ targetInfo }) => targetInfo.type.includes('worker') && note()),
      tab.session.on('Emulation.virtualTimeBudgetExpired', () => this.#expired()),
    );
  }

  get canRunAhead(): boolean {
    return !this.#isAhead && !this.#isRefused && !this.#hasOtherSources;
  }

  get isAhead(): boolean {
    return this.#isAhead;
  }

  /** @param ms time by which the page's clock is run ahead; also the longest real wait */
  async runAhead(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<true>();
    this.#expired = () => resolve(true);
    this.#isAhead = await this.#grant(ms);
    this.#isRefused = !this.#isAhead;
    if (this.#isAhead) await resolveWithin(promise, ms, signal);
  }

  async keepPace(ms: number): Promise<void> {
    if (this.#isAhead) await this.#grant(ms);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #grant(budget: number): Promise<boolean> {
    try {
      await this.#tab.session.send('Emulation.setVirtualTimePolicy', {
        policy: 'pauseIfNetworkFetchesPending',
        budget,
      });
      return true;
    } catch (error) {
      if (error instanceof CdpError) return false;
      throw error;
    }
  }
}
