import { labelsOf } from './elements.ts';
import type { AnyElement } from './elements.ts';
import type { InvalidField } from './scripts.ts';

type Watch = { fields: InvalidField[]; stop: () => void };

declare global {
  interface Window {
    periscopeInvalid?: Watch;
  }
}

export function watchInvalid(fieldsMax: number): void {
  self.periscopeInvalid?.stop();
  const fields: InvalidField[] = [];
  const note = ({ target }: Event) => {
    if (fields.length >= fieldsMax || !isField(target)) return;
    fields.push({ name: nameOf(target), problem: target.validationMessage.slice(0, 200) });
  };
  window.addEventListener('invalid', note, true);
  self.periscopeInvalid = { fields, stop: () => window.removeEventListener('invalid', note, true) };
}

function isField(target: EventTarget | null): target is HTMLInputElement {
  return target !== null && 'validationMessage' in target;
}

function nameOf(control: AnyElement): string {
  const [label] = labelsOf(control);
  const names = [control.getAttribute('aria-label'), label?.innerText, control.getAttribute('placeholder')];
  const name = names.find((words) => words !== null && words !== undefined && words.trim() !== '');
  return (name ?? control.getAttribute('name') ?? control.id).trim().slice(0, 100);
}

export function takeInvalid(): InvalidField[] {
  const { fields = [], stop } = self.periscopeInvalid ?? {};
  stop?.();
  delete self.periscopeInvalid;
  return fields;
}
