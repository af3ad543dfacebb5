import { isFrame } from '#browsing/in-page/elements/frame-hits.ts';
import { findLabelledControl } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import { focusControl } from '#browsing/in-page/fields/field.ts';
import type {
  SecretTypingMode,
  SecretTypingState,
  SecretTypingResult,
} from '#browsing/in-page/secrets/secret-typed.ts';
import {
  beginSecretTyping,
  emptySecretField,
  recordSecretField,
  hasKeptWholeSecret,
  runOwnEdit,
} from './hold-secret.ts';
import type { TextField } from './hold-secret.ts';

/**
 * Types into a field if its document is on one of the secret's sites. The check and the input are one synchronous task,
 * so that no navigation can happen between them.
 * @param text `null` to check only
 */
export function typeSecret(
  this: AnyElement,
  text: string | null,
  sites: readonly string[],
  manner: SecretTypingMode,
): SecretTypingResult {
  const origins = [ownOrigin(), ...location.ancestorOrigins];
  const answer = (state: SecretTypingState, isHeld = false, box: number | null = null) => ({
    state,
    isHeld,
    origins,
    box,
  });
  const isFirst = manner !== 'goOn';
  const field = isFirst ? findLabelledControl(this) : focusedNear(this);
  if (!isFirst && isFrame(field)) return answer('frame');
  const before = stateOf(field, origins, sites);
  if (before !== 'ready' || text === null) return answer(before);
  if (!isFirst && !hasKeptWholeSecret.call(field)) return answer('cut');
  if (isFirst && !focusControl(field, manner === 'replace' ? 'all' : 'end'))
    return answer(isFrame(focusedNear(this)) ? 'frame' : 'unfocusable');
  if (isFirst) beginSecretTyping();
  if (manner !== 'replace' && !field.dispatchEvent(keyEvent('keydown', text))) {
    // The page handled the key itself: it has typed the letter, or dropped it.
    return answer('typed', true, isTextField(field) ? recordSecretField(field, text, isFirst) : null);
  }
  // The page's own listeners have run by now and may have changed the page, so the field is checked again.
  const target = manner === 'replace' ? field : focusedNear(this);
  if (isFrame(focusedNear(this))) return answer('frame');
  const now = stateOf(target, origins, sites);
  if (now !== 'ready') return answer(now);
  if (!isTextField(target) || !target.matches(':focus')) return answer('unfocusable');
  // Typing at a caret inside an old copy of the secret would split that copy in two.
  if (manner === 'insert') emptySecretField(target);
  if (manner === 'replace' ? isTooShort(target, text) : isFull(target)) return answer('full');
  // The browser would drop other characters than digits, and masking would not recognize the remaining digits.
  if (target.type === 'number' && !/^\d+$/u.test(text)) return answer('field');
  const box = recordSecretField(target, text, isFirst);
  runOwnEdit(target, () => Document.prototype.execCommand.call(document, 'insertText', false, text));
  if (manner !== 'replace') target.dispatchEvent(keyEvent('keyup', text));
  return answer('typed', manner !== 'replace' || target.value === text, box);
}

/** The document's origin; `'null'` for an opaque or inherited origin. */
function ownOrigin(): string {
  return /^https?:$/u.test(location.protocol) && self.origin === location.origin ? location.origin : 'null';
}

function stateOf(
  field: Element,
  [own = 'null', ...around]: readonly string[],
  sites: readonly string[],
): SecretTypingState {
  if (own === 'null') return 'opaque';
  if (!sites.includes(own)) return 'site';
  if (!around.every((origin) => sites.includes(origin))) return 'around';
  if (!field.isConnected || field.ownerDocument !== document) return 'gone';
  if (!isTextField(field)) return 'field';
  if (field.readOnly || field.disabled) return 'readonly';
  return targetsOf(field).every((origin) => sites.includes(origin)) ? 'ready' : 'form';
}

/** True for a field that may receive a secret. The values of search and URL fields are not private. */
function isTextField(field: Element): field is TextField {
  if (field instanceof HTMLTextAreaElement) return true;
  return field instanceof HTMLInputElement && /^(?:password|text|email|tel|number)$/u.test(field.type);
}

/**
 * Origins to which the field's form and its buttons may send. Read through prototypes, because form fields may hide
 * members.
 */
function targetsOf(field: TextField): string[] {
  const { form } = field;
  if (form === null) return [];
  const of = (name: string) => Reflect.get(HTMLFormElement.prototype, name, form);
  const controls: Iterable<Element> = of('elements');
  const buttons = [...controls].flatMap((control) =>
    control.hasAttribute('formaction') ? [String(Reflect.get(control, 'formAction'))] : [],
  );
  return [String(of('action')), ...buttons]
    .filter((address) => !/^javascript:/iu.test(address))
    .map((address) => (URL.canParse(address) ? new URL(address).origin : 'null'));
}

function isTooShort({ maxLength }: TextField, text: string): boolean {
  return maxLength >= 0 && maxLength < text.length;
}

function isFull({ maxLength, value, selectionStart, selectionEnd }: TextField): boolean {
  return maxLength >= 0 && value.length >= maxLength && selectionStart === selectionEnd;
}

/** The focused element in the tree of an element; the element itself if there is none. */
function focusedNear(element: AnyElement): AnyElement {
  const root: Node = element.getRootNode();
  if (root !== document && !(root instanceof ShadowRoot)) return element;
  const prototype = root === document ? Document.prototype : ShadowRoot.prototype;
  const focused: unknown = Reflect.get(prototype, 'activeElement', root);
  return focused instanceof HTMLElement ? focused : element;
}

/** A key event, for pages that move the focus from box to box on key presses. */
function keyEvent(kind: 'keydown' | 'keyup', key: string): KeyboardEvent {
  return new KeyboardEvent(kind, { key, bubbles: true, cancelable: true, composed: true });
}
