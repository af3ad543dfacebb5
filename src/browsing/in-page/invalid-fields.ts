import { cut } from './cut.ts';
import type { InvalidField } from './scripts.ts';
import { fieldName } from './typed-fields.ts';

type Watch = { fields: InvalidField[]; stop: () => void };

declare global {
  interface Window {
    periscopeInvalid?: Watch;
  }
}

/** A sentence or two. */
const PROBLEM_CHARS_MAX = 200;

export function watchInvalid(fieldsMax: number): void {
  self.periscopeInvalid?.stop();
  const fields: InvalidField[] = [];
  const note = ({ target }: Event) => {
    if (fields.length >= fieldsMax || !isField(target)) return;
    fields.push({ name: fieldName(target), problem: cut(target.validationMessage, PROBLEM_CHARS_MAX) });
  };
  window.addEventListener('invalid', note, true);
  self.periscopeInvalid = { fields, stop: () => window.removeEventListener('invalid', note, true) };
}

function isField(target: EventTarget | null): target is HTMLInputElement {
  return target !== null && 'validationMessage' in target;
}

export function takeInvalid(): InvalidField[] {
  const { fields = [], stop } = self.periscopeInvalid ?? {};
  stop?.();
  delete self.periscopeInvalid;
  return fields;
}
