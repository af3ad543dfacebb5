import { fail } from '#core/failures/failure.ts';
import { PAGE_RESPONSE_MS_MAX, TYPING_DELAY_MS } from '#core/limits.ts';
import * as pageScripts from '#generated/page-scripts.js';
import type { Tab, PageElement, WrittenField } from '#browsing/tabs/tab.ts';
import { callIn, callOn, ifGone, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import { sleep, resolveWithin } from '#core/flow/abort.ts';
import { findActionPoint, throwElementProblem } from '#browsing/act/reach.ts';
import { toApprovableKey, insertText, modifierBits, pressKey } from '#browsing/act/input.ts';
import type { KeyEvent, Modifier } from '#browsing/act/input.ts';
import { guardOtherFrames } from '#browsing/act/other-frames.ts';
import { GUARDED_KEYS, pressingNothingElse, reachingFirst, TYPING_GUARD_LIFETIME_MS } from './guarded-keys.ts';
import { takeInvalidFieldReports, watchInvalidFields } from './invalid-fields.ts';
import type { InvalidField } from './invalid-fields.ts';
import { refuseFillingFileField } from './put-file.ts';
import { guardSecretCopies, typeSecretKeys } from '#browsing/secrets/type-secret.ts';
import type { OpenedSecret } from '#browsing/secrets/type-secret.ts';

const TYPE_NAMED_KEYS_MAX = 50;

export type TypeOptions = {
  /** Text to type at the caret, one key per character. Characters without a key are inserted as by an input method. */
  text?: string | undefined;
  secret?: OpenedSecret | undefined;
  /**
   * Keys to press after the text. Keys of a chord are joined with `+`; a sequence is separated by spaces: `ArrowDown
   * ArrowDown Enter`.
   */
  key?: string | undefined;
  submit?: boolean | undefined;
  slowly?: boolean | undefined;
  /** For keys without an element: the field that the last action wrote to, in the document that is open now. */
  after?: WrittenField | null | undefined;
};

/** `missed`: set if no field had the focus, but only the page itself (`nothing`), or a button or link (`control`). */
type TypeResult = { invalid: InvalidField[]; missed: NotTypedReason | null };
export type NotTypedReason = 'nothing' | 'control';

/**
 * Types into the element or, without one, into the focused element. Keys follow the focus if the page moves it, as in a
 * code with one box for each digit.
 * @throws {PeriscopeError} `invalid_argument` for keys that do not exist or are refused, and for text with white space
 * while a button or link has the focus; `element_not_found` with the reason
 */
export async function typeText(
  tab: Tab,
  element: PageElement | null,
  typing: TypeOptions,
  signal: AbortSignal,
): Promise<TypeResult> {
  const chords = chordsOf(typing.key ?? '');
  const missed = element === null ? await missedBy(tab, typing, chords, signal) : null;
  if (missed === 'control' && /\s/u.test(typing.text ?? '')) {
    const problem = 'has spaces or line breaks, which would press the button, link or box that has the focus';
    fail({ code: 'invalid_argument', field: 'text', problem, hint: 'Click the field first, or pass its selector.' });
  }
  const send = async (onTab: () => Promise<unknown> = async () => undefined) => {
    if (typing.secret === undefined) await write(tab, typing.text ?? '', typing.slowly === true, signal);
    return press(tab, element, { submits: typing.submit === true, chords, onTab }, signal);
  };
  if (element === null) {
    const written = typing.after ?? null;
    return { invalid: written === null ? await send() : await pressingNothingElse(written, send, signal), missed };
  }
  if (typing.secret === undefined) {
    await focus(element, signal);
    return { invalid: await reachingFirst(element, typing.text ?? '', send, signal), missed };
  }
  await findActionPoint(element, signal, { isHit: false });
  await typeSecretKeys(element, typing.secret, typing.slowly === true, signal);
  const unguard = await guardOtherFrames(element, GUARDED_KEYS, TYPING_GUARD_LIFETIME_MS, signal);
  const invalid = await send(unguard).finally(unguard);
  return (await unguard()) ? throwElementProblem(element, 'focus_taken') : { invalid, missed };
}

async function press(
  tab: Tab,
  element: PageElement | null,
  { submits, chords, onTab }: { submits: boolean; chords: ReturnType<typeof chordsOf>; onTab: () => Promise<unknown> },
  signal: AbortSignal,
): Promise<InvalidField[]> {
  const frame = element?.frame ?? tab.main();
  const maySend = submits || chords.some(({ key }) => key.key === 'Enter' || key.key === ' ');
  if (maySend) await watchInvalidFields(tab, frame, signal);
  for (const [at, { key, modifiers }] of chords.entries()) {
    if (at > 0) await letPageRun(tab, frame.id, signal);
    // Guards each document again, because an earlier key may have opened another page.
    await guardSecretCopies(tab, signal);
    if (key.key === 'Tab') await onTab();
    await pressKey(tab, keyEvents(key, modifiers), signal);
  }
  if (submits) await pressKey(tab, keyPressEvents('Enter'), signal);
  return maySend ? takeInvalidFieldReports(tab, frame, signal) : [];
}

/** Reports that no field had the focus. Keys that only scroll or move the focus need no field. */
async function missedBy(
  tab: Tab,
  { text = '', submit }: TypeOptions,
  chords: ReturnType<typeof chordsOf>,
  signal: AbortSignal,
): Promise<NotTypedReason | null> {
  const isMeantForField = text !== '' || submit === true || chords.some(({ key }) => !MOVING.test(key.key));
  if (!isMeantForField) return null;
  const asked = callIn(tab, tab.main(), pageScripts.readFocusKind, [], signal);
  const kind = await resolveWithin(asked, PAGE_RESPONSE_MS_MAX, signal).catch(nullIfGone);
  if (kind === 'nothing') return 'nothing';
  return kind === 'control' && text !== '' ? 'control' : null;
}

const MOVING = /^(?:Escape|Tab|Page(?:Up|Down)|Home|End|Arrow(?:Up|Down|Left|Right)|F\d{1,2})$/u;

/**
 * Lets the page run its next task, because editors read a new selection in a separate task. This task must run before a
 * shortcut uses the selection.
 */
async function letPageRun(tab: Tab, frameId: string, signal: AbortSignal): Promise<void> {
  const ran = callIn(tab, tab.frame(frameId) ?? tab.main(), pageScripts.waitForNextTask, [], signal);
  await resolveWithin(ran, PAGE_RESPONSE_MS_MAX, signal).catch(ifGone(undefined));
}

async function focus(element: PageElement, signal: AbortSignal): Promise<void> {
  await findActionPoint(element, signal, { isHit: false });
  const { kind, isReadOnly } = await callOn(element, pageScripts.describeFieldState, [], signal);
  if (kind === 'file') return refuseFillingFileField();
  if (kind === 'text' && isReadOnly) return throwElementProblem(element, 'readonly');
  if (!(await callOn(element, pageScripts.focusField, ['end'], signal)))
    return throwElementProblem(element, 'unfocusable');
}

function chordsOf(names: string): NonNullable<ReturnType<typeof parseKeyChord>>[] {
  const parts = names.split(/\s+/u).filter((name) => name !== '');
  if (parts.length > TYPE_NAMED_KEYS_MAX) refuseKey('there are too many keys', `Pass at most ${TYPE_NAMED_KEYS_MAX}.`);
  return parts.map((name) => {
    const chord = parseKeyChord(name);
    if (chord === null)
      return refuseKey('there is no such key', `Keys are ${KEY_NAMES.join(', ')}, and single characters.`);
    if (isClipboardShortcut(chord))
      return refuseKey('the clipboard cannot be used here', 'Copy the text from a snapshot and pass it as "text".');
    return chord;
  });
}

function refuseKey(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'key', problem, hint });
}

async function write(tab: Tab, text: string, isSlow: boolean, signal: AbortSignal): Promise<void> {
  const keys = new KeyPipeline();
  for (const piece of piecesOf(text)) {
    const key = keyForCharacter(piece);
    const isChecked = key !== null && (tab.askFirst ?? null) !== null && toApprovableKey(keyEvents(key, [])) !== null;
    // Earlier keys may move the focus, but the user's approval is for the control that this key operates.
    if (isChecked) await keys.confirmed();
    await keys.add(() => (key === null ? insertText(tab, piece, signal) : pressKey(tab, keyEvents(key, []), signal)));
    if (!isSlow && !isChecked) continue;
    await keys.confirmed();
    if (!isSlow) continue;
    await sleep(TYPING_DELAY_MS, signal);
  }
  await keys.confirmed();
}

function piecesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.replaceAll('\r\n', '\n'));
  return [...segments].map(({ segment }) => segment);
}

/** A key of a US keyboard. */
type Key = {
  key: string;
  code: string;
  /** Windows virtual key code. */
  number: number;
  /** Text that the key types. */
  text?: string;
  isShifted?: boolean;
};

/** Keys by their name, as in `KeyboardEvent.key` (UI Events). */
const NAMED: Readonly<Record<string, Key>> = {
  Enter: { key: 'Enter', code: 'Enter', number: 13, text: '\r' },
  Tab: { key: 'Tab', code: 'Tab', number: 9 },
  Escape: { key: 'Escape', code: 'Escape', number: 27 },
  Backspace: { key: 'Backspace', code: 'Backspace', number: 8 },
  Delete: { key: 'Delete', code: 'Delete', number: 46 },
  Insert: { key: 'Insert', code: 'Insert', number: 45 },
  Home: { key: 'Home', code: 'Home', number: 36 },
  End: { key: 'End', code: 'End', number: 35 },
  PageUp: { key: 'PageUp', code: 'PageUp', number: 33 },
  PageDown: { key: 'PageDown', code: 'PageDown', number: 34 },
  ArrowLeft: { key: 'ArrowLeft', code: 'ArrowLeft', number: 37 },
  ArrowUp: { key: 'ArrowUp', code: 'ArrowUp', number: 38 },
  ArrowRight: { key: 'ArrowRight', code: 'ArrowRight', number: 39 },
  ArrowDown: { key: 'ArrowDown', code: 'ArrowDown', number: 40 },
  Space: { key: ' ', code: 'Space', number: 32, text: ' ' },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`F${at + 1}`, { key: `F${at + 1}`, code: `F${at + 1}`, number: 112 + at }]),
  ),
};
export const KEY_NAMES: readonly string[] = Object.keys(NAMED);

/** `[plain, shifted, code, number]` of the keys that are neither letters nor digits. */
const SYMBOLS: readonly (readonly [string, string, string, number])[] = [
  ['`', '~', 'Backquote', 192],
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
];
const SHIFTED_DIGITS = ')!@#$%^&*(';

export function keyForCharacter(character: string): Key | null {
  if (character === '\n' || character === '\r') return NAMED['Enter'] ?? null;
  if (character === '\t') return NAMED['Tab'] ?? null;
  if (character === ' ') return NAMED['Space'] ?? null;
  if (/^[a-z]$/iu.test(character) && character.charCodeAt(0) < 128) return letter(character);
  if (/^[0-9]$/u.test(character)) return digit(Number(character), character, false);
  const shifted = SHIFTED_DIGITS.indexOf(character);
  if (shifted >= 0 && character.length === 1) return digit(shifted, character, true);
  for (const [plain, upper, code, number] of SYMBOLS) {
    if (character === plain) return { key: plain, code, number, text: plain };
    if (character === upper) return { key: upper, code, number, text: upper, isShifted: true };
  }
  return null;
}

function letter(character: string): Key {
  const upper = character.toUpperCase();
  return {
    key: character,
    code: `Key${upper}`,
    number: upper.charCodeAt(0),
    text: character,
    isShifted: character === upper,
  };
}

function digit(value: number, character: string, isShifted: boolean): Key {
  return { key: character, code: `Digit${value}`, number: 48 + value, text: character, isShifted };
}

export function parseKeyChord(name: string): { key: Key; modifiers: Modifier[] } | null {
  const parts = name === '+' ? ['+'] : name.replace(/\+\+$/u, '+Plus').split('+');
  const last = parts.pop() ?? '';
  const modifiers: Modifier[] = [];
  for (const part of parts) {
    const modifier = MODIFIERS[part.toLowerCase()];
    if (modifier === undefined) return null;
    modifiers.push(modifier);
  }
  const named = NAMED[ALIASES[last.toLowerCase()] ?? last];
  const character = last === 'Plus' ? '+' : last;
  const held = modifiers.length > 0 && !modifiers.includes('Shift') ? character.toLowerCase() : character;
  const key = named ?? keyForCharacter(held);
  return key === null ? null : { key, modifiers };
}

const MODIFIERS: Readonly<Record<string, Modifier>> = {
  alt: 'Alt',
  option: 'Alt',
  control: 'Control',
  ctrl: 'Control',
  meta: 'Meta',
  command: 'Meta',
  cmd: 'Meta',
  shift: 'Shift',
};
const ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KEY_NAMES.map((name) => [name.toLowerCase(), name])),
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
};

/** True for cutting, copying and pasting, which are refused because all sessions of one browser share its clipboard. */
export function isClipboardShortcut({ key, modifiers }: { key: Key; modifiers: readonly Modifier[] }): boolean {
  const isCommand = modifiers.includes('Control') || modifiers.includes('Meta');
  if (isCommand && ['KeyC', 'KeyX', 'KeyV', 'Insert'].includes(key.code)) return true;
  return modifiers.includes('Shift') && (key.code === 'Insert' || key.code === 'Delete');
}

export function keyPressEvents(name: string): KeyEvent[] {
  const chord = parseKeyChord(name);
  return chord === null ? [] : keyEvents(chord.key, chord.modifiers);
}

export function keyEvents(key: Key, modifiers: readonly Modifier[]): KeyEvent[] {
  const held = key.isShifted === true && !modifiers.includes('Shift') ? [...modifiers, 'Shift' as const] : modifiers;
  const isCommand = held.some((modifier) => modifier !== 'Shift');
  const event = {
    key: key.key,
    code: key.code,
    windowsVirtualKeyCode: key.number,
    modifiers: modifierBits(held),
  };
  const writes = key.text !== undefined && !isCommand;
  return [
    writes ? { type: 'keyDown', text: key.text ?? '', ...event } : { type: 'rawKeyDown', ...event },
    { type: 'keyUp', ...event },
  ];
}

/**
 * Maximum unconfirmed keys. Several are in flight, so that a distant browser does not cost a round trip for each key.
 */
const KEYS_MAX = 16;
/** Maximum time to confirm a key for one more key to be in flight. */
const QUICK_MS = 100;
/** Time to confirm a key above which keys are sent one by one, because sent keys cannot be taken back. */
const SLOW_MS = 200;

/**
 * Sends keys before earlier ones are confirmed. Starts with one key in flight and adds more while the page confirms
 * quickly, so that only few keys still reach the page after a call was cancelled.
 */
export class KeyPipeline {
  readonly #sent: Promise<void>[] = [];
  #max = 1;

  /**
   * Resolves when the key was sent, not when it is confirmed.
   * @throws {unknown} errors of sending an earlier key
   */
  async add(send: () => Promise<void>): Promise<void> {
    while (this.#sent.length >= this.#max) await this.#sent.shift();
    const begun = Date.now();
    const confirmed = send().then(() => this.#adapt(Date.now() - begun));
    confirmed.catch(() => undefined);
    this.#sent.push(confirmed);
  }

  async confirmed(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
  }

  #adapt(ms: number): void {
    if (ms > SLOW_MS) this.#max = 1;
    else if (ms < QUICK_MS) this.#max = Math.min(this.#max + 1, KEYS_MAX);
  }
}
