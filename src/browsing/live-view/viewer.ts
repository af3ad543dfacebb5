import type { LiveState, LiveServerMessage } from './messages.ts';
import { LIVE_FRAME_INTERVAL_MS_MIN } from './limits.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import { ignoreTargetGone } from '#browsing/cdp/connection.ts';

/**
 * Maximum images sent to a page before it has drawn them: one is drawn while the next arrives. More images would arrive
 * late.
 */
const LIVE_PICTURES_UNDER_WAY_MAX = 2;
/** If sending and drawing an image takes longer than this, the next images are smaller. */
const LIVE_SLOW_MS = 400;
const LIVE_FAST_MS = 150;
const LIVE_PICTURES_PER_LEVEL = 12;

/**
 * A page of the live view. At most a few images are on their way to the page. Of the later ones, only the newest is
 * sent.
 */
export class LiveViewer {
  readonly #socket: WebSocket;
  readonly page: string;
  readonly person: string;
  readonly #now: () => number;
  readonly #sent: number[] = [];
  #next: Uint8Array | null = null;
  #pause: ReturnType<typeof setTimeout> | null = null;
  #lastSentAt = 0;
  #toldState = '';
  wanted: string | null = null;
  admittedAt: number;

  constructor(socket: WebSocket, page: string, person: string, now: () => number = Date.now) {
    this.#socket = socket;
    this.page = page;
    this.person = person;
    this.#now = now;
    this.admittedAt = now();
  }

  /** The person who drives the session, as seen from this page. */
  relationTo({ page, person, isReady }: { page: string; person: string; isReady: boolean }): LiveState['driver'] {
    if (page === this.page) return isReady ? 'you' : 'soon';
    return person === this.person && isReady ? 'elsewhere' : 'other';
  }

  show(picture: Uint8Array): void {
    this.#next = picture;
    this.#sendNext();
  }

  drop(): void {
    this.#next = null;
  }

  drawn(): number | null {
    const sentAt = this.#sent.shift();
    this.#sendNext();
    return sentAt === undefined ? null : this.#now() - sentAt;
  }

  tell(message: LiveServerMessage): void {
    this.#send(JSON.stringify(message));
  }

  /** @param essence text that is compared with that of the last message; it excludes the clocks, which always change */
  tellChange(message: LiveServerMessage, essence: string): void {
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
    const waitMs = this.#lastSentAt + LIVE_FRAME_INTERVAL_MS_MIN - this.#now();
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

  /** Sends a message if the socket is open, because the page may be gone before its close event arrives. */
  #send(message: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }
}

export type ScreencastBrowser = {
  tabs: OpenTabs;
  browser: CdpSession;
  open: () => Promise<OpenTab>;
  setActing: (is: boolean) => void;
};

type Level = { quality: number; scale: number };

const GOOD: Level = { quality: 80, scale: 1 };
const LEVELS: readonly Level[] = [
  GOOD,
  { quality: 60, scale: 1 },
  { quality: 45, scale: 0.75 },
  { quality: 30, scale: 0.5 },
];

/** The screencast of one tab, for all its viewers. Chromium makes an image only when the page changes. */
export class Screencast {
  readonly #tab: OpenTab;
  readonly #viewers = new Set<LiveViewer>();
  readonly #size: () => { width: number; height: number };
  readonly #stopListening: () => void;
  #level = 0;
  #drawnOnLevel = 0;
  #last: Uint8Array | null = null;

  constructor(tab: OpenTab, size: () => { width: number; height: number }) {
    this.#tab = tab;
    this.#size = size;
    this.#stopListening = tab.session.on('Page.screencastFrame', ({ data, sessionId }) => {
      // Acknowledged immediately, because Chromium sends at most two images, and would otherwise wait for the slowest
      // page.
      this.#ask(tab.session.send('Page.screencastFrameAck', { sessionId }));
      this.#last = bytesOf(data);
      for (const viewer of this.#viewers) viewer.show(this.#last);
    });
    this.#start();
  }

  get isWatched(): boolean {
    return this.#viewers.size > 0;
  }

  add(viewer: LiveViewer): void {
    this.#viewers.add(viewer);
    if (this.#last !== null) viewer.show(this.#last);
  }

  remove(viewer: LiveViewer): void {
    this.#viewers.delete(viewer);
  }

  end(): void {
    this.#stopListening();
    if (this.#tab.isOpen) this.#ask(this.#tab.session.send('Page.stopScreencast'));
  }

  /**
   * After every few images, adapts the quality to the viewer that drew the last of them, most often the fastest one.
   * Slower viewers skip images.
   * @param ms time from sending an image until it was drawn
   */
  drawn(ms: number): void {
    this.#drawnOnLevel += 1;
    if (this.#drawnOnLevel < LIVE_PICTURES_PER_LEVEL) return;
    const next = ms > LIVE_SLOW_MS ? this.#level + 1 : ms < LIVE_FAST_MS ? this.#level - 1 : this.#level;
    if (LEVELS[next] === undefined || next === this.#level) return;
    this.#level = next;
    this.#start();
  }

  restart(): void {
    this.#start();
  }

  /** Starts the screencast, or restarts it with the current quality. */
  #start(): void {
    this.#drawnOnLevel = 0;
    const { quality, scale } = LEVELS[this.#level] ?? GOOD;
    const { width, height } = this.#size();
    const [maxWidth, maxHeight] = [Math.round(width * scale), Math.round(height * scale)];
    this.#ask(this.#tab.session.send('Page.startScreencast', { format: 'jpeg', quality, maxWidth, maxHeight }));
  }

  #ask(asked: Promise<unknown>): void {
    asked.catch(ignoreTargetGone);
  }
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
