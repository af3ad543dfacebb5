import { markDrawnCode } from '#extract/html/visible/drawn-code.ts';
import { Disclosures } from '#extract/html/visible/disclosures.ts';
import { FrameDocuments } from '#extract/html/visible/frames.ts';
import { hiddenAnchor } from '#extract/html/visible/hidden.ts';
import { hiddenName, isOnlyName, nameOfEmpty, withName } from '#extract/html/visible/names.ts';
import { BLOCK_TAGS, SHOWN_AS_TEXT, childrenOf, isText, nearestOf, nextAfter, nextInside } from './tree.ts';
import { buildTree } from './build-tree.ts';
import { scriptKind } from './tree-builder.ts';
import { renameAriaTables } from '#extract/html/visible/aria-tables.ts';
import { writeDiffSigns } from '#extract/html/visible/diffs.ts';
import { applyLooks } from '#extract/html/visible/looks.ts';
import { SilentParts, visibleWords } from '#extract/html/visible/silent-parts.ts';
import { WaitingParts, tabLabel } from '#extract/html/visible/waiting-parts.ts';
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
  const frames = new FrameDocuments();
  const visible = new Sight(whole.document, new Set(), frames);
  const keep = isDivided ? NOTHING_HIDDEN : waitingForScripts(visible);
  if (keep.size === 0) return pageOf(visible, { ...whole, cuts: [...whole.cuts, ...frames.cuts] });
  const unscripted = keep.has('noscript') ? buildTree({ html, xml, scripting: false }) : whole;
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

function pageOf(sight: Sight, limits: Pick<ParsedPage, 'cuts' | 'isFull'>): ParsedPage {
  const { document, jsonLd, names, changes, textChars, waiting, silent } = sight;
  const cuts = [...limits.cuts, ...waiting.cuts];
  const { isFull } = limits;
  for (const change of changes) change();
  silent.setDialogsApart();
  renameAriaTables(document.body);
  writeDiffSigns(document.body);
  applyLooks(document.body);
  markDrawnCode(document.body);
  return { document, jsonLd, names: [...names].join(' '), cuts, textChars, isFull };
}

/** The name that a declarative shadow root gets. Its content is drawn in place of its host's children. */
const SHADOW = 'x-shadow';
/** Obsolete names for `pre`. */
const OLD_PRE: ReadonlySet<string> = new Set(['listing', 'xmp', 'plaintext']);
const HEAD_TAGS: ReadonlySet<string> = new Set(['meta', 'base', 'link', 'title']);
const SAFE_NAME = /^[a-z][a-z0-9:_.-]*$/;
/** Icons of a page that get a name of their own. */
const ICON_NAMES_MAX = 2_000;
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
  readonly hiddenChars: Record<Reason, number> = { late: 0, never: 0, silent: 0, noscript: 0 };
  textChars = 0;
  private readonly keep: ReadonlySet<Reason>;
  private readonly disclosures = new Disclosures();
  readonly waiting = new WaitingParts();
  readonly silent: SilentParts;
  private readonly frames: FrameDocuments;
  private readonly rightNames = new Map<string, string>();
  private hasTitle = false;
  private described = 0;
  private breaks = 0;
  private iconNames = 0;

  /** @param keep hidden parts to show, for a page that shows almost nothing without them */
  constructor(document: DomDocument, keep: ReadonlySet<Reason>, frames: FrameDocuments) {
    this.document = document;
    this.keep = keep;
    this.frames = frames;
    this.silent = new SilentParts(document.body);
    const root = document.documentElement;
    this.nameOf(root);
    this.lookInside(root);
    const { textChars } = this;
    for (const { part, label } of this.waiting.named()) {
      this.lookInside(part);
      this.changes.push(() => this.waiting.move(part, label, document.body));
    }
    // What waits for a choice is not shown.
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

  /** @returns whether its content is shown */
  private element(element: DomElement): boolean {
    const name = element.localName;
    if (element === this.document.head || element === this.document.body) {
      this.nameOf(element);
      return true;
    }
    if (HEAD_TAGS.has(name)) return this.describes(element);
    if (SHOWN_AS_TEXT.has(name)) return this.shownAsText(element);
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

  /** Fields, frames and drawings. Their own texts are read by the writer. */
  private shownAsText(element: DomElement): boolean {
    const reason = this.reasonToHide(element);
    if (reason !== null) return this.hide(element, reason);
    this.nameOf(element);
    if (element.localName === 'select') this.waiting.choices(element);
    else if (element.localName === 'input') this.waiting.radio(element);
    // A document in a frame is read like the rest of the page.
    return element.localName === 'iframe' && this.frames.open(element);
  }

  /** Names for those who do not see the page, where an element has no other text; and the label of a tab panel. */
  private addNames(element: DomElement): void {
    if (!element.hasAttributes()) return;
    const name = nameOfEmpty(element);
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

  /** Whether a control on the page opens this closed part. */
  private isPanel(element: DomElement): boolean {
    if (element.hiding?.closed !== true || !this.disclosures.opens(element)) return false;
    return ['nav', 'header', 'footer'].every((name) => nearestOf(name, element) === null);
  }

  private hide(element: DomElement, reason: Reason): false {
    const chars = hiddenTextOf(element);
    this.hiddenChars[reason] = Math.max(this.hiddenChars[reason], chars);
    if (reason !== 'noscript' && chars > 0) this.waiting.part(element);
    const name = isOnlyName(element) ? hiddenName(element) : visibleWords(element);
    this.changes.push(() => {
      // A part that waits for a choice has its place among the others.
      if (this.waiting.isNamed(element)) return;
      if (name !== null) element.parentNode?.insertBefore(withName(name), element);
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

/** A link holds its name. A picture or an icon stands behind it, because its element may have a style of its own. */
function addName(element: DomElement, name: string): void {
  if (element.localName === 'a') element.append(withName(name));
  else element.parentNode?.insertBefore(withName(name), element);
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

const CDATA = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/;

/** The code in a script. */
function becomeCode(script: DomElement): void {
  script.localName = 'pre';
  const text = script.firstChild;
  if (text !== null && isText(text)) text.textContent = CDATA.exec(text.textContent)?.[1] ?? text.textContent;
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
