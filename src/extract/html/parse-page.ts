import { convertStyledCode } from '#extract/html/visible/drawn-code.ts';
import { DisclosurePanels } from '#extract/html/visible/disclosures.ts';
import { FrameDocuments } from '#extract/html/visible/frames.ts';
import { hiddenAnchor } from '#extract/html/visible/hidden.ts';
import {
  hiddenName,
  isScreenReaderOnlyName,
  nameOfIconElement,
  createNameElement,
} from '#extract/html/visible/names.ts';
import { BLOCK_TAGS, REPLACED_TAGS, childrenOf, isText, nearestByTag, nextAfter, nextInside } from './tree.ts';
import { parseHtmlTree } from './build-tree.ts';
import type { BuiltTree } from './build-tree.ts';
import { scriptKind } from './tree-builder.ts';
import { MarkupNames } from '#extract/html/visible/arrange.ts';
import { AriaHiddenDecider, visibleAriaHiddenWords } from '#extract/html/visible/silent-parts.ts';
import { OptionPanels, tabLabel } from '#extract/html/visible/waiting-parts.ts';
import type { DomDocument, DomElement, DomNode, DomText, ElementHiding } from './tree.ts';

/** Maximum `meta`, `base` and `link` elements that are stored. */
const HEAD_ELEMENTS_MAX = 200;

/**
 * A page as a tree with limited size, which contains only the visible content, closed panels such as tabs, and the
 * metadata. Hidden text is added if almost no other text is visible.
 */
type ParsedPage = {
  document: DomDocument;
  /** The contents of `application/ld+json` scripts, as written: structured data about the page. */
  jsonLd: readonly string[];
  /** All distinct class and id values of the page, separated by spaces. Site configs recognise generators by them. */
  names: string;
  /** Sentences for the result that say which limits were reached. They contain no text from the page. */
  cuts: readonly string[];
  textChars: number;
  /** True if the page was too long and its end is missing. */
  isFull: boolean;
  hasScripts: boolean;
};

/** The reason why an element is hidden. Browsers show the content of `noscript` only if scripts are off. */
type Reason = ElementHiding['when'] | 'noscript';

/** Minimum characters of a hidden element that is read as the page's content, if it is larger than all visible text. */
const BULK_CHARS_MIN = 400;
/**
 * Minimum ratio of the characters in a part that is never rendered to the visible characters, for that part to be read.
 * High, because pages hide instructions to language models in such parts.
 */
const BULK_TIMES_MIN = 10;
/** A page with fewer visible characters than this counts as empty. */
const NOTHING_CHARS_MAX = 100;
const JSON_LD_CHARS_MAX = 200_000;
/** Tells the caller that a person who opens the page in a browser may not see all of this text. */
const HIDDEN_READ =
  'Much of the text is hidden until a script shows it, or shown only without scripts. It was read, too.';

/**
 * Parses a page. If a hidden part is large compared with the visible text, the page needs a script to be shown. All
 * parts hidden for the same reason are then also read. If that part is never rendered, parts hidden for any reason
 * except `noscript` are read. Linear time; never throws.
 * @param xml true for XHTML
 * @param isDivided true for one page of a divided source: a single page does not show whether the whole source is
 * hidden, so nothing hidden is read
 */
export function parsePage(html: string, xml: boolean, isDivided = false): ParsedPage {
  const whole = parseHtmlTree({ html, xml, scripting: true });
  const frames = new FrameDocuments();
  const visible = new Sight(whole.document, new Set(), frames);
  const keep = isDivided ? NOTHING_HIDDEN : waitingForScripts(visible);
  if (keep.size === 0) return pageOf(visible, { ...whole, cuts: [...whole.cuts, ...frames.cuts] });
  const unscripted = keep.has('noscript') ? parseHtmlTree({ html, xml, scripting: false }) : whole;
  const shown = new Sight(unscripted.document, keep, frames);
  return pageOf(shown, { ...unscripted, cuts: [...unscripted.cuts, ...frames.cuts, HIDDEN_READ] });
}

const NOTHING_HIDDEN: ReadonlySet<Reason> = new Set();

function waitingForScripts({ hiddenChars, textChars }: Sight): ReadonlySet<Reason> {
  const { late, noscript, silent } = hiddenChars;
  const never = Math.max(hiddenChars.never, silent);
  if (late > BULK_CHARS_MIN && late > textChars) return new Set(['late']);
  if (noscript > BULK_CHARS_MIN && noscript > textChars) return new Set(['noscript']);
  const isAll = textChars < NOTHING_CHARS_MAX || never > textChars * BULK_TIMES_MIN;
  return new Set(never > BULK_CHARS_MIN && isAll ? ['late', 'never', 'silent'] : []);
}

function pageOf(sight: Sight, limits: Pick<BuiltTree, 'cuts' | 'isFull' | 'scripts'>): ParsedPage {
  const { document, jsonLd, names, markup, changes, textChars, waiting, silent } = sight;
  const cuts = [...limits.cuts, ...waiting.cuts];
  const { isFull, scripts } = limits;
  for (const change of changes) change();
  silent.setDialogsApart();
  markup.rearrange(document.body);
  convertStyledCode(document.body);
  return { document, jsonLd, names: [...names].join(' '), cuts, textChars, isFull, hasScripts: scripts > 0 };
}

/** Tag name given to a declarative shadow root, which browsers show in place of its host's children. */
const SHADOW = 'x-shadow';
const OLD_PRE: ReadonlySet<string> = new Set(['listing', 'xmp', 'plaintext']);
const HEAD_TAGS: ReadonlySet<string> = new Set(['meta', 'base', 'link', 'title']);
const SAFE_NAME = /^[a-z][a-z0-9:_.-]*$/;
/** Maximum icons of a page whose accessible name is shown. */
const ICON_NAMES_MAX = 2_000;
/** Maximum consecutive `br` elements that are stored. Markdown shows no difference for more. */
const BREAKS_IN_A_ROW_MAX = 2;
const BLANK = /^\s*$/;
const TAG = /<[^<>]*>/g;

/** Finds the visible content of a page. Changes to the tree are recorded during the walk and made after it. */
class Sight {
  readonly document: DomDocument;
  readonly jsonLd: string[] = [];
  readonly names = new Set<string>();
  readonly markup = new MarkupNames();
  readonly changes: (() => void)[] = [];
  /** For each reason to hide: characters of the largest element hidden for that reason. */
  readonly hiddenChars: Record<Reason, number> = { late: 0, never: 0, silent: 0, noscript: 0 };
  textChars = 0;
  private readonly keep: ReadonlySet<Reason>;
  private readonly disclosures = new DisclosurePanels();
  readonly waiting = new OptionPanels();
  readonly silent: AriaHiddenDecider;
  private readonly frames: FrameDocuments;
  private readonly rightNames = new Map<string, string>();
  private hasTitle = false;
  private described = 0;
  private breaks = 0;
  private iconNames = 0;

  /** @param keep reasons to hide that are ignored, because the page has almost no other text */
  constructor(document: DomDocument, keep: ReadonlySet<Reason>, frames: FrameDocuments) {
    this.document = document;
    this.keep = keep;
    this.frames = frames;
    this.silent = new AriaHiddenDecider(document.body);
    const root = document.documentElement;
    this.nameOf(root);
    this.lookInside(root);
    const { textChars } = this;
    for (const { part, label } of this.waiting.named()) {
      this.markup.add(part);
      this.lookInside(part);
      this.changes.push(() => this.waiting.move(part, label, document.body));
    }
    // The walk above counted hidden panels, such as closed tabs. They are not visible, so their characters are
    // subtracted.
    this.textChars = textChars;
  }

  private lookInside(root: DomElement): void {
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

  /** Records an element. Returns true if its content is visible. */
  private element(element: DomElement): boolean {
    const name = element.localName;
    if (element === this.document.head || element === this.document.body) {
      this.nameOf(element);
      return true;
    }
    if (HEAD_TAGS.has(name)) return this.describes(element);
    if (REPLACED_TAGS.has(name)) return this.shownAsText(element);
    if (name === 'script') return this.script(element);
    const reason = this.reasonToHide(element);
    if (reason !== null) return this.hide(element, reason);
    if (name === 'br') return this.lineBreak(element);
    if (name === 'img' || BLOCK_TAGS.has(name)) this.breaks = 0;
    this.disclosures.shown(element, element.depth);
    this.nameOf(element);
    this.addNames(element);
    const right = this.rightNameOf(name);
    if (name === 'noscript') this.changes.push(() => unwrap(element));
    else if (right !== name) this.changes.push(() => void (element.localName = right));
    return true;
  }

  /**
   * Records a field, frame or drawing, which the Markdown writer describes in text.
   * @returns true if the content is read like the rest of the page: only for a frame with a `srcdoc` document
   */
  private shownAsText(element: DomElement): boolean {
    const reason = this.reasonToHide(element);
    if (reason !== null) return this.hide(element, reason);
    this.nameOf(element);
    if (element.localName === 'select') this.waiting.choices(element);
    else if (element.localName === 'input') this.waiting.radio(element);
    // A document inside a frame is read like the rest of the page.
    return element.localName === 'iframe' && this.frames.open(element);
  }

  /** Adds the accessible name of an element without text, such as an icon, and the label of a tab panel. */
  private addNames(element: DomElement): void {
    if (!element.hasAttributes()) return;
    const name = nameOfIconElement(element);
    if (name !== null && element.localName !== 'a') this.iconNames += 1;
    if (name !== null && this.iconNames <= ICON_NAMES_MAX) this.changes.push(() => addName(element, name));
    this.waiting.link(element);
    const tab = this.disclosures.tabOf(element);
    if (tab === null) return;
    this.changes.push(() => {
      const label = tabLabel(tab, element);
      if (label !== null) element.insertBefore(label, element.firstChild);
    });
  }

  /**
   * Returns the tag name to use instead: `pre` for obsolete code tags such as `xmp`, `SHADOW` for `template`, `span`
   * for invalid names, and otherwise the name itself.
   */
  private rightNameOf(name: string): string {
    let right = this.rightNames.get(name);
    if (right === undefined) {
      right = name === 'template' ? SHADOW : OLD_PRE.has(name) ? 'pre' : SAFE_NAME.test(name) ? name : 'span';
      this.rightNames.set(name, right);
    }
    return right;
  }

  /** Moves a `title`, `meta`, `base` or `link` element to the head, or drops one that is not needed. */
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
    } else if (kind === 'code') this.changes.push(() => becomeCode(element));
    else this.changes.push(() => void (element.localName = kind === 'display' ? 'x-tex-block' : 'x-tex'));
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
    if (reason === 'silent' && this.silent.isRead(element)) return null;
    return this.isPanel(element) ? null : reason;
  }

  private isPanel(element: DomElement): boolean {
    if (element.hiding?.closed !== true || !this.disclosures.opens(element)) return false;
    return ['nav', 'header', 'footer'].every((name) => nearestByTag(name, element) === null);
  }

  private hide(element: DomElement, reason: Reason): false {
    const chars = hiddenTextOf(element);
    this.hiddenChars[reason] = Math.max(this.hiddenChars[reason], chars);
    if (reason !== 'noscript' && chars > 0) this.waiting.part(element);
    const name = isScreenReaderOnlyName(element) ? hiddenName(element) : visibleAriaHiddenWords(element);
    this.changes.push(() => {
      // A hidden panel with a label, such as a closed tab, is moved to the end of the page with all such panels.
      if (this.waiting.isNamed(element)) return;
      if (name !== null) element.parentNode?.insertBefore(createNameElement(name), element);
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
    this.markup.add(element);
    if (!element.hasAttributes()) return;
    const [names, id] = [element.getAttribute('class'), element.getAttribute('id')];
    if (names !== null) this.names.add(names);
    if (id !== null) this.names.add(id);
  }
}

/**
 * Adds a name to an icon, picture or link. A link gets it inside; an icon gets it before itself, because it may hide
 * its content.
 */
function addName(element: DomElement, name: string): void {
  if (element.localName === 'a') element.append(createNameElement(name));
  else element.parentNode?.insertBefore(createNameElement(name), element);
}

/** Counts the characters of a hidden element. In `noscript`, which the parser stores as text, tags do not count. */
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

const CDATA = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/;

function becomeCode(script: DomElement): void {
  script.localName = 'pre';
  const text = script.firstChild;
  if (text !== null && isText(text)) text.textContent = CDATA.exec(text.textContent)?.[1] ?? text.textContent;
}

function unwrap(element: DomElement): void {
  const { parentNode } = element;
  for (const child of childrenOf(element)) {
    child.remove();
    parentNode?.insertBefore(child, element);
  }
  element.remove();
}
