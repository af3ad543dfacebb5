import type { AriaHiddenText } from '#browsing/in-page/script-types.ts';
import { truncateWithContext } from '#browsing/in-page/view/cut.ts';
import { removeBlanks } from '#core/text/blank.ts';
import type { DomReaders } from '#browsing/in-page/elements/safe-dom.ts';

/** A visible line of text that is hidden from assistive technology. */
type Line = { root: Node; block: Node; words: string; top: number; after: Node | null };

/**
 * Collects the visible text of `aria-hidden` and inert elements, such as the lines of a code editor. Skips icons, text
 * that names a control, text that repeats accessible text, and a whole page that is hidden in this way behind a dialog.
 */
export class AriaHiddenTexts {
  readonly #read: DomReaders;
  readonly #roots = new Map<Node, Node | null>();
  readonly #isWanted = new Map<Node, boolean>();
  readonly #lines: Line[] = [];
  readonly #told: string[] = [];
  #last: Node | null = null;
  #gap: { text: Node; words: string } | null = null;

  constructor(read: DomReaders) {
    this.#read = read;
  }

  rootOf(element: Node): Node | null {
    const passed: Node[] = [];
    let root: Node | null = null;
    for (let at: Node | null = element; at !== null; at = this.#outer(at)) {
      const known = this.#roots.get(at);
      if (known !== undefined) {
        root = known;
        break;
      }
      passed.push(at);
    }
    for (const at of passed.reverse()) {
      if (root === null && this.#isSilent(at)) root = at;
      this.#roots.set(at, root);
    }
    return root;
  }

  #isSilent(element: Node): boolean {
    return this.#read.attribute(element, 'aria-hidden') === 'true' || this.#read.attribute(element, 'inert') !== null;
  }

  /** Records a visible text that assistive technology also gets, to detect hidden copies of the same text. */
  tell(text: Node, words: string): void {
    this.#last = text;
    this.#gap = null;
    if (words.length <= COPY_CHARS_MAX) this.#told.push(words);
  }

  addGap(text: Node, words: string): void {
    this.#gap = { text, words: this.#gap === null ? words : this.#gap.words + words };
  }

  /** @param isStoodFor true if an adjacent element gives assistive technology the same content */
  add(root: Node, block: Node, text: Node, parent: Node, isStoodFor: () => boolean): void {
    if (this.#lines.length >= LINES_LOOKED_AT_MAX || /icon|symbol|awesome|glyph/iu.test(this.#font(parent))) return;
    const isWanted = this.#isWanted.get(root) ?? (this.#isText(root) && !isStoodFor());
    this.#isWanted.set(root, isWanted);
    if (!isWanted) return;
    const gap = this.#gap !== null && Node.prototype.contains.call(block, this.#gap.text) ? this.#gap.words : '';
    this.#gap = null;
    const words = gap + (text.nodeValue ?? '');
    const line = this.#lines.at(-1);
    if (line?.block === block) line.words += words;
    else if (!this.#isClipped(block))
      this.#lines.push({ root, block, words, top: this.#read.rect(block).top, after: this.#last });
  }

  /** Returns at most `max` lines, and the number of lines omitted. */
  all(max: number): { silent: AriaHiddenText<Node>[]; silentLeft: number } {
    const repeated = this.#repeated();
    const places = new Map<Node, number>();
    for (const { root } of this.#lines) if (!places.has(root)) places.set(root, places.size);
    const inOrder = this.#lines.toSorted(
      (one, other) => (places.get(one.root) ?? 0) - (places.get(other.root) ?? 0) || one.top - other.top,
    );
    const told = inOrder.filter(
      (line, at) =>
        (/[\p{L}\p{N}]/u.test(line.words) || this.#isOfCode(line, inOrder[at - 1] ?? inOrder[at + 1])) &&
        !repeated.has(removeBlanks(line.words)) &&
        ![inOrder[at - 1], inOrder[at + 1]].some((beside) => beside !== undefined && areCounted(line, beside)),
    );
    let left = ALL_CHARS_MAX;
    const silent = told.slice(0, max).map(({ root, block, words, after }) => {
      const shown = this.#indented(words, block);
      const chars = Math.min(shown.length, Math.max(left, LINE_CHARS_MIN));
      left -= chars;
      const { uncut } = truncateWithContext(shown, chars);
      return { block, words: uncut, chars, unread: shown.length - chars, after, around: this.#around(root) };
    });
    return { silent, silentLeft: told.length - silent.length };
  }

  /** True for a line of code with only brackets, if a line of the same code is next to it. */
  #isOfCode({ words, root, top }: Line, beside: Line | undefined): boolean {
    return CODE.test(words) && BRACKET.test(words) && beside?.root === root && beside.top !== top;
  }

  #indented(words: string, block: Node): string {
    const bare = words.trimStart();
    const { whiteSpaceCollapse } = this.#read.style(block);
    const before = words.slice(0, words.length - bare.length);
    const seen =
      whiteSpaceCollapse === 'collapse' ? before.replaceAll(/[^\u00a0]/gu, '') : before.replaceAll(/[\r\n]/gu, '');
    return seen.replaceAll('\t', '    ').replaceAll(/\s/gu, ' ') + bare.trimEnd();
  }

  /**
   * Accessible texts, without white space, that a hidden line may repeat: those with the same first and last characters
   * as a hidden line.
   */
  #repeated(): ReadonlySet<string> {
    const endsOf = (words: string) => {
      const trimmed = words.trim();
      return trimmed.charAt(0) + trimmed.charAt(trimmed.length - 1);
    };
    const ends = new Set(this.#lines.map(({ words }) => endsOf(words)));
    return new Set(this.#told.filter((words) => ends.has(endsOf(words))).map(removeBlanks));
  }

  #around(root: Node): Node[] {
    const around: Node[] = [];
    for (let at = this.#outer(root); at !== null && around.length < AROUND_MAX; at = this.#outer(at)) around.push(at);
    return around;
  }

  /** True for an element without interactive content that is not inside a named element, such as a button. */
  #isText(root: Node): boolean {
    if (!(root instanceof Element)) return false;
    const inner: Element['querySelector'] = Reflect.get(Element.prototype, 'querySelector');
    const outer: Element['closest'] = Reflect.get(Element.prototype, 'closest');
    return inner.call(root, ACTS) === null && outer.call(root, NAMED) === null;
  }

  /** True for a block that an ancestor with clipped overflow hides completely. */
  #isClipped(block: Node): boolean {
    const { left, right, top, bottom } = this.#read.rect(block);
    for (let at = this.#outer(block), steps = 0; at !== null && steps < CLIPS_MAX; at = this.#outer(at), steps += 1) {
      const { overflowX, overflowY } = this.#read.style(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const box = this.#read.rect(at);
      const [isCutAcross, isCutDown] = [/hidden|clip/u.test(overflowX), /hidden|clip/u.test(overflowY)];
      if (isCutAcross && (right <= box.left + 1 || left >= box.right - 1)) return true;
      if (isCutDown && (bottom <= box.top + 1 || top >= box.bottom - 1)) return true;
    }
    return false;
  }

  #font(element: Node): string {
    return this.#read.style(element).fontFamily;
  }

  #outer(node: Node): Node | null {
    const parent = this.#read.parentNode(node);
    if (parent instanceof ShadowRoot) return parent.host;
    return parent !== null && this.#read.nodeType(parent) === 1 ? parent : null;
  }
}

/** True for consecutive line numbers, as in the margin of a code editor. */
function areCounted({ words }: Line, beside: Line): boolean {
  const [one, other] = [words.trim(), beside.words.trim()];
  return /^\d{1,6}$/u.test(one) && /^\d{1,6}$/u.test(other) && Math.abs(Number(one) - Number(other)) === 1;
}

const ACTS = 'a[href],button,input,select,textarea,[tabindex]:not([tabindex^="-"]),[contenteditable]';
const NAMED =
  'a,button,label,summary,option,svg,math,[aria-label],[aria-labelledby],[role=button],[role=link],[role=img],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[role=math]';
/** Lines of source code with only punctuation. */
const CODE = /^[\s{}()[\];,<>/*]*$/u;
const BRACKET = /[{}()[\]<>*]/u;
/** Maximum characters of all lines together. Beyond it, each line is cut. */
const ALL_CHARS_MAX = 40_000;
const LINE_CHARS_MIN = 300;
/** Maximum characters of an accessible text that a hidden line may repeat. */
const COPY_CHARS_MAX = 10_000;
/** Maximum lines examined. More lines are usually a whole page that is `aria-hidden` behind a dialog. */
const LINES_LOOKED_AT_MAX = 1_000;
/** Maximum ancestors reported for a hidden text. The text is shown in the first ancestor that the tree contains. */
const AROUND_MAX = 8;
const CLIPS_MAX = 40;
