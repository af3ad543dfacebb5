import type { PdfObjects } from '#extract/pdf/file/file-objects.ts';
import { isDictionary, readReference } from '#extract/pdf/file/values.ts';
import type { PdfDictionary, PdfValue } from '#extract/pdf/file/values.ts';

/** A stream of drawing instructions. `forms`: how often each form is drawn, by its name. */
export type DrawnStream = { bytes: number; forms: ReadonlyMap<string, number>; dictionary: PdfDictionary };

/** Total of a page: bytes, in which a form counts each time it is drawn, and the numbers of all drawn streams. */
export type PageDrawing = { bytes: number; streams: ReadonlySet<number> };

/** Maps names of resources to the objects that they may mean. */
type Forms = ReadonlyMap<string, readonly number[]>;

/** Matches the operator `Do` with the name of the form that it draws. */
const DRAWN = /\/([^\s\0()<>[\]{}/%]*)[\s\0]*Do(?![^\s\0()<>[\]{}/%])/g;
const PARENTS_MAX = 30;
/**
 * Maximum bytes of a form without inner forms that counts as 0, because its text costs more than drawing it, and is
 * counted when it is read.
 */
const SMALL_FORM_BYTES = 400;
/** Maximum steps for one page, because forms that draw several others multiply. */
const STEPS_MAX = 20_000;

export function countDrawnForms(content: string): Map<string, number> {
  const forms = new Map<string, number>();
  if (!content.includes('Do')) return forms;
  for (const match of content.matchAll(DRAWN)) {
    const name = (match[1] ?? '').replace(/#([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    forms.set(name, (forms.get(name) ?? 0) + 1);
  }
  return forms;
}

/** Adds up the drawing instructions of pages, with the forms that they draw. */
export class FormDrawingCounter {
  private readonly objects: PdfObjects;
  private readonly streams: ReadonlyMap<number, DrawnStream>;
  private steps = 0;

  constructor(objects: PdfObjects, streams: ReadonlyMap<number, DrawnStream>) {
    this.objects = objects;
    this.streams = streams;
  }

  /** Returns the total of a page. `bytes` is infinite if it draws too many forms to add up. */
  ofPage(page: number): PageDrawing {
    this.steps = 0;
    const streams = new Set<number>();
    let bytes = 0;
    for (const dictionary of this.objects.valuesOf(page).filter(isDictionary)) {
      const forms = this.formsOf(dictionary);
      for (const content of listReferences(this.objects, dictionary.get('Contents'))) {
        bytes += this.bytesOf(content, forms, { streams, path: [] });
      }
    }
    return { bytes, streams };
  }

  /** Adds up a stream and its forms. A form that draws itself counts 0, because pdf.js stops there. */
  private bytesOf(
    object: number,
    inherited: Forms,
    { streams, path }: { streams: Set<number>; path: number[] },
  ): number {
    const drawn = this.streams.get(object);
    if (drawn === undefined || path.includes(object)) return 0;
    streams.add(object);
    this.steps += 1 + path.length;
    if (this.steps > STEPS_MAX) return Infinity;
    this.objects.look(drawn.forms.size);
    if (drawn.forms.size === 0) return path.length > 0 && drawn.bytes <= SMALL_FORM_BYTES ? 0 : drawn.bytes;
    const own = drawn.dictionary.has('Resources') ? this.formsIn([drawn.dictionary]) : inherited;
    const within = { streams, path: [...path, object] };
    let { bytes } = drawn;
    for (const [name, count] of drawn.forms) {
      const sizes = (own.get(name) ?? []).map((form) => this.bytesOf(form, own, within));
      bytes += count * sizes.reduce((most, size) => Math.max(most, size), 0);
    }
    return bytes;
  }

  private formsOf(page: PdfDictionary): Forms {
    const holders = [page];
    for (let at = 0; at < holders.length && holders.length < PARENTS_MAX; at += 1) {
      holders.push(...this.objects.dictionaries(holders[at]?.get('Parent')));
    }
    return this.formsIn(holders);
  }

  private formsIn(holders: readonly PdfDictionary[]): Forms {
    const forms = new Map<string, number[]>();
    for (const holder of holders) {
      for (const resources of this.objects.dictionaries(holder.get('Resources'))) {
        for (const named of this.objects.dictionaries(resources.get('XObject'))) {
          this.objects.look(named.size);
          for (const [name, value] of named) {
            const object = readReference(value);
            if (object === null || !this.streams.has(object)) continue;
            const known = forms.get(name);
            if (known === undefined) forms.set(name, [object]);
            else known.push(object);
          }
        }
      }
    }
    return forms;
  }
}

/** Returns the object numbers of all references in a value, or in the list to which the value refers. */
export function listReferences(objects: PdfObjects, value: PdfValue | undefined): number[] {
  if (value === undefined) return [];
  const entries = [value, ...objects.resolve(value)].flat();
  objects.look(entries.length);
  return [...new Set(entries.flatMap((entry) => readReference(entry) ?? []))];
}
