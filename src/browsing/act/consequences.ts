import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { within } from './call-in-page.ts';

/** What a page loads in answer to an action; pictures, fonts and endless streams do not hold a result up. */
const AWAITED = new Set<Protocol.Network.ResourceType>([
  'Document',
  'Script',
  'Stylesheet',
  'XHR',
  'Fetch',
  'Preflight',
]);

/** Watches, from when it is made, what a tab begins to load. Needs Page and Network enabled on its sessions. */
export class Consequences {
  readonly #mainFrame: string;
  readonly #requests = new Set<string>();
  readonly #stops: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #navigation: string | null = null;
  hasBegun = false;
  hasNavigated = false;
  /** When the last thing that was awaited ended, in ms; 0 when nothing did. */
  lastEnd = 0;

  constructor(tab: Tab) {
    this.#mainFrame = tab.main().id;
    for (const session of new Set(tab.frames().map((frame) => frame.session))) this.#follow(session);
    // Pictures may come later: the document is there, and what its scripts ask for is counted.
    this.#stops.push(tab.session.on('Page.domContentEventFired', () => this.#loaded()));
  }

  /** The tab's own document is on its way, or has not loaded yet. */
  get isNavigating(): boolean {
    return this.#navigation !== null;
  }

  get isLoading(): boolean {
    return this.#requests.size > 0;
  }

  /** Resolves when it is so, or after `ms`. */
  async until(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (isSo()) return;
    const { promise, resolve } = Promise.withResolvers<true>();
    const look = () => {
      if (isSo()) resolve(true);
    };
    this.#waiting.add(look);
    try {
      await within(promise, ms, signal);
    } finally {
      this.#waiting.delete(look);
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #follow(session: CdpSession): void {
    this.#stops.push(
      session.on('Network.requestWillBeSent', (event) => this.#begin(event)),
      session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId)),
      session.on('Network.loadingFailed', ({ requestId }) => {
        if (requestId === this.#navigation) this.#navigation = null;
        this.#end(requestId);
      }),
      session.on('Page.frameNavigated', ({ frame, type }) => {
        if (frame.id !== this.#mainFrame) return;
        // Requests of the document before this one end with it, most of them without a word.
        this.#requests.clear();
        this.#navigation ??= frame.loaderId;
        this.hasNavigated = true;
        this.#note();
        // A document that comes back as it was left loads nothing, and says nothing more.
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
    );
  }

  #begin({ requestId, loaderId, type, frameId }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === undefined || !AWAITED.has(type)) return;
    if (type === 'Document' && frameId === this.#mainFrame && requestId === loaderId) this.#navigation = requestId;
    else this.#requests.add(requestId);
    this.#note();
  }

  #end(requestId: string): void {
    if (this.#requests.delete(requestId)) this.lastEnd = Date.now();
    this.#tell();
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
