import { ListingCosts } from '#extract/pdf/file/listing-cost.ts';
import { AnnotationCosts } from '#extract/pdf/file/annotation-cost.ts';
import type { PdfObjects } from '#extract/pdf/file/file-objects.ts';
import {
  PDF_ANNOTATIONS_PER_PAGE_MAX,
  PDF_DRAWING_BYTES_MAX,
  PDF_PAGE_DRAWING_BYTES_MAX,
  PDF_STREAM_DRAWING_BYTES_MAX,
} from '#extract/limits.ts';
import { isDictionary, readName, readReference } from '#extract/pdf/file/values.ts';
import type { PdfDictionary, PdfValue } from '#extract/pdf/file/values.ts';
import { readMarks, StructureTexts } from './actual-text.ts';
import type { ActualTexts } from './actual-text.ts';
import {
  FormDrawingCounter,
  NOTHING_SAVED,
  bytesOfNames,
  countDrawnForms,
  countSavedStates,
  listReferences,
  ownBytes,
} from './drawn-forms.ts';
import type { DrawnStream, PageDrawing } from './drawn-forms.ts';
import { PATH_BOXES_MAX, findPathBoxes } from '#extract/pdf/drawn/path-boxes.ts';
import type { PathBox } from '#extract/pdf/drawn/path-boxes.ts';
import { findTextStarts } from './text-starts.ts';
import type { TextStart } from './text-starts.ts';

/** `forms`, `states` and `marks` are the numbers of commands that draw forms, set states, or may be in a layer. */
type Drawn = {
  object: number;
  isForm: boolean;
  bytes: number;
  forms: number;
  states: number;
  marks: number;
  mayHide: boolean;
};

/** Maximum operators of a page that are listed to find hidden text. A page of text has 300 to 1,000. */
const OPERATORS_MAX = 150_000;
const OPERATOR_BYTES = 4;
/** Maximum commands inside forms that draw another form. Nested forms multiply the work for a page. */
const NESTED_MAX = 8;
/**
 * Number of pages not found by `PdfObjects` that count as 0. Each further page that is not found counts as large as
 * the largest stream.
 */
const UNKNOWN_PAGES_MAX = 20;
/** Matches instructions for white or invisible text: a fast test before `showsLightText`. */
const LIGHT =
  /(?:^|\s)(?:(?:(?:1|1\.0*|0?\.9[5-9]\d*)\s+){1,3}(?:g|rg|scn?)|(?:0(?:\.0*)?\s+){4}(?:k|scn?)|[37]\s+Tr)(?=\s)/;
/**
 * Matches strings, saved states, colours and text instructions in order. An unclosed string also matches, so that it is
 * read only once.
 */
const TOKENS =
  /\((?:[^()\\]|\\[^])*\)?|(?:^|[\s\])>])(?:((?:-?[\d.]+\s+){1,4})(g|rg|k|scn?)|(q)|(Q)|(\d)\s+Tr)(?=\s|$)|(T[jJ])(?=\s|$)/g;
/** Matches drawn lines and rectangles. A table has at least three lines: above and below its header, and at its end. */
const RULES = /\s(?:re|l)(?=\s)/g;
const RULES_MIN = 3;
/** Characters before an operator that are searched for its numbers. */
const NUMBERS_BYTES = 60;
/**
 * Minimum length of a line of a table, in units of the drawing, each of which is at most a point. Underscores are
 * shorter.
 */
const LONG_MIN = 20;
const STATES = /\sgs(?=\s)/g;
/** Matches commands that may be in a layer: marked content and drawn forms. */
const MARKS = /BDC|Do/g;
/** Matches the name `/Contents`, in which each letter may be written as `#` and two hexadecimal digits. */
const CONTENTS = /\/(?:C|#43)(?:o|#6[fF])(?:n|#6[eE])(?:t|#74)(?:e|#65)(?:n|#6[eE])(?:t|#74)(?:s|#73)(?=[\s\0%[\d])/g;
/** Matches the name of the list of a Type 3 font's glyphs. pdf.js draws all of them when it loads the font. */
const GLYPHS = /\/(?:C|#43)(?:h|#68)(?:a|#61)(?:r|#72)(?:P|#50)(?:r|#72)(?:o|#6[fF])(?:c|#63)(?:s|#73)(?=[\s\0%<\d])/g;
/** Matches the name of the list of forms in the resources of a page, form or font. */
const FORMS = /\/(?:X|#58)(?:O|#4[fF])(?:b|#62)(?:j|#6[aA])(?:e|#65)(?:c|#63)(?:t|#74)(?=[\s\0%<\d])/g;

/** Minimum times that a page draws forms with text before that counts as extra work. */
const TEXT_FORMS_MIN = 500;
/** Extra work for a piece of text on such a page. */
const WORK_PER_FORM_TEXT = 200;
/** Matches the operators that show text. */
const SHOWS_TEXT = /T[jJ]|['"]/;
const NO_STREAM = { bytes: 0, forms: new Map<string, number>(), saved: NOTHING_SAVED, hasText: false };

/**
 * Collects facts about the drawing instructions of all pages from the unpacked streams. They show quickly which pages
 * may have hidden text.
 */
export class PageDrawingFacts {
  private readonly drawn: Drawn[] = [];
  private readonly objects: PdfObjects;
  private readonly forms: FormDrawingCounter;
  private readonly streams = new Map<number, DrawnStream>();
  /** Numbers of the streams that pages use as content. */
  private readonly contents = new Set<number>();
  private light = new Set<number>();
  /** Areas and lines that each content stream draws. */
  private readonly ruled = new Map<number, PathBox[]>();
  /** Starts of the texts that each content stream draws apart. */
  private readonly starts = new Map<number, TextStart[]>();
  /** True if possibly hidden text is in a form, which any page may draw. */
  private isElsewhere = false;
  private readonly marks = new Map<number, ReturnType<typeof readMarks>>();
  private readonly structure: StructureTexts;
  private readonly annotationCosts: AnnotationCosts;
  private readonly listingCosts: ListingCosts;
  private hasMasks = false;
  private listable: boolean | null = null;
  /** Bytes of the largest stream that a page may draw. */
  largestBytes = 0;

  private readonly named: PdfValue[] = [];
  private readonly glyphLists: PdfValue[] = [];
  private readonly formLists: PdfValue[] = [];
  private readonly pages = new Map<number, PageDrawing>();
  private readonly annotated = new Map<number, number>();
  private readonly taken = new Set<number>();
  private unknownPages = 0;

  constructor(objects: PdfObjects) {
    this.objects = objects;
    this.structure = new StructureTexts(objects);
    this.annotationCosts = new AnnotationCosts(objects);
    this.listingCosts = new ListingCosts(objects);
    this.forms = new FormDrawingCounter(objects, this.streams);
  }

  addDrawn(object: number, dictionary: PdfDictionary, content: string): void {
    if (content.includes('BDC') || content.includes('BMC')) this.marks.set(object, readMarks(content));
    if (hasRules(content)) this.ruled.set(object, findPathBoxes(content));
    const starts = findTextStarts(content);
    if (starts.length > 0) this.starts.set(object, starts);
    const forms = countDrawnForms(content);
    const saved = countSavedStates(content);
    const bytes = (this.streams.get(object)?.bytes ?? content.length) + bytesOfNames(content);
    this.streams.set(object, { bytes, dictionary, forms, saved, hasText: SHOWS_TEXT.test(content) });
    this.drawn.push({
      object,
      isForm: readName(dictionary.get('Subtype')) === 'Form' || dictionary.has('PatternType'),
      bytes: ownBytes({ bytes: content.length, saved }),
      forms: [...forms.values()].reduce((sum, count) => sum + count, 0),
      states: countOf(content, 'gs', STATES),
      marks: countOf(content, 'D', MARKS),
      mayHide: LIGHT.test(content) && showsLightText(content),
    });
  }

  /** Adds a stream with the size of its unpacked bytes; 0 for a stream that was left out. */
  addSize(object: number, dictionary: PdfDictionary, bytes: number): void {
    this.largestBytes = Math.max(this.largestBytes, bytes);
    this.listingCosts.addStream(dictionary);
    const known = this.streams.get(object) ?? NO_STREAM;
    this.streams.set(object, { ...known, bytes: Math.max(bytes, known.bytes), dictionary });
  }

  /** Finds the pages that a text defines. @param text the whole file, or the content of an object stream */
  addText(text: string): void {
    this.hasMasks ||= hasMask(text);
    this.structure.addText(text);
    this.annotationCosts.addText(text);
    this.listingCosts.addText(text);
    this.addNamed(text, CONTENTS, this.named);
    this.addNamed(text, GLYPHS, this.glyphLists);
    this.addNamed(text, FORMS, this.formLists);
  }

  private addNamed(text: string, pattern: RegExp, named: PdfValue[]): void {
    for (const { index, 0: name } of text.matchAll(pattern)) {
      const value = this.objects.valueAt(text, index + name.length);
      if (value !== undefined) named.push(value);
    }
  }

  /** True if the glyphs of all Type 3 fonts draw too much. One stream may be many glyphs, of many fonts. */
  get hasCostlyGlyphs(): boolean {
    let bytes = 0;
    for (const list of this.glyphLists.flatMap((value) => this.objects.dictionaries(value))) {
      this.objects.look(list.size);
      for (const glyph of list.values()) bytes += this.forms.ofGlyph(readReference(glyph) ?? -1, this.formLists);
    }
    return bytes > PDF_DRAWING_BYTES_MAX;
  }

  /** Must be called after all texts and streams were added. */
  finish(): void {
    for (const value of this.named) for (const stream of listReferences(this.objects, value)) this.contents.add(stream);
    this.light = new Set(this.drawn.filter(({ mayHide }) => mayHide).map(({ object }) => object));
    this.isElsewhere = [...this.light].some((object) => !this.contents.has(object));
  }

  /** True if a page uses this stream as content, whatever type it declares. */
  isContent(stream: number): boolean {
    return this.contents.has(stream);
  }

  /** Returns the bytes of drawing instructions that a page executes. A form counts each time it is drawn. */
  drawnBytes(page: number): number {
    return this.pageOf(page).bytes;
  }

  /** Returns the extra work for each piece of text of a page: pdf.js unpacks and reads a form each time it is drawn. */
  extraTextWork(page: number): number {
    return this.pageOf(page).textForms > TEXT_FORMS_MIN ? WORK_PER_FORM_TEXT : 0;
  }

  /**
   * Returns the bytes that a page draws repeatedly, or that an earlier page also drew. A page that `PdfObjects` does
   * not find counts as 0 or, after `UNKNOWN_PAGES_MAX` such pages, as large as the largest stream.
   */
  sharedBytes(page: number): number {
    if (!this.objects.has(page)) {
      this.unknownPages += 1;
      return this.unknownPages > UNKNOWN_PAGES_MAX ? this.largestBytes : 0;
    }
    const { bytes, streams } = this.pageOf(page);
    let first = 0;
    for (const stream of streams) {
      if (!this.taken.has(stream)) first += this.streams.get(stream)?.bytes ?? 0;
      this.taken.add(stream);
    }
    return Math.max(0, bytes - first);
  }

  /** Returns the number of a page's annotations; infinity if they cannot be counted, or cost too much to list. */
  annotations(page: number): number {
    const known = this.annotated.get(page);
    if (known !== undefined) return known;
    const count = this.objects.has(page) ? this.countAnnotations(page) : Infinity;
    this.annotated.set(page, count);
    return count;
  }

  private countAnnotations(page: number): number {
    const lists = this.objects
      .valuesOf(page)
      .filter(isDictionary)
      .flatMap((dictionary) => this.objects.resolve(dictionary.get('Annots') ?? null))
      .filter(Array.isArray);
    const count = Math.max(0, ...lists.map(({ length }) => length));
    if (count === 0 || count > PDF_ANNOTATIONS_PER_PAGE_MAX) return count;
    if (this.annotationCosts.hasCostlyAppearance) return Infinity;
    const bytesOf = (stream: number) => this.ownBytesOf(stream);
    const bytes = lists.map((list) =>
      list.reduce<number>((sum, one) => sum + this.annotationCosts.bytesOf(one, bytesOf), 0),
    );
    return Math.max(...bytes) > PDF_PAGE_DRAWING_BYTES_MAX ? Infinity : count;
  }

  private ownBytesOf(stream: number): number {
    const drawn = this.streams.get(stream);
    return drawn === undefined ? 0 : ownBytes(drawn);
  }

  private contentsOf(page: number): number[] {
    const pages = this.objects.valuesOf(page).filter(isDictionary);
    // A file may contain several versions of a page, of which the last counts.
    return listReferences(this.objects, pages.at(-1)?.get('Contents'));
  }

  private pageOf(page: number): PageDrawing {
    const known = this.pages.get(page);
    if (known !== undefined) return known;
    const drawing = this.forms.ofPage(page);
    this.pages.set(page, drawing);
    return drawing;
  }

  /** True if a page may show text in the colour of its background. @param page number of the page's object */
  mayHide(page: number): boolean {
    if (this.isElsewhere) return true;
    if (this.light.size === 0) return false;
    if (!this.objects.has(page)) return true;
    return this.contentsOf(page).some((object) => this.light.has(object));
  }

  /** Returns the replacement texts of a page; `null` if it has none. @param page number of the page's object */
  actualTexts(page: number): ActualTexts | null {
    const byId = this.structure.ofPage(page);
    const texts = new Map<number, string>();
    let count = 0;
    for (const object of this.contentsOf(page)) {
      const marks = this.marks.get(object);
      for (const [index, text] of marks?.texts ?? []) texts.set(count + index, text);
      count += marks?.count ?? 0;
    }
    return texts.size === 0 && byId.size === 0 ? null : { count, texts, byId };
  }

  /**
   * Returns areas and lines that a page draws, if they may be lines of a table; none if there are more than
   * `PATH_BOXES_MAX`.
   * @param page number of the page's object
   */
  boxesOf(page: number): PathBox[] {
    const boxes: PathBox[] = [];
    for (const object of this.contentsOf(page)) {
      boxes.push(...(this.ruled.get(object) ?? []));
      if (boxes.length > PATH_BOXES_MAX) return [];
    }
    return boxes;
  }

  /** Returns the starts of the texts that a page draws apart. @param page number of the page's object */
  textStartsOf(page: number): TextStart[] {
    return this.contentsOf(page).flatMap((object) => this.starts.get(object) ?? []);
  }

  /** True if every page has few enough operators to list them, however forms are nested. */
  get isListable(): boolean {
    this.listable ??=
      this.countMost(({ bytes }) => bytes) <= OPERATORS_MAX * OPERATOR_BYTES &&
      !this.listingCosts.isCostly(this.countMost(({ marks }) => marks));
    return this.listable;
  }

  /** Returns the largest total of a page, in which a form counts each time it is drawn. */
  private countMost(sizeOf: (drawn: Drawn) => number): number {
    const callsOf = ({ forms, states }: Drawn) => forms + (this.hasMasks ? states : 0);
    const forms = this.drawn.filter(({ isForm }) => isForm);
    const nested = forms.reduce((sum, form) => sum + callsOf(form), 0);
    const largest = forms.reduce((most, one) => Math.max(most, sizeOf(one)), 0);
    const longest = forms.reduce((most, { bytes }) => Math.max(most, bytes), 0);
    // Only saved states make a stream cost more than its largest size. Patterns are drawn by other operators.
    if (nested > NESTED_MAX || longest > PDF_STREAM_DRAWING_BYTES_MAX) return Infinity;
    // Forms draw other forms `nested` times in total. The work is largest if each draws three others.
    const times = 3 ** (nested / 3);
    const pages = this.drawn.filter(({ isForm }) => !isForm);
    return pages.reduce((most, one) => Math.max(most, sizeOf(one) + callsOf(one) * times * largest), 0);
  }
}

/** Counts matches of a pattern, if `operator` occurs at all, which is faster to search for. */
function countOf(content: string, operator: string, pattern: RegExp): number {
  return content.includes(operator) ? (content.match(pattern)?.length ?? 0) : 0;
}

function hasRules(content: string): boolean {
  let count = 0;
  for (const { index } of content.matchAll(RULES)) {
    // `W` makes the path a clip, which is not drawn.
    if (
      content
        .slice(index + 3, index + 9)
        .trimStart()
        .startsWith('W')
    )
      continue;
    if (isLong(content.slice(Math.max(0, index - NUMBERS_BYTES), index), content.slice(index + 1, index + 3)))
      count += 1;
    if (count >= RULES_MIN) return true;
  }
  return false;
}

/**
 * True if a line or rectangle is long enough for a table. `before` ends with its numbers: position and size, or both
 * ends.
 */
function isLong(before: string, operator: string): boolean {
  const words = before.trimEnd().split(/\s+/);
  const [x, y] = words.slice(-2).map(Number);
  if (x === undefined || y === undefined) return false;
  if (operator === 're') return Math.max(Math.abs(x), Math.abs(y)) >= LONG_MIN;
  const [fromX, fromY, move] = words.slice(-5, -2);
  if (move !== 'm') return true;
  return Math.max(Math.abs(x - Number(fromX)), Math.abs(y - Number(fromY))) >= LONG_MIN;
}

/** True if the source defines a soft mask: using one draws the form of the mask. */
function hasMask(source: string): boolean {
  return source.includes('/Luminosity') || source.includes('/Alpha');
}

function showsLightText(content: string): boolean {
  let state = { light: false, invisible: false };
  const saved: (typeof state)[] = [];
  for (const [, numbers, color, save, restore, mode, show] of content.matchAll(TOKENS)) {
    if (color !== undefined) state = { ...state, light: isLight(numbers ?? '', color) };
    else if (save !== undefined) saved.push(state);
    else if (restore !== undefined) state = saved.pop() ?? { light: false, invisible: false };
    else if (mode !== undefined) state = { ...state, invisible: mode === '3' || mode === '7' };
    else if (show !== undefined && (state.light || state.invisible)) return true;
  }
  return false;
}

const LIGHT_MIN = 0.95;

function isLight(numbers: string, operator: string): boolean {
  const values = numbers.trim().split(/\s+/).map(Number);
  const isInk = operator === 'k' || (operator !== 'rg' && values.length === 4);
  return isInk ? values.every((value) => value <= 1 - LIGHT_MIN) : values.every((value) => value >= LIGHT_MIN);
}
