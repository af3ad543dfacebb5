import { ANCHOR_CHARS_MAX } from '#extract/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';

/** Lists and quotes nested deeper keep their text but get no more indent: the indent would outgrow the text. */
const MARKDOWN_NEST_MAX = 16;

/** The line prefix of a nested block: a list marker and then its indent, or a quote mark. */
type Container = { first: string; rest: string; used: boolean; tight: boolean };

type Gap = 'blank' | 'none';

/** A link target: a name and its line within the block. */
export type NamedAnchor = { name: string; line: number };

/** `elsewhere` lists anchors whose text is written in the other part of the page. */
export type WrittenBlocks = { markdown: string[]; anchors: Map<string, number>; elsewhere: string[] };

export class Blocks {
  private readonly lines: string[] = [];
  private readonly anchors = new Map<string, number>();
  private waiting: string[] = [];
  private readonly elsewhere: string[] = [];
  private readonly isRest: boolean;
  private readonly containers: Container[] = [];
  private lastList: { depth: number; marker: string } | null = null;
  private tightNext = false;

  /** @param isRest true for the rest of a page, which leaves out the main part */
  constructor(isRest = false) {
    this.isRest = isRest;
  }

  depth(): number {
    return this.containers.length;
  }

  /** @param tight true if the first line follows without a blank line, as in list items */
  push(first: string, rest: string, tight: boolean): void {
    const deep = this.containers.length >= MARKDOWN_NEST_MAX;
    this.containers.push({ first, rest: deep ? '' : rest, used: false, tight });
  }

  /** Adds to the marker of an item that has no text yet. */
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

  /** Makes the next block, if it is a paragraph, follow without a blank line. */
  tighten(): void {
    this.tightNext = true;
  }

  loosen(): void {
    this.tightNext = false;
  }

  /** Returns `other` if a list with the preferred marker has just ended here, because the two would become one list. */
  listMarker(preferred: string, other: string): string {
    const last = this.lastList;
    return last !== null && last.depth === this.containers.length && last.marker === preferred ? other : preferred;
  }

  endList(marker: string): void {
    if (this.lines.length > 0) this.lastList = { depth: this.containers.length, marker };
  }

  paragraph(text: string, gap: Gap = 'blank'): void {
    this.write(text.split('\n'), this.tightNext ? 'none' : gap);
  }

  /** Names the first line of the next block as a link target. The first place with a name wins. */
  anchor(name: string): void {
    this.waiting.push(name);
  }

  /** Skips a block that the other part of the page contains; the waiting anchors belong to that part. */
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
    // Anchors after the last block point to it.
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

/** Returns the fragment name of an element (WHATWG HTML §7.4.6.3), or `null`. */
export function anchorName(element: DomElement): string | null {
  const name = element.getAttribute('id') ?? (element.localName === 'a' ? element.getAttribute('name') : null);
  return name === null || name === '' || name.length > ANCHOR_CHARS_MAX ? null : name;
}
