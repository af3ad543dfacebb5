import {
  ANCHOR_NAME_CHARS_MAX,
  DOM_DEPTH_MAX,
  HTML_PART_ELEMENTS_MAX,
  HTML_PART_SOURCE_CHARS_MAX,
} from '#extract/limits.ts';
import type { LaterAnchors } from '#core/document/document.ts';
import { decodeCharacterReferences } from './build-tree.ts';
import { SourceScanner } from './scan-source.ts';
import type { OpenElement, ScannedStartTag } from './scan-source.ts';
import { BLOCK_TAGS, HEADING_TAGS } from './tree.ts';

/** Maximum characters of all anchor names on later pages, which page 1 lists so that `#name` opens the right page. */
const LATER_NAMES_CHARS_MAX = 400_000;

type DividedSource = {
  total: number;
  /** Returns the source of one page as a complete document. Pages are numbered from 1 to `total`. */
  source: (page: number) => string;
  later: LaterAnchors;
};

/**
 * Divides a long HTML source into pages, each a complete document. A page ends before a block that begins in its last
 * 30 %: the outermost block or, among equally nested blocks, the highest heading. Elements that are still open there
 * are opened again on the next page, with their attributes, list number and table head, so that each text is on one
 * page and reads as in the whole document. Paragraphs and lines of code are divided only if there is no such block.
 * Linear time.
 */
export function divideSource(html: string, xml: boolean): DividedSource {
  const divider = new Divider(html, xml);
  const { cuts } = divider;
  return {
    total: cuts.length + 1,
    source: (page) => {
      const before = cuts[page - 2];
      const text = html.slice(before?.at ?? 0, cuts[page - 1]?.at);
      return before === undefined ? text : divider.opening(before) + text;
    },
    later: laterNames(divider),
  };
}

function laterNames({ names, cuts, namesAreWhole }: Divider): LaterAnchors {
  const pages = new Map<string, number>();
  let page = 1;
  for (const { name, at } of names) {
    while (at >= (cuts[page - 1]?.at ?? Infinity)) page += 1;
    if (page > 1 && !pages.has(name)) pages.set(name, page);
  }
  return { pages, isWhole: namesAreWhole };
}

/** A position at which the source can be divided. `rank` rates the element that begins there: lower is better. */
type Cut = { at: number; top: OpenElement | null; numbers: ReadonlyMap<OpenElement, number>; rank: number };

/** Share of a page's size from which the divider looks for a place to end the page. */
const WINDOW_SHARE = 0.7;
/**
 * If the remaining source is at most this many times the page size, it all becomes the last page, to avoid a tiny page.
 */
const LAST_SHARE = 1.15;
/** Share of a page's usual size from which the page may end at any tag, even inside a line of code. */
const ANYWHERE_SHARE = 1.1;
/** Ranks of elements before which a page can end; lower is better. Headings have their level (1 to 6). */
const RANKS: ReadonlyMap<string, number> = new Map([
  ['section', 2],
  ['article', 2],
  ['details', 7],
  ['dt', 7],
]);
const OTHER_RANK = 8;
/**
 * Elements that belong to the element before them, such as `dd` to its `dt`. A page begins with one only if there is no
 * better place.
 */
const FOLLOWING: ReadonlySet<string> = new Set(['dd', 'figcaption', 'summary', 'tfoot']);
const METADATA: ReadonlySet<string> = new Set(['title', 'meta', 'base', 'link']);
const METADATA_CHARS_MAX = 300_000;
const TABLE_HEAD_CHARS_MAX = 4_000;
const NAMES = /[\s"'/](id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/gi;

class Divider {
  readonly cuts: Cut[] = [];
  readonly names: { name: string; at: number }[] = [];
  namesAreWhole = true;
  private readonly html: string;
  private readonly xml: boolean;
  private readonly tagsLeft: (at: number) => number;
  private metadata = '';
  private doctype = '';
  private namesChars = 0;
  private size: Size = { elements: 0, chars: 0 };
  private best: Place | null = null;
  /**
   * Place before a block. Valid while only start tags follow: in `<div><h2>`, the heading's rank applies to the `div`.
   */
  private fresh: Place | null = null;
  /** Position of an empty inline element, such as `<a name="x"></a>`, which must be on the page of the next heading. */
  private lead: { at: number; parent: OpenElement | null } | null = null;
  private hasText = false;
  private isAfterHeading = false;

  constructor(html: string, xml: boolean) {
    this.html = html;
    this.xml = xml;
    this.tagsLeft = tagCounter(html);
    const scanner = new SourceScanner(html, xml, {
      start: (tag, top) => this.start(tag, top),
      end: (element, end) => this.end(element, end),
      text: (start, end, top) => this.text(start, end, top),
      doctype: (start, end) => void (this.doctype ||= html.slice(start, end)),
    });
    scanner.run();
  }

  /** Returns the markup that precedes a page's text: the document's head and the start tags of all open elements. */
  opening({ top, numbers }: Cut): string {
    const chain: OpenElement[] = [];
    for (let at = top; at !== null; at = at.parent) if (at.isKept) chain.push(at);
    chain.reverse();
    const [root, ...others] = chain;
    const hasRoot = root?.name === 'html';
    const head = `<head>${this.metadata}</head>`;
    const tags = (hasRoot ? others : chain).map((element) => this.openingTag(element, numbers));
    return this.doctype + (hasRoot ? this.html.slice(root.start, root.end) : '') + head + tags.join('');
  }

  private openingTag(element: OpenElement, numbers: Cut['numbers']): string {
    const { name, start, end, tableHead } = element;
    const tag = this.html.slice(start, end);
    if (name === 'table' && tableHead !== null) return tag + this.html.slice(...tableHead);
    // An HTML parser drops the first line break after `<pre>`, so one is added for it to drop.
    if (name === 'pre' && !this.xml) return `${tag}\n`;
    const number = numbers.get(element);
    // `start` comes first, because HTML uses the first of two attributes with the same name.
    return number === undefined ? tag : `<ol start="${number}"${tag.slice('<ol'.length)}`;
  }

  private start(tag: ScannedStartTag, top: OpenElement | null): void {
    const { name, start, end } = tag;
    if (METADATA.has(name) || (name === 'script' && JSON_LD.test(this.html.slice(start, tag.end)))) this.describes(tag);
    if (tag.isDropped) return;
    const isBlock = BLOCK_TAGS.has(name);
    const share = this.share();
    if (share >= WINDOW_SHARE) this.mayCut(tag, top, isBlock, share);
    if (HEADING_TAGS.has(name)) this.heading(Number(name.slice(1)));
    if (isBlock) {
      this.lead = null;
      this.hasText = false;
      if (!HEADING_TAGS.has(name)) this.isAfterHeading = false;
    } else if (this.lead === null && !this.hasText) this.lead = { at: start, parent: top };
    // A table counts as two elements, because the parser adds a `tbody` to a table without one.
    this.size.elements += name === 'table' ? 2 : 1;
    this.size.chars += end - start;
    if (share >= WINDOW_SHARE || this.cuts.length > 0) this.named(tag);
  }

  private mayCut(tag: ScannedStartTag, top: OpenElement | null, isBlock: boolean, share: number): void {
    const { name, start } = tag;
    const isPlace = isBlock && top?.isContainer === true && !FOLLOWING.has(name) && !this.isAfterHeading;
    if (isPlace) {
      const at = this.lead !== null && this.lead.parent === top ? this.lead.at : start;
      const place = this.place(at, top, RANKS.get(name) ?? OTHER_RANK);
      this.offer(place);
      this.fresh ??= place;
    }
    if (share < 1) return;
    const isEnough = isPlace || isBlock;
    if (this.best !== null || isEnough || share >= ANYWHERE_SHARE) {
      this.cut(this.best ?? this.place(start, top, OTHER_RANK));
    }
  }

  private heading(level: number): void {
    const { fresh } = this;
    this.fresh = null;
    if (fresh === null || level >= fresh.rank) return;
    this.offer({ ...fresh, rank: level });
  }

  private end(element: OpenElement, end: number): void {
    this.fresh = null;
    if (BLOCK_TAGS.has(element.name)) {
      this.lead = null;
      this.hasText = false;
      this.isAfterHeading = HEADING_TAGS.has(element.name);
    }
    if (element.isDropped) return;
    const { name, start, parent } = element;
    const isHead = name === 'thead' || (name === 'tr' && element.hasHeaderCell);
    const table = parent?.name === 'tbody' ? parent.parent : parent;
    if (!isHead || table?.name !== 'table' || table.tableHead !== null || table.rows > 1) return;
    if (end - start <= TABLE_HEAD_CHARS_MAX) table.tableHead = [start, end];
  }

  private text(start: number, end: number, top: OpenElement | null): void {
    if (top?.isDropped === true) return;
    let from = start;
    while (from < end) {
      const room = Math.max(0, HTML_PART_SOURCE_CHARS_MAX - this.size.chars);
      const isOver = end - from > room;
      if (!isOver && (this.share() < 1 || this.best !== null)) break;
      if (this.best !== null && this.cut(this.best)) continue;
      const at = this.best === null ? this.breakIn(from, isOver ? from + room : end, top) : null;
      if (at === null) break;
      this.size.chars += at - from;
      from = at;
      if (!this.cut(this.place(at, top, OTHER_RANK))) break;
    }
    this.size.chars += end - from;
    if (!NOT_BLANK.test(this.html.slice(start, Math.min(end, start + BLANK_CHARS_READ)))) return;
    this.fresh = null;
    this.lead = null;
    this.hasText = true;
    this.isAfterHeading = false;
  }

  /**
   * Returns the position after the last line break of code, or after the last space of text. Without either, returns
   * `end` for a very long text, and otherwise `null`.
   */
  private breakIn(start: number, end: number, top: OpenElement | null): number | null {
    const found = this.html.slice(start, end).lastIndexOf(top?.isCode === true ? '\n' : ' ');
    if (found >= 0) return start + found + 1;
    return end - start > BROKEN_CHARS_MIN ? end : null;
  }

  private place(at: number, top: OpenElement | null, rank: number): Place {
    return { at, top, rank, numbers: numbersOf(top), sizeBefore: { ...this.size } };
  }

  /** Stores a place to end the page if it is better than `best`: in an outer element, better ranked or later. */
  private offer(place: Place): void {
    const { best } = this;
    const depth = place.top?.depth ?? 0;
    const bestDepth = best?.top?.depth ?? 0;
    if (best === null || depth < bestDepth || (depth === bestDepth && place.rank <= best.rank)) this.best = place;
  }

  /** Ends the page at a place. Returns false if the source after it is short enough to stay on this page. */
  private cut({ sizeBefore, ...cut }: Place): boolean {
    const { elements, chars } = sizeBefore;
    const hasFewElements = elements + this.tagsLeft(cut.at) <= HTML_PART_ELEMENTS_MAX * LAST_SHARE;
    if (hasFewElements && chars + this.html.length - cut.at <= HTML_PART_SOURCE_CHARS_MAX * LAST_SHARE) return false;
    this.cuts.push(cut);
    this.size = { elements: this.size.elements - elements, chars: this.size.chars - chars };
    this.best = null;
    this.fresh = null;
    return true;
  }

  private share(): number {
    return Math.max(this.size.elements / HTML_PART_ELEMENTS_MAX, this.size.chars / HTML_PART_SOURCE_CHARS_MAX);
  }

  private describes({ name, start, end, contentEnd }: ScannedStartTag): void {
    if (this.cuts.length > 0) return;
    const hasText = name === 'title' || name === 'script';
    const textEnd = hasText ? this.html.indexOf('</', end) : end;
    const whole = this.html.slice(start, contentEnd ?? Math.max(end, textEnd));
    if (this.metadata.length + whole.length > METADATA_CHARS_MAX) return;
    const isOpen = hasText || (this.xml && !whole.endsWith('/>'));
    this.metadata += isOpen ? `${whole}</${name}>` : whole;
  }

  /** Collects the anchor names of a tag (`id`, and `name` of a link), as the Markdown writer does. */
  private named({ name: tag, start, end }: ScannedStartTag): void {
    const source = this.html.slice(start, end);
    if (!MAY_NAME.test(source)) return;
    for (const [, key = '', double, single, bare] of source.matchAll(NAMES)) {
      const name = decodeCharacterReferences(double ?? single ?? bare ?? '');
      if (name === '' || name.length > ANCHOR_NAME_CHARS_MAX || (key.toLowerCase() === 'name' && tag !== 'a')) continue;
      this.namesChars += name.length;
      if (this.namesChars > LATER_NAMES_CHARS_MAX) {
        this.namesAreWhole = false;
        return;
      }
      this.names.push({ name, at: start });
    }
  }
}

type Place = Cut & { sizeBefore: Size };
type Size = { elements: number; chars: number };

const JSON_LD = /type\s*=\s*["']?application\/ld\+json/i;
const MAY_NAME = /[\s"'](?:id|name)\s*=/i;
const NOT_BLANK = /[^\s]/;
/** A text counts as blank if its first characters, up to this number, are white space. */
const BLANK_CHARS_READ = 1_000;
/** A text without any space, such as base64 data, may be divided anywhere if it is longer than this. */
const BROKEN_CHARS_MIN = 10_000;

/** For each numbered list around a place, returns the number of the item there: the next page's `start`. */
function numbersOf(top: OpenElement | null): Map<OpenElement, number> {
  const numbers = new Map<OpenElement, number>();
  let inside: OpenElement | null = null;
  for (let at = top; at !== null && at.depth <= DOM_DEPTH_MAX; at = at.parent) {
    if (at.name === 'ol' && at.items > 0) {
      numbers.set(at, at.firstNumber + at.items - (inside?.name === 'li' ? 1 : 0));
    }
    inside = at;
  }
  return numbers;
}

/** Returns a function that counts the start tags after a position. Calls must have ascending positions. */
function tagCounter(html: string): (at: number) => number {
  let total = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) total += isName(html.charCodeAt(at + 1));
  let seen = 0;
  let read = 0;
  return (place) => {
    for (let at = html.indexOf('<', read); at >= 0 && at < place; at = html.indexOf('<', at + 1)) {
      seen += isName(html.charCodeAt(at + 1));
    }
    read = Math.max(read, place);
    return total - seen;
  };
}

function isName(code: number): 0 | 1 {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? 1 : 0;
}
