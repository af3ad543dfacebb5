/** Writes rows of features into one shared array. Thousands of small arrays would be slower. */
export class FeatureRowWriter {
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

  /** Adds the lowest `count` bits, one feature each. */
  addBits(bits: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) this.add((bits >> bit) & 1);
  }

  repeat(from: number, count: number): void {
    this.values.copyWithin(this.at, from, from + count);
    this.at += count;
  }

  /** Overwrites the value that was written `back` values ago. */
  change(back: number, value: number): void {
    this.values[this.at - back] = value;
  }
}

/** Values from this limit do not fit into the fast 32-bit calculation. Real pages stay below it. */
const WORD_MAX = 2 ** 31;

/**
 * Stands for log2(value + 1): equal to it at powers of two, up to one more between them. The trees are trained on these
 * values. All JavaScript engines give the same digits, unlike `Math.log`.
 */
export function approximateLog2(value: number): number {
  const whole = Math.floor(Math.max(0, value)) + 1;
  const power = whole < WORD_MAX ? 31 - Math.clz32(whole) : Math.floor(Math.log2(whole));
  return power + (whole / 2 ** power - 0.5) * 2 - 1;
}

export function roundedShare(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}

export function booleanToNumber(value: boolean): number {
  return value ? 1 : 0;
}
