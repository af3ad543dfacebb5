import type { PdfObjects } from './file-objects.ts';
import { isDictionary, readName, readReference, readString } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';

/** Matches the name `/DA` of a default appearance, in which each letter may be written as a hexadecimal code. */
const APPEARANCES = /\/(?:D|#44)(?:A|#41)(?=[\s\0%<(\d])/g;
/** Maximum characters of a default appearance, which pdf.js executes for each annotation. Forms have up to 100. */
const APPEARANCE_CHARS_MAX = 1_000;
/** Matches states within each other in a default appearance, which has none. */
const SAVED = /q[^]*q[^]*q/;

/** Finds annotations that pdf.js cannot list quickly, although they are few. */
export class AnnotationCosts {
  private readonly objects: PdfObjects;
  private readonly appearances: PdfValue[] = [];
  private hasCostly: boolean | null = null;

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  /** @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    for (const { index, 0: name } of text.matchAll(APPEARANCES)) {
      const value = this.objects.valueAt(text, index + name.length);
      if (value !== undefined) this.appearances.push(value);
    }
  }

  /** True if the file has a default appearance that is a program. It may apply to any annotation. */
  get hasCostlyAppearance(): boolean {
    this.hasCostly ??= this.appearances
      .flatMap((value) => this.objects.resolve(value).map(readString))
      .some((text) => text !== null && (text.length > APPEARANCE_CHARS_MAX || SAVED.test(text)));
    return this.hasCostly;
  }

  /**
   * Returns the bytes that pdf.js executes to list an annotation: typed text has an appearance, in which pdf.js searches
   * for its size.
   */
  bytesOf(annotation: PdfValue, bytesOfStream: (object: number) => number): number {
    const each = this.objects.resolve(annotation).filter(isDictionary);
    return each.reduce((most, one) => Math.max(most, this.bytesOfOne(one, bytesOfStream)), 0);
  }

  private bytesOfOne(annotation: PdfDictionary, bytesOfStream: (object: number) => number): number {
    const isTyped = this.objects.resolve(annotation.get('Subtype') ?? null).some((one) => readName(one) === 'FreeText');
    if (!isTyped) return 0;
    const named = this.objects.dictionaries(annotation.get('AP')).map((one) => one.get('N') ?? null);
    const states = named.flatMap((one) => this.objects.dictionaries(one).flatMap((each) => [...each.values()]));
    this.objects.look(states.length);
    return [...named, ...states].reduce<number>((most, one) => {
      const stream = readReference(one);
      return stream === null ? most : Math.max(most, bytesOfStream(stream));
    }, 0);
  }
}
