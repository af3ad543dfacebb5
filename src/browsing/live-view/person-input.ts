import { within } from '#core/flow/abort.ts';
import type { LiveInput, LivePoint } from './messages.ts';
import { chordOf, keyOf, NAMED_KEYS, usesClipboard } from '#browsing/act/type-text.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { LIVE_INPUT_MS_MAX } from './limits.ts';

/** Things a person did that wait for their turn: more than hands do while a page hangs. */
const LIVE_INPUTS_WAITING_MAX = 200;

type PageInput = Extract<LiveInput, { kind: 'mouse' | 'wheel' | 'touch' | 'key' | 'text' | 'compose' }>;
type Size = { width: number; height: number };

export class PersonInput {
  readonly #waiting: { tab: OpenTab; size: Size; input: PageInput; done: () => void }[] = [];
  #isBusy = false;
  #buttons = 0;

  async do(tab: OpenTab, size: Size, input: PageInput): Promise<void> {
    if (input.kind === 'key' && isOfClipboard(input)) return;
    const last = this.#waiting.at(-1);
    // Of several moves that wait for a busy page, only the last is sent.
    if (last !== undefined && last.tab === tab && isMove(last.input) && isMove(input)) this.#waiting.pop()?.done();
    if (this.#waiting.length >= LIVE_INPUTS_WAITING_MAX) return;
    const done = new Promise<void>((resolve) => this.#waiting.push({ tab, size, input, done: resolve }));
    if (!this.#isBusy) void this.#work();
    await done;
  }

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
        // The input may have reached a document that came meanwhile.
        if (writes) tab.noteTyped();
      } catch (error) {
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

/** `windowsVirtualKeyCode` is that of a US keyboard, which old pages read. */
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

/** All sessions of the browser share its clipboard. Pasted content arrives as text. */
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
