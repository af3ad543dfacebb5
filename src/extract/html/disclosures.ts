import type { DomElement } from './tree.ts';

/** What opens over a page or leads elsewhere is not part of its text. */
const NOT_PANEL_TAGS: ReadonlySet<string> = new Set(['dialog', 'nav', 'form', 'ul', 'menu', 'header', 'footer']);
const NOT_PANEL_ROLES: ReadonlySet<string> = new Set(
  'dialog alertdialog menu menubar listbox tooltip navigation search tree grid combobox status alert'.split(' '),
);
const CONTROL_TAGS: ReadonlySet<string> = new Set(['button', 'a', 'summary']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['tab', 'button']);

type Control = { depth: number; isTab: boolean; panels: readonly string[]; labels: readonly string[] };

/**
 * Tabs and accordions. A page holds their panels closed, and a person opens each with a control that the page shows.
 * Only what ARIA declares counts (WAI-ARIA 1.2: `aria-controls`, `aria-labelledby`, `tab`, `tabpanel`). The control
 * must have text and come before its panel. Text that no control on the page opens stays hidden.
 */
export class Disclosures {
  private readonly panels = new Set<string>();
  private readonly labels = new Set<string>();
  private control: Control | null = null;
  private tabs = 0;
  private tabPanels = 0;

  /** Takes an element that is shown, with its depth. */
  shown(element: DomElement, depth: number): void {
    if (this.control !== null && depth <= this.control.depth) this.control = null;
    if (!element.hasAttributes()) return;
    const role = element.getAttribute('role') ?? '';
    if (role === 'tabpanel') this.tabPanels += 1;
    const controls = words(element.getAttribute('aria-controls'));
    const isControl = controls.length > 0 || CONTROL_TAGS.has(element.localName) || CONTROL_ROLES.has(role);
    if (!isControl || (element.getAttribute('aria-haspopup') ?? 'false') !== 'false') return;
    const isTab = role === 'tab';
    // A tab that links to a place in its own page names its panel.
    const href = element.getAttribute('href') ?? '';
    const panels = isTab && href.startsWith('#') && href.length > 1 ? [...controls, href.slice(1)] : controls;
    const id = element.getAttribute('id') ?? '';
    const labels = id === '' ? [] : [id];
    if (isTab || panels.length > 0 || labels.length > 0) this.control = { depth, isTab, panels, labels };
  }

  /** Takes text that is shown, with the depth of its element. It names the control around it. */
  text(depth: number): void {
    const { control } = this;
    if (control === null) return;
    this.control = null;
    if (depth <= control.depth) return;
    if (control.isTab) this.tabs += 1;
    for (const panel of control.panels) this.panels.add(panel);
    for (const label of control.labels) this.labels.add(label);
  }

  /** Whether a shown control opens this element. Ask once for each element: tab panels are counted against tabs. */
  opens(element: DomElement): boolean {
    const role = element.getAttribute('role') ?? '';
    if (NOT_PANEL_TAGS.has(element.localName) || NOT_PANEL_ROLES.has(role)) return false;
    if (role === 'tabpanel' && this.tabPanels < this.tabs) return true;
    if (this.panels.has(element.getAttribute('id') ?? '')) return true;
    return words(element.getAttribute('aria-labelledby')).some((label) => this.labels.has(label));
  }
}

function words(list: string | null): readonly string[] {
  return list === null ? [] : list.split(/\s+/).filter((word) => word !== '');
}
