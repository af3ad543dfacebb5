import type { PdfObjects } from '#extract/pdf/file/file-objects.ts';
import { isDictionary, readReference, skipBrackets } from '#extract/pdf/file/values.ts';
import type { PdfDictionary, PdfValue } from '#extract/pdf/file/values.ts';

/** A stream of drawing instructions. `forms`: how often each form is drawn, by its name. `hasText`: true if it shows text. */
export type DrawnStream = {
  bytes: number;
  forms: ReadonlyMap<string, number>;
  saved: SavedStates;
  hasText: boolean;
  dictionary: PdfDictionary;
};

/**
 * States that a stream saves with the operator `q`. `parents`: states within which another one is saved. `depths`: the
 * sum of their depths. `deepest` and `end`: the largest depth, and the depth at the end of the stream.
 */
type SavedStates = { parents: number; depths: number; deepest: number; end: number };

/**
 * Total of a page: bytes, in which a form counts each time it is drawn, how often it draws a form with text, and the
 * numbers of all drawn streams.
 */
export type PageDrawing = { bytes: number; textForms: number; streams: ReadonlySet<number> };

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

export const NOTHING_SAVED: SavedStates = { parents: 0, depths: 0, deepest: 0, end: 0 };
/**
 * Bytes of drawing instructions that take as long as a state within which another one is saved, and as each level of
 * its depth. pdf.js makes it the prototype of the other one, and so on, which costs about 20 µs and 0.1 µs per level.
 */
const PARENT_BYTES = 100;
const LEVEL_BYTES = 0.5;
/** Bytes for saved states that do not count, so that pages of text and figures cost only their own bytes. */
const SAVED_BYTES_FREE = 5_000;
/**
 * Matches a text, list, dictionary or comment, the start of an inline image, a name, or the operators `q` and `Q`.
 * pdf.js also reads several `q` without spaces.
 */
const SAVES = /[(<[%]|BI|\/[^\s\0()<>[\]{}/%]*|(?<![^\s\0()<>[\]{}/%])[qQ]+(?![^\s\0()<>[\]{}/%])|q/g;

/**
 * Counts saved states. In a stream with inline images, whose ends are uncertain, each letter counts, and no state counts
 * as restored.
 */
export function countSavedStates(content: string): SavedStates {
  const saved = { ...NOTHING_SAVED };
  if (!content.includes('q')) return saved;
  const isParent: boolean[] = [];
  SAVES.lastIndex = 0;
  for (let found = SAVES.exec(content); found !== null; found = SAVES.exec(content)) {
    const [token] = found;
    if (token === 'BI') return countWorst(content);
    if (token.startsWith('/')) continue;
    if (!/q/i.test(token)) SAVES.lastIndex = skipBrackets(content, found.index);
    else for (const operator of token) follow(operator === 'q', saved, isParent);
  }
  return saved;
}

function follow(isSave: boolean, saved: SavedStates, isParent: boolean[]): void {
  if (!isSave) {
    saved.end = Math.max(0, saved.end - 1);
    return;
  }
  if (isParent[saved.end] !== true) {
    saved.parents += 1;
    saved.depths += saved.end;
  }
  isParent[saved.end] = true;
  saved.end += 1;
  isParent[saved.end] = false;
  saved.deepest = Math.max(saved.deepest, saved.end);
}

function countWorst(content: string): SavedStates {
  const count = content.split('q').length - 1;
  return { parents: count, depths: (count * count) / 2, deepest: count, end: count };
}

/** Returns the bytes that take as long as the saved states. @param depth states that are saved before the stream */
function bytesOfStates({ parents, depths }: SavedStates, depth = 0): number {
  return parents * (PARENT_BYTES + depth * LEVEL_BYTES) + depths * LEVEL_BYTES;
}

/** Returns the bytes of a stream without its forms, and of the states that it saves. */
export function ownBytes({ bytes, saved }: Pick<DrawnStream, 'bytes' | 'saved'>): number {
  return bytes + Math.max(0, bytesOfStates(saved) - SAVED_BYTES_FREE);
}

/** Matches a name of any kind. */
const NAMES = /\/[^\s\0()<>[\]{}/%]+/g;
/** Names in a content stream that do not count. Pages name up to a hundred fonts, pictures and sections. */
const NAMES_FREE = 1_000;
/** Bytes of drawing instructions that take as long as loading a font: 0.3 ms. */
const NAME_BYTES = 500;

/** Returns the bytes of drawing instructions that take as long as loading the fonts that a stream may name. */
export function bytesOfNames(content: string): number {
  if (!content.includes('Tf')) return 0;
  const names = new Set<string>();
  for (const [name] of content.matchAll(NAMES)) names.add(name);
  return Math.max(0, names.size - NAMES_FREE) * NAME_BYTES;
}

/** Bytes of drawing instructions, the bytes that take as long as their saved states, and drawn forms with text. */
type Cost = { bytes: number; states: number; textForms: number };
const NO_COST: Cost = { bytes: 0, states: 0, textForms: 0 };
/** `path` has the streams around a form, `depth` the states that they save. */
type Within = { streams: Set<number>; path: number[]; depth: number };

function add(total: Cost, { bytes, states, textForms }: Cost, times: number): void {
  total.bytes += bytes * times;
  total.textForms += textForms * times;
  total.states += states * times;
}

/** Adds up the drawing instructions of pages, with the forms that they draw. */
export class FormDrawingCounter {
  private readonly objects: PdfObjects;
  private readonly streams: ReadonlyMap<number, DrawnStream>;
  private steps = 0;
  private named: Forms | null = null;

  constructor(objects: PdfObjects, streams: ReadonlyMap<number, DrawnStream>) {
    this.objects = objects;
    this.streams = streams;
  }

  /** Returns the total of a page. `bytes` is infinite if it draws too many forms to add up. */
  ofPage(page: number): PageDrawing {
    this.steps = 0;
    const streams = new Set<number>();
    const total = { ...NO_COST };
    for (const dictionary of this.objects.valuesOf(page).filter(isDictionary)) {
      const forms = this.formsOf(dictionary);
      let depth = 0;
      for (const [content, times] of this.contentsOf(dictionary)) {
        const end = this.streams.get(content)?.saved.end ?? 0;
        // The last time is the deepest.
        add(total, this.costOf(content, forms, { streams, path: [], depth: depth + end * (times - 1) }), times);
        depth += end * times;
      }
    }
    const bytes = total.bytes + Math.max(0, total.states - SAVED_BYTES_FREE);
    return { bytes, textForms: total.textForms, streams };
  }

  /**
   * Returns the bytes of a glyph of a Type 3 font, and of the forms that it draws.
   * @param lists all lists of forms in the file, because the resources of the font are not known
   */
  ofGlyph(glyph: number, lists: readonly PdfValue[]): number {
    const drawn = this.streams.get(glyph);
    if (drawn === undefined || drawn.forms.size === 0) return drawn === undefined ? 0 : ownBytes(drawn);
    this.steps = 0;
    const named = (this.named ??= this.formsNamedIn(lists.flatMap((list) => this.objects.dictionaries(list))));
    const { bytes, states } = this.costOf(glyph, named, { streams: new Set(), path: [], depth: 0 });
    const small = [...drawn.forms.values()].reduce((sum, count) => sum + count, 0) * SMALL_FORM_BYTES;
    return bytes + small + Math.max(0, states - SAVED_BYTES_FREE);
  }

  /** Returns how often a page draws each stream: its contents may name one many times. */
  private contentsOf(page: PdfDictionary): Map<number, number> {
    const times = new Map<number, number>();
    for (const value of this.objects.resolve(page.get('Contents') ?? null)) {
      const counts = new Map<number, number>();
      for (const stream of referencesIn(this.objects, value)) counts.set(stream, (counts.get(stream) ?? 0) + 1);
      for (const [stream, count] of counts) times.set(stream, Math.max(count, times.get(stream) ?? 0));
    }
    const direct = readReference(page.get('Contents'));
    if (direct !== null && !times.has(direct)) times.set(direct, 1);
    return times;
  }

  /** Adds up a stream and its forms. In a form that draws itself, pdf.js reads the form again, but draws nothing. */
  private costOf(object: number, inherited: Forms, { streams, path, depth }: Within): Cost {
    const drawn = this.streams.get(object);
    if (drawn === undefined) return NO_COST;
    if (path.includes(object)) return { ...NO_COST, bytes: Math.max(drawn.bytes, SMALL_FORM_BYTES) };
    streams.add(object);
    this.steps += 1 + path.length;
    if (this.steps > STEPS_MAX) return { ...NO_COST, bytes: Infinity };
    this.objects.look(drawn.forms.size);
    const states = bytesOfStates(drawn.saved, depth);
    const isSmall = path.length > 0 && drawn.bytes <= SMALL_FORM_BYTES;
    const textForms = path.length > 0 && drawn.hasText ? 1 : 0;
    if (drawn.forms.size === 0) return { bytes: isSmall ? 0 : drawn.bytes, states, textForms };
    const own = drawn.dictionary.has('Resources') ? this.formsIn([drawn.dictionary]) : inherited;
    const within = { streams, path: [...path, object], depth: depth + drawn.saved.deepest };
    const total = { bytes: drawn.bytes, states, textForms };
    for (const [name, count] of drawn.forms) {
      const costs = (own.get(name) ?? []).map((form) => this.costOf(form, own, within));
      const most = (of: keyof Cost) => costs.reduce((sum, cost) => Math.max(sum, cost[of]), 0);
      add(total, { bytes: most('bytes'), states: most('states'), textForms: most('textForms') }, count);
    }
    return total;
  }

  private formsOf(page: PdfDictionary): Forms {
    const holders = [page];
    for (let at = 0; at < holders.length && holders.length < PARENTS_MAX; at += 1) {
      holders.push(...this.objects.dictionaries(holders[at]?.get('Parent')));
    }
    return this.formsIn(holders);
  }

  private formsIn(holders: readonly PdfDictionary[]): Forms {
    const resources = holders.flatMap((holder) => this.objects.dictionaries(holder.get('Resources')));
    return this.formsNamedIn(resources.flatMap((one) => this.objects.dictionaries(one.get('XObject'))));
  }

  private formsNamedIn(lists: readonly PdfDictionary[]): Forms {
    const forms = new Map<string, number[]>();
    for (const named of lists) {
      this.objects.look(named.size);
      for (const [name, value] of named) {
        const object = readReference(value);
        if (object === null || !this.streams.has(object)) continue;
        const known = forms.get(name);
        if (known === undefined) forms.set(name, [object]);
        else known.push(object);
      }
    }
    return forms;
  }
}

/** Returns the object numbers of all references in a value, or in the list to which the value refers. */
export function listReferences(objects: PdfObjects, value: PdfValue | undefined): number[] {
  return value === undefined
    ? []
    : [...new Set([value, ...objects.resolve(value)].flatMap((one) => referencesIn(objects, one)))];
}

function referencesIn(objects: PdfObjects, value: PdfValue): number[] {
  const entries = [value].flat();
  objects.look(entries.length);
  return entries.flatMap((entry) => readReference(entry) ?? []);
}
