/** How often a document has a text, as far as it has been read. */
export type Times = { count: number };

/** Different texts of one document that are counted: some 1 MB at most. */
const TEXTS_MAX = 5_000;

/** Counts texts that come again and again in a document. */
export class Repeats {
  readonly #times = new Map<string, Times>();

  /** @param text short @returns its count, which goes on while the document is read */
  add(text: string): Times {
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
