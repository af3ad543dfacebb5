import { oneLine } from '#core/text/text.ts';
import { DomElement, MOVED_PANEL_TAG, classOf, containsAnyTag, isElement, isText } from '#extract/html/tree.ts';
import { nextAfter, nextInside } from '#extract/html/tree.ts';
import { SCREEN_READER_CLASS } from './names.ts';

const MAIN: ReadonlySet<string> = new Set(['main']);
const MATH: ReadonlySet<string> = new Set(['math']);
/** Inline elements that may contain a few visible words, such as "-20 %" or the number of a step. */
const INLINE: ReadonlySet<string> = new Set(['span', 'b', 'strong', 'em', 'small', 'sup', 'sub', 'time']);
const DIALOG_ROLES = /^(?:alert)?dialog$/;
const CLOSED_NAMES =
  /(?:^|[\s_-])(?:modal|dialog|drawer|off-?canvas|pop-?up|popover|overlay|lightbox|tooltip|menu|nav|navbar|navigation|side-?bar|toast|cookie|consent|carousel|slide|clone|cloned|backdrop)(?:[\s_-]|$)/i;
const ICON_NAMES =
  /icon|material|symbol|glyph|(?:^|\s)fa[srlb]?(?:\s|-|$)|caret|arrow|chevron|anchor|hash|bullet|separator/i;
/** Matches two words, or a number. A single word may be the name of an icon (`home`) that an icon font draws. */
const WORDS = /\p{L}\s+\p{L}|\p{N}/u;
const BLOCK_CHARS_MIN = 200;
const INLINE_CHARS_MAX = 200;
/** Maximum nodes of an inline element, and maximum siblings, that are read to compare their texts. */
const NODES_MAX = 60;

/**
 * Decides about elements hidden from screen readers only (`aria-hidden`). They may be visible, or a style sheet may
 * hide them as well, as it does with closed menus. They are read if they contain the `main` element, are the page
 * behind an open dialog, or are a formula without a source.
 */
export class AriaHiddenDecider {
  private readonly body: DomElement;
  private openDialogs: readonly DomElement[] | null = null;
  private readsPage = false;

  constructor(body: DomElement) {
    this.body = body;
  }

  isRead(element: DomElement): boolean {
    if (isFormula(element)) return true;
    if (INLINE.has(element.localName)) return false;
    const isPage = this.isPage(element);
    this.readsPage ||= isPage;
    return isPage;
  }

  setDialogsApart(): void {
    if (!this.readsPage) return;
    for (const dialog of this.dialogs()) {
      const { parentNode, nextSibling } = dialog;
      if (parentNode === null || containsAnyTag(dialog, MAIN)) continue;
      const box = new DomElement(MOVED_PANEL_TAG);
      dialog.remove();
      box.append(dialog);
      parentNode.insertBefore(box, nextSibling);
    }
  }

  private isPage(element: DomElement): boolean {
    const { localName } = element;
    if (DIALOG_ROLES.test(element.getAttribute('role') ?? '') || localName === 'nav' || localName === 'dialog')
      return false;
    if (CLOSED_NAMES.test(`${classOf(element)} ${element.getAttribute('id') ?? ''}`)) return false;
    if (localName === 'main' || element.getAttribute('role') === 'main' || containsAnyTag(element, MAIN)) return true;
    return this.dialogs().length > 0 && hasText(element, BLOCK_CHARS_MIN);
  }

  private dialogs(): readonly DomElement[] {
    this.openDialogs ??= openDialogsIn(this.body);
    return this.openDialogs;
  }
}

function openDialogsIn(body: DomElement): DomElement[] {
  const found: DomElement[] = [];
  for (let node = nextInside(body, body); node !== null;) {
    const isDialog = isElement(node) && node.hiding === null && isOpenDialog(node);
    if (isDialog && isElement(node)) found.push(node);
    const isPassed = isDialog || (isElement(node) && node.hiding !== null);
    node = isPassed ? nextAfter(body, node) : nextInside(body, node);
  }
  return found;
}

function isOpenDialog(element: DomElement): boolean {
  return (
    element.localName === 'dialog' ||
    DIALOG_ROLES.test(element.getAttribute('role') ?? '') ||
    element.getAttribute('aria-modal') === 'true'
  );
}

/** True for a formula rendered by KaTeX whose source is not on the page. */
function isFormula(element: DomElement): boolean {
  const { parentNode } = element;
  return (
    /(?:^|\s)katex-html(?:\s|$)/.test(classOf(element)) && parentNode !== null && !containsAnyTag(parentNode, MATH)
  );
}

function hasText(element: DomElement, charsMin: number): boolean {
  let chars = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (isText(node)) chars += node.textContent.trim().length;
    if (chars >= charsMin) return true;
  }
  return false;
}

/**
 * Returns the text of an inline element with a few words, such as "-20 %", that is hidden from screen readers only;
 * `null` for other elements, for icons, for elements whose parent has a label, and if a sibling repeats the words.
 */
export function visibleAriaHiddenWords(element: DomElement): string | null {
  const { parentNode, hiding } = element;
  if (hiding?.when !== 'silent' || parentNode === null || !INLINE.has(element.localName)) return null;
  if (ICON_NAMES.test(classOf(element))) return null;
  const text = shortTextOf(element);
  if (text === null || !WORDS.test(text)) return null;
  if (parentNode.hasAttribute('aria-label') || parentNode.hasAttribute('title')) return null;
  return hasOtherWords(element, text, parentNode) ? null : text;
}

/**
 * True if a sibling has the same words, or text for screen readers that replaces them. Also true if there are too many
 * siblings.
 */
function hasOtherWords(element: DomElement, text: string, parent: DomElement): boolean {
  let count = 0;
  for (const child of parent.children) {
    count += 1;
    if (count > NODES_MAX) return true;
    if (child === element) continue;
    if (SCREEN_READER_CLASS.test(classOf(child)) || OFF_SCREEN_NAMES.test(classOf(child))) return true;
    const words = `${shortTextOf(child) ?? ''} ${child.getAttribute('alt') ?? ''}`;
    if (lettersOf(words).includes(lettersOf(text))) return true;
  }
  return false;
}

const OFF_SCREEN_NAMES = /off-?screen/i;

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

function shortTextOf(element: DomElement): string | null {
  let text = '';
  let nodes = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    nodes += 1;
    if (isText(node)) text += node.textContent;
    if (nodes > NODES_MAX || text.length > INLINE_CHARS_MAX * 2) return null;
  }
  const short = oneLine(text, INLINE_CHARS_MAX + 1);
  return short.length > INLINE_CHARS_MAX ? null : short;
}
