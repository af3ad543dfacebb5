import { oneLine } from '#core/text/text.ts';
import {
  TAB_LABEL_TAG,
  MOVED_PANEL_TAG,
  DomElement,
  DomText,
  beginningOfText,
  classOf,
  elementsInside,
  isText,
  nextInside,
} from '#extract/html/tree.ts';

const OPTIONS: ReadonlySet<string> = new Set(['option']);
const LABEL_CHARS_MAX = 120;
const ID_CHARS_MAX = 100;
/** Maximum hidden panels of a page that are read. */
const PARTS_MAX = 50;
/** Matches a separator in the id of a panel. The value of the choice follows it: `linux` in `os-linux`. */
const JOINED = /[-_:.]/;
const NOT_PART_TAGS: ReadonlySet<string> = new Set(['dialog', 'nav', 'form', 'menu', 'header', 'footer']);
const NOT_PART_ROLES = /^(?:dialog|alertdialog|menu|menubar|tooltip|navigation|search|status|alert)$/;
const TAB = /(?:^|[\s_-])tabs?(?:[\s_-]|$)/i;

type Part = { part: DomElement; label: string };

/**
 * Finds hidden panels of which an option, a radio button or a tab shows one, such as "Windows" or "Linux". They are
 * read only if a choice comes before them and the visible choices name, by id, all children of the panels' parent that
 * are closed and have text.
 */
export class OptionPanels {
  private readonly labels = new Map<string, string>();
  private readonly parts = new Map<DomElement, DomElement[]>();
  private readonly chosen = new Set<DomElement>();
  readonly cuts = new Set<string>();
  private box: DomElement | null = null;

  choices(select: DomElement): void {
    for (const option of elementsInside(select, OPTIONS)) {
      if (option.hiding === null) this.add(option.getAttribute('value') ?? '', option);
    }
  }

  radio(input: DomElement): void {
    if (input.getAttribute('type')?.toLowerCase() !== 'radio') return;
    const { parentNode: around, nextElementSibling: next } = input;
    const label = around?.localName === 'label' ? around : next?.localName === 'label' ? next : null;
    if (label === null || label.hiding !== null) return;
    this.add(input.getAttribute('value') ?? '', label);
  }

  /** Registers a link or button that is a tab by its class name only and leads to an element of the page. */
  link(control: DomElement): void {
    if (control.localName !== 'a' && control.localName !== 'button') return;
    const target =
      control.getAttribute('data-bs-target') ?? control.getAttribute('data-target') ?? control.getAttribute('href');
    if (target === null || !/^#[^\s]/.test(target) || !isTab(control)) return;
    this.add(target.slice(1), control);
  }

  part(element: DomElement): void {
    const { parentNode: around } = element;
    if (this.labels.size === 0 || around === null || element.hiding?.closed !== true) return;
    const beside = this.parts.get(around);
    if (beside === undefined) this.parts.set(around, [element]);
    else beside.push(element);
  }

  named(): Part[] {
    const named: Part[] = [];
    for (const beside of this.parts.values()) {
      if (named.length + beside.length > PARTS_MAX) {
        this.cuts.add(`More than ${PARTS_MAX} hidden parts wait for a choice: some were left out.`);
        continue;
      }
      const parts = beside.map((part) => ({ part, label: this.labelOf(part) }));
      if (parts.some(({ label }) => label === null)) continue;
      for (const { part, label } of parts) if (label !== null) named.push({ part, label });
    }
    for (const { part } of named) this.chosen.add(part);
    return named;
  }

  isNamed(part: DomElement): boolean {
    return this.chosen.has(part);
  }

  move(part: DomElement, label: string, body: DomElement): void {
    if (this.box === null) {
      this.box = new DomElement(MOVED_PANEL_TAG);
      body.append(this.box);
    }
    const title = new DomElement(TAB_LABEL_TAG);
    title.append(new DomText(`Not shown until chosen: ${label}`));
    part.remove();
    this.box.append(title);
    this.box.append(part);
  }

  private add(value: string, choice: DomElement): void {
    if (value === '' || value.length > ID_CHARS_MAX || this.labels.has(value)) return;
    const label = beginningOfText(choice, LABEL_CHARS_MAX) ?? '';
    if (label !== '') this.labels.set(value, label);
  }

  private labelOf(part: DomElement): string | null {
    const id = part.getAttribute('id') ?? '';
    if (
      id === '' ||
      id.length > ID_CHARS_MAX ||
      NOT_PART_TAGS.has(part.localName) ||
      NOT_PART_ROLES.test(part.getAttribute('role') ?? '')
    ) {
      return null;
    }
    const own = this.labels.get(id);
    if (own !== undefined) return own;
    for (let at = 1; at < id.length - 1; at += 1) {
      const label = JOINED.test(id.charAt(at)) ? this.labels.get(id.slice(at + 1)) : undefined;
      if (label !== undefined) return label;
    }
    return null;
  }
}

function isTab(control: DomElement): boolean {
  const around = control.parentNode;
  return [control, around, around?.parentNode ?? null].some(
    (element) => element !== null && TAB.test(classOf(element)),
  );
}

/**
 * Returns an element with a tab's label, for the start of its panel; `null` if the panel begins with the label, or if
 * the tab has no text.
 */
export function tabLabel(tab: DomElement, panel: DomElement): DomElement | null {
  const text = beginningOfText(tab, LABEL_CHARS_MAX) ?? '';
  let first = nextInside(panel, panel);
  while (first !== null && !(isText(first) && first.textContent.trim() !== '')) first = nextInside(panel, first);
  if (text === '' || (first !== null && oneLine(first.textContent, LABEL_CHARS_MAX) === text)) return null;
  const label = new DomElement(TAB_LABEL_TAG);
  label.append(new DomText(text));
  return label;
}
