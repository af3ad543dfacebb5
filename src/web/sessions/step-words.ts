import { didWords } from '#browsing/session/operations/table.ts';
import type { ScriptStep, ScriptTarget } from '#core/script-steps.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';

/** Of the name of an element, in a line of a list. */
const NAME_SHOWN_CHARS = 80;

/** What a step did, in words: what was clicked, never what was typed. */
export function stepWords(what: string, done: readonly ScriptStep[]): string {
  const parts = done.flatMap((step) => partWords(step) ?? []);
  return parts.length === 0
    ? (didWords(what) ?? what)
    : parts.map((part, index) => (index === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join(', then ');
}

function partWords(step: ScriptStep): string | null {
  switch (step.do) {
    case 'go':
      return 'Went to an address';
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
      return didWords(step.what);
  }
}

const HISTORY = { back: 'Went back', forward: 'Went forward', reload: 'Reloaded the page' } as const;
const FILLED = { text: 'Filled', check: 'Ticked or cleared', choice: 'Chose in' } as const;

/** `button “Send”`, as the page names it. */
function elementWords({ role, name }: ScriptTarget): string {
  const shown = oneLine(toPlain(name), NAME_SHOWN_CHARS);
  const kind = ROLES[role] ?? (/^[a-z]+$/u.test(role) ? role : 'element');
  return shown === '' ? `${kind} without a name` : `${kind} “${shown}”`;
}

/** As people call them. */
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
