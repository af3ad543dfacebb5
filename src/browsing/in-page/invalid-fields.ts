import type { DomElement } from './dom.ts';
import { pageScript } from './page-script.ts';

/** A field that the browser did not send a form for, in the words of the page and of the browser to a person. */
export type InvalidField = { name: string; problem: string };
type Watch = { fields: InvalidField[]; stop: () => void };
type Listen = (type: 'invalid', listener: (event: { target: InvalidElement }) => void, capture: true) => void;
type InvalidElement = DomElement & { validationMessage?: string };

declare const window: { addEventListener: Listen; removeEventListener: Listen };
declare const self: { periscopeInvalid?: Watch };

/** In the document: from now on, notes the fields that hold a form up. What a person is told of them no snapshot shows. */
export const WATCH_INVALID = pageScript(watchInvalid, [nameOfField]);
/** Gives them, and stops. */
export const TAKE_INVALID = pageScript(takeInvalid);

function watchInvalid(fieldsMax: number): void {
  self.periscopeInvalid?.stop();
  const fields: InvalidField[] = [];
  const note = ({ target }: { target: InvalidElement }) => {
    if (fields.length >= fieldsMax || target.validationMessage === undefined) return;
    fields.push({ name: nameOfField(target), problem: target.validationMessage.slice(0, 200) });
  };
  window.addEventListener('invalid', note, true);
  self.periscopeInvalid = { fields, stop: () => window.removeEventListener('invalid', note, true) };
}

function nameOfField(field: DomElement): string {
  const [label] = field.labels ?? [];
  const names = [field.getAttribute('aria-label'), label?.innerText, field.getAttribute('placeholder')];
  const name = names.find((words) => words !== null && words !== undefined && words.trim() !== '');
  return (name ?? field.getAttribute('name') ?? field.id).trim().slice(0, 100);
}

function takeInvalid(): InvalidField[] {
  const { fields = [], stop } = self.periscopeInvalid ?? {};
  stop?.();
  delete self.periscopeInvalid;
  return fields;
}
