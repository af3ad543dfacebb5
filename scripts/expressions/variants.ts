import type { Plain } from './plain.ts';

/** Checking more variants would take longer than checking the whole. */
const VARIANTS_MAX = 200;

/**
 * Splits an expression at its alternatives outside of repetitions. Matching tries alternatives one after the other, so
 * an expression is linear if each of its variants is.
 */
export function variantsOf(plain: Plain): readonly Plain[] {
  return expanded(plain, VARIANTS_MAX);
}

function expanded(plain: Plain, most: number): readonly Plain[] {
  switch (plain.kind) {
    case 'choice': {
      const all = plain.items.flatMap((item) => expanded(item, Math.floor(most / plain.items.length)));
      return all.length <= most ? all : [plain];
    }
    case 'sequence': {
      let all: readonly (readonly Plain[])[] = [[]];
      for (const item of plain.items) {
        const here = expanded(item, Math.floor(most / all.length));
        all = all.flatMap((before) => here.map((one) => [...before, one]));
      }
      return all.map((items) => ({ kind: 'sequence', items }));
    }
    case 'repeat': {
      if (plain.max !== 1) return [plain];
      const all = expanded(plain.item, most - 1);
      const none: Plain = { kind: 'sequence', items: [] };
      if (plain.min === 1) return all;
      return all.length < most ? [...all, none] : [plain];
    }
    default:
      return [plain];
  }
}

/** True if matches have a maximum length: then trying each position takes linear time. */
export function isBounded(plain: Plain): boolean {
  if (plain.kind === 'repeat') return plain.max !== Infinity && isBounded(plain.item);
  return !('items' in plain) || plain.items.every(isBounded);
}
