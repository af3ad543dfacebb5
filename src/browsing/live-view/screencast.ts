import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { LIVE_FAST_MS, LIVE_PICTURES_PER_LEVEL, LIVE_SLOW_MS } from './limits.ts';
import type { Viewer } from './viewer.ts';

type Level = { quality: number; scale: number };

/** From a good line to a bad one. */
const GOOD: Level = { quality: 80, scale: 1 };
const LEVELS: readonly Level[] = [
  GOOD,
  { quality: 60, scale: 1 },
  { quality: 45, scale: 0.75 },
  { quality: 30, scale: 0.5 },
];

/** The pictures of one tab, for everybody who looks at it. Chromium makes one when something moves, and none otherwise. */
export class Screencast {
  readonly #tab: OpenTab;
  readonly #viewers = new Set<Viewer>();
  readonly #size: () => { width: number; height: number };
  readonly #stopListening: () => void;
  #level = 0;
  #drawnOnLevel = 0;
  #last: Uint8Array | null = null;

  /** @param size of the window, in CSS pixels */
  constructor(tab: OpenTab, size: () => { width: number; height: number }) {
    this.#tab = tab;
    this.#size = size;
    this.#stopListening = tab.session.on('Page.screencastFrame', ({ data, sessionId }) => {
      // Chromium has at most two of them under way: it never waits for a page, the newest picture does.
      this.#ask(tab.session.send('Page.screencastFrameAck', { sessionId }));
      this.#last = bytesOf(data);
      for (const viewer of this.#viewers) viewer.show(this.#last);
    });
    this.#start();
  }

  get isWatched(): boolean {
    return this.#viewers.size > 0;
  }

  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    if (this.#last !== null) viewer.show(this.#last);
  }

  remove(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  end(): void {
    this.#stopListening();
    if (this.#tab.isOpen) this.#ask(this.#tab.session.send('Page.stopScreencast'));
  }

  /** The line of whoever draws fastest sets the quality: others leave out pictures. @param ms from sending to drawing */
  drawn(ms: number): void {
    this.#drawnOnLevel += 1;
    if (this.#drawnOnLevel < LIVE_PICTURES_PER_LEVEL) return;
    const next = ms > LIVE_SLOW_MS ? this.#level + 1 : ms < LIVE_FAST_MS ? this.#level - 1 : this.#level;
    if (LEVELS[next] === undefined || next === this.#level) return;
    this.#level = next;
    this.#start();
  }

  /** Starting again changes the pictures from the next one on. */
  #start(): void {
    this.#drawnOnLevel = 0;
    const { quality, scale } = LEVELS[this.#level] ?? GOOD;
    const { width, height } = this.#size();
    const [maxWidth, maxHeight] = [Math.round(width * scale), Math.round(height * scale)];
    this.#ask(this.#tab.session.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight }));
  }

  /** A tab that went away, or its browser, has no pictures any more. */
  #ask(asked: Promise<unknown>): void {
    asked.catch((error: unknown) => {
      if (!(error instanceof CdpError) && !(error instanceof BrowserGone)) throw error;
    });
  }
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
