import { failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { isDictionary, readReference, skipBrackets, PdfValueReader } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** A stream of the file: `start` is its first byte, `end` the next `endstream`, which may be part of its data. */
export type PdfStreamPosition = {
  object: number;
  generation: number;
  dictionary: PdfDictionary;
  start: number;
  end: number;
};

const HEADER_WORD = 'obj';
const STREAM_WORD = 'stream';
const HEADERS = /(?<!end)obj/g;
const HEADER = /(?:^|\D)(\d{1,10})[\s\0]+(\d{1,6})[\s\0]*$/;
const HEADER_CHARS = 40;
const REGULAR = /[^\s\0()<>[\]{}/%]/;
/**
 * Maximum characters parsed, as a multiple of the file's characters. In a hostile file, objects may overlap and so
 * multiply.
 */
const PARSED_TIMES_MAX = 8;
const PARSED_MIN = 1_000_000;
/** Cost of reading a parsed value again, in parsed characters, because lists of references to lists can multiply. */
const LOOK_CHARS = 8;
/** Maximum references followed in a row. Programs do not write references to references. */
const REFERENCES_MAX = 3;

type Place = { text: string; start: number; end: number };

/** Objects and streams of a PDF, found by scanning the file. The cross-reference table may be wrong and is not used. */
export class PdfObjects {
  readonly streams: PdfStreamPosition[] = [];
  private readonly source: string;
  private readonly input: Pick<ExtractInput, 'url'>;
  /** Positions of all versions of each object, because later versions may be appended to a PDF. */
  private readonly places = new Map<number, Place[]>();
  private readonly read = new Map<number, PdfValue[]>();
  private readonly returns: NextPlace;
  private readonly newlines: NextPlace;
  private readonly ends: NextPlace;
  private left: number;

  constructor(source: string, input: Pick<ExtractInput, 'url'>) {
    this.source = source;
    this.input = input;
    this.left = PARSED_TIMES_MAX * source.length + PARSED_MIN;
    this.returns = new NextPlace(source, '\r');
    this.newlines = new NextPlace(source, '\n');
    this.ends = new NextPlace(source, 'endstream');
    this.find();
  }

  has(object: number): boolean {
    return this.places.has(object);
  }

  addPacked(dictionary: PdfDictionary, text: string): void {
    const first = Number(this.resolve(dictionary.get('First') ?? null)[0] ?? 0);
    const header = text
      .slice(0, first)
      .trim()
      .split(/[\s\0]+/)
      .map(Number);
    for (let at = 0; at + 1 < header.length; at += 2) {
      const next = header[at + 3];
      this.add(header[at] ?? -1, {
        text,
        start: first + (header[at + 1] ?? 0),
        end: next === undefined ? text.length : first + next,
      });
    }
  }

  /** Returns the value, or for a reference, the values of all versions of the object. */
  resolve(value: PdfValue, depth = 0): PdfValue[] {
    this.look(1);
    const object = readReference(value);
    if (object === null) return [value];
    if (depth >= REFERENCES_MAX) return [];
    return this.valuesOf(object).flatMap((one) => this.resolve(one, depth + 1));
  }

  /** Returns all dictionaries that a value may mean, directly or as a reference. */
  dictionaries(value: PdfValue | undefined): PdfDictionary[] {
    return value === undefined ? [] : this.resolve(value).filter(isDictionary);
  }

  /** Parses the value at a position. All calls together cost at most a few times as much as reading the file. */
  valueAt(text: string, start: number): PdfValue | undefined {
    return this.parse({ text, start, end: text.length });
  }

  /**
   * Counts values read by a caller as parsed characters.
   * @throws {PeriscopeError} `extract_failed` if far more is read than the file contains
   */
  look(values: number): void {
    this.spend(values * LOOK_CHARS);
  }

  valuesOf(object: number): PdfValue[] {
    const before = this.read.get(object);
    if (before !== undefined) return before;
    const values: PdfValue[] = [];
    for (const place of this.places.get(object) ?? []) {
      const value = this.parse(place);
      if (value !== undefined) values.push(value);
    }
    this.read.set(object, values);
    return values;
  }

  private find(): void {
    const { source } = this;
    for (const { index } of source.matchAll(HEADERS)) {
      const start = index + HEADER_WORD.length;
      const { object, generation } = this.headerAt(index);
      const place = { text: source, start, end: source.length };
      this.add(object, place);
      const reader = new PdfValueReader(source, start);
      reader.skipSpace();
      this.spend(reader.at - start);
      if (!source.startsWith('<<', reader.at)) continue;
      const end = skipBrackets(source, reader.at);
      this.spend(end - reader.at);
      const data = this.dataAfter(end);
      if (data === null) continue;
      const dictionary = this.parse(place);
      if (isDictionary(dictionary)) this.streams.push({ object, generation, dictionary, ...data });
    }
  }

  /**
   * Returns the bounds of the data after the word `stream`, which begins on the next line; `null` without that word.
   * White space and comments may come before it.
   */
  private dataAfter(at: number): { start: number; end: number } | null {
    const { source } = this;
    const reader = new PdfValueReader(source, at);
    reader.skipSpace();
    this.spend(reader.at - at);
    if (!source.startsWith(STREAM_WORD, reader.at)) return null;
    const word = reader.at + STREAM_WORD.length;
    if (REGULAR.test(source.charAt(word))) return null;
    const line = Math.min(this.returns.after(word), this.newlines.after(word));
    const start = line + (source.startsWith('\r\n', line) ? 2 : 1);
    return { start, end: this.ends.after(start) };
  }

  private headerAt(index: number): { object: number; generation: number } {
    const before = this.source.slice(Math.max(0, index - HEADER_CHARS), index);
    const [, object = -1, generation = 0] = HEADER.exec(before) ?? [];
    return { object: Number(object), generation: Number(generation) };
  }

  private add(object: number, place: Place): void {
    const places = this.places.get(object);
    if (places === undefined) this.places.set(object, [place]);
    else places.push(place);
  }

  private parse({ text, start, end }: Place): PdfValue | undefined {
    const reader = new PdfValueReader(text, start, end);
    const value = reader.value();
    this.spend(reader.at - start);
    return value;
  }

  private spend(chars: number): void {
    this.left -= chars;
    if (this.left < 0) failUnreadableFile(this.input, 'the objects of the PDF overlap');
  }
}

/** Finds a word after ascending positions, so that each part of the source is searched once. */
class NextPlace {
  private readonly source: string;
  private readonly word: string;
  private from = 0;
  private found = -1;

  constructor(source: string, word: string) {
    this.source = source;
    this.word = word;
  }

  /** Returns the position of the word, or the end of the source if it does not follow. */
  after(place: number): number {
    if (place < this.from || place > this.found) {
      const found = this.source.indexOf(this.word, place);
      this.from = place;
      this.found = found < 0 ? this.source.length : found;
    }
    return this.found;
  }
}
