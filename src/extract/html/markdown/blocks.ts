import { ANCHOR_NAME_CHARS_MAX } from '#extract/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';

/**
 * Maximum levels of indent in Markdown. Deeper lists are not indented further, because the indents would outgrow the
 * text.
 */
const MARKDOWN_NEST_MAX = 16;

/**
 * A list item or quote. `first` and `rest`: the prefixes of its first line and of its other lines, such as `- ` and
 * spaces.
 */
type Container = { first: string; rest: string; used: boolean; tight: boolean };

type Gap = 'blank' | 'none';

/** A link target (`#name`) in a block: its name, and the line it leads to, from 0 at the block's first line. */
export type NamedAnchor = { name: string; line: number };

/** Markdown of one part of a page (main part or rest). `elsewhere` lists link targets with text in the other part. */
export type WrittenBlocks = { markdown: string[]; anchors: Map<string, number>; elsewhere: string[] };

export class MarkdownBlocks {
  private readonly lines: string[] = [];
  private readonly anchors = new Map<string, number>();
  private waiting: string[] = [];
  private readonly elsewhere: string[] = [];
  private readonly isRest: boolean;
  private readonly containers: Container[] = [];
  private lastList: { depth: number; marker: string } | null = null;
  private tightNext = false;

  /** @param isRest true to write the text outside the main part (menus, comments), false for the main part */
  constructor(isRest = false) {
    this.isRest = isRest;
  }

  depth(): number {
    return this.containers.length;
  }

  /** Opens a list item or quote. @param tight true if no blank line comes before it, as between list items */
  push(first: string, rest: string, tight: boolean): void {
    const deep = this.containers.length >= MARKDOWN_NEST_MAX;
    this.containers.push({ first, rest: deep ? '' : rest, used: false, tight });
  }

  /** Adds the box of a task, `[x] `, to the marker of the current list item, unless the item already has text. */
  extendMarker(mark: string): void {
    const item = this.containers.at(-1);
    if (item !== undefined && !item.used) item.first += mark;
  }

  pop(): void {
    this.containers.pop();
  }

  isUsed(): boolean {
    return this.containers.at(-1)?.used ?? this.lines.length > 0;
  }

  /** Omits the blank line before the next block if it is a paragraph, as between a term and its definition. */
  tighten(): void {
    this.tightNext = true;
  }

  loosen(): void {
    this.tightNext = false;
  }

  /**
   * Returns the marker for a new list: `other` if a list with the marker `preferred` has just ended here, because
   * Markdown would read two adjacent lists with equal markers as one.
   */
  listMarker(preferred: string, other: string): string {
    const last = this.lastList;
    return last !== null && last.depth === this.containers.length && last.marker === preferred ? other : preferred;
  }

  endList(marker: string): void {
    if (this.lines.length > 0) this.lastList = { depth: this.containers.length, marker };
  }

  paragraph(text: string): void {
    this.write(text.split('\n'), this.tightNext ? 'none' : 'blank');
  }

  /** Makes the next block the target of links to `#name`. The first element with a name counts, as in browsers. */
  anchor(name: string): void {
    this.waiting.push(name);
  }

  /**
   * Skips a block that belongs to the other part of the page (main part or rest). While the rest is written, link
   * targets before the block also belong to the main part.
   */
  passOver(): void {
    if (this.isRest) this.elsewhere.push(...this.takeWaiting());
  }

  /** Writes the lines of one block. @param anchors link targets inside the block, with their line numbers */
  write(lines: readonly string[], gap: Gap = 'blank', anchors: readonly NamedAnchor[] = []): void {
    const isTight = gap === 'none' || this.containers.some((container) => !container.used && container.tight);
    if (this.lines.length > 0 && !isTight) this.lines.push(this.prefix(false).trimEnd());
    this.keepAnchors(anchors);
    for (const line of lines) {
      const prefix = this.prefix(true);
      this.lines.push(line === '' ? prefix.trimEnd() : prefix + line);
    }
    this.lastList = null;
    this.tightNext = false;
  }

  finish(): WrittenBlocks {
    // Link targets after the last block, such as an empty element at the end of a page, lead to that block.
    for (const name of this.waiting) this.keepAnchor(name, Math.max(0, this.lines.length - 1));
    return { markdown: this.lines, anchors: this.anchors, elsewhere: this.elsewhere };
  }

  private keepAnchors(anchors: readonly NamedAnchor[]): void {
    for (const name of this.takeWaiting()) this.keepAnchor(name, this.lines.length);
    for (const { name, line } of anchors) this.keepAnchor(name, this.lines.length + line);
  }

  private takeWaiting(): string[] {
    const { waiting } = this;
    if (waiting.length > 0) this.waiting = [];
    return waiting;
  }

  private keepAnchor(name: string, line: number): void {
    if (!this.anchors.has(name)) this.anchors.set(name, line);
  }

  private prefix(consume: boolean): string {
    let prefix = '';
    for (const container of this.containers) {
      if (container.used) prefix += container.rest;
      else if (consume) {
        prefix += container.first;
        container.used = true;
      } else break;
    }
    return prefix;
  }
}

/**
 * Returns the `#name` by which links reach the element (WHATWG HTML §7.4.6.3); `null` if it has none or a too long one.
 */
export function anchorName(element: DomElement): string | null {
  const name = element.getAttribute('id') ?? (element.localName === 'a' ? element.getAttribute('name') : null);
  return name === null || name === '' || name.length > ANCHOR_NAME_CHARS_MAX ? null : name;
}
