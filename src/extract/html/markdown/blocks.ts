import { ANCHOR_CHARS_MAX } from '#extract/limits.ts';
import type { DomElement } from '#extract/html/tree.ts';

/**
 * Lists and quotes that are nested deeper keep their text but get no more indent, because the indent would outgrow the
 * text.
 */
const MARKDOWN_NEST_MAX = 16;

/** The prefix of each line of a nested block: the marker of a list item and then its indent, or the sign of a quote. */
type Container = { first: string; rest: string; used: boolean; tight: boolean };

type Gap = 'blank' | 'none';

/** A place that links name, by the number of its line within the block. */
export type NamedAnchor = { name: string; line: number };

/** `elsewhere`: names of anchors whose text is written elsewhere. */
export type WrittenBlocks = { markdown: string[]; anchors: Map<string, number>; elsewhere: string[] };

/** Collects finished lines, with the marks of the containers that are open. */
export class Blocks {
  private readonly lines: string[] = [];
  private readonly anchors = new Map<string, number>();
  private waiting: string[] = [];
  private readonly elsewhere: string[] = [];
  private readonly isRest: boolean;
  private readonly containers: Container[] = [];
  private lastList: { depth: number; marker: string } | null = null;
  private tightNext = false;

  /** @param isRest whether this is the rest of a page; what it leaves out is then the main part */
  constructor(isRest = false) {
    this.isRest = isRest;
  }

  depth(): number {
    return this.containers.length;
  }

  /** @param tight the first line follows without an empty line, as items of a list do */
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

  /** Whether the innermost container has text already. */
  isUsed(): boolean {
    return this.containers.at(-1)?.used ?? this.lines.length > 0;
  }

  /** If the next block is a paragraph, it follows without an empty line. */
  tighten(): void {
    this.tightNext = true;
  }

  /** Undoes `tighten`. */
  loosen(): void {
    this.tightNext = false;
  }

  /**
   * `preferred`, or `other` if a list with the preferred marker has just ended here, because the two would become one
   * list.
   */
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

  /** A place that links name: the first line of the next block. The first place of a name counts. */
  anchor(name: string): void {
    this.waiting.push(name);
  }

  /** The next block is written elsewhere, so the waiting anchors lead there. */
  passOver(): void {
    if (this.isRest) this.elsewhere.push(...this.takeWaiting());
  }

  /**
   * Writes the lines of one block, in order.
   * @param anchors named places inside it, with the number of their line
   */
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
    // Names after the last block lead to it.
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

/** The name by which links lead to an element (WHATWG HTML §7.4.6.3); `null` if it has none. */
export function anchorName(element: DomElement): string | null {
  const name = element.getAttribute('id') ?? (element.localName === 'a' ? element.getAttribute('name') : null);
  return name === null || name === '' || name.length > ANCHOR_CHARS_MAX ? null : name;
}
