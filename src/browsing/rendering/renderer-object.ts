import { DurableObject } from 'cloudflare:workers';
import { parseConfig } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import {
  DRAW_MS_MAX,
  PERSON_RENDERS_MAX,
  RENDER_BROWSER_IDLE_MS,
  RENDER_MS_MAX,
  RENDERS_CONCURRENT_MAX,
} from './limits.ts';
import type { DrawnFile, FileToDraw } from '#core/document/file-facts.ts';
import { isDrawingAddress } from './draw-file.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { VERSION } from '#generated/about.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import { SharedSemaphore } from '#core/flow/semaphore.ts';
import { BrowserGone, CdpError, isTargetGone } from '#browsing/cdp/connection.ts';
import { acquireBrowser, closeBrowser } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import type { DecideUrl } from '#browsing/gate/request-gate.ts';
import { productionNetDeps, cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { checkRobots } from '#net/robots/robots-policy.ts';
import { openDb } from '#storage/db.ts';
import { SiteStore } from '#storage/pages/sites.ts';
import { BROWSER_TRIAL_HTML, BROWSER_TRIAL_PAGE_URL } from './trial-page.ts';
import { RenderBrowser } from './render-browser.ts';
import type { RenderedPage, PageToRender } from './render-browser.ts';

/**
 * Maximum images and PDF files that one Durable Object draws at a time. Each file is in memory three times: as bytes,
 * in base64, and in the message to the browser.
 */
const DRAWS_CONCURRENT_MAX = 2;
const PERSON_DRAWS_MAX = 1;

/** A reply of the renderer. Failures are returned as data, because errors lose their fields between Durable Objects. */
export type RenderReply<Result> = { result: Result; ms: number } | { failure: Failure; ms: number };

/** `person`: the ID of the person who asks; `''` for the deployment itself. */
export type ForWhom = { person: string; ownHosts: readonly string[] };

/** One page to render or file to draw. */
type Work<Result> = {
  url: string;
  /** Name of the work in a timeout error. */
  what: string;
  /** Error code if the browser or the page fails. */
  failed: 'render_failed' | 'view_failed';
  msMax: number;
  permits: SharedSemaphore;
  run: (browser: RenderBrowser, endAt: number, signal: AbortSignal) => Promise<Result>;
};

const BROWSER_KEY = 'browser';

/** Renders pages and draws files in one shared browser. Stores no page content. */
export class PageRenderer extends DurableObject {
  readonly #config: Config;
  readonly #renders = new SharedSemaphore(RENDERS_CONCURRENT_MAX, PERSON_RENDERS_MAX);
  readonly #draws = new SharedSemaphore(DRAWS_CONCURRENT_MAX, PERSON_DRAWS_MAX);
  readonly #ownHosts = new Set<string>();
  #decide: DecideUrl = async () => 'it is not ready';
  #browser: Promise<RenderBrowser> | null = null;
  #underWay = 0;
  #idleSince = 0;
  /** Replaces the time limit in tests. */
  msMax: number | null = null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#config = parseConfig({ ...env });
  }

  /** Renders a page. `ms` in the reply excludes the wait for other pages: it is 0 if the time ran out during this wait. */
  async render(page: PageToRender, forWhom: ForWhom): Promise<RenderReply<RenderedPage>> {
    const run = (browser: RenderBrowser, endAt: number, signal: AbortSignal) => browser.render(page, endAt, signal);
    const limits = { msMax: RENDER_MS_MAX, permits: this.#renders };
    return this.#inTime(
      { url: page.url, what: 'Rendering the page', failed: 'render_failed', ...limits, run },
      forWhom,
    );
  }

  async draw(request: FileToDraw, forWhom: ForWhom): Promise<RenderReply<DrawnFile>> {
    const run = (browser: RenderBrowser, _: number, signal: AbortSignal) => browser.draw(request, signal);
    const limits = { msMax: DRAW_MS_MAX, permits: this.#draws };
    return this.#inTime({ url: request.url, what: 'Drawing the file', failed: 'view_failed', ...limits, run }, forWhom);
  }

  async #inTime<Result>(work: Work<Result>, forWhom: ForWhom): Promise<RenderReply<Result>> {
    this.#meet(forWhom.ownHosts);
    this.#underWay += 1;
    try {
      const msMax = this.msMax ?? work.msMax;
      return await withTimeout(msMax, (signal) => this.#whenFree({ ...work, msMax }, forWhom, signal));
    } finally {
      this.#underWay -= 1;
      this.#idleSince = Date.now();
      await this.ctx.storage.setAlarm(this.#idleSince + RENDER_BROWSER_IDLE_MS);
    }
  }

  async #whenFree<Result>(work: Work<Result>, { person }: ForWhom, signal: AbortSignal): Promise<RenderReply<Result>> {
    const endAt = Date.now() + work.msMax;
    let begunAt = Infinity;
    try {
      return await work.permits.withPermit(person, signal, async () => {
        begunAt = Date.now();
        const result = await this.#run(work, endAt, signal);
        return { result, ms: Date.now() - begunAt };
      });
    } catch (error) {
      return { failure: failureOf(error, signal, work), ms: Math.max(0, Date.now() - begunAt) };
    }
  }

  probe(): Promise<RenderReply<RenderedPage>> {
    return this.render(
      { url: BROWSER_TRIAL_PAGE_URL, html: BROWSER_TRIAL_HTML, maxBytes: BROWSER_TRIAL_HTML.length * 4 },
      { person: '', ownHosts: [] },
    );
  }

  pagesUnderWay(): number {
    return this.#underWay;
  }

  override async alarm(): Promise<void> {
    if (this.#underWay > 0) return;
    const dueAt = this.#idleSince + RENDER_BROWSER_IDLE_MS;
    if (Date.now() < dueAt) {
      await this.ctx.storage.setAlarm(dueAt);
      return;
    }
    const browser = await this.#browser?.catch(() => null);
    this.#browser = null;
    if (browser === undefined || browser === null) await this.#endOrphan();
    else await browser.close(this.env.BROWSER).catch(() => undefined);
    await this.ctx.storage.delete(BROWSER_KEY);
  }

  async #run<Result>({ run }: Work<Result>, endAt: number, signal: AbortSignal): Promise<Result> {
    const browser = await this.#ready(signal);
    try {
      return await run(browser, endAt, signal);
    } catch (error) {
      if (isDecided(error) || !(await browser.hasDied())) throw error;
      return run(await this.#ready(signal), endAt, signal);
    }
  }

  async #ready(signal: AbortSignal): Promise<RenderBrowser> {
    const known = await this.#browser?.catch(() => null);
    if (known?.isOpen === false) this.#browser = null;
    const starting = this.#browser ?? this.#start();
    this.#browser = starting;
    try {
      return await abortable(starting, signal);
    } catch (error) {
      if (!signal.aborted && this.#browser === starting) this.#browser = null;
      throw error;
    }
  }

  async #start(): Promise<RenderBrowser> {
    await this.#endOrphan();
    const acquired = await acquireBrowser(this.env.BROWSER, this.#config.ALLOWLIST_DOMAINS);
    await this.ctx.storage.put(BROWSER_KEY, acquired.id);
    const browser = new RenderBrowser(acquired, (url, signal) => this.#mayRead(url, signal));
    const isOurs = (url: string) => url === BROWSER_TRIAL_PAGE_URL || isDrawingAddress(url);
    return browser.start(async (url) => (isOurs(url) ? null : this.#decide(url)));
  }

  async #endOrphan(): Promise<void> {
    const id = await this.ctx.storage.get<string>(BROWSER_KEY);
    if (id !== undefined) await closeBrowser(this.env.BROWSER, id).catch(() => undefined);
  }

  #meet(ownHosts: readonly string[]): void {
    const met = this.#ownHosts.size;
    for (const host of ownHosts) this.#ownHosts.add(host);
    if (met > 0 && this.#ownHosts.size === met) return;
    this.#decide = createCachedUrlDecider({ policy: this.#policy(), resolve: cachedResolver }, Date.now);
  }

  async #mayRead(url: string, signal: AbortSignal): Promise<void> {
    const policy = this.#policy();
    if (!policy.respectRobots) return;
    const deps = productionNetDeps(policy, new SiteStore(openDb(this.env.DB)).robots);
    await checkRobots(url, { signal, deadlineAt: Date.now() + RENDER_MS_MAX }, deps);
  }

  #policy() {
    return netPolicy(this.#config, [...this.#ownHosts], VERSION);
  }
}

function isDecided(error: unknown): boolean {
  if (isTargetGone(error)) return false;
  if (!(error instanceof PeriscopeError)) return true;
  return error.failure.code !== 'render_failed' && error.failure.code !== 'element_not_found';
}

function failureOf(
  error: unknown,
  signal: AbortSignal,
  { url: requestedUrl, what, failed, msMax }: Omit<Work<unknown>, 'permits' | 'run'>,
): Failure {
  const url = redactUrl(requestedUrl);
  if (signal.aborted && error === signal.reason) return { code: 'timeout', what, afterMs: msMax, url };
  if (error instanceof BrowserGone) return { code: failed, url, reason: 'the browser crashed twice' };
  if (error instanceof CdpError) return { code: failed, url, reason: 'the page or its tab went away' };
  if (!(error instanceof PeriscopeError)) throw error;
  const { failure } = error;
  if (failure.code === 'element_not_found') return { code: failed, url, reason: 'it never settled' };
  if (failure.code !== 'render_failed') return failure;
  return failed === 'render_failed' ? { url, ...failure } : { code: failed, url, reason: failure.reason };
}
