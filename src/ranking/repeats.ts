/** How often a document has a text, as far as it has been read. */
export type Times = { count: number };

/** Different texts of one document that are counted, and how much of each tells them apart: some 1 MB at most. */
const TEXTS_MAX = 5_000;
const TEXT_CHARS_MAX = 200;

/** Counts texts that come again and again in a document. */
export class Repeats {
  readonly #times = new Map<string, Times>();

  /** @returns the count of this text, which goes on while the document is read */
  add(text: string): Times {
    const key = text.slice(0, TEXT_CHARS_MAX);
    const known = this.#times.get(key);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const times = { count: 1 };
    if (this.#times.size < TEXTS_MAX) this.#times.set(key, times);
    return times;
  }
}
