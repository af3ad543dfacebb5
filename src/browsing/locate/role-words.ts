import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { boxKind } from '#browsing/view/line/choices.ts';
import { DROP_ZONE, roleWord } from '#browsing/view/line/element-line.ts';
import type { Page } from '#browsing/view/page/page.ts';
/** Role names that a target may begin with: those in views, and other common ones. */
export const TARGET_ROLE_NAMES: ReadonlySet<string> = new Set(
  `alert alertdialog article aside banner button canvas cell checkbox clickable color columnheader combobox date datetime
   dialog drop\u00A0zone feed figure footer form grid gridcell group header heading iframe image img link list listbox listitem main
   menu menubar menuitem menuitemcheckbox menuitemradio meter nav navigation option paragraph progressbar radio radiogroup
   region row rowheader search searchbox separator shape slider spinbutton status summary switch tab table tablist tabpanel
   textbox time toolbar tooltip tree treegrid treeitem video audio`
    .split(/[ \n]+/u)
    .map((word) => word.replace('\u00A0', ' ')),
);

/** True if a view shows the element with this role, or if it has this role in the accessibility tree. */
export function hasRole(element: AxElement, role: string, page: Page): boolean {
  if (role === DROP_ZONE) return page.isDropZone(element);
  return [roleWord(element), element.role, boxKind(element, page)].some((word) => word.toLowerCase() === role);
}
