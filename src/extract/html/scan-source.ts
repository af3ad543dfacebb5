import { BLOCK_TAGS, DROPPED_TAGS, HEADING_TAGS, VOID_TAGS } from './tree.ts';

/** An element that is open at some position of the source. It points to its parent, so storing positions is cheap. */
export type OpenElement = {
  readonly name: string;
  /** Positions in the source at which its start tag begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly parent: OpenElement | null;
  readonly depth: number;
  /** True if the content of the element is never page text, as in a script. */
  readonly isDropped: boolean;
  readonly isForeign: boolean;
  /** True if the element and all its ancestors contain blocks, as a `div`: a page may end between these blocks. */
  readonly isContainer: boolean;
  readonly isCode: boolean;
  /**
   * True if the element must be opened again on the next page, because it changes the meaning of its content: a block,
   * code, or an element that may be hidden.
   */
  readonly isKept: boolean;
  /** For a numbered list: its first number and its count of items, to continue it on the next page. */
  readonly firstNumber: number;
  items: number;
  /** For a table: the number of its rows so far, and the source range of its head, which the next page repeats. */
  rows: number;
  tableHead: readonly [start: number, end: number] | null;
  hasHeaderCell: boolean;
};

/** A start tag. `contentEnd` is the end of raw text, as in `script`; `null` for an element with markup. */
export type ScannedStartTag = {
  name: string;
  start: number;
  end: number;
  isDropped: boolean;
  contentEnd: number | null;
};

type Handler = {
  /** Called before the element is opened. `top` is the innermost open element around it. */
  start: (tag: ScannedStartTag, top: OpenElement | null) => void;
  end: (element: OpenElement, end: number) => void;
  text: (start: number, end: number, top: OpenElement | null) => void;
  doctype: (start: number, end: number) => void;
};

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements with raw text: up to their end tag, nothing is a tag. */
const RAW = set('script style textarea title xmp iframe noembed noframes noscript plaintext');
const CONTAINERS = set(
  'html body div section article main header footer aside nav center hgroup ul ol menu dir li dl dd table tbody thead tfoot tr td th blockquote details form fieldset figure address search dialog x-shadow',
);
const SCOPE = set('table td th caption html template object');
const LIST_SCOPE = set(
  'ol ul menu dir dl table td th caption section article main blockquote details figure form fieldset body html',
);
const ITEM = set('li');
const TERMS = set('dt dd');
const CELLS = set('td th');
const ROWS = set('tr');
const ROW_GROUPS = set('tbody thead tfoot caption colgroup');
const TABLE = set('table');
const ROW_SCOPE = set('table tr');
const GROUP_SCOPE = set('table tbody thead tfoot');
const PARAGRAPH = set('p');
/** Blocks whose start tag does not close an open `p` element. */
const NO_BLOCK_OF_TEXT = set('body html caption td th tr tbody thead tfoot legend');
const TABLE_PARTS = set('table tbody thead tfoot tr td th caption');
const LINK = set('a');
const FOREIGN = set('svg math');
const MAY_HIDE = /[\s"'](?:style|hidden|aria-hidden)[\s=>/]/i;
const FIRST_NUMBER = /[\s"']start\s*=\s*["']?(-?\d{1,6})/i;
const NAME = /[a-z][^\s/>]*/iy;
const COMMENT_END = /--!?>/g;
const QUOTE_OR_END = /[>"']/g;
/** Maximum open elements searched for the one to close. Without this limit, broken pages would take quadratic time. */
const STEPS_MAX = 200;

/**
 * Scans the tags and texts of a source and tracks which elements are open, by the rules of browsers but without
 * building a tree. Overlapping formatting, as in `<b><i></b></i>`, is treated as nested. Linear time.
 */
export class SourceScanner {
  private top: OpenElement | null = null;
  private readonly html: string;
  private readonly xml: boolean;
  private readonly handler: Handler;

  constructor(html: string, xml: boolean, handler: Handler) {
    this.html = html;
    this.xml = xml;
    this.handler = handler;
  }

  run(): void {
    const { html } = this;
    for (let at = 0; at < html.length;) {
      const tag = html.indexOf('<', at);
      const end = tag < 0 ? html.length : tag;
      if (end > at) this.handler.text(at, end, this.top);
      at = tag < 0 ? end : this.markup(tag);
    }
  }

  /** Reads the markup at a position. Returns the position where scanning continues. */
  private markup(at: number): number {
    const { html } = this;
    const next = html.charAt(at + 1);
    if (next === '!' || next === '?') return this.declaration(at);
    const isEnd = next === '/';
    NAME.lastIndex = at + (isEnd ? 2 : 1);
    const name = NAME.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      if (isEnd) return this.after('>', at);
      this.handler.text(at, at + 1, this.top);
      return at + 1;
    }
    const end = this.endOfTag(NAME.lastIndex);
    if (isEnd) this.endTag(name, end);
    return isEnd ? end : this.startTag(name, at, end);
  }

  private declaration(at: number): number {
    const { html, xml } = this;
    if (html.startsWith('<!--', at)) {
      if (xml) return this.after('-->', at + 4);
      if (html.startsWith('>', at + 4)) return at + 5;
      if (html.startsWith('->', at + 4)) return at + 6;
      COMMENT_END.lastIndex = at + 4;
      return COMMENT_END.exec(html) === null ? html.length : COMMENT_END.lastIndex;
    }
    if (xml && html.startsWith('<![CDATA[', at)) return this.after(']]>', at);
    const end = this.after('>', at);
    if (/^<!doctype/i.test(html.slice(at, at + 9))) this.handler.doctype(at, end);
    return end;
  }

  private after(mark: string, from: number): number {
    const found = this.html.indexOf(mark, from);
    return found < 0 ? this.html.length : found + mark.length;
  }

  /** Returns the end of a tag. A quote opens an attribute value only after `=`. In `<a title=it's>`, it is text. */
  private endOfTag(from: number): number {
    const { html } = this;
    QUOTE_OR_END.lastIndex = from;
    for (let found = QUOTE_OR_END.exec(html); found !== null; found = QUOTE_OR_END.exec(html)) {
      const mark = found[0];
      if (mark === '>') return found.index + 1;
      if (!isAfterEquals(html, found.index, from)) continue;
      const close = html.indexOf(mark, found.index + 1);
      if (close < 0) return html.length;
      QUOTE_OR_END.lastIndex = close + 1;
    }
    return html.length;
  }

  private startTag(name: string, start: number, end: number): number {
    const { html, xml } = this;
    if (!xml) this.impliedEnds(name, start);
    const { top } = this;
    const isDropped = top?.isDropped === true || this.isDropped(name, start, end);
    const isAlone = html.charAt(end - 2) === '/' && (xml || top?.isForeign === true);
    const isRaw = !xml && !isAlone && RAW.has(name);
    const contentEnd = isRaw ? this.rawEnd(name, end) : null;
    this.handler.start({ name, start, end, isDropped, contentEnd }, top);
    this.count(name, top);
    if (contentEnd !== null) return this.after('>', contentEnd);
    if (!isAlone && !VOID_TAGS.has(name)) this.top = this.opened(name, start, end, isDropped);
    return end;
  }

  private isDropped(name: string, start: number, end: number): boolean {
    if (name === 'noscript') return !this.xml;
    if (!DROPPED_TAGS.has(name)) return false;
    return name !== 'template' || !this.html.slice(start, end).toLowerCase().includes('shadowrootmode');
  }

  private opened(name: string, start: number, end: number, isDropped: boolean): OpenElement {
    const { top: parent, html } = this;
    const isBlock = BLOCK_TAGS.has(name);
    const isCode = name === 'pre' || (parent?.isCode ?? false);
    return {
      name,
      start,
      end,
      parent,
      depth: (parent?.depth ?? 0) + 1,
      isDropped,
      isForeign: FOREIGN.has(name) || (parent?.isForeign ?? false),
      isContainer: (parent?.isContainer ?? true) && (CONTAINERS.has(name) || name.includes('-')),
      isCode,
      isKept:
        CONTAINERS.has(name) ||
        name === 'pre' ||
        (isCode && name === 'code') ||
        MAY_HIDE.test(html.slice(start, end)) ||
        (isBlock && name.includes('-')),
      firstNumber: name === 'ol' ? Number(FIRST_NUMBER.exec(html.slice(start, end))?.[1] ?? 1) : 1,
      items: 0,
      rows: 0,
      tableHead: null,
      hasHeaderCell: false,
    };
  }

  private count(name: string, top: OpenElement | null): void {
    if (top === null) return;
    if (name === 'li') top.items += 1;
    if (name === 'th') top.hasHeaderCell = true;
    const table = top.name === 'table' ? top : top.parent;
    if (name === 'tr' && table !== null) table.rows += 1;
  }

  /**
   * Returns the end of a raw text element. A script with an unclosed `<!--` and a `<script` after it ends at its second
   * end tag only (WHATWG HTML §13.2.5, script data double escaped state).
   */
  private rawEnd(name: string, from: number): number {
    const { html } = this;
    const ends = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    ends.lastIndex = from;
    const end = ends.exec(html)?.index ?? html.length;
    if (name !== 'script') return end;
    const source = html.slice(from, end);
    const comment = source.lastIndexOf('<!--');
    if (comment < 0 || source.includes('-->', comment) || !/<script[\s/>]/i.test(source.slice(comment))) return end;
    return ends.exec(html)?.index ?? html.length;
  }

  /** Closes the elements that a start tag closes implicitly (WHATWG HTML §13.2.6.4): a new `li` closes an open `li`. */
  private impliedEnds(name: string, at: number): void {
    const { top } = this;
    if (top === null || top.isDropped) return;
    if (BLOCK_TAGS.has(name) && !NO_BLOCK_OF_TEXT.has(name)) this.close(PARAGRAPH, BLOCK_TAGS, at);
    if (HEADING_TAGS.has(name) && HEADING_TAGS.has(this.top?.name ?? '')) this.pop(at);
    if (name === 'li') this.close(ITEM, LIST_SCOPE, at);
    else if (TERMS.has(name)) this.close(TERMS, LIST_SCOPE, at);
    else if (name === 'a') this.close(LINK, BLOCK_TAGS, at);
    else if (CELLS.has(name)) this.close(CELLS, ROW_SCOPE, at);
    else if (name === 'tr') {
      this.close(ROWS, GROUP_SCOPE, at);
      this.close(ROW_GROUPS_WITHOUT_ROWS, GROUP_SCOPE, at);
    } else if (ROW_GROUPS.has(name)) this.close(ROW_GROUPS, TABLE, at);
  }

  private endTag(name: string, end: number): void {
    // Not closed, because browsers move what follows `</body>` into the body.
    if (name === 'body' || name === 'html') return;
    const barriers = this.xml
      ? NONE
      : name === 'table'
        ? NONE
        : TABLE_PARTS.has(name)
          ? TABLE
          : BLOCK_TAGS.has(name)
            ? SCOPE
            : BLOCK_TAGS;
    this.close(new Set([name]), barriers, end);
  }

  /**
   * Closes the nearest open element with one of the names, and all inside it, unless one of `barriers` is nearer:
   * `</p>` inside a table cell closes no `p` outside the table.
   */
  private close(names: ReadonlySet<string>, barriers: ReadonlySet<string>, at: number): void {
    let steps = 0;
    for (let open = this.top; open !== null && steps < STEPS_MAX; open = open.parent) {
      if (names.has(open.name)) {
        while (this.top !== open) this.pop(at);
        this.pop(at);
        return;
      }
      if (barriers.has(open.name)) return;
      steps += 1;
    }
  }

  private pop(at: number): void {
    const { top } = this;
    if (top === null) return;
    this.top = top.parent;
    this.handler.end(top, at);
  }
}

const NONE: ReadonlySet<string> = new Set();
const ROW_GROUPS_WITHOUT_ROWS = set('caption colgroup');

function isAfterEquals(html: string, at: number, from: number): boolean {
  let before = at - 1;
  while (before >= from && /\s/.test(html.charAt(before))) before -= 1;
  return before >= from && html.charAt(before) === '=';
}
