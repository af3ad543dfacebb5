import { fill } from '#browsing/act/fields/fill.ts';
import { noteStep, toScriptTarget, toScriptValue } from '#browsing/session/history/script.ts';
import type { Work } from '#browsing/session/operations/perform.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { everyElement, isOn } from '#browsing/tree/ax-tree.ts';
import type { Page } from '#browsing/view/page/page.ts';

const TEXT_ROLES: ReadonlySet<string> = new Set(['searchbox', 'textbox', 'combobox']);

/** The text field to which a list moved the focus when it opened. It filters the options, or fetches them. */
export async function findSearchField(
  { tab }: Work,
  list: PageElement,
  { documents }: Page,
): Promise<PageElement | null> {
  const root = documents.find(({ frame }) => frame.id === list.frame.id)?.root;
  for (const one of root === undefined ? [] : everyElement(root)) {
    const isSearch = TEXT_ROLES.has(one.role) && isOn(one, 'focused') && one.properties.has('editable');
    if (isSearch && one.backendNodeId !== list.backendNodeId) return pageElementOf(tab, one);
  }
  return null;
}

export async function searchInField(work: Work, field: PageElement, value: string): Promise<void> {
  const at = toScriptTarget(work, field);
  await fill(field, value, work.signal);
  noteStep(work, { do: 'fill', at, field: 'text', value: toScriptValue(value, false) });
}
