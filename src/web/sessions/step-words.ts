import { describeOperationStep } from '#browsing/session/operations/table.ts';
import type { ScriptStep, ScriptTarget } from '#core/script-steps.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';

const NAME_SHOWN_CHARS = 80;

/** Describes a step, as in "Clicked “Save”". Includes names of elements, but never typed text. */
export function describeSteps(what: string, done: readonly ScriptStep[]): string {
  const parts = done.flatMap((step) => partWords(step) ?? []);
  return parts.length === 0
    ? (NOTED[what] ?? describeOperationStep(what) ?? what)
    : parts.map((part, index) => (index === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join(', then ');
}

const NOTED: Readonly<Record<string, string>> = {
  page_sent: 'The page sent data, and you were not asked',
  approved_act: 'You approved an action',
  refused_act: 'You refused an action',
};

function partWords(step: ScriptStep): string | null {
  switch (step.do) {
    case 'go':
      return `Went to ${URL.parse(step.url)?.host || 'an address'}`;
    case 'history':
      return HISTORY[step.to];
    case 'click':
      return `${step.count === 2 ? 'Double-clicked' : step.button === 'right' ? 'Right-clicked' : 'Clicked'} ${elementWords(step.at)}`;
    case 'hover':
      return `Pointed at ${elementWords(step.at)}`;
    case 'drag':
      return `Dragged ${elementWords(step.at)} to ${elementWords(step.to)}`;
    case 'fill':
      return `${FILLED[step.field]} ${elementWords(step.at)}`;
    case 'type':
      return step.at === null ? 'Typed' : `Typed into ${elementWords(step.at)}`;
    case 'see':
      return null;
    case 'other':
      return describeOperationStep(step.what);
  }
}

const HISTORY = { back: 'Went back', forward: 'Went forward', reload: 'Reloaded the page' } as const;
const FILLED = { text: 'Filled', check: 'Ticked or cleared', choice: 'Chose from' } as const;

function elementWords({ role, name }: ScriptTarget): string {
  const shown = oneLine(sanitizeText(name), NAME_SHOWN_CHARS);
  const kind = ROLES[role] ?? (/^[a-z]+$/u.test(role) ? role : 'element');
  return shown === '' ? `${/^[aeio]/u.test(kind) ? 'an' : 'a'} ${kind}` : `${kind} “${shown}”`;
}

const ROLES: Readonly<Record<string, string>> = {
  '': 'element',
  generic: 'element',
  textbox: 'field',
  searchbox: 'search field',
  combobox: 'list',
  listbox: 'list',
  menuitem: 'menu item',
  img: 'image',
  spinbutton: 'number field',
};
