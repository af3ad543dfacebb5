import { failUnclearFont } from './font-steps.ts';
import type { FontStepCounter } from './font-steps.ts';

/** Maximum nesting of subroutine calls. The format allows ten levels; pdf.js has no limit. */
const DEPTH_MAX = 10;
/** Largest accepted code in an encoding. The format allows 255. */
const CODE_MAX = 1_023;
const STEPS_PER_GLYPH = 50;
const FONT_KEY = 55_665;
const GLYPH_KEY = 4_330;
/** Maximum white space before the encrypted part. pdf.js may read any of it as encrypted bytes. */
const SPACES_MAX = 4;
const EEXEC = 'eexec';
const HEXADECIMAL = /^[\da-f\s][\da-f]{7}/i;
/** Matches a composite (CID-keyed) font near its start. pdf.js reads such fonts with another parser. */
const COMPOSITE = /Resource-CIDFont|CIDFontType/;
const COMPOSITE_HEAD = 2_048;
const PERCENT = 37;
const SLASH = 47;

const LISTS = new Set('BlueValues OtherBlues FamilyBlues FamilyOtherBlues StemSnapH StemSnapV StdHW StdVW'.split(' '));
const NUMBERS = new Set('BlueShift lenIV BlueFuzz BlueScale LanguageGroup ExpansionFactor ForceBold'.split(' '));
/** Numbers on the stack that each drawing operator needs. These operators clear the stack. */
const TAKEN: ReadonlyMap<number, number> = new Map([
  [4, 1],
  [5, 2],
  [6, 1],
  [7, 1],
  [8, 6],
  [13, 2],
  [21, 2],
  [22, 1],
  [30, 4],
  [31, 4],
  [0x0c07, 4],
] as const);
const CLEARING = new Set([1, 3, 9, 0x0c00, 0x0c01, 0x0c02, 0x0c06, 0x0c21]);

/**
 * Counts the steps that pdf.js takes through the glyphs of a Type 1 font, whose subroutines call each other.
 * @throws {UnclearFontError} for a font that pdf.js may read differently, or that takes too many steps
 */
export function countType1Steps(font: Uint8Array, steps: FontStepCounter): void {
  const text = latin1(font);
  const start = text.indexOf(EEXEC) + EEXEC.length;
  if (font[0] !== PERCENT || start < EEXEC.length || text.includes(EEXEC, start)) failUnclearFont();
  if (COMPOSITE.test(text.slice(0, COMPOSITE_HEAD))) failUnclearFont();
  let spaces = 0;
  while (isSpace(font[start + spaces] ?? 0)) spaces += 1;
  if (spaces < 1 || spaces > SPACES_MAX || start + spaces + 8 > font.length) failUnclearFont();
  new Type1Font(font.subarray(0, start), steps).checkHeader();
  for (let at = start + Math.min(1, spaces); at <= start + spaces; at += 1) {
    if (HEXADECIMAL.test(text.slice(at, at + 8))) failUnclearFont();
    new Type1Font(decrypt(font.subarray(at), FONT_KEY, 4), steps).count();
  }
}

function decrypt(bytes: Uint8Array, key: number, skipped: number): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let state = key;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    plain[at] = byte ^ (state >> 8);
    state = ((byte + state) * 52_845 + 22_719) & 65_535;
  }
  return plain.subarray(Math.min(skipped, bytes.length));
}

export function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === 10;
}

/** True for `/`, brackets, braces and parentheses, each of which is a token. */
function isSpecial(byte: number): boolean {
  return byte === SLASH || byte === 91 || byte === 93 || byte === 123 || byte === 125 || byte === 40 || byte === 41;
}

/** Reads the font token by token, exactly as pdf.js does, to count its steps. */
class Type1Font {
  private readonly bytes: Uint8Array;
  private readonly text: string;
  private readonly steps: FontStepCounter;
  private readonly subroutines = new Map<number, Uint8Array>();
  private readonly glyphs: Uint8Array[] = [];
  private skipped = 4;
  private at = 0;
  private stack: number[] = [];
  private isFlexing = false;

  constructor(bytes: Uint8Array, steps: FontStepCounter) {
    this.bytes = bytes;
    this.text = latin1(bytes);
    this.steps = steps;
    steps.spend(bytes.length);
  }

  /** Limits the codes of the encoding. pdf.js creates a list up to the largest code and searches it for each glyph. */
  checkHeader(): void {
    for (let token = this.token(); token !== null; token = this.token())
      if (token === 'dup' && this.int() > CODE_MAX) failUnclearFont();
  }

  count(): void {
    this.read();
    this.steps.spend(this.glyphs.length * STEPS_PER_GLYPH);
    for (const glyph of this.glyphs) {
      this.stack = [];
      this.isFlexing = false;
      this.run(glyph, 0);
    }
  }

  private read(): void {
    let hasGlyphs = false;
    let hasSubroutines = false;
    for (let token = this.token(); token !== null; token = this.token()) {
      if (token !== '/') continue;
      const key = this.token() ?? '';
      if (key === 'CharStrings' && !hasGlyphs) {
        hasGlyphs = true;
        this.readGlyphs();
      } else if (key === 'Subrs' && !hasSubroutines) {
        hasSubroutines = true;
        this.readSubroutines();
      } else if (LISTS.has(key)) this.skipList();
      else if (NUMBERS.has(key)) {
        const number = Number.parseFloat(this.token() ?? '0');
        if (key === 'lenIV') this.skipped = number;
      }
    }
  }

  private skipList(): void {
    this.token();
    for (let token = this.token(); token !== null && token !== ']' && token !== '}';) token = this.token();
  }

  private readGlyphs(): void {
    for (let count = 0; count < 4; count += 1) this.token();
    for (let token = this.token(); token !== null && token !== 'end'; token = this.token()) {
      if (token !== '/') continue;
      this.token();
      this.glyphs.push(this.program());
      const next = this.token();
      if (next === 'noaccess') this.token();
      else if (next === '/') this.at -= 1;
    }
  }

  private readSubroutines(): void {
    this.token();
    this.token();
    while (this.token() === 'dup') {
      const number = this.int();
      this.subroutines.set(number, this.program());
      if (this.token() === 'noaccess') this.token();
    }
  }

  private program(): Uint8Array {
    const length = this.int();
    this.token();
    // Plus one, because the current character has been read already.
    const start = this.at + 1;
    const end = length > 0 ? Math.min(start + length, this.bytes.length) : start;
    this.at = end;
    const bytes = this.bytes.subarray(start, end);
    if (this.skipped === -1) return bytes;
    if (!(this.skipped >= 0 && Number.isInteger(this.skipped))) return failUnclearFont();
    return decrypt(bytes, GLYPH_KEY, this.skipped);
  }

  private int(): number {
    return Number.parseInt(this.token() ?? '0', 10) | 0;
  }

  private token(): string | null {
    const { bytes } = this;
    for (let isComment = false; this.at < bytes.length; this.at += 1) {
      const byte = bytes[this.at] ?? 0;
      if (isComment) isComment = byte !== 10 && byte !== 13;
      else if (byte === PERCENT) isComment = true;
      else if (!isSpace(byte)) break;
    }
    const start = this.at;
    if (start >= bytes.length) return null;
    this.at += 1;
    if (!isSpecial(bytes[start] ?? 0))
      while (this.at < bytes.length && !isSpace(bytes[this.at] ?? 0) && !isSpecial(bytes[this.at] ?? 0)) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** Runs a program. Returns true after an error, which ends the glyph. */
  private run(program: Uint8Array, depth: number): boolean {
    if (depth > DEPTH_MAX) return failUnclearFont();
    this.steps.spend(program.length + 1);
    for (let at = 0; at < program.length; at += 1) {
      let code = program[at] ?? 0;
      if (code >= 32) {
        at = this.push(program, at);
        continue;
      }
      if (code === 12) {
        at += 1;
        code = 0x0c00 + (program[at] ?? NaN);
      }
      if (code === 11) return false;
      if (code === 10) {
        const called = this.subroutines.get(this.stack.pop() ?? NaN);
        if (called === undefined || this.run(called, depth + 1)) return true;
      } else if (this.operate(code)) return true;
    }
    return false;
  }

  /** Puts a number on the stack. Returns the position of its last byte. */
  private push(program: Uint8Array, at: number): number {
    const code = program[at] ?? 0;
    const next = program[at + 1] ?? NaN;
    if (code < 247) this.stack.push(code - 139);
    else if (code < 251) this.stack.push((code - 247) * 256 + next + 108);
    else if (code < 255) this.stack.push(-(code - 251) * 256 - next - 108);
    else
      this.stack.push(
        (next << 24) | ((program[at + 2] ?? 0) << 16) | ((program[at + 3] ?? 0) << 8) | (program[at + 4] ?? 0),
      );
    return at + (code < 247 ? 0 : code < 255 ? 1 : 4);
  }

  private operate(code: number): boolean {
    const { stack } = this;
    if (this.isFlexing && (code === 4 || code === 21 || code === 22)) {
      if (code === 4 && stack.length === 0) return true;
      if (code === 4) stack.splice(-1, 0, 0);
      else if (code === 22) stack.push(0);
      return false;
    }
    const taken = TAKEN.get(code);
    if (taken !== undefined && stack.length < taken) return true;
    if (taken !== undefined || CLEARING.has(code)) stack.length = 0;
    else if (code === 0x0c0c || code === 0x0c10) {
      if (stack.length < 2) return true;
      const [second = 0, first = 0] = stack.splice(-2);
      if (code === 0x0c0c) stack.push(second / first);
      else if (first === 0 && second === 3) {
        this.isFlexing = false;
        const flex = stack.splice(-17);
        stack.push(flex[15] ?? NaN, flex[16] ?? NaN);
      } else if (first === 1 && second === 0) this.isFlexing = true;
    }
    return false;
  }
}
