import type { PdfObjects } from '#extract/pdf/file/file-objects.ts';
import { isDictionary, readReference, readString, PdfValueReader } from '#extract/pdf/file/values.ts';
import type { PdfDictionary, PdfValue } from '#extract/pdf/file/values.ts';
import { SOFT_HYPHEN } from './pieces.ts';
import type { MarkedSection, PdfTextRun } from './pieces.ts';

/** Sections that a content stream opens, and the texts of those that have one, by their number in the stream. */
type StreamMarks = { count: number; texts: ReadonlyMap<number, string> };
/** Replacement texts of a page: of sections by their number and by their identifier. */
export type ActualTexts = { count: number; texts: ReadonlyMap<number, string>; byId: ReadonlyMap<number, string> };

/**
 * Maximum ratio of a replacement text's length to that of the drawn text, in both directions, and the characters that
 * it may differ further. A reader of the page sees only the drawn text.
 */
const TIMES_MAX = 2;
const MORE_MAX = 8;
/** The same for all replacement texts of a page. */
const PAGE_TIMES_MAX = 1.5;
const PAGE_MORE_MAX = 200;
/** Maximum replacement texts of a file. Further ones are ignored. */
const TEXTS_MAX = 50_000;
/** Maximum gap between two pieces of text with one replacement, in multiples of the text size. */
const GAP_MAX = 1.5;
const SAME_BASELINE = 0.6;
/** Brackets before `/ActualText` that may open its dictionary: others are those of dictionaries inside it. */
const OPENINGS_MAX = 6;
const DICTIONARY_CHARS_MAX = 2_000;
/** Maximum characters of a file that are parsed to find the dictionaries of its structure. */
const PARSED_MAX = 4_000_000;
const PARENTS_MAX = 8;
const KEY = 'ActualText';
const MARKS = /(?:^|[\s>\])])(B(?:DC|MC))(?=\s|$)/g;

/** Returns the sections that a content stream opens. */
export function readMarks(content: string): StreamMarks {
  const texts = new Map<number, string>();
  let count = 0;
  let from = 0;
  const hasTexts = content.includes(KEY);
  for (const { index, 0: match } of content.matchAll(MARKS)) {
    const end = index + match.length;
    const text = hasTexts ? textBefore(content.slice(Math.max(from, end - DICTIONARY_CHARS_MAX), end)) : null;
    if (text !== null) texts.set(count, text);
    count += 1;
    from = end;
  }
  return { count, texts };
}

/** Returns the replacement text in the dictionary before an operator. */
function textBefore(source: string): string | null {
  const key = source.lastIndexOf(`/${KEY}`);
  if (key < 0) return null;
  const found = dictionaryAround(source, key, { left: OPENINGS_MAX * source.length });
  if (found === null || !/^[\s\0]*BDC$/.test(source.slice(found.end))) return null;
  return decodeText(found.dictionary.get(KEY));
}

type Budget = { left: number };

/** Returns the dictionary whose own key is at a position. */
function dictionaryAround(
  source: string,
  key: number,
  budget: Budget,
): { dictionary: PdfDictionary; end: number } | null {
  // A search backwards in the whole source would take quadratic time if the source has no brackets.
  const start = Math.max(0, key - DICTIONARY_CHARS_MAX);
  const before = source.slice(start, key);
  let opening = before.length;
  for (let times = 0; times < OPENINGS_MAX && opening > 0; times += 1) {
    opening = before.lastIndexOf('<<', opening - 1);
    if (opening < 0) return null;
    const at = start + opening;
    const reader = new PdfValueReader(source, at, Math.min(source.length, key + DICTIONARY_CHARS_MAX));
    const value = reader.value();
    budget.left -= reader.at - at;
    if (budget.left < 0) return null;
    if (isDictionary(value) && value.has(KEY) && reader.at > key) return { dictionary: value, end: reader.at };
  }
  return null;
}

/** Decodes a text string (ISO 32000-2 §7.9.2.2), without marks of its language. */
function decodeText(value: PdfValue | undefined): string | null {
  const text = readString(value ?? null);
  if (text === null) return null;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);
  const encoding = text.startsWith('\xfe\xff') ? 'utf-16be' : text.startsWith('\xff\xfe') ? 'utf-16le' : 'utf-8';
  const isMarked = encoding !== 'utf-8' || text.startsWith('\xef\xbb\xbf');
  const decoded = isMarked ? new TextDecoder(encoding).decode(bytes) : text;
  return decoded.replace(/\u001b[^\u001b]{0,12}\u001b/g, '');
}

/** Collects the replacement texts of a file's structure tree, by page and by identifier of marked content. */
export class StructureTexts {
  private readonly objects: PdfObjects;
  private readonly elements: PdfDictionary[] = [];
  private readonly budget: Budget = { left: PARSED_MAX };
  private searched = 0;
  private pages: Map<number, Map<number, string>> | null = null;

  constructor(objects: PdfObjects) {
    this.objects = objects;
  }

  /** Strings outside of object streams cannot be read in an encrypted file. */
  addText(text: string): void {
    if (!text.includes(`/${KEY}`) || text.includes('/Encrypt')) return;
    for (let at = text.indexOf(`/${KEY}`); at >= 0 && this.searched < TEXTS_MAX && this.budget.left > 0;) {
      const found = dictionaryAround(text, at, this.budget);
      this.searched += 1;
      if (found?.dictionary.has('K') === true) this.elements.push(found.dictionary);
      at = text.indexOf(`/${KEY}`, at + 1);
    }
  }

  /** Returns the texts of a page by identifier of their marked content. */
  ofPage(page: number): ReadonlyMap<number, string> {
    this.pages ??= this.read();
    return this.pages.get(page) ?? new Map<number, string>();
  }

  private read(): Map<number, Map<number, string>> {
    const pages = new Map<number, Map<number, string>>();
    for (const element of this.elements) {
      const text = decodeText(element.get(KEY));
      const [kid, ...others] = this.objects.resolve(element.get('K') ?? null).flat();
      // A text of several sections could not be compared with what each of them draws.
      if (text === null || kid === undefined || others.length > 0) continue;
      const reference = isDictionary(kid) ? kid : element;
      const id = isDictionary(kid) ? kid.get('MCID') : kid;
      const page = readReference(reference.get('Pg') ?? null) ?? this.pageOf(element);
      // Forms number their sections themselves (`Stm`), and pdf.js does not report which form draws a section.
      if (typeof id !== 'number' || page === null || reference.has('Stm')) continue;
      const texts = pages.get(page) ?? new Map<number, string>();
      pages.set(page, texts);
      texts.set(id, text);
    }
    return pages;
  }

  private pageOf(element: PdfDictionary): number | null {
    let holder: PdfDictionary | undefined = element;
    for (let level = 0; level < PARENTS_MAX && holder !== undefined; level += 1) {
      const page = readReference(holder.get('Pg') ?? null);
      if (page !== null) return page;
      holder = this.objects.dictionaries(holder.get('P')).at(-1);
    }
    return null;
  }
}

/**
 * Replaces drawn text by the text that the file gives for it, such as for ligatures, small capitals and divided words.
 * @param count marked sections that pdf.js found on the page. If the streams have others, their numbers are unknown
 */
export function replaceByActualText(runs: readonly PdfTextRun[], actual: ActualTexts, count: number): PdfTextRun[] {
  const byIndex = count === actual.count ? actual.texts : new Map<number, string>();
  const repeated = repeatedIds(runs);
  const groups: { runs: PdfTextRun[]; text: string | null; section: MarkedSection | undefined }[] = [];
  for (const run of runs) {
    const textOf = ({ index, id }: MarkedSection) =>
      byIndex.get(index) ?? (id === null || repeated.has(id) ? undefined : actual.byId.get(id));
    const section = run.sections?.find((one) => textOf(one) !== undefined);
    const last = groups.at(-1);
    // pdf.js may add a space before the first word of a section.
    if (section !== undefined && run.str.trim() === '') continue;
    if (section !== undefined && last?.section === section) last.runs.push(run);
    else groups.push({ runs: [run], text: section === undefined ? null : (textOf(section) ?? null), section });
  }
  const replaced = groups.filter(({ runs: drawn, text }) => text !== null && isAlike(drawn, text));
  const chars = replaced.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  const drawnChars = replaced.reduce((sum, { runs: drawn }) => sum + lengthOf(drawn), 0);
  if (chars > PAGE_TIMES_MAX * drawnChars + PAGE_MORE_MAX) return [...runs];
  return groups.flatMap(({ runs: drawn, text }) =>
    text !== null && isAlike(drawn, text) ? replace(drawn, text) : drawn,
  );
}

/** Returns the identifiers that several sections have, as sections of the page and of a form may. */
function repeatedIds(runs: readonly PdfTextRun[]): ReadonlySet<number> {
  const sections = new Map<number, number>();
  const repeated = new Set<number>();
  for (const { index, id } of runs.flatMap((run) => run.sections ?? [])) {
    if (id !== null && (sections.get(id) ?? index) !== index) repeated.add(id);
    if (id !== null) sections.set(id, index);
  }
  return repeated;
}

function lengthOf(runs: readonly PdfTextRun[]): number {
  return runs.reduce((sum, { str }) => sum + str.trim().length, 0);
}

/**
 * True if a replacement text is about as long as the drawn text, which must be on one line, unless the replacement is a
 * single word.
 */
function isAlike(runs: readonly PdfTextRun[], text: string): boolean {
  const [short, long] = [lengthOf(runs), text.trim().length].sort((one, other) => one - other);
  if (short === undefined || long === undefined || long > TIMES_MAX * short + MORE_MAX) return false;
  const isWord = !/\s/.test(text.trim());
  return runs.slice(1).every((run, index) => {
    const before = runs[index];
    if (before === undefined) return false;
    const { gap, isSameLine } = compare(before, run);
    return isSameLine ? gap <= GAP_MAX : isWord;
  });
}

/** Returns the gap between two runs in multiples of the text size, and whether they are on one baseline. */
function compare(before: PdfTextRun, run: PdfTextRun): { gap: number; isSameLine: boolean } {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = before.transform;
  const [x, y] = [(run.transform[4] ?? 0) - e, (run.transform[5] ?? 0) - f];
  const [length, size] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const [along, across] = [(x * a + y * b) / length, (y * a - x * b) / length];
  return { gap: (along - before.width) / size, isSameLine: Math.abs(across) <= SAME_BASELINE * size };
}

function replace(runs: readonly PdfTextRun[], text: string): PdfTextRun[] {
  const [first] = runs;
  const last = runs.findLast((run) => first !== undefined && compare(first, run).isSameLine);
  if (first === undefined || last === undefined) return [];
  const isHyphen = /^[-\u2010\u00ad]$/.test(first.str.trim()) && (text === '' || text === SOFT_HYPHEN);
  const size = Math.hypot(first.transform[2] ?? 0, first.transform[3] ?? 1) || 1;
  const width = last === first ? first.width : compare(first, last).gap * size + first.width + last.width;
  const isDivider = isHyphen && runs.length === 1;
  const str = isDivider ? '' : text.replaceAll(SOFT_HYPHEN, '');
  return str === '' && !isDivider ? [] : [{ ...first, str, width, isDivider }];
}
