import type { Characters } from './characters.ts';

/** An expression without lookarounds, back-references and large counts. */
export type Plain =
  | { kind: 'characters'; characters: Characters }
  | { kind: 'sequence' | 'choice'; items: readonly Plain[] }
  | { kind: 'repeat'; item: Plain; min: number; max: number; isGreedy: boolean }
  | { kind: 'start' | 'end' }
  | { kind: 'word'; isNegated: boolean };
