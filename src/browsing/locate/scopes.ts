import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { ClickedNode } from '#browsing/tabs/tab.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { PageLayers } from '#browsing/view/page/layers.ts';
import { boxKind } from '#browsing/view/line/choices.ts';
import { DROP_ZONE, roleWord } from '#browsing/view/line/element-line.ts';

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

/** Kinds of containers that a target may name without words, as in `link "Inbox" in nav`. */
export const SCOPE_KINDS: ReadonlySet<string> = new Set(
  `dialog alertdialog modal popup drawer menu menubar toolbar nav navigation main header banner footer contentinfo aside sidebar
   complementary search form table grid treegrid tree list listbox tablist tabpanel panel group fieldset radiogroup region section
   article card feed figure iframe frame alert status row cell heading`.split(/\s+/u),
);

/** Role words of views for kinds that have other names there. */
const ROLES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  modal: ['dialog', 'alertdialog'],
  dialog: ['dialog', 'alertdialog'],
  drawer: ['dialog', 'alertdialog'],
  popup: ['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip'],
  menu: ['menu', 'menubar'],
  header: ['header', 'banner', 'sectionheader', 'headerasnonlandmark'],
  footer: ['footer', 'contentinfo', 'sectionfooter', 'footerasnonlandmark'],
  sidebar: ['complementary'],
  panel: ['tabpanel'],
  fieldset: ['group', 'radiogroup'],
  section: ['region'],
  card: ['article'],
  frame: ['iframe', 'iframepresentational'],
  iframe: ['iframe', 'iframepresentational'],
  table: ['table', 'grid', 'treegrid'],
  row: ['row', 'layouttablerow'],
  cell: ['cell', 'gridcell', 'layouttablecell'],
};

/** Kinds that a page may also draw as a layer without a role. */
const OVER_KINDS: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'modal', 'popup', 'drawer', 'menu']);

/** The elements inside any container of this kind. */
export function filterInsideKind(elements: readonly AxElement[], kind: string, page: Page): AxElement[] {
  const owners = frameOwners(page);
  const roles = ROLES_OF_KIND[kind] ?? [kind];
  const isOfKind = (part: AxElement) =>
    roles.some((role) => hasRole(part, role, page)) || (OVER_KINDS.has(kind) && page.isOver(part));
  return elements.filter((element) => {
    for (let at = partAround(element, owners); at !== null; at = partAround(at, owners)) if (isOfKind(at)) return true;
    return false;
  });
}

/**
 * The elements inside a menu or popup that an element opened, such as the menu of a row, which many pages draw elsewhere
 * in the document.
 * @param clicked the element that was clicked last. Unless an element marks that it has opened a popup, only a menu or list
 * may belong to it
 * @param filterOpeners returns the elements that are inside the wanted container
 */
export function filterInsideOpenedLayer(
  elements: readonly AxElement[],
  page: Page,
  clicked: ClickedNode | null,
  filterOpeners: (openers: readonly AxElement[]) => readonly AxElement[],
): AxElement[] {
  const layers = new PageLayers(page);
  const layerOf = (element: AxElement) => {
    const layer = layers.around(element);
    return layer === null || layer.isLive ? null : layer.node;
  };
  const inLayer = elements.filter((element) => layerOf(element) !== null);
  if (inLayer.length === 0) return [];
  const all = page.documents.flatMap(({ root }) => [...everyElement(root)]);
  const isClicked = ({ backendNodeId, document }: AxElement) =>
    backendNodeId === clicked?.backendNodeId && document.frameId === clicked?.frameId;
  const openers = filterOpeners(all.filter((element) => isExpanded(element) || isClicked(element)));
  const outside = new Set(openers.map(layerOf));
  const roots = new Map(all.map((element) => [element.backendNodeId, element.role]));
  return inLayer.filter((element) => {
    const layer = layerOf(element);
    const mayBelong = openers.some(opensPopup) || (openers.length > 0 && MENU_ROLES.has(roots.get(layer) ?? ''));
    return mayBelong && !outside.has(layer);
  });
}

const MENU_ROLES: ReadonlySet<string> = new Set(['menu', 'listbox']);

function opensPopup(element: AxElement): boolean {
  return isExpanded(element) && element.properties.has('hasPopup');
}

function isExpanded({ ignored, properties }: AxElement): boolean {
  return !ignored && properties.get('expanded') === true;
}

/** The iframe element of each framed document, by the id of its frame. */
export function frameOwners(page: Page): ReadonlyMap<string, AxElement> {
  const owners = new Map<string, AxElement>();
  if (page.documents.length < 2) return owners;
  for (const one of page.documents.flatMap(({ root }) => [...everyElement(root)])) {
    const inside = page.within(one);
    if (inside !== null) owners.set(inside.frame.id, one);
  }
  return owners;
}

/** The parent of an element; for the root of a framed document, its iframe element. */
export function partAround(element: AxElement, owners: ReadonlyMap<string, AxElement>): AxElement | null {
  return element.parent ?? owners.get(element.document.frameId) ?? null;
}
