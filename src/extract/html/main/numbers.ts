/** The largest signed 32-bit number. No page has more of anything. */
const WORD_MAX = 2 ** 31;

/**
 * An approximate logarithm to the base of two. Only the order of values matters. `Math.log` may differ in its last
 * digit between engines; this does not.
 */
export function log(value: number): number {
  const whole = Math.floor(Math.max(0, value)) + 1;
  const power = whole < WORD_MAX ? 31 - Math.clz32(whole) : Math.floor(Math.log2(whole));
  return power + (whole / 2 ** power - 0.5) * 2 - 1;
}

export function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}

export function flag(value: boolean): number {
  return value ? 1 : 0;
}

export function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found += 1;
  return found;
}
