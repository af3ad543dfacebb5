import { LINE_NUMBER_TAG, isCodeDecoration } from '#extract/html/markdown/code.ts';
import { isBlank } from '#core/text/blank.ts';
import { trimEndMatching } from '#core/text/text.ts';
import { BLOCK_TAGS, DomElement, DomText } from '#extract/html/tree.ts';
import { childrenOf, classOf, containsAnyTag, isAllText, isElement } from '#extract/html/tree.ts';
import { isText, nearestByTag, nextAfter, nextInside } from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';

const HOLDERS = new Set('div p table td blockquote dd ol ul code tt samp kbd section figure center'.split(' '));
const INLINE_HOLDERS = new Set('code tt samp kbd'.split(' '));
/** Elements that get a `pre` inside instead of becoming one, because a table or list requires their tag. */
const PARTS_OF_OTHERS = new Set('td dd'.split(' '));
const LINE_BLOCKS = new Set('div p li tr td tbody table blockquote ol ul'.split(' '));
const LINE_TAGS = new Set('div p li tr'.split(' '));
const NOT_IN_LINE = new Set('img input select textarea label math x-tex mjx-container audio video'.split(' '));
/** Elements that are not searched for listings of code, because they are code already, or not text of the page. */
const CLOSED = new Set('pre nav form select textarea button svg math'.split(' '));
const PRE = new Set('pre'.split(' '));
const MONOSPACED = new Set('code tt samp kbd font'.split(' '));
const MONOSPACED_STYLE = /monospace|courier|consolas/i;

/** Words in class names that mean code. Names are split as in `SCodeFlow` or `code-flow`. */
const CODE_WORDS = new Set('code sourcecode codeblock programlisting lstlisting verbatim snippet'.split(' '));
/** Words in class names that may mean code, if the content also looks like code. */
const PERHAPS_CODE_WORDS = new Set(
  'source src listing program fragment highlight syntax syntaxhighlighter example examples screen console terminal'.split(
    ' ',
  ),
);
/** Matches class names of lines of code, such as `code-line`, but not `line-clamp`. */
const LINE_NAME = /(?:^|[\s_-])(?:code)?lines?(?:\s|$)/i;
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const NAME_CHARS_MAX = 200;

const LINE_DEPTH_MAX = 16;
/** Maximum characters of a line of code. A longer line is a paragraph. */
const LINE_CHARS_MAX = 2_000;
const MEAN_LINE_CHARS_MAX = 160;
/**
 * Maximum lines without a sign of code, such as an indent, in an element without a class for code. The search then
 * ends.
 */
const PLAIN_LINES_MAX = 12;
/** Minimum share of no-break spaces among the gaps between words of code. */
const GAPS_SHARE_MIN = 0.8;
/** Minimum gaps between words for `GAPS_SHARE_MIN` to apply. In fewer gaps, a high share may be chance. */
const GAPS_MIN = 3;
/** Minimum share of no-break spaces for an element with the same tag and class as code found elsewhere on the page. */
const ALIKE_GAPS_SHARE_MIN = 0.5;
/** Minimum share of text in highlighted tokens, for an element whose classes only suggest code. */
const TOKENS_SHARE_MIN = 0.3;
const ALL_TOKENS_SHARE_MIN = 0.8;
/** Maximum share of text in links. With more, the element is a menu. */
const LINKS_SHARE_MAX = 0.5;
/**
 * Maximum share of linked tokens in an element without a class for code. An element with more is the declaration of a
 * function, whose links to types must stay.
 */
const TOKEN_LINKS_SHARE_MAX = 0.2;

const NO_BREAK = '\u00a0';
const NO_BREAK_INDENT = /^[ \t]*\u00a0/;
/** Matches an indent after a tag. In indented HTML source, a line begins there. */
const TYPED_INDENT = /^(?: {2}|\t)/;
const GAPS = /[ \t\u00a0]+/g;
const BLANK = /[ \t\u00a0]/;
const TYPED_BLANK = /[ \t]/;
const NUMBER = /^\s*\d{1,6}\s*$/;

type Names = { code: 'yes' | 'perhaps' | 'no'; line: boolean };

/**
 * Turns code that only style sheets show as code, such as a `div` with one `div` per line, into a `pre`. Style sheets
 * are not read, so the markup must show that white space matters (no-break spaces) and that the text is code (class
 * names, a `span` per token). Linear time, apart from the levels of blocks in a line.
 */
export function convertStyledCode(body: DomElement): void {
  const page = new Listings();
  for (let node: DomNode | null = nextInside(body, body); node !== null;) {
    const isClosed = isElement(node) && (CLOSED.has(node.localName) || page.take(node));
    node = isClosed ? nextAfter(body, node) : nextInside(body, node);
  }
  page.takeAlike();
}

class Listings {
  private readonly names = new Map<string, Names>();
  /** Elements with content that never occurs in a line of code, such as a picture. */
  private readonly others = new Set<DomElement>();
  private readonly looks = new Set<string>();
  /** Elements that become code if another element with the same tag and class turns out to be code. */
  private readonly waiting: Lines[] = [];

  /** Turns an element into a `pre` if it is code. Returns true if it is. */
  take(holder: DomElement): boolean {
    if (!HOLDERS.has(holder.localName) || this.others.has(holder)) return false;
    const { code } = this.nameOf(holder);
    if (code === 'no' && !mayHoldLines(holder)) return false;
    const lines = new Lines(holder, code, (element) => this.nameOf(element).line);
    if (lines.other !== null) this.note(lines.other, holder);
    if (lines.other !== null || lines.count === 0) return false;
    const look = lookOf(holder);
    if (lines.areCode()) {
      if (look !== null) this.looks.add(look);
      becomeCode(lines);
      return true;
    }
    if (look !== null && lines.mayBeCode()) this.waiting.push(lines);
    return false;
  }

  /**
   * Turns elements into code if they look like code found elsewhere on the page. They are too short to be recognized by
   * themselves.
   */
  takeAlike(): void {
    for (const lines of this.waiting) {
      const { holder } = lines;
      const isTaken = nearestByTag('pre', holder) !== null || containsAnyTag(holder, PRE);
      if (!isTaken && this.looks.has(lookOf(holder) ?? '')) becomeCode(lines);
    }
  }

  private note(other: DomElement, holder: DomElement): void {
    for (let at: DomElement | null = other; at !== null && at !== holder; at = at.parentElement) this.others.add(at);
  }

  private nameOf(element: DomElement): Names {
    const className = classOf(element);
    const style = element.getAttribute('style') ?? '';
    const key = style === '' ? className : `${className};${style}`;
    let names = this.names.get(key);
    if (names === undefined) this.names.set(key, (names = namesIn(className, style)));
    return names;
  }
}

/** Returns a key of the element's tag and class; `null` for an element without a class. */
function lookOf(element: DomElement): string | null {
  const className = classOf(element);
  return className === '' ? null : `${element.localName}.${className}`;
}

function namesIn(className: string, style: string): Names {
  const words =
    className
      .slice(0, NAME_CHARS_MAX)
      .match(WORDS)
      ?.map((word) => word.toLowerCase()) ?? [];
  const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
  const isCode = has(CODE_WORDS) || MONOSPACED_STYLE.test(style.slice(0, NAME_CHARS_MAX));
  return {
    code: isCode ? 'yes' : has(PERHAPS_CODE_WORDS) ? 'perhaps' : 'no',
    line: LINE_NAME.test(className.slice(0, NAME_CHARS_MAX)),
  };
}

/** True if the element may contain lines: a fast test before the thorough one. */
function mayHoldLines(holder: DomElement): boolean {
  for (let node = holder.firstChild; node !== null; node = nextInside(holder, node)) {
    if (isElement(node) && (node.localName === 'br' || LINE_BLOCKS.has(node.localName))) return true;
  }
  return false;
}

type Visitor = {
  /** Called at a start tag. Returns true to descend, or `stop` to end the walk. */
  enter: (element: DomElement, depth: number) => boolean | 'stop';
  text: (node: DomText) => void;
  leave: (block: DomElement) => void;
};

function walkLines(holder: DomElement, { enter, text, leave }: Visitor): void {
  let depth = 0;
  let node = holder.firstChild;
  while (node !== null) {
    let goesIn: boolean | 'stop' = false;
    if (isText(node)) text(node);
    else goesIn = enter(node, depth);
    if (goesIn === 'stop') return;
    if (goesIn && isElement(node) && BLOCK_TAGS.has(node.localName)) {
      if (node.firstChild === null) leave(node);
      else depth += 1;
    }
    if (goesIn && node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node.nextSibling === null && node.parentNode !== null && node.parentNode !== holder) {
      node = node.parentNode;
      if (!BLOCK_TAGS.has(node.localName)) continue;
      depth -= 1;
      leave(node);
    }
    node = node.nextSibling;
  }
}

class Lines {
  readonly holder: DomElement;
  count = 0;
  readonly numbers = new Set<DomElement>();
  other: DomElement | null = null;
  private readonly code: Names['code'];
  private readonly isLine: (element: DomElement) => boolean;
  private areNamed = true;
  private hasIndent = false;
  private hasTypedIndent = false;
  private hasWideGap = false;
  private gaps = 0;
  private noBreakGaps = 0;
  private chars = 0;
  private tokenChars = 0;
  private tokenLinkChars = 0;
  private linkChars = 0;
  private text = '';
  private block: DomElement;

  /**
   * @param code what the class names of `holder` indicate about code
   * @param isLine true if the class names of an element indicate a line of code
   */
  constructor(holder: DomElement, code: Names['code'], isLine: (element: DomElement) => boolean) {
    this.holder = holder;
    this.block = holder;
    this.code = code;
    this.isLine = isLine;
    walkLines(holder, {
      enter: (element, depth) => this.enter(element, depth),
      text: (node) => this.add(node),
      leave: () => this.endLine(),
    });
    this.endLine();
  }

  areCode(): boolean {
    const { code, count, areNamed, chars } = this;
    if (code !== 'no' && areNamed) return true;
    if (chars > count * MEAN_LINE_CHARS_MAX) return false;
    if (this.linkChars > chars * LINKS_SHARE_MAX) return false;
    if (INLINE_HOLDERS.has(this.holder.localName)) return count > 1 && isAloneInBlock(this.holder);
    const isUnbreakable = this.isUnbreakable();
    if (code !== 'no' && isUnbreakable) return true;
    const keepsSpace = this.hasIndent || this.hasWideGap || isUnbreakable || (areNamed && this.hasTypedIndent);
    if (count === 1 || !keepsSpace) return false;
    if (code === 'yes') return true;
    if (code === 'perhaps' || areNamed) return this.tokenChars >= chars * TOKENS_SHARE_MIN;
    return this.hasIndent && isUnbreakable && this.linkChars + this.tokenLinkChars <= chars * TOKEN_LINKS_SHARE_MAX;
  }

  /** True if the lines are short, and no-break spaces or tokens may mean code. */
  mayBeCode(): boolean {
    if (this.chars > this.count * MEAN_LINE_CHARS_MAX) return false;
    if (this.noBreakGaps >= this.gaps * ALIKE_GAPS_SHARE_MIN) return true;
    return this.tokenChars >= this.chars * ALL_TOKENS_SHARE_MIN;
  }

  private isUnbreakable(): boolean {
    return this.gaps >= GAPS_MIN && this.noBreakGaps >= this.gaps * GAPS_SHARE_MIN;
  }

  private enter(element: DomElement, depth: number): boolean | 'stop' {
    if (isCodeDecoration(element)) return false;
    const name = element.localName;
    const isBlock = BLOCK_TAGS.has(name);
    if (isBlock || name === 'br') this.endLine();
    const isOther = isBlock ? depth >= LINE_DEPTH_MAX || !LINE_BLOCKS.has(name) : NOT_IN_LINE.has(name);
    if (isOther || (name === 'tr' && !this.isOneLine(element))) this.other = element;
    if (this.other !== null || this.isPlain()) return 'stop';
    return name !== 'br' && !this.numbers.has(element);
  }

  /** True if only one cell of a row has text, apart from a line number. */
  private isOneLine(row: DomElement): boolean {
    const [first, second, third] = row.children.filter((cell) => !isBlank(cell.textContent));
    if (first === undefined || second === undefined) return true;
    if (third !== undefined || !isAllText(first, NUMBER)) return false;
    this.numbers.add(first);
    return true;
  }

  private add(node: DomText): void {
    const around = node.parentNode;
    if (around === null) return;
    const text = withoutLayout(node.textContent, this.text === '');
    this.text += text;
    this.block = around;
    if (around === this.holder || BLOCK_TAGS.has(around.localName)) return;
    const chars = text.trim().length;
    const isLink = around.localName === 'a' && around.hasAttribute('href');
    if (isToken(around)) {
      this.tokenChars += chars;
      if (isLink) this.tokenLinkChars += chars;
    } else if (isLink) this.linkChars += chars;
    let block = around;
    while (block !== this.holder && !BLOCK_TAGS.has(block.localName) && block.parentNode !== null)
      block = block.parentNode;
    this.block = block;
  }

  private endLine(): void {
    const { text, block, holder } = this;
    this.text = '';
    const line = text.trim();
    if (line === '') return;
    this.count += 1;
    this.chars += line.length;
    if (line.length > LINE_CHARS_MAX) this.other ??= block;
    const isNamed =
      block !== holder && (this.isLine(block) || (block.parentNode !== null && this.isLine(block.parentNode)));
    this.areNamed &&= isNamed;
    if (NO_BREAK_INDENT.test(text)) this.hasIndent = true;
    if (TYPED_INDENT.test(text)) this.hasTypedIndent = true;
    for (const gap of line.match(GAPS) ?? []) {
      this.gaps += 1;
      const first = gap.indexOf(NO_BREAK);
      if (first >= 0) this.noBreakGaps += 1;
      if (gap.lastIndexOf(NO_BREAK) > first) this.hasWideGap = true;
    }
  }

  private isPlain(): boolean {
    if (this.code !== 'no' || this.areNamed || this.count < PLAIN_LINES_MAX) return false;
    if (this.hasIndent || this.hasWideGap || this.noBreakGaps > 0) return false;
    this.count = 0;
    return true;
  }
}

function isAloneInBlock(inline: DomElement): boolean {
  const { parentElement } = inline;
  if (parentElement === null || !BLOCK_TAGS.has(parentElement.localName)) return false;
  return childrenOf(parentElement).every((child) => child === inline || (isText(child) && isBlank(child.textContent)));
}

function isToken(inline: DomElement): boolean {
  const around = inline.parentNode;
  return isTokenAlone(inline) || (around !== null && !BLOCK_TAGS.has(around.localName) && isTokenAlone(around));
}

/** True for an inline element that may be a highlighted token. Links do not count, because menus consist of links. */
function isTokenAlone(inline: DomElement): boolean {
  return MONOSPACED.has(inline.localName) || (inline.localName !== 'a' && classOf(inline) !== '');
}

/** Removes line ends and the spaces around them, which browsers do not show outside a `pre`. */
function withoutLayout(text: string, atStart: boolean): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const kept = lines.flatMap((line, at) => {
    const trimmed = at === 0 ? line : line.replace(/^[ \t]+/, '');
    const inner = at === lines.length - 1 ? trimmed : trimEndMatching(trimmed, TYPED_BLANK);
    return inner === '' && at > 0 && at < lines.length - 1 ? [] : [inner];
  });
  return kept.join(atStart ? '' : ' ');
}

function becomeCode({ holder, numbers }: Lines): void {
  let line: DomText[] = [];
  const endLine = (block: DomElement | null) => {
    const isEmpty = !trimEnd(line);
    line = [];
    if (!isEmpty || block === null || !LINE_TAGS.has(block.localName) || containsAnyTag(block, LINE_TAGS)) return;
    (block.localName === 'tr' ? (block.children.at(-1) ?? block) : block).append(new DomText('\n'));
  };
  walkLines(holder, {
    enter: (element) => {
      if (isCodeDecoration(element)) return false;
      const name = element.localName;
      if (name === 'br' || BLOCK_TAGS.has(name)) endLine(null);
      if (numbers.has(element)) element.localName = LINE_NUMBER_TAG;
      return name !== 'br' && !numbers.has(element);
    },
    text: (node) => {
      node.textContent = withoutLayout(node.textContent, line.length === 0).replaceAll(NO_BREAK, ' ');
      if (node.textContent !== '') line.push(node);
    },
    leave: endLine,
  });
  endLine(null);
  if (!PARTS_OF_OTHERS.has(holder.localName)) {
    holder.localName = 'pre';
    return;
  }
  const pre = new DomElement('pre', { class: classOf(holder) });
  for (const child of childrenOf(holder)) {
    child.remove();
    pre.append(child);
  }
  holder.append(pre);
}

/** Removes white space at the end of a line. Returns true if text remains. */
function trimEnd(line: readonly DomText[]): boolean {
  for (const node of line.toReversed()) {
    node.textContent = trimEndMatching(node.textContent, BLANK);
    if (node.textContent !== '') return true;
  }
  return false;
}
