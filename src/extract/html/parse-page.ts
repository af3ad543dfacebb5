import { markDrawnCode } from './drawn-code.ts';
import { hiddenAnchor } from './hidden.ts';
import { BLOCK_TAGS, childrenOf, isText, nearestOf, nextAfter, nextInside } from './tree.ts';
import { buildTree } from './build-tree.ts';
import { scriptKind } from './tree-builder.ts';
import type { DomDocument, DomElement, DomNode, DomText, Hiding } from './tree.ts';

/** Elements that describe a page: `meta`, `base`, `link`. */
const HEAD_ELEMENTS_MAX = 200;

/** A page as a tree of bounded size that has only what a person can see, and what describes the page. */
type ParsedPage = {
  document: DomDocument;
  /** The contents of `application/ld+json` scripts, unchanged. */
  jsonLd: readonly string[];
  /** Every value of class and id once, separated by spaces. */
  names: string;
  /** Limits that were reached, in complete sentences of our own. */
  cuts: readonly string[];
  /** Characters of text that are shown. */
  textChars: number;
  /** The end of the page is missing, because it is too long. */
  isFull: boolean;
};

/** Why a part is hidden. `noscript`: it is for browsers without scripts. */
type Reason = Hiding['when'] | 'noscript';

/** A hidden part that is larger than everything visible is the page itself, waiting for a script. */
const BULK_CHARS_MIN = 400;
/**
 * A part that is never drawn must be this many times larger before it counts as the page, because hidden text can be
 * used to smuggle instructions.
 */
const BULK_TIMES_MIN = 10;
/** A page with less visible text than this shows nothing. */
const NOTHING_CHARS_MAX = 100;
const JSON_LD_CHARS_MAX = 200_000;
/** A reader must know that a person may not see this text. */
const HIDDEN_READ = 'The page shows next to nothing without scripts, so text that it hides was read.';

/**
 * Parses a page. Linear in its length; never throws. If nearly everything is hidden, the page needs a script to show
 * it, and its largest hidden part is read, too.
 * @param xml XHTML
 * @param isDivided what is read is one of several pages, so what it hides says nothing of the whole
 */
export function parsePage(html: string, xml: boolean, isDivided = false): ParsedPage {
  const whole = buildTree({ html, xml, scripting: true });
  const visible = new Sight(whole.document, new Set());
  const keep = isDivided ? NOTHING_HIDDEN : waitingForScripts(visible);
  if (keep.size === 0) return pageOf(visible, whole);
  const unscripted = keep.has('noscript') ? buildTree({ html, xml, scripting: false }) : whole;
  return pageOf(new Sight(unscripted.document, keep), { ...unscripted, cuts: [...unscripted.cuts, HIDDEN_READ] });
}

const NOTHING_HIDDEN: ReadonlySet<Reason> = new Set();

function waitingForScripts({ hiddenChars, textChars }: Sight): ReadonlySet<Reason> {
  const { late, noscript, never } = hiddenChars;
  if (late > BULK_CHARS_MIN && late > textChars) return new Set(['late']);
  if (noscript > BULK_CHARS_MIN && noscript > textChars) return new Set(['noscript']);
  const isAll = textChars < NOTHING_CHARS_MAX || never > textChars * BULK_TIMES_MIN;
  return new Set(never > BULK_CHARS_MIN && isAll ? ['late', 'never'] : []);
}

function pageOf(
  { document, jsonLd, names, changes, textChars }: Sight,
  { cuts, isFull }: Pick<ParsedPage, 'cuts' | 'isFull'>,
): ParsedPage {
  for (const change of changes) change();
  markDrawnCode(document.body);
  return { document, jsonLd, names: [...names].join(' '), cuts, textChars, isFull };
}

/** The name that a declarative shadow root gets. Its content is drawn in place of its host's children. */
const SHADOW = 'x-shadow';
/** Obsolete names for `pre`. */
const OLD_PRE: ReadonlySet<string> = new Set(['listing', 'xmp', 'plaintext']);
const HEAD_TAGS: ReadonlySet<string> = new Set(['meta', 'base', 'link', 'title']);
const SAFE_NAME = /^[a-z][a-z0-9:_.-]*$/;
/** More line breaks in a row mean no more than two. */
const BREAKS_IN_A_ROW_MAX = 2;
const BLANK = /^\s*$/;
const TAG = /<[^<>]*>/g;

/** What a person sees of a page. It leaves the tree as it is, and notes what is to be changed in it. */
class Sight {
  readonly document: DomDocument;
  readonly jsonLd: string[] = [];
  readonly names = new Set<string>();
  readonly changes: (() => void)[] = [];
  /** For each reason, the characters of text in the largest part that is hidden. */
  readonly hiddenChars: Record<Reason, number> = { late: 0, never: 0, noscript: 0 };
  textChars = 0;
  private readonly keep: ReadonlySet<Reason>;
  private readonly disclosures = new Disclosures();
  private readonly rightNames = new Map<string, string>();
  private hasTitle = false;
  private described = 0;
  private breaks = 0;

  /** @param keep hidden parts to show, for a page that shows almost nothing without them */
  constructor(document: DomDocument, keep: ReadonlySet<Reason>) {
    this.document = document;
    this.keep = keep;
    const root = document.documentElement;
    this.nameOf(root);
    for (let node = nextInside(root, root); node !== null;) {
      const isShown = isText(node) ? this.text(node) : this.element(node);
      node = isShown ? nextInside(root, node) : nextAfter(root, node);
    }
  }

  private text(node: DomText): false {
    const text = node.textContent.trim();
    if (text === '') {
      if (node.previousSibling === null && node.parentNode === this.document.body) this.drop(node);
      return false;
    }
    this.breaks = 0;
    this.disclosures.text((node.parentNode?.depth ?? 0) + 1);
    this.textChars += text.length;
    return false;
  }

  /** @returns whether its content is shown */
  private element(element: DomElement): boolean {
    const name = element.localName;
    if (element === this.document.head || element === this.document.body) {
      this.nameOf(element);
      return true;
    }
    if (HEAD_TAGS.has(name)) return this.describes(element);
    if (name === 'script') return this.script(element);
    const reason = this.reasonToHide(element);
    if (reason !== null) return this.hide(element, reason);
    if (name === 'br') return this.lineBreak(element);
    if (name === 'img' || BLOCK_TAGS.has(name)) this.breaks = 0;
    this.disclosures.shown(element, element.depth);
    this.nameOf(element);
    const right = this.rightNameOf(name);
    if (name === 'noscript') this.changes.push(() => unwrap(element));
    else if (right !== name) this.changes.push(() => void (element.localName = right));
    return true;
  }

  /** The name under which the rest of extraction knows the element. */
  private rightNameOf(name: string): string {
    let right = this.rightNames.get(name);
    if (right === undefined) {
      right = name === 'template' ? SHADOW : OLD_PRE.has(name) ? 'pre' : SAFE_NAME.test(name) ? name : 'span';
      this.rightNames.set(name, right);
    }
    return right;
  }

  /** Metadata is moved to the head, wherever it was written. */
  private describes(element: DomElement): false {
    const { head } = this.document;
    const isTitle = element.localName === 'title';
    const isWanted = isTitle ? !this.hasTitle && !BLANK.test(element.textContent) : this.isWanted(element);
    if (isTitle && isWanted) this.hasTitle = true;
    if (!isWanted) this.drop(element);
    else if (element.parentNode !== head) {
      this.changes.push(() => {
        element.remove();
        head.append(element);
      });
    }
    return false;
  }

  private isWanted(element: DomElement): boolean {
    const isCanonical = element.getAttribute('rel')?.toLowerCase() === 'canonical';
    if (element.localName === 'link' && !isCanonical) return false;
    this.described += 1;
    return this.described <= HEAD_ELEMENTS_MAX;
  }

  private script(element: DomElement): false {
    const kind = scriptKind(element);
    if (kind === 'json') {
      const source = element.textContent;
      if (source.length <= JSON_LD_CHARS_MAX) this.jsonLd.push(source);
      this.drop(element);
    } else {
      this.changes.push(() => void (element.localName = kind === 'display' ? 'x-tex-block' : 'x-tex'));
    }
    return false;
  }

  private lineBreak(element: DomElement): false {
    this.breaks += 1;
    if (this.breaks > BREAKS_IN_A_ROW_MAX) this.drop(element);
    else this.disclosures.shown(element, element.depth);
    return false;
  }

  private reasonToHide(element: DomElement): Reason | null {
    const reason = element.localName === 'noscript' ? 'noscript' : (element.hiding?.when ?? null);
    if (reason === null || this.keep.has(reason)) return null;
    return this.isPanel(element) ? null : reason;
  }

  /** Whether a control on the page opens this closed part. */
  private isPanel(element: DomElement): boolean {
    if (element.hiding?.closed !== true || !this.disclosures.opens(element)) return false;
    return ['nav', 'header', 'footer'].every((name) => nearestOf(name, element) === null);
  }

  private hide(element: DomElement, reason: Reason): false {
    const chars = hiddenTextOf(element);
    this.hiddenChars[reason] = Math.max(this.hiddenChars[reason], chars);
    this.changes.push(() => {
      const anchor = hiddenAnchor(element);
      if (anchor !== null) element.parentNode?.insertBefore(anchor, element);
      element.remove();
    });
    return false;
  }

  private drop(node: DomNode): void {
    this.changes.push(() => node.remove());
  }

  private nameOf(element: DomElement): void {
    if (!element.hasAttributes()) return;
    const [names, id] = [element.getAttribute('class'), element.getAttribute('id')];
    if (names !== null) this.names.add(names);
    if (id !== null) this.names.add(id);
  }
}

/** Characters of text. What is in `noscript` is the source of it. */
function hiddenTextOf(root: DomElement): number {
  let chars = 0;
  for (let node = nextInside(root, root); node !== null; node = nextInside(root, node)) {
    const around = node.parentNode?.localName;
    if (!isText(node) || around === 'script') continue;
    const text = around === 'noscript' ? node.textContent.replace(TAG, ' ') : node.textContent;
    chars += text.replace(/\s+/g, ' ').trim().length;
  }
  return chars;
}

/** Puts the element's content in its place. */
function unwrap(element: DomElement): void {
  const { parentNode } = element;
  for (const child of childrenOf(element)) {
    child.remove();
    parentNode?.insertBefore(child, element);
  }
  element.remove();
}

/** Dialogs and navigation are not part of the page's text. */
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
class Disclosures {
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
