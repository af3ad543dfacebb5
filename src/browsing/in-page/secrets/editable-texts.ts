import { emptyByKeys, holdCopy, isField, stop } from './type-secret.ts';
import { elementWalker } from '#browsing/in-page/elements/safe-dom.ts';

declare global {
  interface Window {
    /** What the last {@link editableTexts} told of, in its order. */
    periscopeEditables?: HTMLElement[];
  }
}

/** What stands in everything that keys can edit in this document and its open shadow trees. */
export function editableTexts(): string[] {
  const editables: HTMLElement[] = [];
  const roots: Node[] = [document];
  for (const root of roots) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
      if (isField(element) || isHost(element)) editables.push(element);
    }
  }
  self.periscopeEditables = editables;
  return editables.map((one) => (isField(one) ? one.value : (one.textContent ?? '')));
}

/** From now on these are changed as a whole only, as a field is that a secret was typed into. @param at in {@link editableTexts} */
export function guardEditables(at: readonly number[]): void {
  for (const one of at) {
    const editable = self.periscopeEditables?.[one];
    if (editable === undefined) continue;
    if (isField(editable)) holdCopy(editable);
    else guardHost(editable);
  }
}

function isHost(element: Node): element is HTMLElement {
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return false;
  return element.parentElement?.isContentEditable !== true;
}

/** Whether a host has a secret, of all that were found to have one. */
const hosts = new WeakMap<HTMLElement, boolean>();

function guardHost(host: HTMLElement): void {
  const isKnown = hosts.has(host);
  hosts.set(host, true);
  if (isKnown) return;
  for (const kind of ['copy', 'cut', 'dragstart']) host.addEventListener(kind, stop, true);
  host.addEventListener('compositionstart', () => hosts.get(host) === true && emptyHost(host), true);
  host.addEventListener('beforeinput', (event) => beforeHostInput(host, event), true);
}

function beforeHostInput(host: HTMLElement, event: InputEvent): void {
  // What an undo brings back may be a part.
  if (event.inputType.startsWith('history')) return event.preventDefault();
  if (hosts.get(host) !== true) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  emptyHost(host);
  const { data } = event;
  if (data !== null) Document.prototype.execCommand.call(document, 'insertText', false, data);
}

function emptyHost(host: HTMLElement): void {
  hosts.set(host, false);
  emptyByKeys(host);
}
