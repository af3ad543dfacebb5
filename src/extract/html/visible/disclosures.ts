import { isBlank } from '#core/text/blank.ts';
import { classOf, isElement, isText } from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

/** Elements that are never panels. Dialogs and navigation are not part of the page's text. */
const NOT_PANEL_TAGS: ReadonlySet<string> = new Set(['dialog', 'nav', 'form', 'ul', 'menu', 'header', 'footer']);
const NOT_PANEL_ROLES: ReadonlySet<string> = new Set(
  'dialog alertdialog menu menubar listbox tooltip navigation search tree grid combobox status alert'.split(' '),
);
const CONTROL_TAGS: ReadonlySet<string> = new Set(['button', 'a', 'summary']);
const CONTROL_ROLES: ReadonlySet<string> = new Set(['tab', 'button']);

/** Maximum wrappers around the control directly before a panel, such as a heading. */
const WRAPPERS_MAX = 4;
/** Matches a question and at most one sign that shows whether it is open. */
const QUESTION = /[?？؟]\s{0,9}[^\p{L}\p{N}]?\s{0,9}$/u;
/** Matches the label of a button that opens a tool of the page, and names of its part. Such a part is not text. */
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
 * Finds the closed panels of tabs and accordions: hidden parts that a visible control opens. The control is declared by
 * ARIA (WAI-ARIA 1.2: `aria-controls`, `aria-labelledby`, `tab`, `tabpanel`), or it is the element directly before the
 * panel and has `aria-expanded` or a question as its text. The control must have text and precede its panel. Text without
 * such a control stays hidden.
 */
export class Disclosures {
  /** The controls, by the ids of their panels (`panels`) and by their own ids (`labels`). */
  private readonly panels = new Map<string, Control>();
  private readonly labels = new Map<string, Control>();
  private readonly tabElements: DomElement[] = [];
  private readonly drawn = new DrawnTabs();
  /** The controls that open the element directly after them. */
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
    // A tab may be a link to a fragment of its own page. The fragment is then the id of the panel.
    const href = element.getAttribute('href') ?? '';
    const panels = isTab && href.startsWith('#') && href.length > 1 ? [...controls, href.slice(1)] : controls;
    const id = element.getAttribute('id') ?? '';
    const labels = id === '' ? [] : [id];
    const isBefore = controls.length === 0 && (element.localName === 'button' || element.hasAttribute('aria-expanded'));
    if (isTab || isBefore || panels.length > 0 || labels.length > 0) {
      this.control = { element, depth, isTab, isBefore, panels, labels };
    }
  }

  /**
   * Registers visible text. A control counts only if it contains such text.
   * @param depth depth of the text's element
   */
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
   * True if a visible control opens this element. A tab panel counts even without an id or label, if fewer panels than
   * tabs have been shown so far.
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
   * Returns the tab that opens a panel, or `null`. Must be called right after `shown` for this panel. Each tab has one
   * panel.
   */
  tabOf(panel: DomElement): DomElement | null {
    const tab = this.tabOfPanel(panel);
    if (tab === null || this.used.has(tab)) return null;
    this.used.add(tab);
    return tab;
  }

  private tabOfPanel(panel: DomElement): DomElement | null {
    if (panel.getAttribute('role') !== 'tabpanel') return this.drawn.tabOf(panel);
    // If several tabs share one panel, each tab shows a part of the list in it, so the panel has no tab of its own.
    const byId = this.panels.get(panel.getAttribute('id') ?? '');
    if (byId?.isTab === false) return null;
    const [label = ''] = words(panel.getAttribute('aria-labelledby'));
    const named = this.labels.get(label) ?? byId;
    if (named !== undefined) return named.isTab ? named.element : null;
    return this.tabElements[this.tabPanels - 1] ?? null;
  }
}

/**
 * Tabs without ARIA, which only a style sheet shows (Material for MkDocs): all labels in order, and then their panels.
 */
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
