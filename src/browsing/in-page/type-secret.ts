import { controlOf } from './elements.ts';
import type { AnyElement } from './elements.ts';
import { focusField } from './field.ts';
import { beginSecret, emptyIfHeld, holdSecret, keepsSecretWhole, tellsLetters, typeAsOurs } from './held-secrets.ts';
import type { TextField } from './held-secrets.ts';
import type { SecretManner, SecretState, SecretTyped } from './scripts.ts';

/**
 * Types into a field of one of the sites, and into nothing else. All of it is one task of the page's thread: no navigation
 * and no script of another document comes between the last look and the input.
 * @param text `null` only looks
 */
export function typeSecret(
  this: AnyElement,
  text: string | null,
  sites: readonly string[],
  manner: SecretManner,
): SecretTyped {
  const origins = [ownOrigin(), ...location.ancestorOrigins];
  const answer = (state: SecretState, isHeld = false, box: number | null = null) => ({ state, isHeld, origins, box });
  const field = manner === 'goOn' ? focusedBeside(this) : controlOf(this);
  const before = stateOf(field, origins, sites);
  if (before !== 'ready' || text === null) return answer(before);
  if (manner === 'goOn' && (tellsLetters() || !keepsSecretWhole.call(field))) return answer('cut');
  if (manner !== 'goOn' && !focusField.call(field, manner === 'replace' ? 'all' : 'end')) return answer('unfocusable');
  if (manner !== 'goOn') beginSecret();
  if (manner !== 'replace' && !field.dispatchEvent(keyEvent('keydown', text))) {
    // The page types the letter itself, or leaves it out.
    return answer('typed', true, isTextField(field) ? holdSecret(field, text, manner !== 'goOn') : null);
  }
  // The page's own listeners have run: they may have changed anything in this document.
  const target = manner === 'replace' ? field : focusedBeside(this);
  const now = stateOf(target, origins, sites);
  if (now !== 'ready') return answer(now);
  if (!isTextField(target) || !target.matches(':focus')) return answer('unfocusable');
  if (manner === 'insert') emptyIfHeld(target);
  if (manner === 'replace' ? isTooShort(target, text) : isFull(target)) return answer('full');
  // The browser would leave out what is no digit, and the rest would be no secret that results can hide.
  if (target.type === 'number' && !/^\d+$/u.test(text)) return answer('field');
  const box = holdSecret(target, text, manner !== 'goOn');
  typeAsOurs(target, () => Document.prototype.execCommand.call(document, 'insertText', false, text));
  if (manner !== 'replace') target.dispatchEvent(keyEvent('keyup', text));
  return answer('typed', manner !== 'replace' || target.value === text, box);
}

/** Documents without an origin of their own, and those that only borrow one, have none here. */
function ownOrigin(): string {
  return /^https?:$/u.test(location.protocol) && self.origin === location.origin ? location.origin : 'null';
}

function stateOf(field: Element, [own = 'null', ...around]: readonly string[], sites: readonly string[]): SecretState {
  if (own === 'null') return 'opaque';
  if (!sites.includes(own)) return 'site';
  if (!around.every((origin) => sites.includes(origin))) return 'around';
  if (!field.isConnected || field.ownerDocument !== document) return 'gone';
  if (!isTextField(field)) return 'field';
  if (field.readOnly || field.disabled) return 'readonly';
  return targetsOf(field).every((origin) => sites.includes(origin)) ? 'ready' : 'form';
}

/** Those that hold what people type in for a site alone: not search boxes and addresses, which are sent as they are. */
function isTextField(field: Element): field is TextField {
  if (field instanceof HTMLTextAreaElement) return true;
  return field instanceof HTMLInputElement && /^(?:password|text|email|tel|number)$/u.test(field.type);
}

/** Where the form of a field, and each of its buttons, would send it. Named fields stand in for members of a form. */
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

/** The browser would take a part of it only. */
function isTooShort({ maxLength }: TextField, text: string): boolean {
  return maxLength >= 0 && maxLength < text.length;
}

/** The browser would take no further letter. */
function isFull({ maxLength, value, selectionStart, selectionEnd }: TextField): boolean {
  return maxLength >= 0 && value.length >= maxLength && selectionStart === selectionEnd;
}

/** What has the focus in the tree that an element stands in. */
function focusedBeside(element: AnyElement): AnyElement {
  const root: Node = element.getRootNode();
  // Taken out of its document, it is in none of them.
  if (root !== document && !(root instanceof ShadowRoot)) return element;
  const prototype = root === document ? Document.prototype : ShadowRoot.prototype;
  const focused: unknown = Reflect.get(prototype, 'activeElement', root);
  return focused instanceof HTMLElement ? focused : element;
}

/** For fields that go on to the next one by what key they hear. */
function keyEvent(kind: 'keydown' | 'keyup', key: string): KeyboardEvent {
  return new KeyboardEvent(kind, { key, bubbles: true, cancelable: true, composed: true });
}
