import { isBlank } from '#core/text/blank.ts';
import { classOf, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

/** Elements that are never the panel of a tab or accordion, because dialogs and navigation are not text of the page. */
const NOT_PANEL_TAGS: ReadonlySet<string> = new Set(['dialog', 'nav', 'form', 'ul', 'menu', 'header', 'footer']);
const NOT_PANEL_ROLES: ReadonlySet<string> = new Set(
  'dialog alertdialog menu menubar listbox tooltip navigation search tree grid combobox status alert'.split(' '),
);
const CONTROL_TAGS: ReadonlySet<string> = new Set(['button', 'a', 'summary']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['tab', 'button']);

/** Maximum elements around a button directly before its panel, such as the `h3` in `<h3><button>`. */
const WRAPPERS_MAX = 4;
/** Matches a question, with one sign at most that shows whether its answer is open: "Can I return it? +". */
const QUESTION = /[?？؟]\s{0,9}[^\p{L}\p{N}]?\s{0,9}$/u;
/** Matches the label of a button that opens a tool of the page, such as "Share", and class names of such tools. */
const TOOL =
  /^\s*(?:share|copy|embed|cite|save|print|menu|search|filters?|sort|languages?|settings|options|account|log ?in|sign in|subscribe|contact us)(?:\s+(?:this|the|on|by|with|for|in|to|link|options|menu|page|article|settings)(?!\p{L}).{0,60})?\s*$/iu;
const TOOL_NAME =
  /(?<![a-z])(?:share|sharing|social|menu|popover|popup|tooltip|dropdown|modal|overlay|search|login|filters?)(?![a-z])/i;

type Control = {
  element: DomElement;
  depth: number;
  isTab: boolean;
  isBefore: boolean;
  panels: readonly string[];
  labels: readonly string[];
};

/**
 * Finds closed panels of tabs and accordions: hidden elements that a visible button opens. ARIA links the button and
 * the panel (`aria-controls`, `aria-labelledby`, `tab`, `tabpanel`), or the button is directly before the panel and has
 * `aria-expanded` or a question as text. The button must have text and come before the panel; other hidden text stays
 * hidden.
 */
export class DisclosurePanels {
  /** Buttons by the ids of their panels (`panels`), and by their own ids (`labels`). */
  private readonly panels = new Map<string, Control>();
  private readonly labels = new Map<string, Control>();
  private readonly tabElements: DomElement[] = [];
  private readonly drawn = new DrawnTabs();
  /** Buttons that open the element directly after them. */
  private readonly before = new Set<DomElement>();
  private readonly used = new Set<DomElement>();
  private control: Control | null = null;
  private tabPanels = 0;

  shown(element: DomElement, depth: number): void {
    if (this.control !== null && depth <= this.control.depth) this.control = null;
    if (!element.hasAttributes()) return;
    const role = element.getAttribute('role') ?? '';
    if (role === 'tabpanel') this.tabPanels += 1;
    const controls = words(element.getAttribute('aria-controls'));
    const isControl = controls.length > 0 || CONTROL_TAGS.has(element.localName) || CONTROL_ROLES.has(role);
    if (!isControl || (element.getAttribute('aria-haspopup') ?? 'false') !== 'false') return;
    const isTab = role === 'tab';
    // A tab may be a link such as `#install`, in which case its panel has the id `install`.
    const href = element.getAttribute('href') ?? '';
    const panels = isTab && href.startsWith('#') && href.length > 1 ? [...controls, href.slice(1)] : controls;
    const id = element.getAttribute('id') ?? '';
    const labels = id === '' ? [] : [id];
    const isBefore = controls.length === 0 && (element.localName === 'button' || element.hasAttribute('aria-expanded'));
    if (isTab || isBefore || panels.length > 0 || labels.length > 0) {
      this.control = { element, depth, isTab, isBefore, panels, labels };
    }
  }

  /** Registers visible text at the given depth: only a button with visible text counts as opening a panel. */
  text(depth: number): void {
    const { control } = this;
    if (control === null) return;
    this.control = null;
    if (depth <= control.depth) return;
    if (control.isBefore) this.before.add(control.element);
    if (control.isTab) this.tabElements.push(control.element);
    for (const panel of control.panels) {
      const known = this.panels.get(panel);
      this.panels.set(panel, known === undefined ? control : { ...control, isTab: false });
    }
    for (const label of control.labels) this.labels.set(label, control);
  }

  /**
   * True if a visible button opens this element. A tab panel also counts as opened while there are more visible tabs
   * than visible panels before it.
   */
  opens(element: DomElement): boolean {
    const role = element.getAttribute('role') ?? '';
    if (NOT_PANEL_TAGS.has(element.localName) || NOT_PANEL_ROLES.has(role)) return false;
    if (role === 'tabpanel' && this.tabPanels < this.tabElements.length) return true;
    if (this.panels.has(element.getAttribute('id') ?? '')) return true;
    if (words(element.getAttribute('aria-labelledby')).some((label) => this.labels.has(label))) return true;
    return this.isAfterControl(element);
  }

  private isAfterControl(panel: DomElement): boolean {
    let before: DomNode | null = panel.previousSibling;
    while (before !== null && isText(before) && isBlank(before.textContent)) before = before.previousSibling;
    for (let step = 0; before !== null && isElement(before) && step < WRAPPERS_MAX; step += 1) {
      if (this.before.has(before)) return expands(before, panel);
      before = onlyChild(before);
    }
    return false;
  }

  /**
   * Returns the tab that opens a panel, or `null`. Must be called right after `shown(panel)`. Each panel has one tab.
   */
  tabOf(panel: DomElement): DomElement | null {
    const tab = this.tabOfPanel(panel);
    if (tab === null || this.used.has(tab)) return null;
    this.used.add(tab);
    return tab;
  }

  private tabOfPanel(panel: DomElement): DomElement | null {
    if (panel.getAttribute('role') !== 'tabpanel') return this.drawn.tabOf(panel);
    // Several tabs with the same panel, such as filters of a list, each show a part of it. None of them names the
    // panel.
    const byId = this.panels.get(panel.getAttribute('id') ?? '');
    if (byId?.isTab === false) return null;
    const [label = ''] = words(panel.getAttribute('aria-labelledby'));
    const named = this.labels.get(label) ?? byId;
    if (named !== undefined) return named.isTab ? named.element : null;
    return this.tabElements[this.tabPanels - 1] ?? null;
  }
}

/** Tabs without ARIA, made by a style sheet alone (Material for MkDocs): all labels, followed by all panels. */
class DrawnTabs {
  private readonly next = new Map<DomElement, DomElement | null>();

  tabOf(panel: DomElement): DomElement | null {
    const { parentNode: around } = panel;
    if (around === null || !/(?:^|\s)tabbed-block(?:\s|$)/.test(classOf(panel))) return null;
    const label = this.next.has(around) ? (this.next.get(around) ?? null) : firstLabel(around);
    this.next.set(around, label?.nextElementSibling ?? null);
    return label;
  }
}

function firstLabel(panels: DomElement): DomElement | null {
  let before = panels.previousSibling;
  while (before !== null && before.kind !== 'element') before = before.previousSibling;
  if (before === null || !/(?:^|\s)tabbed-labels(?:\s|$)/.test(classOf(before))) return null;
  return before.children[0] ?? null;
}

function expands(control: DomElement, panel: DomElement): boolean {
  if (QUESTION.test(control.textContent)) return true;
  if (!control.hasAttribute('aria-expanded') || TOOL.test(control.textContent)) return false;
  return ![control, panel].some((element) => TOOL_NAME.test(`${classOf(element)} ${element.getAttribute('id') ?? ''}`));
}

function onlyChild(element: DomElement): DomNode | null {
  const filled: DomNode[] = [];
  for (let child = element.firstChild; child !== null && filled.length < 2; child = child.nextSibling) {
    if (!isText(child) || !isBlank(child.textContent)) filled.push(child);
  }
  return filled.length === 1 ? (filled[0] ?? null) : null;
}

function words(list: string | null): readonly string[] {
  return list === null ? [] : list.split(/\s+/).filter((word) => word !== '');
}
