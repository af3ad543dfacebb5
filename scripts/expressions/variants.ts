import type { Plain } from './plain.ts';

/** More would take longer to check than the whole. */
const VARIANTS_MAX = 200;

/**
 * Expressions without alternatives, as far as those stand outside of repetitions. Matching tries the alternatives one after the
 * other, so an expression takes linear time if each of its variants does.
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

/** A match of such an expression has a greatest length, so looking for it from each place takes linear time. */
export function isBounded(plain: Plain): boolean {
  if (plain.kind === 'repeat') return plain.max !== Infinity && isBounded(plain.item);
  return !('items' in plain) || plain.items.every(isBounded);
}
