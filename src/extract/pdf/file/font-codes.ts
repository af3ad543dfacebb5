import type { PdfObjects } from './file-objects.ts';
import { readReference, readString, PdfValueReader } from './values.ts';
import type { PdfValue } from './values.ts';

/**
 * Maximum character codes that all fonts of a PDF list, at 0.3 µs each in pdf.js. A list counts for each font that uses
 * it. 30 fonts may list all 65,536 codes; real fonts list only the characters of the text.
 */
const CODES_MAX = 2_000_000;
/** Maximum codes for which fonts declare widths, at up to 60 ns each in pdf.js. */
const WIDTHS_MAX = 10 * CODES_MAX;
/** Largest accepted code with a width. pdf.js creates a list up to this code; the format allows 65,535. */
const WIDTH_CODE_MAX = 131_071;
/** Cost of a code space, in codes. pdf.js compares each character with all code spaces. Real fonts have up to ten. */
const CODES_PER_SPACE = 500;
/** Maximum codes in a range. Larger ranges are ignored by pdf.js. */
const RANGE_MAX = 2 ** 24;

/** Matches the start of a section of a CMap: codes or ranges with texts or glyphs, or code spaces. */
const SECTIONS = /begin(bfrange|bfchar|cidrange|cidchar|codespacerange)/g;
/**
 * Matches entries of fonts and CMaps that are counted, and names with an escaped letter, which may be spellings of
 * them.
 */
const ENTRIES =
  /\/(ToUnicode|Encoding|UseCMap|DescendantFonts|[^\s\0()<>[\]{}/%#]{0,40}#[^\s\0()<>[\]{}/%]{0,40})(?![^\s\0()<>[\]{}/%])/g;
/** Entries that lead to a CMap, which lists codes. */
const MAPS = new Set(['ToUnicode', 'Encoding', 'UseCMap']);
/** Entry by which a composite font leads to its widths. */
const COMPOSITE = 'DescendantFonts';
const ESCAPED = /#([\da-f]{2})/gi;
/** Matches the names of the widths of a composite font, `/W` and `/W2`. */
const WIDTHS = /\/(?:W|#57)(2|#32)?(?![^\s\0()<>[\]{}/%])/g;
/** Matches the name of the widths of another font, `/Widths`. */
const SIMPLE_WIDTHS = /\/(?:W|#57)(?:i|#69)(?:d|#64)(?:t|#74)(?:h|#68)(?:s|#73)(?![^\s\0()<>[\]{}/%])/g;

/**
 * Counts the character codes that fonts make pdf.js list. A kilobyte of font data can require a list of any length, and
 * pdf.js cannot be stopped while it creates one.
 */
export class FontCodeCounter {
  private readonly objects: PdfObjects;
  /** Number of codes in each stream whose content is known. */
  private readonly codes = new Map<number, number>();
  private readonly uses: number[] = [];
  private widths = 0;
  private mostWidths = 0;
  private composites = 0;

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  addStream(object: number, content: string): void {
    this.codes.set(object, Math.max(this.codes.get(object) ?? 0, codesIn(content)));
  }

  /** @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    for (const { index, 0: entry, 1: written = '' } of text.matchAll(ENTRIES)) {
      const name = written.replace(ESCAPED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
      if (name === COMPOSITE) this.composites += 1;
      if (!MAPS.has(name)) continue;
      const stream = readReference(this.objects.valueAt(text, index + entry.length) ?? null);
      if (stream !== null) this.uses.push(stream);
    }
    for (const { index, 0: name, 1: isVertical } of text.matchAll(WIDTHS)) {
      const value = this.objects.valueAt(text, index + name.length) ?? null;
      for (const list of this.objects.resolve(value))
        if (Array.isArray(list)) this.addWidths(list, isVertical === undefined ? 1 : 3);
    }
    for (const { index, 0: name } of text.matchAll(SIMPLE_WIDTHS)) {
      const lists = this.objects.resolve(this.objects.valueAt(text, index + name.length) ?? null);
      for (const list of lists) this.widths += Array.isArray(list) ? list.length : 0;
    }
  }

  /** @param sizes how many numbers follow the codes of a range: its width, or three for vertical text */
  private addWidths(list: readonly PdfValue[], sizes: number): void {
    const before = this.widths;
    const entries = list.map((entry) => this.objects.resolve(entry)[0]);
    for (let at = 0; at + 1 < entries.length;) {
      const [from, to] = [entries[at], entries[at + 1]];
      if (typeof from !== 'number' || !(typeof to === 'number' || Array.isArray(to))) break;
      this.widths += Array.isArray(to) ? to.length : to > WIDTH_CODE_MAX ? WIDTHS_MAX + 1 : Math.max(0, to - from);
      at += Array.isArray(to) ? 2 : 2 + sizes;
    }
    this.mostWidths = Math.max(this.mostWidths, this.widths - before);
  }

  /** @param isStream true for the number of a stream; one with unknown content may have any number of codes */
  isTooMany(isStream: (object: number) => boolean): boolean {
    let codes = 0;
    for (const object of this.uses) codes += this.codes.get(object) ?? (isStream(object) ? Infinity : 0);
    return codes > CODES_MAX || this.widths + this.mostWidths * this.composites > WIDTHS_MAX;
  }
}

function codesIn(content: string): number {
  let codes = 0;
  for (const { index, 0: word, 1: kind } of content.matchAll(SECTIONS)) {
    const reader = new PdfValueReader(content, index + word.length);
    for (;;) {
      const from = codeOf(reader.value());
      if (from === null) break;
      if (kind === 'bfchar' || kind === 'cidchar') {
        codes += 1;
        reader.value();
        continue;
      }
      const to = codeOf(reader.value());
      if (to === null) break;
      if (kind === 'codespacerange') codes += CODES_PER_SPACE;
      else {
        const target = reader.value();
        const most = Array.isArray(target) ? target.length : RANGE_MAX;
        if (to - from < RANGE_MAX) codes += Math.min(most, Math.max(0, to - from + 1));
      }
    }
  }
  return codes;
}

/** Returns a code as pdf.js reads it from a string: from its last four bytes. */
function codeOf(value: PdfValue | undefined): number | null {
  const text = readString(value);
  if (text === null) return null;
  let code = 0;
  for (const character of text.slice(-4)) code = code * 256 + (character.charCodeAt(0) & 255);
  return code;
}
