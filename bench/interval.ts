import { randomFrom } from '#scripts/docs/scale/random.ts';

export type Interval = [low: number, high: number];

/** The quantile for 95 %. */
const Z = 1.96;
const RESAMPLES = 1_000;

/** Wilson's interval of a share: `some` of `all`. */
export function wilson(some: number, all: number): Interval {
  const share = some / all;
  const middle = (share + Z ** 2 / (2 * all)) / (1 + Z ** 2 / all);
  const half = (Z / (1 + Z ** 2 / all)) * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** The 95 % interval of a value, from samples that are drawn with replacement. Always the same for the same sample. */
export function resampled<T>(sample: readonly T[], valueOf: (items: readonly T[]) => number): Interval {
  const random = randomFrom(1);
  const drawn = () => sample.map((item) => sample[Math.floor(random() * sample.length)] ?? item);
  const values = Array.from({ length: RESAMPLES }, () => valueOf(drawn())).toSorted((a, b) => a - b);
  const at = (share: number) => values[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A share as the scoreboard writes it: `.929`. */
export function formatShare(value: number, digits = 3): string {
  return value.toFixed(digits).replace(/^0/, '');
}
