import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { abortable, resolveWithin } from '#core/flow/abort.ts';

/** Resource types for which a result waits. Images, fonts and endless streams do not delay it. */
const AWAITED = new Set<Protocol.Network.ResourceType>([
  'Document',
  'Script',
  'Stylesheet',
  'XHR',
  'Fetch',
  'Preflight',
]);

type ActiveTab = Pick<Tab, 'session' | 'main' | 'frames'>;

/** Tracks the requests and loads of a tab. The domains Page and Network must be enabled on the tab's sessions. */
export class PageActivity {
  readonly #tab: ActiveTab;
  readonly #mainFrame: string;
  readonly #followed = new Set<CdpSession>();
  readonly #requests = new Map<string, string | undefined>();
  readonly #stops: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #broken = new Set<string>();
  #navigation: string | null = null;
  hasBegun = false;
  hasNavigated = false;
  /** Time in ms when the last awaited request or load ended; 0 for none. */
  lastEnd = 0;

  constructor(tab: ActiveTab) {
    this.#tab = tab;
    this.#mainFrame = tab.main().id;
    this.#followFrames();
    // Does not wait for the `load` event, which waits for images. Requests of scripts are tracked separately.
    this.#stops.push(tab.session.on('Page.domContentEventFired', () => this.#loaded()));
  }

  get isNavigating(): boolean {
    return this.#navigation !== null;
  }

  get isLoading(): boolean {
    this.#followFrames();
    return this.#requests.size > 0;
  }

  /** True if the connection ended before the whole document arrived. Its `load` event may then never fire. */
  get isBroken(): boolean {
    return this.#broken.has(this.#tab.main().loaderId);
  }

  async until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    await this.#whenSo(isSo, (itIs) => resolveWithin(itIs, ms, signal));
  }

  unless<T>(isSo: () => boolean, answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
    answer.catch(() => undefined);
    return this.#whenSo(isSo, (itIs) => abortable(Promise.race([answer, itIs]), signal));
  }

  async #whenSo<T>(isSo: () => boolean, wait: (itIs: Promise<null>) => Promise<T>): Promise<T | null> {
    if (isSo()) return null;
    const { promise, resolve } = Promise.withResolvers<null>();
    const look = () => {
      if (isSo()) resolve(null);
    };
    this.#waiting.add(look);
    try {
      return await wait(promise);
    } finally {
      this.#waiting.delete(look);
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /**
   * Follows the sessions of all frames, because cross-site frames may have got their own session since the last call.
   */
  #followFrames(): void {
    for (const { session } of this.#tab.frames()) {
      if (!this.#followed.has(session)) this.#follow(session);
    }
  }

  #follow(session: CdpSession): void {
    this.#followed.add(session);
    this.#stops.push(
      session.on('Network.requestWillBeSent', (event) => this.#begin(event)),
      session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId)),
      session.on('Network.loadingFailed', ({ requestId, type, canceled }) => {
        if (canceled !== true && type === 'Document') this.#broken.add(requestId);
        if (requestId === this.#navigation) this.#navigation = null;
        this.#end(requestId);
      }),
      session.on('Page.frameNavigated', ({ frame, type }) => {
        if (frame.id !== this.#mainFrame) return;
        // Requests of the previous document end with that document, usually without an event.
        this.#requests.clear();
        this.#navigation ??= frame.loaderId;
        this.hasNavigated = true;
        this.#note();
        // A document restored from the back/forward cache loads nothing and reports no further events.
        if (type === 'BackForwardCacheRestore') this.#loaded();
      }),
      session.on('Page.navigatedWithinDocument', ({ frameId }) => {
        if (frameId === this.#mainFrame) this.hasNavigated = true;
        this.#note();
      }),
      session.on('Page.frameStoppedLoading', ({ frameId }) => {
        if (frameId === this.#mainFrame && this.hasNavigated) this.#loaded();
      }),
      session.on('Page.javascriptDialogOpening', () => this.#note()),
      session.on('Page.frameAttached', () => this.#note()),
      // Chromium does not report the end of requests of a frame that moves to another process or is removed.
      session.on('Page.frameDetached', ({ frameId }) => this.#endOf(frameId)),
    );
  }

  #begin({ requestId, loaderId, type, frameId }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === undefined || !AWAITED.has(type)) return;
    // Chromium reports here that a worker's script is requested, but never that the request ends.
    if (type === 'Script' && loaderId === '') return;
    if (type === 'Document' && frameId === this.#mainFrame && requestId === loaderId) this.#navigation = requestId;
    else this.#requests.set(requestId, frameId);
    this.#note();
  }

  #end(requestId: string): void {
    if (this.#requests.delete(requestId)) this.lastEnd = Date.now();
    this.#tell();
  }

  #endOf(detached: string): void {
    for (const [requestId, frameId] of this.#requests) if (frameId === detached) this.#end(requestId);
  }

  #loaded(): void {
    this.#navigation = null;
    this.lastEnd = Date.now();
    this.#tell();
  }

  #note(): void {
    this.hasBegun = true;
    this.#tell();
  }

  #tell(): void {
    for (const look of this.#waiting) look();
  }
}
