import type { PdfObjects } from './file-objects.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** Matches the type of a membership of layers, in which each letter may be written as a hexadecimal code. */
const MEMBERSHIP = /\/(?:O|#4[fF])(?:C|#43)(?:M|#4[dD])(?:D|#44)(?![^\s\0()<>[\]{}/%])/;
/** Matches the entries of a membership: its expression, and its list of layers. */
const MEMBERS = /\/(?:(?:V|#56)(?:E|#45)|(?:O|#4[fF])(?:C|#43)(?:G|#47)(?:s|#73))(?=[\s\0%<[\d])/g;
/** Matches the name of the layers of the file in its catalog. */
const LAYERS = /\/OCProperties(?=[\s\0%<\d])/g;
/** Maximum levels of an expression that pdf.js reads. */
const LEVELS_MAX = 10;
/** Maximum parts of a membership that are counted. One with more multiplies its parts. */
const PARTS_MAX = 5_000;
/** Maximum parts of memberships that pdf.js reads for one page, at about 3 µs each. */
const READ_MAX = 300_000;
/** Maximum samples of a function. Tables of colours have up to 200,000. */
const SAMPLES_MAX = 1_000_000;
/** Maximum inputs of a function with samples. pdf.js combines two samples for each, so that their number doubles. */
const INPUTS_MAX = 10;

/** Finds layers and functions that make it costly to list the operators of a page, however few these are. */
export class ListingCosts {
  private readonly objects: PdfObjects;
  private readonly members: PdfValue[] = [];
  private readonly layers: PdfValue[] = [];
  private hasMemberships = false;
  private hasCostlyFunctions = false;
  private largest: number | null = null;

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  /** @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    this.hasMemberships ||= MEMBERSHIP.test(text);
    for (const { index, 0: name } of text.matchAll(MEMBERS)) {
      const value = this.objects.valueAt(text, index + name.length);
      if (value !== undefined) this.members.push(value);
    }
    for (const { index, 0: name } of text.matchAll(LAYERS))
      this.layers.push(this.objects.valueAt(text, index + name.length) ?? null);
  }

  addStream(dictionary: PdfDictionary): void {
    if (!this.numbersOf(dictionary.get('FunctionType') ?? null).includes(0)) return;
    const sizes = this.numbersOf(dictionary.get('Size') ?? null);
    const outputs = this.numbersOf(dictionary.get('Range') ?? null).length / 2;
    const samples = sizes.reduce((product, size) => product * size, outputs);
    this.hasCostlyFunctions ||= sizes.length > INPUTS_MAX || samples > SAMPLES_MAX;
  }

  /** @param marks commands of a page that may be in a layer */
  isCostly(marks: number): boolean {
    if (this.hasCostlyFunctions) return true;
    this.largest ??= this.hasMemberships ? this.countLargest() : 0;
    return this.largest * marks > READ_MAX;
  }

  private numbersOf(value: PdfValue): number[] {
    const entries = this.objects.resolve(value).flatMap((one) => (Array.isArray(one) ? one : [one]));
    return entries.flatMap((one) => this.objects.resolve(one)).filter((one) => typeof one === 'number');
  }

  private countLargest(): number {
    let largest = 0;
    const lists = this.listsOfAllLayers();
    for (const value of this.members) {
      // Once only, because a membership may have the same list.
      if (lists.delete(JSON.stringify(value))) continue;
      const count = { left: PARTS_MAX };
      this.countParts(value, 0, count);
      if (count.left <= 0) return Infinity;
      largest = Math.max(largest, PARTS_MAX - count.left);
    }
    return largest;
  }

  /** Returns the lists of all layers of the file, as JSON. pdf.js reads them once. They are in no membership. */
  private listsOfAllLayers(): Set<string> {
    const holders = this.layers.flatMap((value) => this.objects.dictionaries(value));
    const lists = holders.filter((holder) => !holder.has('Type')).map((holder) => holder.get('OCGs') ?? null);
    return new Set(lists.map((list) => JSON.stringify(list)));
  }

  private countParts(value: PdfValue, level: number, count: { left: number }): void {
    for (const one of this.objects.resolve(value)) {
      if (!Array.isArray(one)) continue;
      count.left -= one.length;
      for (const part of one) if (level < LEVELS_MAX && count.left > 0) this.countParts(part, level + 1, count);
    }
  }
}
