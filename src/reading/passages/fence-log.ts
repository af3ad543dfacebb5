import { CodeFences } from '#core/text/plain.ts';

/** Remembers where the code blocks of a document begin and end, as its lines come in order. */
export class FenceLog {
  readonly #fences = new CodeFences();
  readonly #changes: { loc: number; open: string | null }[] = [];

  add(firstLine: number, lines: readonly string[]): void {
    for (const [index, line] of lines.entries()) {
      const before = this.#fences.open;
      if (this.#fences.take(line) && this.#fences.open !== before)
        this.#changes.push({ loc: firstLine + index, open: this.#fences.open });
    }
  }

  /** The mark of the code block that is open before a line; `null` outside of code. */
  openBefore(loc: number): string | null {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.loc ?? Infinity) < loc) low = middle + 1;
      else high = middle;
    }
    return this.#changes[low - 1]?.open ?? null;
  }
}
