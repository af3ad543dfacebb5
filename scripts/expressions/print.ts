import { Alphabet } from './characters.ts';
import type { Characters } from './characters.ts';
import type { Plain } from './plain.ts';

/** Characters that no expression contains. */
const NOWHERE = '\ufff0';
const NEVER = '\ufff1';
const WORD_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';
const OTHER_LETTERS_FROM = 0x100;
const LINE_ENDS: Characters = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** Writes an expression with one letter for all characters that its parts do not distinguish. */
export function printed(plain: Plain, flags: string, neverMatches: boolean): { source: string; flags: string } {
  const isByLine = flags.includes('m');
  const letters = new Letters(plain, flags, isByLine);
  const source = write(plain, letters);
  return { source: neverMatches ? `(?:${source})${NOWHERE}` : source, flags: isByLine ? 'm' : '' };
}

function write(plain: Plain, letters: Letters): string {
  switch (plain.kind) {
    case 'characters':
      return letters.classOf(plain.characters);
    case 'sequence':
      return plain.items
        .map((item) => (item.kind === 'choice' ? `(?:${write(item, letters)})` : write(item, letters)))
        .join('');
    case 'choice':
      return plain.items.map((item) => write(item, letters)).join('|');
    case 'repeat':
      return `(?:${write(plain.item, letters)})${countOf(plain)}${plain.isGreedy ? '' : '?'}`;
    case 'word':
      return plain.isNegated ? '\\B' : '\\b';
    default:
      return plain.kind === 'start' ? '^' : '$';
  }
}

function countOf({ min, max }: { min: number; max: number }): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return `{${min},${max}}`;
}

/** The letters for runs of characters that an expression treats alike. */
class Letters {
  /** The beginning of each run, and its letter. */
  readonly #runs: { first: number; letter: string }[] = [];

  constructor(plain: Plain, flags: string, isByLine: boolean) {
    const sets = [...setsIn(plain)];
    const isWord = asksForWords(plain) ? new Alphabet(flags).of('\\w') : null;
    const all = [...sets, ...(isWord === null ? [] : [isWord]), ...(isByLine ? [LINE_ENDS] : [])];
    const end = new Alphabet(flags).last;
    const starts = new Set([0, ...all.flat().flatMap(([first, last]) => [first, Math.min(last + 1, end)])]);
    const bySigns = new Map<string, string>();
    const used = { word: 0, other: 0 };
    const members = all.map((characters) => new Membership(characters));
    for (const first of [...starts].toSorted((one, other) => one - other)) {
      const signs = members.map((member) => (member.has(first) ? '1' : '0')).join('');
      const isLineEnd = isByLine && LINE_ENDS.some(([from, to]) => from <= first && first <= to);
      const isInWord = isWord !== null && signs[sets.length] === '1';
      const letter = isLineEnd
        ? String.fromCodePoint(first)
        : (bySigns.get(signs) ?? (isInWord ? wordLetter((used.word += 1)) : otherLetter((used.other += 1))));
      bySigns.set(signs, letter);
      this.#runs.push({ first, letter });
    }
  }

  classOf(characters: Characters): string {
    const member = new Membership(characters);
    const inside = new Set<string>();
    const outside = new Set<string>();
    for (const { first, letter } of this.#runs) (member.has(first) ? inside : outside).add(letter);
    // The last run also stands for characters without a letter, because checkers know more characters.
    const hasOthers = inside.has(this.#runs.at(-1)?.letter ?? '');
    const all = [...(hasOthers ? outside : inside)].map((letter) =>
      /\w/.test(letter) ? letter : `\\u${hexOf(letter)}`,
    );
    if (hasOthers) return all.length === 0 ? '[\\s\\S]' : `[^${all.join('')}]`;
    return all.length === 0 ? NEVER : all.length === 1 ? (all[0] ?? NEVER) : `[${all.join('')}]`;
  }
}

function hexOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

function wordLetter(count: number): string {
  const letter = WORD_LETTERS[count - 1];
  if (letter === undefined) throw new Error('There are too many kinds of letters in one expression.');
  return letter;
}

function otherLetter(count: number): string {
  return String.fromCodePoint(OTHER_LETTERS_FROM + count);
}

/** Must be asked in ascending order. */
class Membership {
  readonly #characters: Characters;
  #at = 0;

  constructor(characters: Characters) {
    this.#characters = characters;
  }

  has(character: number): boolean {
    while ((this.#characters[this.#at]?.[1] ?? Infinity) < character) this.#at += 1;
    return (this.#characters[this.#at]?.[0] ?? Infinity) <= character;
  }
}

function* setsIn(plain: Plain): Generator<Characters> {
  if (plain.kind === 'characters') yield plain.characters;
  if (plain.kind === 'repeat') yield* setsIn(plain.item);
  if ('items' in plain) for (const item of plain.items) yield* setsIn(item);
}

function asksForWords(plain: Plain): boolean {
  if (plain.kind === 'word') return true;
  if (plain.kind === 'repeat') return asksForWords(plain.item);
  return 'items' in plain && plain.items.some(asksForWords);
}
