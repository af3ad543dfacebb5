import { Alphabet, common, together } from './characters.ts';
import type { Characters } from './characters.ts';
import { printed } from './print.ts';
import { isPlainlyLinear } from './obvious.ts';
import type { Plain } from './plain.ts';
import { isBounded, variantsOf } from './variants.ts';
import { isLeaf, isLook, parse } from './syntax.ts';
import type { Alternative, Leaf, Look, Part } from './syntax.ts';

/** Most characters that a lookaround may inspect to count as one step. */
const LOOK_CHARS_MAX = 100;

export class Unsupported extends Error {
  override name = 'Unsupported';
}

/** The expression cannot be written exactly without unsupported parts. */
class Inexact extends Error {
  override name = 'Inexact';
}

/** `variants`: together they are equivalent to `whole`. Those that are obviously linear are left out. */
type Reduced = { whole: () => Written; variants: readonly Written[] };
type Written = { source: string; flags: string };

/**
 * Other expressions in few letters that a checker can analyse: if the whole or all of its variants take linear time, so does the
 * first one.
 *
 * - Characters that no part of the expression tells apart become one letter. That changes nothing for the time.
 * - A lookaround at one character becomes a part of the character beside it, where it has one.
 * - Where other lookarounds, or counts above `countMax`, cannot be written exactly, they and all assertions but those at the
 *   beginning are left out, and a letter that occurs nowhere else is put behind all. Matching then never succeeds, so it tries every
 *   way that matching with the first expression can try, and more.
 * @throws {Unsupported}
 */
export function reduced(source: string, flags: string, countMax: number): Reduced {
  const alternatives = parse(source, flags);
  const isByLine = flags.includes('m');
  const write = (plain: Plain, neverMatches: boolean): Reduced => ({
    whole: () => printed(plain, flags, neverMatches),
    variants: variantsOf(plain)
      .filter((variant) => !isBounded(variant) && !isPlainlyLinear(variant, isByLine))
      .map((variant) => printed(variant, flags, neverMatches)),
  });
  try {
    return write(new Reducer(flags, countMax, true).all(alternatives), false);
  } catch (error) {
    if (!(error instanceof Inexact)) throw error;
    return write(new Reducer(flags, countMax, false).all(alternatives), true);
  }
}

/** Position of a part: `first` if nothing is matched before it, `last` if nothing follows it. */
type Place = { first: boolean; last: boolean };
const INSIDE: Place = { first: false, last: false };

class Reducer {
  readonly #alphabet: Alphabet;
  readonly #countMax: number;
  readonly #isExact: boolean;
  readonly #isByLine: boolean;
  /** The caller chooses the place of the match. */
  readonly #isSticky: boolean;

  constructor(flags: string, countMax: number, isExact: boolean) {
    this.#countMax = countMax;
    this.#alphabet = new Alphabet(flags);
    this.#isExact = isExact;
    this.#isByLine = flags.includes('m');
    this.#isSticky = flags.includes('y');
  }

  all(alternatives: readonly Alternative[]): Plain {
    if (!this.#isSticky) return this.#choice(alternatives, { first: true, last: true });
    return { kind: 'sequence', items: [{ kind: 'start' }, this.#choice(alternatives, { first: false, last: true })] };
  }

  #choice(alternatives: readonly Alternative[], place: Place): Plain {
    const items = alternatives.map(({ elements }) => this.#sequence(elements, place));
    return items.length === 1 ? (items[0] ?? NOTHING) : { kind: 'choice', items };
  }

  #sequence(elements: readonly Part[], place: Place): Plain {
    const items: Plain[] = [];
    /** The characters that a lookaround allows next. */
    let wanted: Characters | null = null;
    let isFirst = place.first;
    for (const [at, part] of elements.entries()) {
      const here = { first: isFirst, last: place.last && at === elements.length - 1 };
      if (isLook(part)) {
        const next = this.#besideLook(part, elements, at);
        if (next === 'before') narrow(items, this.#charactersOf(part));
        else if (next === 'behind') wanted = both(wanted, this.#charactersOf(part));
        else items.push(this.#look(part, here));
        if (next === null) isFirst = isFirst && part.kind === 'lookahead';
        continue;
      }
      items.push(...this.#part(part, here, wanted));
      wanted = null;
      if (part.type !== 'Assertion') isFirst = false;
    }
    return items.length === 1 ? (items[0] ?? NOTHING) : { kind: 'sequence', items };
  }

  #part(part: Part, place: Place, wanted: Characters | null): Plain[] {
    switch (part.type) {
      case 'Quantifier':
        return this.#repeat(part, place, wanted);
      case 'Group':
      case 'CapturingGroup':
        if (part.modifiers !== undefined && part.modifiers !== null) throw new Unsupported('modifiers');
        return [this.#choice(part.alternatives, place)];
      case 'Backreference':
        throw new Unsupported('a back-reference');
      case 'Assertion':
        return isLook(part) ? [] : this.#assertion(part, place);
      default:
        return [{ kind: 'characters', characters: both(wanted, this.#leaf(part)) }];
    }
  }

  #leaf({ raw }: Leaf): Characters {
    if (/\\q\{|\\p\{(?:RGI_|Basic_Emoji|Emoji_Keycap)/.test(raw)) throw new Unsupported('a class of strings');
    return this.#alphabet.of(raw);
  }

  #repeat(part: Extract<Part, { type: 'Quantifier' }>, place: Place, wanted: Characters | null): Plain[] {
    const { element, greedy } = part;
    const isLarge = part.max > this.#countMax && part.max !== Infinity;
    // At the very end, matching more than the count allows changes no failure.
    if (part.min > this.#countMax || (isLarge && !place.last)) this.#mustNotBeExact();
    const min = part.min > this.#countMax ? 1 : part.min;
    const max = part.max > this.#countMax ? Infinity : part.max;
    const [item = NOTHING] = this.#part(
      element,
      part.max === 1 ? place : { ...INSIDE, first: place.first && part.min > 0 && part.max === 1 },
      null,
    );
    const repeat = (least: number, most: number): Plain => ({
      kind: 'repeat',
      item,
      min: least,
      max: most,
      isGreedy: greedy,
    });
    if (wanted === null || item.kind !== 'characters') return [repeat(min, max)];
    const first: Plain = { kind: 'characters', characters: common(item.characters, wanted) };
    return [first, repeat(min - 1, max - 1)];
  }

  #assertion(part: Extract<Part, { type: 'Assertion' }>, { first }: Place): Plain[] {
    if (part.kind === 'start') return this.#isExact || first ? [{ kind: 'start' }] : [];
    if (!this.#isExact) return [];
    if (part.kind === 'end') return [{ kind: 'end' }];
    return part.kind === 'word' ? [{ kind: 'word', isNegated: part.negate }] : [];
  }

  /** Position of the one character that a lookaround inspects, if it is a separate part of the expression. */
  #besideLook(look: Look, elements: readonly Part[], at: number): 'before' | 'behind' | null {
    if (singles(look) === null) return null;
    if (look.kind === 'lookbehind') return isLeaf(elements[at - 1]) ? 'before' : null;
    const next = elements[at + 1];
    const isRepeated = next?.type === 'Quantifier' && next.min > 0 && isLeaf(next.element);
    return isLeaf(next) || isRepeated ? 'behind' : null;
  }

  /** The characters that a lookaround at one character allows. */
  #charactersOf(look: Look): Characters {
    const seen = together((singles(look)?.leaves ?? []).map((leaf) => this.#leaf(leaf)));
    return look.negate ? this.#alphabet.others(seen) : seen;
  }

  /** A lookaround at the edge of the expression matches the character that it inspects. */
  #look(look: Look, { first, last }: Place): Plain {
    const seen = singles(look);
    const isAtEdge = look.kind === 'lookahead' ? last : first && !this.#isByLine;
    const edge: Plain = { kind: look.kind === 'lookahead' ? 'end' : 'start' };
    if (seen !== null && isAtEdge) {
      const characters: Plain = { kind: 'characters', characters: this.#charactersOf(look) };
      const mayBeEdge = seen.hasEdge !== look.negate;
      if (!mayBeEdge) return characters;
      if (this.#isExact || look.kind === 'lookbehind') return { kind: 'choice', items: [characters, edge] };
    }
    const isShort = look.alternatives.every(({ elements }) => longest(elements) <= LOOK_CHARS_MAX);
    if (!isShort) throw new Unsupported(`a ${look.kind} without an end`);
    this.#mustNotBeExact();
    return NOTHING;
  }

  #mustNotBeExact(): void {
    if (this.#isExact) throw new Inexact();
  }
}

const NOTHING: Plain = { kind: 'sequence', items: [] };

function both(wanted: Characters | null, characters: Characters): Characters {
  return wanted === null ? characters : common(wanted, characters);
}

/** Restricts the last part, if it is one character, to the wanted characters. */
function narrow(items: Plain[], wanted: Characters): void {
  const last = items.pop();
  if (last?.kind === 'characters') items.push({ kind: 'characters', characters: common(last.characters, wanted) });
}

/** The character that a lookaround tests, or the edge of the text; other lookarounds are not supported. */
function singles({ kind, alternatives }: Look): { leaves: Leaf[]; hasEdge: boolean } | null {
  const leaves: Leaf[] = [];
  let hasEdge = false;
  for (const { elements } of alternatives) {
    const [only] = elements;
    if (elements.length !== 1) return null;
    if (isLeaf(only)) leaves.push(only);
    else if (only?.type === 'Assertion' && only.kind === (kind === 'lookahead' ? 'end' : 'start')) hasEdge = true;
    else return null;
  }
  return leaves.length === 0 ? null : { leaves, hasEdge };
}

/** The most characters that a sequence of parts can match. */
function longest(elements: readonly Part[]): number {
  return elements.reduce((sum, part) => sum + lengthOf(part), 0);
}

function lengthOf(part: Part): number {
  switch (part.type) {
    case 'Assertion':
      return isLook(part) ? Math.max(0, ...part.alternatives.map(({ elements }) => longest(elements))) : 0;
    case 'Quantifier':
      return part.max === 0 ? 0 : part.max * lengthOf(part.element);
    case 'Group':
    case 'CapturingGroup':
      return Math.max(0, ...part.alternatives.map(({ elements }) => longest(elements)));
    case 'Backreference':
      return Infinity;
    default:
      return 1;
  }
}
