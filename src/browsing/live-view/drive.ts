import * as pageScripts from '#generated/page-scripts.js';
import { abortable, withTimeout, resolveWithin } from '#core/flow/abort.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { SESSION_TABS_MAX, SECOND_MS, MINUTE_MS } from '#core/limits.ts';
import type { LiveInput, LivePoint } from './messages.ts';
import { canonicalizeUrl } from '#net/fetch/canonical-url.ts';
import { isTargetGone } from '#browsing/cdp/connection.ts';
import { callIn, isGoneError } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { DialogAnswer, PageDialog } from '#browsing/tabs/tab.ts';
import { LIVE_SELECT_OPTIONS_MAX, LIVE_INPUT_CONFIRM_MS_MAX } from './limits.ts';
import type { ScreencastBrowser, LiveViewer } from './viewer.ts';
import { findFocusedFrame } from '#browsing/act/inner-frame.ts';
import { parseKeyChord, keyForCharacter, KEY_NAMES, isClipboardShortcut } from '#browsing/act/fields/type-text.ts';

/**
 * Time limit for reading or choosing the options of a `<select>`. Longer than for inputs, because no input waits for
 * it.
 */
const LIVE_SELECT_MS_MAX = 10 * SECOND_MS;
/** Time for the person to answer a JavaScript dialog. Afterwards the dialog is dismissed. */
const LIVE_DIALOG_ANSWER_MS = 2 * MINUTE_MS;
/** Time after a person's input during which the page may open a tab, such as a sign-in window. */
const LIVE_ACTED_MS = 1 * SECOND_MS;

export class LiveInputDriver {
  readonly #input = new PersonInput();
  #answer: ((answer: DialogAnswer) => void) | null = null;
  /**
   * Number of tabs that are still opening. They count towards the maximum, because a person can open many tabs in quick
   * succession.
   */
  #opening = 0;
  #mayOpenUntil: ReturnType<typeof setTimeout> | null = null;

  async do(input: LiveInput, tab: OpenTab | null, shown: ScreencastBrowser, viewer: LiveViewer): Promise<void> {
    try {
      await this.#do(input, tab, shown, viewer);
    } catch (error) {
      if (isTargetGone(error) || isGoneError(error)) return undefined;
      if (!(error instanceof PeriscopeError)) throw error;
      viewer.tell({ kind: 'problem', text: failureMessage(error.failure) });
    }
    return undefined;
  }

  ask(dialog: PageDialog, viewer: LiveViewer): Promise<DialogAnswer> {
    this.#answer?.({ accept: false });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answer?.({ accept: false }), LIVE_DIALOG_ANSWER_MS);
      this.#answer = (answer) => {
        clearTimeout(timer);
        this.#answer = null;
        viewer.tell({ kind: 'dialog', dialog: null });
        resolve(answer);
      };
      viewer.tell({ kind: 'dialog', dialog });
    });
  }

  rest(): void {
    this.#input.rest();
    this.#answer?.({ accept: false });
  }

  async #do(input: LiveInput, tab: OpenTab | null, shown: ScreencastBrowser, viewer: LiveViewer): Promise<void> {
    if (input.kind === 'answer') return this.#answer?.({ accept: input.accept, text: input.text });
    if (input.kind === 'open') {
      return this.#open(shown, viewer);
    }
    if (input.kind === 'screen') return undefined;
    if (input.kind === 'shut') return shut(input.tab, shown, viewer);
    if (tab === null) return undefined;
    this.#mayOpen(shown);
    switch (input.kind) {
      case 'go':
        await tab.session.send('Page.navigate', { url: canonicalizeUrl(input.url) + hashOf(input.url) });
        return undefined;
      case 'history':
        return move(tab, input.move);
      case 'choose':
        tab.noteTyped();
        await inPage(async (late) => {
          const frame = await abortable(findFocusedFrame(tab), late);
          await callIn(tab, frame, pageScripts.chooseSelectOption, [input.at], late);
        });
        return undefined;
      default:
        await this.#input.do(tab, shown.tabs.settings, input);
        if (isPress(input)) await showChoices(tab, viewer);
        return undefined;
    }
  }

  async #open(shown: ScreencastBrowser, viewer: LiveViewer): Promise<void> {
    if (shown.tabs.all().length + this.#opening >= SESSION_TABS_MAX) {
      return viewer.tell({ kind: 'problem', text: `There are ${SESSION_TABS_MAX} tabs, the most a session may have.` });
    }
    this.#opening += 1;
    try {
      viewer.wanted = (await shown.open()).id;
    } finally {
      this.#opening -= 1;
    }
    return undefined;
  }

  #mayOpen(shown: ScreencastBrowser): void {
    shown.setActing(true);
    if (this.#mayOpenUntil !== null) clearTimeout(this.#mayOpenUntil);
    this.#mayOpenUntil = setTimeout(() => shown.setActing(false), LIVE_ACTED_MS);
  }
}

async function shut(id: string, { tabs }: ScreencastBrowser, viewer: LiveViewer): Promise<void> {
  const found = tabs.byId(id);
  if (found === null) return;
  if (tabs.all().length === 1) return viewer.tell({ kind: 'problem', text: 'The last tab of a session stays open.' });
  await tabs.close(found);
}

function isPress(input: LiveInput): boolean {
  if (input.kind === 'key') return input.type === 'up' && (LIST_KEYS.has(input.key) || input.key.startsWith('Arrow'));
  return (input.kind === 'mouse' && input.type === 'up') || (input.kind === 'touch' && input.type === 'end');
}

/** Keys that open or close the list of a `<select>`. On some systems, arrow keys also open it. */
const LIST_KEYS: ReadonlySet<string> = new Set([' ', 'Enter', 'F4', 'Escape', 'Tab']);

/**
 * Sends the options of an open `<select>` to the viewer, because Chromium draws them outside the page and its
 * screencast.
 */
async function showChoices(tab: OpenTab, viewer: LiveViewer): Promise<void> {
  const choices = await inPage(async (late) => {
    const frame = await abortable(findFocusedFrame(tab), late);
    const found = await callIn(tab, frame, pageScripts.listSelectOptions, [LIVE_SELECT_OPTIONS_MAX], late);
    // The position of a list in an inner frame is omitted, because the frame's position is not known here.
    return found === null || frame === tab.main() ? found : { ...found, place: undefined };
  });
  if (choices === null) viewer.tell({ kind: 'choices', labels: null, chosen: -1 });
  else viewer.tell({ kind: 'choices', ...choices });
}

async function move(tab: OpenTab, where: 'back' | 'forward' | 'reload'): Promise<void> {
  if (where === 'reload') return tab.session.send('Page.reload', {});
  const { currentIndex, entries } = await tab.session.send('Page.getNavigationHistory');
  const entry = entries[currentIndex + (where === 'back' ? -1 : 1)];
  if (entry !== undefined) await tab.session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
  return undefined;
}

async function inPage<T>(ask: (late: AbortSignal) => Promise<T>): Promise<T | null> {
  return withTimeout(LIVE_SELECT_MS_MAX, async (late) => {
    try {
      return await ask(late);
    } catch (error) {
      if (late.aborted) return null;
      throw error;
    }
  });
}

function hashOf(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? '' : url.slice(at).trim();
}

/** Maximum queued inputs of a person. Even while a page hangs, a person makes fewer. */
const LIVE_INPUTS_WAITING_MAX = 200;

type PageInput = Extract<LiveInput, { kind: 'mouse' | 'wheel' | 'touch' | 'key' | 'text' | 'compose' }>;
type Size = { width: number; height: number };

class PersonInput {
  readonly #waiting: { tab: OpenTab; size: Size; input: PageInput; done: () => void }[] = [];
  #isBusy = false;
  #buttons = 0;

  async do(tab: OpenTab, size: Size, input: PageInput): Promise<void> {
    if (input.kind === 'key' && isOfClipboard(input)) return;
    const last = this.#waiting.at(-1);
    // If several mouse moves wait for a busy page, only the last one is sent.
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
        await resolveWithin(this.#send(tab, size, input), LIVE_INPUT_CONFIRM_MS_MAX);
        // The tab may have loaded another document meanwhile, so the typing is recorded for that document as well.
        if (writes) tab.noteTyped();
      } catch (error) {
        if (!isTargetGone(error)) {
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
          ...pointIn(input, size),
        });
      }
      case 'wheel': {
        const { dx, dy, held } = input;
        const way = { deltaX: dx * size.width, deltaY: dy * size.height };
        return session.send('Input.dispatchMouseEvent', {
          type: 'mouseWheel',
          modifiers: held,
          ...way,
          ...pointIn(input, size),
        });
      }
      case 'touch': {
        const touchPoints = input.points.map((point, id) => ({ ...pointIn(point, size), id }));
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

function pointIn({ x, y }: LivePoint, { width, height }: Size): LivePoint {
  return { x: Math.min(x * width, width - 1), y: Math.min(y * height, height - 1) };
}

/** `windowsVirtualKeyCode` is that of a US keyboard, because old pages read it as `keyCode`. */
function keyEvent({ type, key, code, held, again }: Extract<PageInput, { kind: 'key' }>) {
  const known = KEY_NAMES.includes(key) ? parseKeyChord(key)?.key : isCharacter(key) ? keyForCharacter(key) : null;
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

/**
 * True for keys that cut, copy or paste, which are blocked because all sessions of a browser share its clipboard.
 * Pasted content arrives as text instead.
 */
function isOfClipboard({ code, held }: Extract<PageInput, { kind: 'key' }>): boolean {
  const modifiers = HELD.filter((_, bit) => (held & (1 << bit)) > 0);
  return isClipboardShortcut({ key: { key: '', code, number: 0 }, modifiers });
}

const HELD = ['Alt', 'Control', 'Meta', 'Shift'] as const;

function isCharacter(key: string): boolean {
  return /^.$/u.test(key);
}

const COMMANDS = 7;
