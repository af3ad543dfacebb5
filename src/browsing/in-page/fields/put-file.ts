import { fromBase64 } from '#core/text/base64.ts';
import { findLabelledControl } from '#browsing/in-page/elements/safe-dom.ts';
import type { AnyElement } from '#browsing/in-page/elements/safe-dom.ts';
import type { PutFileOutcome } from '#browsing/in-page/script-types.ts';
import { scriptState } from '#browsing/in-page/page/script-state.ts';

declare global {
  interface ScriptState {
    pieces?: Uint8Array<ArrayBuffer>[];
  }
}

/** Stores a part of the file that {@link putFile} creates. Large files are sent in several parts. */
export function addFilePiece(this: AnyElement, base64: string, isFirst: boolean): void {
  const pieces = isFirst ? [] : (scriptState().pieces ?? []);
  pieces.push(fromBase64(base64));
  scriptState().pieces = pieces;
}

/** Puts a file of the stored parts into the field, or drops it on the element. `bytes`: expected size. */
export function putFile(this: AnyElement, name: string, type: string, bytes: number): PutFileOutcome {
  const file = new File(scriptState().pieces ?? [], name, { type });
  delete scriptState().pieces;
  if (file.size !== bytes) return { outcome: 'broken', held: 0 };
  const field = fieldOf(this);
  return field === null ? drop(this, file) : fill(field, file);
}

/** The element, its labelled control, or the only file field inside it; `null` for none. */
function fieldOf(element: AnyElement): HTMLInputElement | null {
  const control = findLabelledControl(element);
  if (isFileField(control)) return control;
  const inner = [...Element.prototype.querySelectorAll.call(element, 'input')].filter(isFileField);
  return inner.length === 1 ? (inner[0] ?? null) : null;
}

function isFileField(element: Element): element is HTMLInputElement {
  return Element.prototype.matches.call(element, 'input[type=file]');
}

/** Adds a file. A field for several files keeps its present files, except one with the same name and size. */
function fill(field: HTMLInputElement, file: File): PutFileOutcome {
  if (field.matches(':disabled')) return { outcome: 'disabled', held: 0 };
  const data = new DataTransfer();
  const isSame = (other: File) => other.name === file.name && other.size === file.size;
  if (field.multiple) for (const one of field.files ?? []) if (!isSame(one)) data.items.add(one);
  data.items.add(file);
  field.files = data.files;
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return { outcome: 'field', held: field.files.length };
}

function drop(element: AnyElement, file: File): PutFileOutcome {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(file);
  const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
  const clientX = left + width / 2;
  const clientY = top + height / 2;
  const send = (kind: string) => {
    const options = { bubbles: true, cancelable: true, composed: true, dataTransfer, clientX, clientY };
    return !EventTarget.prototype.dispatchEvent.call(element, new DragEvent(kind, options));
  };
  send('dragenter');
  // A page that accepts drops cancels `dragover`. Otherwise the browser would open the file instead.
  if (!send('dragover')) {
    send('dragleave');
    return { outcome: 'not_taken', held: 0 };
  }
  send('drop');
  return { outcome: 'dropped', held: 0 };
}
