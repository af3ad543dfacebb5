import { PDF_STREAM_DRAWING_BYTES_MAX } from '#extract/limits.ts';

/**
 * `content` is `null` if bytes were only counted. `isWhole` is false if data is broken or other data follows it: the
 * stream may not be of its declared type.
 */
export type UnpackedStream = { size: number; content: Uint8Array | null; isWhole: boolean };

/** Maximum bytes after compressed data: a line end, or the padding of a cipher block. */
const TAIL_MAX = 18;
const FLATE = new Set(['FlateDecode', 'Fl']);
const LZW = new Set(['LZWDecode', 'LZW']);
const RUNS = new Set(['RunLengthDecode', 'RL']);
const ASCII85 = new Set(['ASCII85Decode', 'A85']);
const HEXADECIMAL = new Set(['ASCIIHexDecode', 'AHx']);
const PICTURES = new Set('DCTDecode DCT JPXDecode CCITTFaxDecode CCF JBIG2Decode BrotliDecode'.split(' '));

/** Counts filters whose output can be larger than their input. */
export function countCompressions(filters: readonly string[]): number {
  return filters.filter((filter) => FLATE.has(filter) || LZW.has(filter) || RUNS.has(filter)).length;
}

/** True for the filter of a picture, whose output is not drawing instructions. */
export function isPictureFilter(filters: readonly string[]): boolean {
  return filters.some((filter) => PICTURES.has(filter));
}

/**
 * Unpacks up to `PDF_STREAM_DRAWING_BYTES_MAX` bytes, and only counts further ones, until `max` is exceeded. Filters of
 * pictures, unknown filters, and all filters after a compression are skipped.
 */
export function unpackStream(packed: Uint8Array, filters: readonly string[], max: number): UnpackedStream {
  let data = packed;
  for (const filter of filters) {
    const out = new Output(max);
    if (ASCII85.has(filter)) data = fromAscii85(data);
    else if (HEXADECIMAL.has(filter)) data = fromHexadecimal(data);
    else if (FLATE.has(filter)) return out.after(inflate(data, out));
    else if (LZW.has(filter)) return out.after(unpackLzw(data, out));
    else if (RUNS.has(filter)) return out.after(unpackRuns(data, out));
  }
  return { size: data.length, content: data, isWhole: true };
}

const OUTPUT_MIN = 4_096;

class Output {
  size = 0;
  readonly max: number;
  /** Cost of building Huffman tables, in bytes of output that take the same time. */
  extra = 0;
  private bytes = new Uint8Array(OUTPUT_MIN);

  constructor(max: number) {
    this.max = max;
  }

  get isFull(): boolean {
    return this.size + this.extra > this.max;
  }

  /** Returns the result. Data that was not fully unpacked because of `max` counts as whole. */
  after(isWhole: boolean): UnpackedStream {
    const { isFull } = this;
    const isKept = this.size <= PDF_STREAM_DRAWING_BYTES_MAX && !isFull;
    const content = isKept ? this.bytes.subarray(0, this.size) : null;
    return { size: this.size + this.extra, content, isWhole: isWhole || isFull };
  }

  add(byte: number): void {
    if (this.makeRoom(1)) this.bytes[this.size] = byte;
    this.size += 1;
  }

  /** Copies earlier output. Positions before its start are zeros. */
  repeat(distance: number, length: number): void {
    if (this.makeRoom(length)) {
      const { bytes, size } = this;
      for (let at = size; at < size + length; at += 1) bytes[at] = bytes[at - distance] ?? 0;
    }
    this.size += length;
  }

  private makeRoom(length: number): boolean {
    const needed = this.size + length;
    if (needed > PDF_STREAM_DRAWING_BYTES_MAX) return false;
    if (needed <= this.bytes.length) return true;
    const larger = new Uint8Array(Math.min(PDF_STREAM_DRAWING_BYTES_MAX, Math.max(needed, 4 * this.bytes.length)));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
    return true;
  }
}

const LENGTH_CODES = 19;
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const FIXED_LENGTHS = Array.from({ length: 288 }, (_, code) => (code < 144 ? 8 : code < 256 ? 9 : code < 280 ? 7 : 8));

type Codes = { bits: number; table: Int32Array };

/** Entries of a Huffman table that cost as much as one byte of output. Each block may define its own table. */
const ENTRIES_PER_BYTE = 256;

/**
 * Unpacks data of RFC 1950. Continues after errors such as invalid distances, as pdf.js does, so that the output is
 * never shorter than there. Returns true if the data ends where it should.
 */
function inflate(packed: Uint8Array, out: Output): boolean {
  const [method = 0, flags = 0] = packed;
  if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || (flags & 32) !== 0) return false;
  const bits = new Bits(packed, 2);
  for (let isLast = false; !isLast;) {
    const head = bits.take(3);
    if (head < 0 || head >> 1 === 3) return false;
    isLast = (head & 1) === 1;
    if (head >> 1 === 0) {
      if (!readStored(bits, out)) return false;
      continue;
    }
    const codes = head >> 1 === 1 ? FIXED : readCodes(bits);
    if (codes === null) return false;
    if (codes !== FIXED) out.extra += tableBytes(codes);
    if (!readCoded(bits, codes, out)) return false;
    if (out.isFull) return false;
  }
  bits.align();
  // Plus the four bytes of the checksum.
  return packed.length - Math.min(packed.length, bits.at + 4) <= TAIL_MAX;
}

function tableBytes(codes: readonly Codes[]): number {
  return Math.ceil(codes.reduce((sum, { table }) => sum + table.length, 0) / ENTRIES_PER_BYTE);
}

class Bits {
  at: number;
  private held = 0;
  private count = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reads bits; -1 if there are not enough. */
  take(count: number): number {
    this.fill(count);
    if (this.count < count) return -1;
    const value = this.held & ((1 << count) - 1);
    this.drop(count);
    return value;
  }

  /** Reads a Huffman code; -1 if the next bits are not a code. */
  code({ bits, table }: Codes): number {
    this.fill(bits);
    const entry = table[this.held & ((1 << bits) - 1)] ?? 0;
    const length = entry >> 16;
    if (length === 0 || length > this.count) return -1;
    this.drop(length);
    return entry & 0xffff;
  }

  align(): void {
    this.at -= this.count >> 3;
    this.held = 0;
    this.count = 0;
  }

  /** Reads a byte after `align`; -1 at the end. */
  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) return -1;
    this.at += 1;
    return byte;
  }

  private fill(count: number): void {
    while (this.count < count && this.at < this.bytes.length) {
      this.held |= (this.bytes[this.at] ?? 0) << this.count;
      this.at += 1;
      this.count += 8;
    }
  }

  private drop(count: number): void {
    this.held >>>= count;
    this.count -= count;
  }
}

function readStored(bits: Bits, out: Output): boolean {
  bits.align();
  const [low, high, lowCheck, highCheck] = [bits.byte(), bits.byte(), bits.byte(), bits.byte()];
  if (highCheck < 0) return false;
  const [length, check] = [low + high * 256, lowCheck + highCheck * 256];
  if (check !== (~length & 0xffff) && (length !== 0 || check !== 0)) return false;
  for (let left = length; left > 0; left -= 1) {
    const byte = bits.byte();
    if (byte < 0) return false;
    out.add(byte);
  }
  return true;
}

/** Reads a block of Huffman codes, until the output is full. */
function readCoded(bits: Bits, [letters, distances]: readonly [Codes, Codes], out: Output): boolean {
  while (!out.isFull) {
    const letter = bits.code(letters);
    if (letter < 0) return false;
    if (letter === 256) return true;
    if (letter < 256) {
      out.add(letter);
      continue;
    }
    const length = copied(letter - 257, bits);
    const distance = bits.code(distances);
    if (length < 0 || distance < 0) return false;
    const extra = distance > 3 && distance < 30 ? (distance >> 1) - 1 : 0;
    const more = bits.take(extra);
    if (more < 0) return false;
    out.repeat(distance < 4 ? distance + 1 : 1 + ((2 + (distance & 1)) << extra) + more, length);
  }
  return true;
}

/** Returns the length that a code and its extra bits mean (RFC 1951 §3.2.5). */
function copied(code: number, bits: Bits): number {
  if (code < 8) return 3 + code;
  if (code === 28) return 258;
  if (code > 28) return 0;
  const extra = (code >> 2) - 1;
  const more = bits.take(extra);
  return more < 0 ? -1 : 3 + ((4 + (code & 3)) << extra) + more;
}

function readCodes(bits: Bits): readonly [Codes, Codes] | null {
  const [letters, distances, orders] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const lengths = Array.from({ length: LENGTH_CODES }, () => 0);
  for (let index = 0; index < orders; index += 1) {
    const length = bits.take(3);
    if (length < 0) return null;
    lengths[ORDER[index] ?? 0] = length;
  }
  const codes = tableOf(lengths);
  const read: number[] = [];
  while (read.length < letters + distances) {
    const code = bits.code(codes);
    if (code < 0) return null;
    if (code < 16) {
      read.push(code);
      continue;
    }
    const [extra, least, value] = code === 16 ? [2, 3, read.at(-1) ?? 0] : code === 17 ? [3, 3, 0] : [7, 11, 0];
    const more = bits.take(extra);
    if (more < 0) return null;
    for (let times = least + more; times > 0; times -= 1) read.push(value);
  }
  return [tableOf(read.slice(0, letters)), tableOf(read.slice(letters, letters + distances))];
}

/** Builds a Huffman table. Each entry combines the length of a code and its value. */
function tableOf(lengths: readonly number[]): Codes {
  const bits = Math.max(1, ...lengths);
  const table = new Int32Array(1 << bits);
  let code = 0;
  for (let length = 1; length <= bits; length += 1) {
    for (const [value, own] of lengths.entries()) {
      if (own !== length) continue;
      let reversed = 0;
      for (let bit = 0; bit < length; bit += 1) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let at = reversed; at < table.length; at += 1 << length) table[at] = length * 65_536 + value;
      code += 1;
    }
    code <<= 1;
  }
  return { bits, table };
}

const FIXED = [tableOf(FIXED_LENGTHS), tableOf(Array.from({ length: 30 }, () => 5))] as const;

const LZW_CLEAR = 256;
const LZW_END = 257;

/** Unpacks LZW. Entries are ranges of the output, and an unknown code counts as the longest possible one. */
function unpackLzw(packed: Uint8Array, out: Output): boolean {
  const bits = new HighBits(packed);
  let starts: number[] = [];
  let lengths: number[] = [];
  let before = 0;
  while (!out.isFull) {
    const next = LZW_END + 1 + lengths.length + (before > 0 ? 1 : 0);
    const code = bits.take(next >= 2_047 ? 12 : next >= 1_023 ? 11 : next >= 511 ? 10 : 9);
    if (code < 0 || code === LZW_END) return true;
    if (code === LZW_CLEAR) {
      starts = [];
      lengths = [];
      before = 0;
      continue;
    }
    if (before > 0 && next <= 4_096) {
      starts.push(out.size - before);
      lengths.push(before + 1);
    }
    if (code < LZW_CLEAR) {
      out.add(code);
      before = 1;
      continue;
    }
    const entry = code - LZW_END - 1;
    const length = lengths[entry] ?? before + 1;
    out.repeat(out.size - (starts[entry] ?? out.size - before), length);
    before = length;
  }
  return true;
}

class HighBits {
  private at = 0;
  private held = 0;
  private count = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(count: number): number {
    while (this.count < count) {
      const byte = this.bytes[this.at];
      if (byte === undefined) return -1;
      this.held = ((this.held << 8) | byte) & 0xff_ffff;
      this.at += 1;
      this.count += 8;
    }
    this.count -= count;
    return (this.held >>> this.count) & ((1 << count) - 1);
  }
}

function unpackRuns(packed: Uint8Array, out: Output): boolean {
  for (let at = 0; at < packed.length && !out.isFull;) {
    const length = packed[at] ?? 128;
    if (length === 128) return true;
    if (length < 128) for (let next = 0; next <= length; next += 1) out.add(packed[at + 1 + next] ?? 0);
    else {
      out.add(packed[at + 1] ?? 0);
      out.repeat(1, 256 - length);
    }
    at += length < 128 ? length + 2 : 2;
  }
  return true;
}

function fromHexadecimal(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(data.length / 2));
  let digits = 0;
  for (const character of data) {
    if (character === 0x3e) break;
    const digit = Number.parseInt(String.fromCharCode(character), 16);
    if (Number.isNaN(digit)) continue;
    bytes[digits >> 1] = (bytes[digits >> 1] ?? 0) | (digits % 2 === 0 ? digit << 4 : digit);
    digits += 1;
  }
  return bytes.subarray(0, Math.ceil(digits / 2));
}

const TILDE = 0x7e;
const LETTER_Z = 0x7a;

function fromAscii85(data: Uint8Array): Uint8Array {
  // Counted, because a `z` represents four zero bytes.
  const zeros = data.reduce((count, character) => count + (character === LETTER_Z ? 1 : 0), 0);
  const bytes = new Uint8Array(data.length + 4 * zeros + 4);
  let length = 0;
  let group = 0;
  let count = 0;
  for (const character of data) {
    if (character === TILDE) break;
    if (character === LETTER_Z && count === 0) length += 4;
    if (character < 0x21 || character > 0x75) continue;
    group = group * 85 + character - 0x21;
    count += 1;
    if (count < 5) continue;
    for (let byte = 3; byte >= 0; byte -= 1) bytes[length + 3 - byte] = Math.floor(group / 256 ** byte) % 256;
    length += 4;
    group = 0;
    count = 0;
  }
  if (count > 1) {
    for (let missing = count; missing < 5; missing += 1) group = group * 85 + 84;
    for (let byte = 0; byte < count - 1; byte += 1) bytes[length + byte] = Math.floor(group / 256 ** (3 - byte)) % 256;
    length += count - 1;
  }
  return bytes.subarray(0, length);
}
