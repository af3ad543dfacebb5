import { TAG_PLACEHOLDER } from './readings.ts';
import type { DecodedReading, TextSpan } from './readings.ts';

export type SecretValue = {
  text: string;
  /**
   * Minimum letters at the beginning of the value that are masked even without the following ones; `Infinity` to mask
   * no beginnings.
   */
  beginning: number;
  /** Minimum letters at the end of the value that are masked even without the preceding ones. */
  ending: number;
  /** True for base64 or hex, which programs break into lines. */
  isBytes: boolean;
  spelling: Spelling;
};

/** Rules for comparing a value with text. */
type Spelling = {
  /** True if signs and accents count as letters. */
  keepsSigns: boolean;
  /** True if the value may continue after spaces and line ends. */
  hasSpaces: boolean;
};

/** Minimum letters of a value that is also found across lines. Shorter values, and numbers, would match table cells. */
const LETTERS_ACROSS_LINES_MIN = 8;
const CHARACTERS_REMEMBERED_MAX = 20_000;

/** A value, or its beginning or end, that is complete at a node of the search tree. */
type Hit = {
  letters: number;
  /** Number of letters to mask after the match, up to the end of its word. */
  more: number;
  /** Number of letters to mask before the end of the match, from the start of its word. */
  back: number;
  crossesLines: boolean;
  /** True for a value of digits only. No digit may precede the match. */
  isNumber: boolean;
  /** True for a whole value. If it is a number, no digit may follow the match either. */
  isWhole: boolean;
  /** The longest other hit whose text is the end of this hit's text; `null` if there is none. */
  shorter: Hit | null;
};

type Character = { ids: readonly number[]; endsWord: boolean; endsLine: boolean };

/**
 * Searches for many values in one pass over a text (Aho and Corasick, 1975), so the time depends only on the text. If a
 * beginning or end matches, as many letters are masked as the whole value has, even if the other letters differ.
 * Otherwise, a page that shows guesses would reveal the value letter by letter. For the same reason, no middle part
 * matches.
 */
export class SecretValueFinder {
  readonly #spelling: Spelling;
  readonly #ids = new Map<string, number>();
  readonly #characters = new Map<number, Character>();
  /** Children of nodes by letter. The key is `node * LETTERS_MAX + id`. */
  readonly #children = new Map<number, number>();
  /** For each node: the node of its longest proper suffix. */
  readonly #suffix: number[] = [0];
  readonly #hits: (Hit | null)[] = [null];
  /** Start positions of the latest letters, in a ring buffer. */
  readonly #starts: Uint32Array;

  constructor(spelling: Spelling, wanted: readonly SecretValue[]) {
    this.#spelling = spelling;
    const levels: Edge[][] = [];
    for (const one of wanted) this.#add(Array.from(foldLetters(one.text, spelling)), one, levels);
    for (const edge of levels.flat()) this.#link(edge);
    this.#starts = new Uint32Array(2 ** Math.ceil(Math.log2(levels.length + 1)));
  }

  find({ text, sourceOf }: DecodedReading): TextSpan[] {
    const found: TextSpan[] = [];
    const starts = this.#starts;
    const ring = starts.length - 1;
    let node = 0;
    let more = 0;
    /** Numbers of letters: all so far (`count`), before the current word, and before the current line. */
    let count = 0;
    let word = 0;
    let line = 0;
    for (let at = 0, end = 0; at < text.length; at = end) {
      const point = text.codePointAt(at) ?? 0;
      end = at + (point > 0xffff ? 2 : 1);
      const { ids, endsWord, endsLine } = this.#character(point);
      if (endsWord) more = 0;
      for (const id of ids) {
        starts[count & ring] = at;
        count += 1;
        node = this.#after(node, id);
        if (more > 0) note(found, found.at(-1)?.[0] ?? at, end);
        more -= 1;
        let hit = this.#hits[node] ?? null;
        while (hit !== null && !isHit(hit, text, starts[(count - hit.letters) & ring] ?? 0, end, count - line))
          hit = hit.shorter;
        if (hit === null) continue;
        const letters = Math.max(hit.letters, Math.min(hit.back, count - word));
        note(found, starts[(count - letters) & ring] ?? 0, end);
        more = Math.max(more, hit.more);
      }
      if (endsWord) word = count;
      if (endsLine) line = count;
    }
    return found.map(([start, end]) => sourceOf(start, end));
  }

  #character(point: number): Character {
    const known = this.#characters.get(point);
    if (known !== undefined) return known;
    const text = String.fromCodePoint(point);
    const made = {
      ids: Array.from(foldLetters(text, this.#spelling), (letter) => this.#ids.get(letter) ?? 0),
      endsWord: MARKUP.has(text) || (!this.#spelling.hasSpaces && /\s/v.test(text)),
      endsLine: /[\t\n]/v.test(text),
    };
    // The cache is limited, because a page may contain every Unicode character.
    if (this.#characters.size < CHARACTERS_REMEMBERED_MAX) this.#characters.set(point, made);
    return made;
  }

  #add(letters: readonly string[], wanted: SecretValue, levels: Edge[][]): void {
    const { length } = letters;
    if (length === 0) return;
    const isNumber = !wanted.isBytes && letters.every((letter) => /[0-9]/v.test(letter));
    const crossesLines = wanted.isBytes || wanted.spelling.hasSpaces;
    const put = (part: readonly string[], hit: Partial<Hit>) => {
      let node = 0;
      for (const [depth, letter] of part.entries()) node = this.#childOf(node, letter, (levels[depth] ??= []));
      const one = {
        letters: part.length,
        more: 0,
        back: 0,
        crossesLines,
        isNumber,
        isWhole: false,
        shorter: null,
        ...hit,
      };
      this.#hits[node] = both(one, this.#hits[node] ?? one);
    };
    const isLong = !isNumber && length >= LETTERS_ACROSS_LINES_MIN;
    put(letters, { isWhole: true, crossesLines: crossesLines || isLong });
    if (length > wanted.beginning) put(letters.slice(0, wanted.beginning), { more: length - wanted.beginning });
    if (length > wanted.ending && !isNumber) put(letters.slice(-wanted.ending), { back: length });
  }

  #childOf(parent: number, letter: string, level: Edge[]): number {
    const id = this.#ids.get(letter) ?? this.#ids.size + 1;
    this.#ids.set(letter, id);
    const known = this.#children.get(parent * LETTERS_MAX + id);
    if (known !== undefined) return known;
    const child = this.#hits.push(null) - 1;
    this.#children.set(parent * LETTERS_MAX + id, child);
    level.push({ parent, id, child });
    return child;
  }

  /** Must run in order of depth, because the suffix of a node is less deep than the node. */
  #link({ parent, id, child }: Edge): void {
    const suffix = parent === 0 ? 0 : this.#after(this.#suffix[parent] ?? 0, id);
    this.#suffix[child] = suffix;
    const shorter = this.#hits[suffix] ?? null;
    const hit = this.#hits[child] ?? null;
    if (hit === null || shorter === null) this.#hits[child] = hit ?? shorter;
    else
      this.#hits[child] = {
        ...hit,
        more: Math.max(hit.more, shorter.more),
        back: Math.max(hit.back, shorter.back),
        shorter,
      };
  }

  #after(node: number, id: number): number {
    for (let at = node; ; at = this.#suffix[at] ?? 0) {
      const child = this.#children.get(at * LETTERS_MAX + id);
      if (child !== undefined || at === 0) return child ?? 0;
    }
  }
}

type Edge = { parent: number; id: number; child: number };

/** Maximum distinct letters in a search. All secrets of a user have fewer. */
const LETTERS_MAX = 2 ** 16;
const MARKUP: ReadonlySet<string> = new Set(['<', '>', '"', TAG_PLACEHOLDER]);

function both(one: Hit, other: Hit): Hit {
  return {
    ...one,
    more: Math.max(one.more, other.more),
    back: Math.max(one.back, other.back),
    crossesLines: one.crossesLines || other.crossesLines,
    isNumber: one.isNumber && other.isNumber,
    isWhole: one.isWhole && other.isWhole,
  };
}

/**
 * True if a match at this place counts. False for a value that would cross lines but must not, and for a number within
 * a longer number.
 * @param lineLetters number of letters from the start of the line to the end of the match
 */
function isHit(hit: Hit, text: string, start: number, end: number, lineLetters: number): boolean {
  if (!hit.crossesLines && hit.letters > lineLetters) return false;
  return !hit.isNumber || !(isDigit(text, start - 1) || (hit.isWhole && isDigit(text, end)));
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x30 && unit <= 0x39;
}

function note(spans: TextSpan[], start: number, end: number): void {
  let from = start;
  for (let last = spans.at(-1); last !== undefined && last[1] > start; last = spans.at(-1)) {
    from = Math.min(from, last[0]);
    spans.pop();
  }
  spans.push([from, end]);
}

const UNSEEN = '\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';
const NO_LETTERS = new RegExp(`[${UNSEEN}]`, 'gv');
/** Ignored characters, including signs that sites put between the letters of keys and numbers, or omit. */
const NO_LETTERS_OR_SIGNS = new RegExp(`[${UNSEEN}\\p{Mn}\\-._+\\/\\|,*:·–‐‑‒—−•'’٬]`, 'gv');
const DIGIT = /\p{Nd}/v;

/**
 * The letters of a text, without case (ß becomes ss), width, ligatures, spaces and invisible characters. Decimal digits
 * of any script become 0 to 9.
 */
export function foldLetters(text: string, { keepsSigns }: Pick<Spelling, 'keepsSigns'>): string {
  const plain = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase().normalize('NFKD');
  return plain
    .replaceAll('ς', 'σ')
    .replace(/[\p{Nd}--[0-9]]/gv, asciiDigit)
    .replace(keepsSigns ? NO_LETTERS : NO_LETTERS_OR_SIGNS, '');
}

/**
 * Converts a digit of any script. Unicode has the ten digits of each script in ascending order, and the character
 * before a zero is either not a digit or the nine of another script.
 */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}
