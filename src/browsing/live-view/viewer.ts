import type { ToLivePage } from '#core/live-messages.ts';
import {
  LIVE_FAST_MS,
  LIVE_PICTURES_PER_LEVEL,
  LIVE_PICTURES_UNDER_WAY_MAX,
  LIVE_PICTURE_PAUSE_MS,
  LIVE_SLOW_MS,
} from './limits.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/**
 * One page that shows the session. It is sent as many pictures as its line takes: a few are under way at a time, and of
 * those that come meanwhile only the newest is kept.
 */
export class Viewer {
  readonly #socket: WebSocket;
  /** The name that it gave itself, which it keeps when it is loaded again. */
  readonly page: string;
  /** The subject of whoever is signed in on it. */
  readonly person: string;
  readonly #now: () => number;
  /** When each picture that is under way was sent. */
  readonly #sent: number[] = [];
  #next: Uint8Array | null = null;
  #pause: ReturnType<typeof setTimeout> | null = null;
  #lastSentAt = 0;
  #toldState = '';
  /** The tab it wants to see; the first one when that is gone. */
  wanted: string | null = null;
  /** When its person was last known to be let in. */
  admittedAt: number;

  constructor(socket: WebSocket, page: string, person: string, now: () => number = Date.now) {
    this.#socket = socket;
    this.page = page;
    this.person = person;
    this.#now = now;
    this.admittedAt = now();
  }

  show(picture: Uint8Array): void {
    this.#next = picture;
    this.#sendNext();
  }

  /** What was to be shown is not to be shown any more. */
  drop(): void {
    this.#next = null;
  }

  /** @returns how long the picture took to be drawn, from when it was sent; `null` when none was under way */
  drawn(): number | null {
    const sentAt = this.#sent.shift();
    this.#sendNext();
    return sentAt === undefined ? null : this.#now() - sentAt;
  }

  tell(message: ToLivePage): void {
    this.#send(JSON.stringify(message));
  }

  /** Tells what has changed. @param essence what counts as a change; clocks in it would change it all the time */
  tellChange(message: ToLivePage, essence: string): void {
    if (this.#toldState === essence) return;
    this.#toldState = essence;
    this.tell(message);
  }

  close(code: number, reason: string): void {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#next = null;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code, reason);
  }

  #sendNext(): void {
    if (this.#next === null || this.#pause !== null || this.#sent.length >= LIVE_PICTURES_UNDER_WAY_MAX) return;
    const waitMs = this.#lastSentAt + LIVE_PICTURE_PAUSE_MS - this.#now();
    if (waitMs > 0) {
      this.#pause = setTimeout(() => {
        this.#pause = null;
        this.#sendNext();
      }, waitMs);
      return;
    }
    const picture = this.#next;
    this.#next = null;
    this.#lastSentAt = this.#now();
    this.#sent.push(this.#lastSentAt);
    this.#send(picture);
  }

  /** A page that has just gone is sent nothing: its end is on its way to us. */
  #send(message: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }
}

/** The browser of the session, as far as it is shown. */
export type Shown = {
  tabs: OpenTabs;
  browser: CdpSession;
  /** Opens a tab. */
  open: () => Promise<OpenTab>;
  /** Whether somebody is doing something, so that pages may open tabs. */
  acts: (is: boolean) => void;
};

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
