import { fill } from '#browsing/act/fields/fill.ts';
import { recordScriptStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { everyElement, hasTrueProperty } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';

const TEXT_ROLES: ReadonlySet<string> = new Set(['searchbox', 'textbox', 'combobox']);

/**
 * The empty text field to which a list moved the focus when it opened. Typing into it filters or fetches the options. A
 * field that has text, or had the focus before, belongs to the page, and a search would overwrite its text.
 */
export async function findListSearchField(
  { tab }: OperationWork,
  list: PageElement,
  page: Page,
  before: Page,
): Promise<PageElement | null> {
  const had = new Set(focusedFields(before, list).map(({ backendNodeId }) => backendNodeId));
  const found = focusedFields(page, list).find(({ value, backendNodeId }) => value === '' && !had.has(backendNodeId));
  return found === undefined || found.backendNodeId === list.backendNodeId ? null : pageElementOf(tab, found);
}

function focusedFields({ documents }: Page, { frame }: PageElement): AxElement[] {
  const root = documents.find((one) => one.frame.id === frame.id)?.root;
  const all = root === undefined ? [] : [...everyElement(root)];
  return all.filter(
    (one) => TEXT_ROLES.has(one.role) && hasTrueProperty(one, 'focused') && one.properties.has('editable'),
  );
}

export async function typeInListSearchField(work: OperationWork, field: PageElement, value: string): Promise<void> {
  const at = toScriptTarget(work, field);
  await fill(field, value, work.signal);
  recordScriptStep(work, { do: 'fill', at, field: 'text', value: toScriptValue(value, false) });
}
