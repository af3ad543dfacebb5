import { countCffSteps } from './cff-cost.ts';
import type { PdfObjects } from './file-objects.ts';
import { FontStepCounter, UnclearFontError, failUnclearFont } from './font-steps.ts';
import { countType1Steps } from './type1-cost.ts';
import { readName, readReference, PdfValueReader } from './values.ts';
import type { PdfValue } from './values.ts';

/** Maximum steps of all fonts of a PDF together, at up to 20 ns in pdf.js. */
const STEPS_MAX = 30_000_000;
/** Steps that each font may take, however small it is. */
const FONT_STEPS_MIN = 100_000;
/** Further steps that a font may take per byte. Real fonts take up to four. */
const FONT_STEPS_PER_BYTE = 30;

/**
 * Matches the entry that refers to a font's program, and names with an escaped letter, which may be spellings of that
 * entry.
 */
const NAMES = /\/(?:FontDescriptor|[^\s\0()<>[\]{}/%#]{0,15}#[^\s\0()<>[\]{}/%]{0,45})(?![^\s\0()<>[\]{}/%])/g;
const DESCRIPTOR = 'FontDescriptor';
const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'];

/**
 * Finds embedded fonts that would take pdf.js too long, or that it may read differently. These fonts are removed. Their
 * text can still be read through its encoding and the texts that the PDF declares.
 */
export class ExpensiveFonts {
  private readonly objects: PdfObjects;
  private readonly descriptors: PdfValue[] = [];
  private readonly costs = new Map<number, number>();
  private countable = STEPS_MAX;
  private counted: Map<number, number> | undefined;

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  /** @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    for (const { index, 0: name } of text.matchAll(NAMES)) {
      if (readName(new PdfValueReader(text, index).value()) !== DESCRIPTOR) continue;
      const value = this.objects.valueAt(text, index + name.length);
      if (value !== undefined) this.descriptors.push(value);
    }
  }

  /** True for the number of a stream that is a font's program. Call it after all texts were added. */
  has(object: number): boolean {
    return this.uses.has(object);
  }

  /** @param content the bytes that pdf.js will read; `null` if that is uncertain */
  add(object: number, content: Uint8Array | null): void {
    const cost = content === null ? Infinity : this.costOf(content);
    this.costs.set(object, Math.max(this.costs.get(object) ?? 0, cost));
  }

  private costOf(content: Uint8Array): number {
    const steps = new FontStepCounter(Math.min(this.countable, FONT_STEPS_MIN + FONT_STEPS_PER_BYTE * content.length));
    try {
      countFont(content, steps);
      return steps.count;
    } catch (error) {
      if (error instanceof UnclearFontError) return Infinity;
      throw error;
    } finally {
      this.countable -= steps.count;
    }
  }

  /** Returns the numbers of streams that pdf.js must not read as fonts. */
  tooCostly(): Set<number> {
    const costly = new Set<number>();
    let left = STEPS_MAX;
    for (const [object, uses] of this.uses) {
      const cost = uses * (this.costs.get(object) ?? Infinity);
      if (cost > left) costly.add(object);
      else left -= cost;
    }
    return costly;
  }

  /** Counts, for each program, the fonts that use it. */
  private get uses(): Map<number, number> {
    if (this.counted !== undefined) return this.counted;
    const uses = new Map<number, number>();
    for (const descriptor of this.descriptors)
      for (const entries of this.objects.dictionaries(descriptor))
        for (const key of PROGRAMS) {
          const object = readReference(entries.get(key));
          if (object !== null) uses.set(object, (uses.get(object) ?? 0) + 1);
        }
    this.counted = uses;
    return uses;
  }
}

function countFont(content: Uint8Array, steps: FontStepCounter): void {
  const tag = tagAt(content, 0);
  if (tag === 'OTTO' || tag === 'true' || tag === '\0\u0001\0\0') {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
    for (let table = 0, at = 12; at + 16 <= content.length; table += 1, at += 16) {
      if (table >= view.getUint16(4)) break;
      if (tagAt(content, at) !== 'CFF ') continue;
      const start = view.getUint32(at + 8);
      // Counted on a copy: `countCffSteps` changes the font as pdf.js does.
      countCffSteps(content.slice(start, start + view.getUint32(at + 12)), steps);
    }
  } else if (tag.startsWith('%!')) countType1Steps(content, steps);
  else if (content[0] === 1) countCffSteps(content.slice(), steps);
  else failUnclearFont();
}

function tagAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
