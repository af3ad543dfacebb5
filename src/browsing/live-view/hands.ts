import { within } from '#core/flow/abort.ts';
import type { LiveHands, LivePoint } from '#core/live-messages.ts';
import { chordOf, keyOf, NAMED_KEYS, usesClipboard } from '#browsing/act/type-text.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { LIVE_INPUT_MS_MAX, LIVE_INPUTS_WAITING_MAX } from './limits.ts';

/** What goes into a page as it is: everything but what is asked of the tab itself. */
export type PageInput = Extract<LiveHands, { kind: 'mouse' | 'wheel' | 'touch' | 'key' | 'text' | 'compose' }>;
type Size = { width: number; height: number };

/** The hands of a person in the pages of a session: real events, one after the other, in the order they were made. */
export class Hands {
  readonly #waiting: { tab: OpenTab; size: Size; input: PageInput; done: () => void }[] = [];
  #isBusy = false;
  /** Buttons that are held: a drag says so with every move. */
  #buttons = 0;

  /** Resolves when it is done, or will not be. */
  async do(tab: OpenTab, size: Size, input: PageInput): Promise<void> {
    if (input.kind === 'key' && isOfClipboard(input)) return;
    const last = this.#waiting.at(-1);
    // A pointer that moves on while the page is busy has gone the short way.
    if (last !== undefined && last.tab === tab && isMove(last.input) && isMove(input)) this.#waiting.pop()?.done();
    if (this.#waiting.length >= LIVE_INPUTS_WAITING_MAX) return;
    const done = new Promise<void>((resolve) => this.#waiting.push({ tab, size, input, done: resolve }));
    if (!this.#isBusy) void this.#work();
    await done;
  }

  /** Nothing is held any more, and nothing that waits is done. */
  rest(): void {
    for (const { done } of this.#waiting.splice(0)) done();
    this.#buttons = 0;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { tab, size, input, done } = next;
      if (!tab.isOpen) {
        done();
        continue;
      }
      const writes = isWriting(input);
      try {
        if (writes) tab.noteTyped();
        await within(this.#send(tab, size, input), LIVE_INPUT_MS_MAX);
        // What was typed may have reached a document that came meanwhile.
        if (writes) tab.noteTyped();
      } catch (error) {
        // A tab that went away under the hand.
        if (!(error instanceof CdpError) && !(error instanceof BrowserGone)) {
          this.#isBusy = false;
          throw error;
        }
      } finally {
        done();
      }
    }
    this.#isBusy = false;
  }

  #send({ session }: OpenTab, size: Size, input: PageInput): Promise<unknown> {
    switch (input.kind) {
      case 'mouse': {
        const { type, button, clicks, held } = input;
        if (type === 'down') this.#buttons |= BUTTONS[button];
        if (type === 'up') this.#buttons &= ~BUTTONS[button];
        return session.send('Input.dispatchMouseEvent', {
          type: MOUSE[type],
          button: type === 'move' ? heldButton(this.#buttons) : button,
          buttons: this.#buttons,
          clickCount: clicks,
          modifiers: held,
          ...at(input, size),
        });
      }
      case 'wheel': {
        const { dx, dy, held } = input;
        const way = { deltaX: dx * size.width, deltaY: dy * size.height };
        return session.send('Input.dispatchMouseEvent', {
          type: 'mouseWheel',
          modifiers: held,
          ...way,
          ...at(input, size),
        });
      }
      case 'touch': {
        const touchPoints = input.points.map((point, id) => ({ ...at(point, size), id }));
        return session.send('Input.dispatchTouchEvent', { type: TOUCH[input.type], touchPoints });
      }
      case 'key':
        return session.send('Input.dispatchKeyEvent', keyEvent(input));
      case 'text':
        return session.send('Input.insertText', { text: input.text });
      case 'compose': {
        const { text } = input;
        const end = text.length;
        return session.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
      }
    }
  }
}

const MOUSE = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' } as const;
const TOUCH = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const;
const BUTTONS = { none: 0, left: 1, right: 2, middle: 4 } as const;

function heldButton(buttons: number): 'none' | 'left' | 'right' | 'middle' {
  if ((buttons & BUTTONS.left) > 0) return 'left';
  if ((buttons & BUTTONS.right) > 0) return 'right';
  return (buttons & BUTTONS.middle) > 0 ? 'middle' : 'none';
}

function isWriting(input: PageInput): boolean {
  return input.kind === 'text' || input.kind === 'compose' || (input.kind === 'key' && isCharacter(input.key));
}

function isMove(input: PageInput): boolean {
  return input.kind === 'mouse' && input.type === 'move';
}

function at({ x, y }: LivePoint, { width, height }: Size): LivePoint {
  return { x: Math.min(x * width, width - 1), y: Math.min(y * height, height - 1) };
}

/** A key of any keyboard: its number is that of the key that lies there, which old pages ask for. */
function keyEvent({ type, key, code, held, again }: Extract<PageInput, { kind: 'key' }>) {
  const known = NAMED_KEYS.includes(key) ? chordOf(key)?.key : isCharacter(key) ? keyOf(key) : null;
  const isCommand = (held & COMMANDS) > 0;
  const text = isCommand ? undefined : isCharacter(key) ? key : known?.text;
  const event = {
    key,
    code,
    windowsVirtualKeyCode: known?.number ?? 0,
    modifiers: held,
    autoRepeat: again,
  };
  if (type === 'up') return { type: 'keyUp' as const, ...event };
  return text === undefined ? { type: 'rawKeyDown' as const, ...event } : { type: 'keyDown' as const, text, ...event };
}

/** The clipboard is one for all who use the browser. What a person pastes comes as text. */
function isOfClipboard({ code, held }: Extract<PageInput, { kind: 'key' }>): boolean {
  const modifiers = HELD.filter((_, bit) => (held & (1 << bit)) > 0);
  return usesClipboard({ key: { key: '', code, number: 0 }, modifiers });
}

const HELD = ['Alt', 'Control', 'Meta', 'Shift'] as const;

function isCharacter(key: string): boolean {
  return /^.$/u.test(key);
}

/** Alt, Control, Meta. */
const COMMANDS = 7;

/** Who drives the session. The session itself keeps it, as it outlives pages and calls. */
export type Wheel = {
  /** The page that drives, by the name it gave itself; `isReady` when no call of a model is at work any more. */
  readonly driver: { page: string; isReady: boolean } | null;
  /** What a model asks the person for, in its words. */
  readonly asked: string | null;
  /** The tab that the model asks for; `null` for the first one. */
  readonly askedTab: string | null;
  /**
   * @param person whose page it is
   * @returns why not, in words; `null` when the page drives
   */
  take: (page: string, person: string) => Promise<string | null>;
  give: (page: string) => Promise<void>;
  decline: () => Promise<void>;
  /** The page is there again, or has gone. */
  met: (page: string) => void;
  left: (page: string) => void;
  /** The person did something: the session is in use. */
  used: () => void;
  /** Looks after those who have left for too long. */
  settle: () => Promise<void>;
};
