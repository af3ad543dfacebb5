import type { ToLivePage } from '#core/live-messages.ts';
import { LIVE_PICTURE_PAUSE_MS, LIVE_PICTURES_UNDER_WAY_MAX } from './limits.ts';

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
