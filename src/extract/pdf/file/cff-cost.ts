import { failUnclearFont } from './font-steps.ts';
import type { FontStepCounter } from './font-steps.ts';

/** Maximum nesting of subroutine calls, as in pdf.js. */
const DEPTH_MAX = 10;
/** Maximum numbers on the stack. The format allows 48, and its second version 513. */
const STACK_MAX = 513;
/** Cost of one entry of an index, in steps of pdf.js. */
const STEPS_PER_ENTRY = 8;
/** Cost of a glyph with a name, in steps of pdf.js, which searches a list for the name. */
const STEPS_PER_NAME = 50;

const CHAR_STRINGS = 17;
const PRIVATE = 18;
const SUBROUTINES = 19;
const ENCODING = 16;
const REGISTRY = 0x0c1e;
const FONT_DICTIONARIES = 0x0c24;
const FONT_SELECTION = 0x0c25;

const STEMS = new Set([1, 3, 18, 23]);
/** Minimum numbers that must be on the stack for each operator of a charstring that clears the stack. */
const LEAST = new Map(
  [
    [1, 3, 5, 18, 21, 23],
    [4, 6, 7, 22],
    [26, 27, 30, 31],
    [8],
    [24, 25],
    [0x0c22],
    [0x0c24],
    [0x0c25],
    [0x0c23],
  ].flatMap((operators, index) =>
    operators.map((operator) => [operator, [2, 1, 4, 6, 8, 7, 9, 11, 13][index] ?? 0] as const),
  ),
);

type Index = Uint8Array[];
type Entries = Map<number, number[]>;

const READ_ENTRIES = new Set([
  ENCODING,
  CHAR_STRINGS,
  PRIVATE,
  SUBROUTINES,
  REGISTRY,
  FONT_DICTIONARIES,
  FONT_SELECTION,
]);

/**
 * Counts the steps that pdf.js takes through the glyphs of a CFF font. Subroutines call each other up to ten levels
 * deep, so a kilobyte can cost minutes.
 * @param font is changed as pdf.js changes it
 * @throws {UnclearFontError} for a font that takes too many steps, or that breaks the rules: pdf.js interprets glyphs
 * in two places, which could then run different subroutines
 */
export function countCffSteps(font: Uint8Array, steps: FontStepCounter): void {
  // pdf.js reads a font again after changing it.
  while (new CffFont(font, steps).count());
}

class CffFont {
  private readonly bytes: Uint8Array;
  private readonly steps: FontStepCounter;
  private isChanged = false;
  private globals: Index = [];
  private locals: Index = [];
  private stack: number[] = [];
  private hints = 0;
  private hasVertical = false;
  private isEnded = false;

  constructor(font: Uint8Array, steps: FontStepCounter) {
    this.bytes = font;
    this.steps = steps;
  }

  /** Counts the steps of one reading. Returns true if pdf.js changes the font, and therefore reads it again. */
  count(): boolean {
    const [major, , start = 0] = this.bytes;
    if (major !== 1) failUnclearFont();
    const names = this.index(start);
    const tops = this.index(names.end);
    const strings = this.index(tops.end);
    this.globals = this.index(strings.end).items;
    const top = entriesOf(tops.items[0] ?? failUnclearFont());
    const glyphs = this.index(only(top, CHAR_STRINGS) ?? failUnclearFont()).items;
    const select = this.selection(top, glyphs.length);
    for (const [glyph, program] of glyphs.entries()) {
      this.locals = select(glyph);
      this.stack = [];
      this.hints = 0;
      this.hasVertical = false;
      this.isEnded = false;
      this.run(program, 0);
    }
    return this.isChanged;
  }

  /** Returns a function that finds the local subroutines of a glyph, given its number. */
  private selection(top: Entries, glyphs: number): (glyph: number) => Index {
    if (!top.has(REGISTRY)) {
      this.steps.spend(glyphs * STEPS_PER_NAME);
      const locals = this.subroutines(top);
      const encoding = only(top, ENCODING) ?? 0;
      const format = this.bytes[encoding] ?? 0;
      // pdf.js clears the highest bit, which says that further character codes follow, and so changes the font.
      this.isChanged = encoding > 1 && format > 0x7f;
      if (this.isChanged) this.bytes[encoding] = format & 0x7f;
      return () => locals;
    }
    const fonts = this.index(only(top, FONT_DICTIONARIES) ?? failUnclearFont()).items.map((font) =>
      this.subroutines(entriesOf(font)),
    );
    const numbers = this.fontNumbers(only(top, FONT_SELECTION) ?? 0, glyphs);
    return (glyph) => fonts[numbers[glyph] ?? -1] ?? failUnclearFont();
  }

  private subroutines(entries: Entries): Index {
    if (!entries.has(PRIVATE)) return [];
    const [size = 0, start = 0, ...more] = entries.get(PRIVATE) ?? [];
    if (size < 0 || start < 0 || more.length > 0 || start + size > this.bytes.length) return failUnclearFont();
    const offset = only(entriesOf(this.bytes.subarray(start, start + size)), SUBROUTINES) ?? 0;
    return size === 0 || offset === 0 ? [] : this.index(start + offset).items;
  }

  private fontNumbers(start: number, glyphs: number): number[] {
    const numbers: number[] = [];
    if (start <= 0) return failUnclearFont();
    if (this.bytes[start] === 0) return [...this.bytes.subarray(start + 1, start + 1 + glyphs)];
    if (this.bytes[start] !== 3) return failUnclearFont();
    const ranges = this.uint(start + 1, 2);
    for (let at = start + 3; at < start + 3 + 3 * ranges; at += 3) {
      const [from, to] = [this.uint(at, 2), this.uint(at + 3, 2)];
      if (from !== numbers.length || to <= from || to > glyphs) return failUnclearFont();
      for (let glyph = from; glyph < to; glyph += 1) numbers.push(this.bytes[at + 2] ?? 0);
    }
    return numbers;
  }

  private index(start: number): { items: Index; end: number } {
    const count = this.uint(start, 2);
    if (count === 0) return { items: [], end: start + 2 };
    this.steps.spend(count * STEPS_PER_ENTRY);
    const size = this.bytes[start + 2] ?? 0;
    if (size < 1 || size > 4) return failUnclearFont();
    const base = start + 2 + (count + 1) * size;
    const items: Index = [];
    let from = base + this.uint(start + 3, size);
    if (from <= base) return failUnclearFont();
    for (let item = 1; item <= count; item += 1) {
      const to = base + this.uint(start + 3 + item * size, size);
      // Refused, because overlapping entries would multiply the size of the font.
      if (to < from || to > this.bytes.length) return failUnclearFont();
      items.push(this.bytes.subarray(from, to));
      from = to;
    }
    return { items, end: from };
  }

  private uint(at: number, size: number): number {
    if (at < 0 || at + size > this.bytes.length) return failUnclearFont();
    let value = 0;
    for (let byte = 0; byte < size; byte += 1) value = value * 256 + (this.bytes[at + byte] ?? 0);
    return value;
  }

  private run(program: Uint8Array, depth: number): void {
    this.steps.spend(program.length + 1);
    const { stack } = this;
    for (let at = 0; at < program.length;) {
      const code = program[at] ?? 0;
      if (this.isEnded && code !== 11) failUnclearFont();
      if (code >= 32 || code === 28) {
        at += pushNumber(program, at, stack);
        if (stack.length > STACK_MAX) failUnclearFont();
        continue;
      }
      at += code === 12 ? 2 : 1;
      if (code === 11) return;
      if (code === 10 || code === 29) this.call(code === 10 ? this.locals : this.globals, depth);
      else if (code === 14) this.isEnded = true;
      else at += this.operate(code === 12 ? 0x0c00 + (program[at - 1] ?? 0) : code);
      if (at > program.length) failUnclearFont();
    }
  }

  /** Returns the number of mask bytes after the operator. */
  private operate(code: number): number {
    const { stack } = this;
    const { length } = stack;
    const isMask = code === 19 || code === 20;
    if (STEMS.has(code) || isMask) this.hints += length >> 1;
    stack.length = 0;
    if (isMask) return this.hints === 0 ? failUnclearFont() : (this.hints + 7) >> 3;
    if (length < (LEAST.get(code) ?? Infinity)) return failUnclearFont();
    // After these operators, one of the two interpreters of pdf.js leaves numbers on the stack.
    const isUneven =
      code > 0x0c00 ? length !== LEAST.get(code) : code === 24 ? length % 6 !== 2 : code === 25 && length % 2 === 1;
    if (isUneven) return failUnclearFont();
    if (code === 3 || code === 23) this.hasVertical = true;
    else if (STEMS.has(code) && this.hasVertical) return failUnclearFont();
    return 0;
  }

  private call(subroutines: Index, depth: number): void {
    const { length } = subroutines;
    const bias = length < 1_240 ? 107 : length < 33_900 ? 1_131 : 32_768;
    const program = subroutines[(this.stack.pop() ?? NaN) + bias];
    if (program === undefined || depth >= DEPTH_MAX) failUnclearFont();
    this.run(program, depth + 1);
  }
}

/** Puts a number on the stack. Returns how many bytes it takes. */
function pushNumber(program: Uint8Array, at: number, stack: number[]): number {
  const code = program[at] ?? 0;
  const size = code === 255 ? 5 : code === 28 ? 3 : code > 246 ? 2 : 1;
  if (at + size > program.length) return failUnclearFont();
  const [high, low] = [program[at + 1] ?? 0, program[at + 2] ?? 0];
  if (code === 28) stack.push(((high << 24) >> 16) + low);
  else if (code < 247) stack.push(code - 139);
  else if (code < 251) stack.push((code - 247) * 256 + high + 108);
  else if (code < 255) stack.push(-(code - 251) * 256 - high - 108);
  else stack.push(((high << 24) >> 16) + low + ((program[at + 3] ?? 0) * 256 + (program[at + 4] ?? 0)) / 65_536);
  return size;
}

/** Reads a dictionary. Numbers with a fraction become NaN. */
function entriesOf(bytes: Uint8Array): Entries {
  const entries: Entries = new Map();
  let numbers: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const code = bytes[at] ?? 0;
    if (code <= 21) {
      at += code === 12 ? 2 : 1;
      const key = code === 12 ? 0x0c00 + (bytes[at - 1] ?? 0) : code;
      if (READ_ENTRIES.has(key) && (numbers.length === 0 || numbers.some(Number.isNaN))) return failUnclearFont();
      entries.set(key, numbers);
      numbers = [];
    } else if (code === 30) {
      do at += 1;
      while (at < bytes.length && ((bytes[at] ?? 0) & 15) !== 15 && (bytes[at] ?? 0) >> 4 !== 15);
      at += 1;
      numbers.push(NaN);
    } else if (code === 29) {
      if (at + 5 > bytes.length) return failUnclearFont();
      numbers.push(new DataView(bytes.buffer, bytes.byteOffset).getInt32(at + 1));
      at += 5;
    } else if (code === 28 || (code >= 32 && code < 255)) at += pushNumber(bytes, at, numbers);
    else return failUnclearFont();
  }
  return entries;
}

function only(entries: Entries, key: number): number | undefined {
  const numbers = entries.get(key);
  if (numbers === undefined) return undefined;
  const [number = NaN] = numbers;
  return numbers.length === 1 && number >= 0 ? number : failUnclearFont();
}
