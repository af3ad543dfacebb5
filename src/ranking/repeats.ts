/** Counter of a text, which increases each time the text occurs again while the document is read. */
export type RepeatCounter = { count: number };

/** Maximum distinct texts counted per document. Together they take about 1 MB. Further texts count as unique. */
const TEXTS_MAX = 5_000;

export class TextRepeatCounts {
  readonly #times = new Map<string, RepeatCounter>();

  /**
   * @param text should be short, because up to `TEXTS_MAX` texts are stored
   * @returns the counter of the text
   */
  add(text: string): RepeatCounter {
    const known = this.#times.get(text);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const times = { count: 1 };
    if (this.#times.size < TEXTS_MAX) this.#times.set(text, times);
    return times;
  }
}
