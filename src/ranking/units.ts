import { headingLevel } from '#core/document/document.ts';
import { CodeFences } from '#core/text/plain.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { beginsListItem, lineKind } from '#core/text/line-kinds.ts';
import type { LineKind } from '#core/text/line-kinds.ts';

export type NumberedLine = { loc: number; raw: string };

/**
 * A heading, the entry of a manual or a key of JSON, as a section of the document. `under` is the enclosing section.
 */
export type DocumentSection = NumberedLine & { level: number; under: DocumentSection | null };

/** Maximum lines of one unit. A longer paragraph or code block becomes several units. */
const UNIT_LINES_MAX = 60;
/** Maximum characters of one unit. A longer paragraph or code block becomes several units. */
const UNIT_CHARS_MAX = 4_000;

export type UnitKind = 'prose' | 'item' | 'row' | 'code';

/**
 * A citable piece of a document: a paragraph, list item, table row or code block. `lead` is the line that explains it:
 * the header of its table, the list item that contains it, or the sentence before its list.
 */
export type TextUnit = {
  kind: UnitKind;
  lines: readonly NumberedLine[];
  section: DocumentSection | null;
  lead: NumberedLine | null;
};

/**
 * Cuts a document into units as its lines arrive. Stores only the current unit, its lists and the headings above it.
 */
export class UnitSplitter {
  readonly #restStart: number | null;
  readonly #give: (unit: TextUnit) => void;
  #fences = new CodeFences();
  #section: DocumentSection | null = null;
  #lines: NumberedLine[] = [];
  #chars = 0;
  #kind: UnitKind = 'prose';
  #before: LineKind = 'blank';
  #header: NumberedLine | null = null;
  /** First lines of the nested list items that contain the current line, outermost first. */
  #items: { line: NumberedLine; indent: number }[] = [];
  /** The last line of the previous paragraph if it introduces the following lines, such as "Options:". */
  #last: NumberedLine | null = null;
  #lead: NumberedLine | null = null;
  #unitSection: DocumentSection | null = null;
  #json: JsonPath | null = null;
  /** True in a code block without language or with JSON. A long one is divided, because it may be a manual page. */
  #isText = false;

  constructor(restStart: number | null, give: (unit: TextUnit) => void) {
    this.#restStart = restStart;
    this.#give = give;
  }

  add(loc: number, raw: string): void {
    if (loc === this.#restStart) this.startOver();
    const kind = lineKind(raw, this.#fences);
    if (kind === 'code' || kind === 'alone') this.#addCode({ loc, raw }, kind);
    else if (kind === 'blank' && this.#isLongText()) this.#divideCode();
    else if (kind === 'blank' || kind === 'mark') this.end();
    else if (kind === 'heading') this.#addHeading({ loc, raw });
    else if (kind === 'row') this.#addRow({ loc, raw });
    else this.#addProse({ loc, raw });
    if (kind !== 'blank' && kind !== 'row') this.#header = null;
    this.#before = kind;
  }

  end(): void {
    if (this.#before === 'code' && this.#fences.open !== null) return;
    this.#flush();
  }

  /**
   * Discards headings and lists at the end of a page's main part, because the menus after it are not part of its last
   * section. Also called where lines are missing.
   */
  startOver(): void {
    this.#flush();
    this.#fences = new CodeFences();
    this.#section = null;
    this.#json = null;
    this.#header = null;
    this.#items = [];
    this.#last = null;
    this.#before = 'blank';
  }

  #addHeading(line: NumberedLine): void {
    this.#flush();
    const level = headingLevel(line.raw);
    let under = this.#section;
    while (under !== null && under.level >= level) under = under.under;
    this.#section = { ...line, level, under };
    this.#items = [];
    this.#last = null;
  }

  /** Adds a line of code. A code block, with fences and blank lines, is one unit, unless it is a long text or JSON. */
  #addCode(line: NumberedLine, kind: LineKind): void {
    const isOpening = kind === 'alone' && this.#fences.open !== null;
    if (isOpening) {
      this.#flush();
      this.#begin('code', this.#item ?? this.#last);
      this.#isText = TEXT_FENCE.test(line.raw) || JSON_FENCE.test(line.raw);
      this.#json = JSON_FENCE.test(line.raw) ? new JsonPath(this.#section) : null;
    } else if (this.#json !== null) {
      if (this.#isLongText() && this.#json.opens(line)) this.#divideCode();
      this.#json.take(line);
    }
    this.#push(line);
    if (kind !== 'alone' || isOpening) return;
    this.#flush();
    this.#json = null;
  }

  #isLongText(): boolean {
    return this.#isText && this.#fences.open !== null && this.#chars >= CODE_CHARS_TARGET;
  }

  /** Ends the unit inside a long code block, such as a manual page. The next unit has the same introducing line. */
  #divideCode(): void {
    const lead = this.#lead;
    this.#flush();
    this.#begin('code', lead);
  }

  #addRow(line: NumberedLine): void {
    this.#flush();
    const isFirst = this.#before !== 'row';
    if (isFirst) this.#header = line;
    else if (RULE.test(line.raw)) return;
    this.#begin('row', isFirst ? this.#last : this.#header);
    this.#push(line);
    this.#flush();
  }

  #addProse(line: NumberedLine): void {
    const indent = line.raw.length - line.raw.trimStart().length;
    if (beginsListItem(line.raw)) {
      this.#flush();
      while ((this.#items.at(-1)?.indent ?? -1) >= indent) this.#items.pop();
      this.#begin('item', this.#item ?? this.#last);
      this.#items.push({ line, indent });
    } else if (this.#lines.length === 0) {
      while ((this.#items.at(-1)?.indent ?? -1) >= indent) this.#items.pop();
      const item = this.#item;
      if (item === null) this.#last = null;
      this.#begin('prose', item);
    }
    if (this.#lines.length === 0) this.#nameEntry(line);
    this.#push(line);
    if (this.#items.length === 0) this.#last = INTRODUCES.test(line.raw) ? line : null;
  }

  /**
   * Takes a manual entry's name from the line below the heading `NAME`, such as `ls - list files`. Several entries on
   * one page have the same headings, so only the name distinguishes their units.
   */
  #nameEntry({ loc, raw }: NumberedLine): void {
    const section = this.#section;
    if (section === null || !NAME_HEADING.test(section.raw)) return;
    const [, name] = NAME_LINE.exec(visibleText(raw)) ?? [];
    if (name === undefined) return;
    let under = section.under;
    while (under !== null && under.level > section.level - 1) under = under.under;
    const entry = { loc, raw: name, level: section.level - ENTRY_LEVEL, under };
    this.#section = { ...section, under: entry };
  }

  get #item(): NumberedLine | null {
    return this.#items.at(-1)?.line ?? null;
  }

  #begin(kind: UnitKind, lead: NumberedLine | null): void {
    this.#kind = kind;
    this.#lead = lead;
  }

  #push(line: NumberedLine): void {
    const isFull = this.#lines.length >= UNIT_LINES_MAX || this.#chars + line.raw.length > UNIT_CHARS_MAX;
    if (isFull && this.#lines.length > 0) this.#flush();
    if (this.#lines.length === 0) this.#unitSection = this.#json?.section ?? this.#section;
    this.#lines.push(line);
    this.#chars += line.raw.length;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    this.#give({ kind: this.#kind, lines: this.#lines, section: this.#unitSection, lead: this.#lead });
    this.#lines = [];
    this.#chars = 0;
  }
}

/**
 * Minimum characters of a unit in a long code block before a blank line, or a line that opens a JSON value, ends it.
 */
const CODE_CHARS_TARGET = 400;
const TEXT_FENCE = /^[\s>]*(?:`{3,}|~{3,})\s*$/;
const JSON_FENCE = /^[\s>]*(?:`{3,}|~{3,})\s*json/i;
const NAME_HEADING = /^#{1,6}\s+name\s*$/i;
/** Matches the line below `NAME` in a manual page, such as `ls - list files`. The first group is the name. */
const NAME_LINE = /^(\S(?:.{0,98}\S)?)\s+[—–-]\s+\S/u;
/** Subtracted from the level of a `NAME` heading: the entry's name is a section between it and the heading above. */
const ENTRY_LEVEL = 0.5;
const INTRODUCES = /[:：][*_\s]*$/u;
const RULE = /^[\s>]*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** Level of the outermost JSON sections. It is larger than that of any heading, so headings enclose them. */
const LEVEL = 10;
const DEPTH_MAX = 20;
const OPENS = /^(\s*)(?:"((?:[^"\\]|\\.){1,100})"\s*:\s*)?[[{]\s*$/;
const NAME = /^(\s*)"(?:name|id|key|title|operationId)"\s*:\s*"((?:[^"\\]|\\.){1,100})"/;

type Frame = { indent: number; section: DocumentSection | null };

/** Tracks which JSON keys and names enclose the current line of indented JSON. Each of them is a section. */
class JsonPath {
  readonly #outside: DocumentSection | null;
  readonly #frames: Frame[] = [];

  constructor(outside: DocumentSection | null) {
    this.#outside = outside;
  }

  opens({ raw }: NumberedLine): boolean {
    return OPENS.test(raw);
  }

  take(line: NumberedLine): void {
    const [, space, key] = OPENS.exec(line.raw) ?? [];
    if (space !== undefined) {
      this.#leave(space.length);
      const section = key === undefined ? null : this.#sectionOf(line, key);
      if (this.#frames.length < DEPTH_MAX) this.#frames.push({ indent: space.length, section });
      return;
    }
    const [, indent, name] = NAME.exec(line.raw) ?? [];
    if (indent === undefined || name === undefined) return;
    this.#leave(indent.length);
    const frame = this.#frames.at(-1);
    if (frame?.section === null) frame.section = this.#sectionOf(line, name);
  }

  get section(): DocumentSection | null {
    return this.#frames.findLast(({ section }) => section !== null)?.section ?? this.#outside;
  }

  #leave(indent: number): void {
    while ((this.#frames.at(-1)?.indent ?? -1) >= indent) this.#frames.pop();
  }

  #sectionOf({ loc }: NumberedLine, raw: string): DocumentSection {
    return { loc, raw, level: LEVEL + this.#frames.length, under: this.section };
  }
}
