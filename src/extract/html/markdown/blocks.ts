import { MARKDOWN_NEST_MAX } from '#core/limits.ts';

/** What stands before each line of a nested block: a list item's marker, then its indent; a quote's sign. */
type Container = { first: string; rest: string; used: boolean; tight: boolean };

type Gap = 'blank' | 'none';

/** Collects finished lines under the containers that are open. */
export class Blocks {
  private readonly lines: string[] = [];
  private readonly containers: Container[] = [];
  private lastList: { depth: number; marker: string } | null = null;
  private tightNext = false;

  depth(): number {
    return this.containers.length;
  }

  /** `tight`: its first line follows the line before it without an empty one, as items of a list do. */
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

  /** The next block follows without an empty line, if it is a paragraph. */
  tighten(): void {
    this.tightNext = true;
  }

  /** Takes `tighten` back. */
  loosen(): void {
    this.tightNext = false;
  }

  /** `preferred`, or `other` when a list with the preferred marker has just ended here: the two would become one. */
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

  /** Lines of one block, in order. */
  write(lines: readonly string[], gap: Gap = 'blank'): void {
    const isTight = gap === 'none' || this.containers.some((container) => !container.used && container.tight);
    if (this.lines.length > 0 && !isTight) this.lines.push(this.prefix(false).trimEnd());
    for (const line of lines) {
      const prefix = this.prefix(true);
      this.lines.push(line === '' ? prefix.trimEnd() : prefix + line);
    }
    this.lastList = null;
    this.tightNext = false;
  }

  finish(): string[] {
    return this.lines;
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
