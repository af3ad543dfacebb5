import { fail } from '#core/errors.ts';
import { TYPE_SLOWLY_MS } from '#core/limits.ts';
import { TYPE_KEYS_IN_FLIGHT, TYPE_NAMED_KEYS_MAX } from './limits.ts';
import * as pageScripts from '#browsing/in-page/sources.js';
import type { Tab } from '#browsing/tabs/tab.ts';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import { sleep } from '#core/with-timeout.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { insertText, sendKey } from './input.ts';
import { invalidFields, watchInvalid } from './invalid-fields.ts';
import type { InvalidField } from './invalid-fields.ts';
import { chordOf, eventsOf, keyOf, NAMED_KEYS, pressOf, usesClipboard } from './keys.ts';
import { refuseFile } from './refuse-file.ts';
import { reach, refuse } from './reach.ts';
import { guardCopies } from '#browsing/secrets/guard-copies.ts';
import { typeSecretKeys } from '#browsing/secrets/type-secret.ts';
import type { SecretText } from '#browsing/secrets/type-secret.ts';

export type Typing = {
  /**
   * Typed at the caret, one key for each character. A character that no key writes is inserted as an input method does.
   */
  text?: string | undefined;
  /** Typed in place of the text, into the element only. */
  secret?: SecretText | undefined;
  /**
   * Pressed after the text: names of keys, joined with `+` when held together, separated by spaces when pressed in
   * order: `ArrowDown ArrowDown Enter`.
   */
  key?: string | undefined;
  /** Presses Enter at the end. */
  submit?: boolean | undefined;
  /** Pauses after each character, for fields that load suggestions while one types. */
  slowly?: boolean | undefined;
};

/** Fields that made the browser refuse to send their form. */
export type Typed = { invalid: InvalidField[] };

/**
 * Types as a person does, into the element or wherever the focus is. Keys follow the focus when the page moves it, as
 * it does in fields for codes with one box a digit.
 * @throws {PeriscopeError} `invalid_argument` for keys that do not exist, `element_not_found` with the reason
 */
export async function typeText(
  tab: Tab,
  element: PageElement | null,
  typing: Typing,
  signal: AbortSignal,
): Promise<Typed> {
  const chords = chordsOf(typing.key ?? '');
  if (element !== null && typing.secret !== undefined) {
    await reach(element, signal, { isHit: false });
    await typeSecretKeys(element, typing.secret, typing.slowly === true, signal);
  } else {
    if (element !== null) await focus(element, signal);
    await write(tab, typing.text ?? '', typing.slowly === true, signal);
  }
  const frame = element?.frame ?? tab.main();
  const maySend = typing.submit === true || chords.some(({ key }) => key.key === 'Enter' || key.key === ' ');
  if (maySend) await watchInvalid(tab, frame, signal);
  for (const { key, modifiers } of chords) {
    // A key before it may have opened another page.
    await guardCopies(tab, signal);
    for (const event of eventsOf(key, modifiers)) await sendKey(tab, event, signal);
  }
  if (typing.submit === true) for (const event of pressOf('Enter')) await sendKey(tab, event, signal);
  return { invalid: maySend ? await invalidFields(tab, frame, signal) : [] };
}

async function focus(element: PageElement, signal: AbortSignal): Promise<void> {
  await reach(element, signal, { isHit: false });
  const { kind, isReadOnly } = await callOn(element, pageScripts.field, [], signal);
  if (kind === 'file') return refuseFile();
  if (kind === 'text' && isReadOnly) return refuse(element, 'readonly');
  if (!(await callOn(element, pageScripts.focusField, ['end'], signal))) return refuse(element, 'unfocusable');
}

function chordsOf(names: string): NonNullable<ReturnType<typeof chordOf>>[] {
  const parts = names.split(/\s+/u).filter((name) => name !== '');
  if (parts.length > TYPE_NAMED_KEYS_MAX) refuseKey('there are too many keys', `Pass at most ${TYPE_NAMED_KEYS_MAX}.`);
  return parts.map((name) => {
    const chord = chordOf(name);
    if (chord === null)
      return refuseKey('there is no such key', `Keys are ${NAMED_KEYS.join(', ')}, and single characters.`);
    if (usesClipboard(chord))
      return refuseKey('the clipboard cannot be used here', 'Copy the text from a snapshot and pass it as "text".');
    return chord;
  });
}

function refuseKey(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'key', problem, hint });
}

async function write(tab: Tab, text: string, isSlow: boolean, signal: AbortSignal): Promise<void> {
  let sent: Promise<void>[] = [];
  for (const piece of piecesOf(text)) {
    const key = keyOf(piece);
    if (key === null) sent.push(insertText(tab, piece, signal));
    else sent.push(...eventsOf(key, []).map((event) => sendKey(tab, event, signal)));
    if (!isSlow && sent.length < TYPE_KEYS_IN_FLIGHT) continue;
    await Promise.all(sent);
    sent = [];
    if (isSlow) await sleep(TYPE_SLOWLY_MS, signal);
  }
  await Promise.all(sent);
}

/** Splits text into what a person would call one character. An emoji of several code points is one. */
function piecesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.replaceAll('\r\n', '\n'));
  return [...segments].map(({ segment }) => segment);
}
