/** Writes rows of numbers one after the other into one array, because a page may have thousands. */
export class Row {
  /** Where the next number goes. */
  at = 0;
  private readonly values: Float32Array;

  constructor(values: Float32Array) {
    this.values = values;
  }

  add(value: number): void {
    this.values[this.at] = value;
    this.at += 1;
  }

  addAll(values: Uint8Array | Float32Array): void {
    this.values.set(values, this.at);
    this.at += values.length;
  }

  /** Adds the lowest bits of `bits`, one number each. */
  addBits(bits: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) this.add((bits >> bit) & 1);
  }

  /** Repeats the `count` numbers that begin at `from`. */
  repeat(from: number, count: number): void {
    this.values.copyWithin(this.at, from, from + count);
    this.at += count;
  }

  /** Changes the number that was written `back` places ago. */
  change(back: number, value: number): void {
    this.values[this.at - back] = value;
  }
}
