/** A live count of a text in the part of the document read so far. */
export type Times = { count: number };

/** Distinct texts counted per document: some 1 MB at most. */
const TEXTS_MAX = 5_000;

export class Repeats {
  readonly #times = new Map<string, Times>();

  /** @param text short @returns its count, which is updated while the document is read */
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
