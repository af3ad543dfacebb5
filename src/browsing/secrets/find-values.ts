import { isLineEnd, lettersIn } from './letters.ts';
import type { Alphabet, LettersOfText } from './letters.ts';
import { decodingsOf, TAG_MARK } from './readings.ts';
import type { Reading, Span } from './readings.ts';

/** What a page writes before or behind a value may read as one escape with up to so many of its letters, as in `&#12345;`. */
const SECRET_LETTERS_SWALLOWED_MAX = 6;

/** A form of a value. */
export type Wanted = {
  text: string;
  /** From how many letters on a beginning of it is hidden, too. */
  beginning: number;
  /** The same for an end of it. */
  ending: number;
  /** Whether nothing that stands beside it may swallow letters of it; costs less. */
  isUnswallowed?: boolean;
};

/**
 * What counts under a condition only.
 * - `isNumber`: it is no part of a longer number.
 * - `first`, `last`: letters that stand before or behind it as it is written, in what a reading takes for one character.
 * - `more`: how many letters are hidden behind it.
 */
type Condition = { more: number; isNumber: boolean; first: readonly number[]; last: readonly number[] };
/** What ends at a node, with as many letters, under one of the conditions. `more`: the most, of shorter nodes, too. */
type Conditional = { letters: number; more: number; conditions: Condition[] };

/**
 * Looks for many values at once, in one pass over a text (Aho and Corasick, 1975): the time is that of the text and the
 * values together, whatever they are.
 *
 * Behind a beginning, as many letters are hidden as the value has, up to the end of the word and whatever they are, and so
 * before an end: otherwise a model could find out the value, letter by letter, with a page that shows its guesses. For the
 * same reason a part in the middle is not looked for: each letter of the value would end such a part.
 */
export class ValueFinder {
  readonly #alphabet: Alphabet;
  /** A tree of the letters that are looked for. By node: its letter, its first child, and the next child of its parent. */
  readonly #letter: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  /** Children of the root, which may be many. */
  readonly #roots = new Map<number, number>();
  /** By node: the node of the longest other beginning that ends with the same letters. */
  readonly #shorter: number[] = [0];
  /** By node: the letters that are hidden when it is reached, those of shorter nodes included, and how many behind them. */
  readonly #hidden: number[] = [0];
  readonly #more: number[] = [0];
  /** By node: how many letters are hidden up to it, those of its word; 0 for none. */
  readonly #back: number[] = [0];
  readonly #conditional = new Map<number, Conditional>();
  /** By node: itself, or the next shorter one with something conditional; 0 for none. */
  readonly #asks: number[] = [0];
  #lettersMax = 1;
  /** Without any of these in a text there is nothing in it. */
  readonly #keys: RegExp;

  constructor(alphabet: Alphabet, wanted: readonly Wanted[]) {
    this.#alphabet = alphabet;
    const keys = new Set<string>();
    for (const one of wanted) this.#add(lettersIn(one.text, alphabet), one, keys);
    this.#link();
    this.#keys = new RegExp([...keys].join('|'), 'v');
  }

  /**
   * Where the values stand, in the text as it is written.
   * @param lettersBy the letters of the reading, for all that look into it
   */
  find(reading: Reading, source: string, lettersBy: Map<LettersOfText, string>): Span[] {
    const { lettersOfText } = this.#alphabet;
    const letters = lettersBy.get(lettersOfText) ?? lettersOfText(reading.text);
    lettersBy.set(lettersOfText, letters);
    if (!this.#keys.test(letters)) return [];
    const { ascii, lettersOf, hasSpaces } = this.#alphabet;
    const { text } = reading;
    const found = new FoundSpans(reading);
    const starts = new Uint32Array(2 ** Math.ceil(Math.log2(this.#lettersMax + 1)));
    const last = starts.length - 1;
    let count = 0;
    let node = 0;
    /** How many letters stand before the word. */
    let wordStart = 0;
    const endsWord = hasSpaces ? MARKUP : MARKUP_AND_SPACES;
    const take = (letter: number, start: number, end: number) => {
      starts[count & last] = start;
      count += 1;
      node = this.#after(node, letter);
      found.goOn(end);
      const hidden = Math.max(this.#hidden[node] ?? 0, Math.min(this.#back[node] ?? 0, count - wordStart));
      if (hidden > 0) found.note(starts[(count - hidden) & last] ?? 0, end, this.#more[node] ?? 0);
      for (let at = this.#asks[node] ?? 0; at !== 0; at = this.#asks[this.#shorter[at] ?? 0] ?? 0) {
        const asked = this.#conditional.get(at);
        const from = starts[(count - (asked?.letters ?? 0)) & last] ?? 0;
        // So is what is shorter.
        if (asked === undefined || found.covers(from, asked.more)) break;
        for (const one of asked.conditions) this.#ask(one, from, end, reading, source, found);
      }
    };
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      const isWordEnd = endsWord[unit] === 1;
      if (isWordEnd) found.endWord();
      if (unit < 0x80) {
        const letter = ascii[unit] ?? -1;
        if (letter >= 0) take(letter, at, at + 1);
        at += 1;
      } else {
        const point = text.codePointAt(at) ?? unit;
        const end = at + (point > 0xffff ? 2 : 1);
        for (const letter of lettersOf(point)) take(letter, at, end);
        at = end;
      }
      if (isWordEnd) wordStart = count;
    }
    return found.spans;
  }

  #add(letters: readonly number[], { beginning, ending, isUnswallowed }: Wanted, keys: Set<string>): void {
    const { length } = letters;
    if (length === 0) return;
    const more = length - beginning;
    const put = (part: readonly number[], behind: number, condition: Partial<Condition> | null) => {
      const node = this.#put(part);
      keys.add(keyOf(part.filter((letter) => !isLineEnd(letter)).slice(0, KEY_LETTERS_MAX)));
      if (condition === null) {
        this.#hidden[node] = part.length;
        this.#more[node] = Math.max(this.#more[node] ?? 0, behind);
        return node;
      }
      const one = { more: behind, isNumber: false, first: [], last: [], ...condition };
      const { conditions } = this.#conditional.get(node) ?? { conditions: [] };
      const others = conditions.filter((other) => !isSame(one, other));
      one.more = Math.max(...conditions.filter((other) => isSame(one, other)).map((other) => other.more), behind);
      this.#conditional.set(node, { letters: part.length, more: 0, conditions: [...others, one] });
      return node;
    };
    const always = letters.every(isDigit) ? { isNumber: true } : null;
    put(letters, 0, always);
    if (more > 0) put(letters.slice(0, beginning), more, always);
    if (always !== null) return;
    if (length > ending) {
      const node = put(letters.slice(-ending), 0, null);
      this.#back[node] = Math.max(this.#back[node] ?? 0, length);
    }
    if (isUnswallowed === true) return;
    for (let lost = 0; lost <= SECRET_LETTERS_SWALLOWED_MAX; lost += 1) {
      const first = letters.slice(0, lost);
      const rest = letters.slice(lost);
      if (lost > 0 && rest.length >= PART_LETTERS_MIN) {
        const part = rest.slice(0, beginning);
        put(part, rest.length - part.length, { first });
      }
      for (let swallowed = 1; swallowed <= SECRET_LETTERS_SWALLOWED_MAX; swallowed += 1) {
        const part = rest.slice(0, -swallowed);
        // A longer one is found by its beginning.
        const isShort = part.length >= PART_LETTERS_MIN && part.length < beginning;
        if (isShort) put(part, 0, { first, last: rest.slice(-swallowed) });
      }
    }
  }

  #put(letters: readonly number[]): number {
    let node = 0;
    for (const letter of letters) node = this.#childOf(node, letter) || this.#grow(node, letter);
    this.#lettersMax = Math.max(this.#lettersMax, letters.length);
    return node;
  }

  #grow(parent: number, letter: number): number {
    const node = this.#letter.length;
    this.#letter.push(letter);
    this.#child.push(0);
    this.#sibling.push(parent === 0 ? 0 : (this.#child[parent] ?? 0));
    if (parent === 0) this.#roots.set(letter, node);
    else this.#child[parent] = node;
    for (const list of [this.#shorter, this.#hidden, this.#more, this.#back, this.#asks]) list.push(0);
    return node;
  }

  /** 0 for none. */
  #childOf(node: number, letter: number): number {
    if (node === 0) return this.#roots.get(letter) ?? 0;
    let child = this.#child[node] ?? 0;
    while (child !== 0 && this.#letter[child] !== letter) child = this.#sibling[child] ?? 0;
    return child;
  }

  /** Of a node, what shorter ones say comes first. */
  #link(): void {
    const queue = [...this.#roots.values()];
    for (const node of queue) {
      const shorter = this.#shorter[node] ?? 0;
      this.#hidden[node] = Math.max(this.#hidden[node] ?? 0, this.#hidden[shorter] ?? 0);
      this.#more[node] = Math.max(this.#more[node] ?? 0, this.#more[shorter] ?? 0);
      this.#back[node] = Math.max(this.#back[node] ?? 0, this.#back[shorter] ?? 0);
      const asked = this.#conditional.get(node);
      const askedNext = this.#asks[shorter] ?? 0;
      this.#asks[node] = asked === undefined ? askedNext : node;
      if (asked !== undefined)
        asked.more = Math.max(this.#conditional.get(askedNext)?.more ?? 0, ...asked.conditions.map(({ more }) => more));
      for (let child = this.#child[node] ?? 0; child !== 0; child = this.#sibling[child] ?? 0) {
        this.#shorter[child] = this.#after(shorter, this.#letter[child] ?? 0);
        queue.push(child);
      }
    }
  }

  #after(node: number, letter: number): number {
    for (let at = node; ; at = this.#shorter[at] ?? 0) {
      const child = this.#childOf(at, letter);
      if (child !== 0 || at === 0) return child;
    }
  }

  #ask(one: Condition, start: number, end: number, reading: Reading, source: string, found: FoundSpans): void {
    const { isNumber, more, first, last } = one;
    const { text } = reading;
    if (isNumber) {
      const isPart = isDigit(text.charCodeAt(start - 1)) || (more === 0 && isDigit(text.charCodeAt(end)));
      if (!isPart) found.note(start, end, more);
      return;
    }
    // Only what a reading takes for one character swallows letters.
    if (reading.isWritten) return;
    const from = first.length === 0 ? null : this.#swallowed(reading, source, start, -1, first);
    const to = last.length === 0 ? null : this.#swallowed(reading, source, end - 1, 1, last);
    if ((from === null && first.length > 0) || (to === null && last.length > 0)) return;
    const [sourceStart, sourceEnd] = reading.sourceOf(start, end);
    found.noteSource(from?.[0] ?? sourceStart, to?.[1] ?? sourceEnd);
    found.note(start, end, more);
  }

  /**
   * Where letters stand as they are written, in what a reading takes for one character: the next one before or behind a
   * place. Only there: elsewhere it would show how far a guess is right.
   */
  #swallowed(reading: Reading, source: string, from: number, step: 1 | -1, letters: readonly number[]): Span | null {
    const { ascii } = this.#alphabet;
    const { length } = letters;
    for (let at = from + step; Math.abs(at - from) <= NOTHINGS_MAX && at >= 0 && at < reading.text.length; at += step) {
      const [start, end] = reading.sourceOf(at, at + 1);
      if (end - start > length) {
        const stands = (code: string) => {
          const begin = step === 1 ? 0 : code.length - length;
          return letters.every((letter, index) => ascii[code.charCodeAt(begin + index)] === letter);
        };
        const code = source.slice(start, end);
        if (stands(code)) return step === 1 ? [start, start + length] : [end - length, end];
        if (readingsOfCode(code).some(stands)) return [start, end];
      }
      if ((ascii[reading.text.charCodeAt(at)] ?? 0) >= 0) return null;
    }
    return null;
  }
}

/** Spaces and signs that may stand between. */
const NOTHINGS_MAX = 4;

const CODES_REMEMBERED_MAX = 1_000;
const CODE_REMEMBERED_CHARS_MAX = 40;
const readingsByCode = new Map<string, readonly string[]>();

/** What a code may say before all of it is decoded: `%A0` of `%25A0`, and `\\x41` of `%5Cx41`. */
function readingsOfCode(code: string): readonly string[] {
  const known = readingsByCode.get(code);
  if (known !== undefined) return known;
  const readings = readCode(code);
  if (readingsByCode.size < CODES_REMEMBERED_MAX && code.length <= CODE_REMEMBERED_CHARS_MAX)
    readingsByCode.set(code, readings);
  return readings;
}

function readCode(code: string): string[] {
  const [, percent, amp, backslash] = /^%((?:25)+)|^&((?:amp;)+)|^\\(\\+)/iv.exec(code) ?? [];
  const step = percent !== undefined ? 2 : amp !== undefined ? 4 : 1;
  const again = (percent ?? amp ?? backslash ?? '').length / step;
  const shorter = Array.from({ length: again }, (_, index) => code.slice(0, 1) + code.slice(1 + (index + 1) * step));
  return [...shorter, ...decodingsOf(code)];
}

/** No part of a value that is looked for by itself is shorter. */
const PART_LETTERS_MIN = 3;
/** What is looked for first, in the whole text at once. */
const KEY_LETTERS_MAX = 6;

function isSame(one: Condition, other: Condition): boolean {
  const { isNumber, first, last } = one;
  return isNumber === other.isNumber && keyOf(first) === keyOf(other.first) && keyOf(last) === keyOf(other.last);
}

function keyOf(letters: readonly number[]): string {
  return letters.map((letter) => `\\u{${letter.toString(16)}}`).join('');
}

/** What is found, in the order of the text; what overlaps is one. */
class FoundSpans {
  readonly #reading: Reading;
  readonly #found: Span[] = [];
  readonly #asWritten: Span[] = [];
  #more = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** In the text as it is written. */
  get spans(): Span[] {
    return [...this.#found.map(([start, end]) => this.#reading.sourceOf(start, end)), ...this.#asWritten];
  }

  note(start: number, end: number, more: number): void {
    const last = this.#found.at(-1);
    if (last !== undefined && start < last[1]) {
      last[0] = Math.min(last[0], start);
      last[1] = Math.max(last[1], end);
    } else this.#found.push([start, end]);
    this.#more = Math.max(this.#more, more);
  }

  noteSource(start: number, end: number): void {
    this.#asWritten.push([start, end]);
  }

  /** Whether what begins there, and the character before it, are hidden already, and as much behind it. */
  covers(start: number, more: number): boolean {
    const last = this.#found.at(-1);
    return last !== undefined && last[0] < start && start < last[1] && more <= this.#more;
  }

  goOn(end: number): void {
    const last = this.#found.at(-1);
    if (this.#more === 0 || last === undefined) return;
    this.#more -= 1;
    last[1] = Math.max(last[1], end);
  }

  endWord(): void {
    this.#more = 0;
  }
}

/** By code unit: 1 where a word ends at the latest. */
const MARKUP = unitsOf(`<>"${TAG_MARK}`);
const MARKUP_AND_SPACES = unitsOf(`<>"${TAG_MARK} \t\n\r\u00a0\u2003`);

function unitsOf(text: string): Uint8Array {
  const units = new Uint8Array(0x10000);
  for (const one of text) units[one.charCodeAt(0)] = 1;
  return units;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
