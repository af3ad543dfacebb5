import { toBase64 } from '#core/base64.ts';
import { fail, PeriscopeError } from '#core/errors.ts';
import type { Failure } from '#core/errors.ts';
import { RENDER_DEATH_MS, RENDER_OPEN_MS_MAX, RENDER_READ_RESERVE_MS } from './limits.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { abortable } from '#core/with-timeout.ts';
import { endBrowser } from '#browsing/cdp/connect.ts';
import type { Acquired, BrowserBinding } from '#browsing/cdp/connect.ts';
import { guardRequests } from '#browsing/gate/request-gate.ts';
import type { Asked, Decide, LastLook, OwnAnswer, Refused } from '#browsing/gate/request-gate.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { loadWhole } from './load-whole.ts';
import { visibleHtml } from '#browsing/read/visible-html.ts';

/** A page whose document we have already fetched. */
export type ToRender = {
  /** Where it was found, after redirects. */
  url: string;
  /** The document as fetched. */
  html: string;
  /** UTF-8 bytes of HTML to return. */
  maxBytes: number;
};

/** What a browser made of the page. `html`, `finalUrl` and `documentUrl` come from the page, so they are data. */
export type Rendered = {
  html: string;
  isCut: boolean;
  /** The address of the last document response: scripts may have navigated there, but cannot make it up. */
  finalUrl: string;
  /**
   * `document.URL`, which scripts can change within their origin. An object of an earlier version does not tell, and
   * gives this one as `finalUrl`.
   */
  documentUrl?: string;
  /** It was still loading when its time was up. */
  stillLoading: boolean;
};

/**
 * Whether we may read an address to which a page goes on, by robots.txt and the like. Throws `PeriscopeError` if not.
 */
export type MayRead = (url: string, signal: AbortSignal) => Promise<void>;

type Job = { page: ToRender; isAnswered: boolean; ended: AbortController };

/** One browser that renders pages, each in a context of its own that is thrown away. */
export class RenderBrowser {
  readonly #browser: Acquired;
  readonly #tabs: OpenTabs;
  readonly #mayRead: MayRead;
  /** By the id of the tab's main frame. */
  readonly #jobs = new Map<string, Job>();

  constructor(browser: Acquired, mayRead: MayRead) {
    this.#browser = browser;
    this.#mayRead = mayRead;
    this.#tabs = new OpenTabs(browser.connection, { mayOpen: () => false });
  }

  async start(decide: Decide): Promise<this> {
    const lastLook: LastLook = (asked) => this.#lastLook(asked);
    const { browser } = this.#browser.connection;
    await this.#tabs.start(guardRequests(browser, decide, (refused) => this.#refused(refused), lastLook));
    return this;
  }

  get id(): string {
    return this.#browser.id;
  }

  get isOpen(): boolean {
    return this.#browser.connection.isOpen;
  }

  /** When a browser dies, its pages end a moment before its connection does. */
  async hasDied(): Promise<boolean> {
    await Promise.race([this.#browser.connection.closed, scheduler.wait(RENDER_DEATH_MS)]);
    return !this.isOpen;
  }

  async close(binding: BrowserBinding): Promise<void> {
    await endBrowser(binding, this.#browser);
  }

  /**
   * Renders one page. Its document is answered with the one we have; all its other requests pass the gate.
   * @param endAt (ms since 1970) by which it must be done
   * @throws {PeriscopeError} `ssrf_blocked` or `robots_disallowed` when its scripts go to such an address,
   *   `http_error`, `fetch_failed`, `render_failed`, `timeout`
   * @throws {BrowserGone} when the browser died
   */
  async render(page: ToRender, endAt: number, signal: AbortSignal): Promise<Rendered> {
    const job: Job = { page, isAnswered: false, ended: new AbortController() };
    const either = AbortSignal.any([signal, job.ended.signal]);
    const context = this.#tabs.openContext();
    try {
      const tab = await this.#open(context, either);
      this.#jobs.set(tab.targetId, job);
      const { stillLoading } = await loadWhole(tab, page.url, endAt - RENDER_READ_RESERVE_MS, either);
      const { url: documentUrl, loaderId } = tab.main();
      const finalUrl = arrivedAt(tab, page.url);
      const { html, isCut } = await visibleHtml(tab, null, page.maxBytes, either);
      if (tab.main().loaderId !== loaderId) fail({ code: 'render_failed', reason: NOT_AT_REST });
      return { html, isCut, finalUrl, documentUrl, stillLoading };
    } finally {
      this.#jobs.forEach((known, id) => known === job && this.#jobs.delete(id));
      // Nobody waits for this. If the browser is gone, so are its contexts.
      context.then((id) => this.#tabs.closeContext(id)).catch(() => undefined);
    }
  }

  /** A browser that cannot even open a tab is given up, and the next page gets a new one. */
  async #open(context: Promise<string>, signal: AbortSignal): Promise<OpenTab> {
    const since = Date.now();
    const opened = context.then((id) => this.#tabs.open(id));
    return abortable(opened, signal).catch((error: unknown) => {
      if (Date.now() - since >= RENDER_OPEN_MS_MAX) this.#browser.connection.close();
      throw error;
    });
  }

  /** The first request for the tab's document gets ours. For later ones, robots.txt is checked again. */
  async #lastLook({ url, method, frameId, resourceType }: Asked): ReturnType<LastLook> {
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

  #refused(request: Refused): void {
    this.#tabs.noteRefused(request);
    const { url, reason, frameId, resourceType } = request;
    if (resourceType !== 'Document') return;
    // The first reason stays.
    this.#jobs.get(frameId)?.ended.abort(new PeriscopeError({ code: 'ssrf_blocked', url: redactUrl(url), reason }));
  }
}

const NOT_AT_REST = 'its scripts went on to another document while it was read';

/** The address that answered for what the tab shows now. @throws {PeriscopeError} when that is not a page */
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

/** The document is decoded already, so it is sent as UTF-8, whatever its own meta element says. */
function documentOf(html: string): OwnAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    base64: toBase64(new TextEncoder().encode(html)),
  };
}
