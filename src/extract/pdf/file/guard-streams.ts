import { PDF_DRAWING_BYTES_MAX, PDF_INFLATED_BYTES_MAX, PDF_STREAM_DRAWING_BYTES_MAX } from '#extract/limits.ts';
import { failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { readEncryption } from './decryption.ts';
import type { PdfStreamCipher } from './decryption.ts';
import { PdfObjects } from './file-objects.ts';
import type { PdfStreamPosition } from './file-objects.ts';
import { ExpensiveFonts } from './font-programs.ts';
import { latin1 } from './type1-cost.ts';
import { TreeNodes } from './page-tree.ts';
import { countCompressions, isPictureFilter, unpackStream } from './unpack.ts';
import type { UnpackedStream } from './unpack.ts';
import { isDictionary, readName } from './values.ts';
import type { PdfDictionary, PdfValue } from './values.ts';
import { PageDrawingFacts } from '#extract/pdf/drawn/drawing-facts.ts';
import { FontCodeCounter } from './font-codes.ts';

/**
 * Types and entries of streams with data instead of drawing instructions, such as fonts. pdf.js reads each of them
 * once.
 */
const DATA_TYPES = new Set(['ObjStm', 'XRef', 'Metadata', 'EmbeddedFile', 'CMap']);
const DATA_SUBTYPES = new Set(['Type1C', 'CIDFontType0C', 'OpenType', 'XML']);
const DATA_ENTRIES = ['Length1', 'FunctionType', 'N'];
/** A blanked stream consists of spaces, which draw nothing and need no unpacking. */
const BLANK = 0x20;
/**
 * Maximum length of all streams together, relative to the file. It is above 1, because streams may overlap if declared
 * lengths are too large.
 */
const OVERLAP_TIMES_MAX = 4;
/** Maximum levels of lists in lists of filters. pdf.js reads only one. */
const LISTS_MAX = 3;
/**
 * Objects that cross-reference streams may list: this many, and one more per `BYTES_PER_LISTED` bytes of the file.
 * pdf.js stores all listed objects, even if the stream has no bytes for them.
 */
const LISTED_MIN = 200_000;
const BYTES_PER_LISTED = 30;
/** Maximum bytes to which one packed byte can unpack. */
const RATIO_MAX = 1_300;
/**
 * Maximum bytes in a row of a picture. A predictor filter allocates a row of the declared size, whatever data there is.
 */
const ROW_BYTES_MAX = 1_000_000;

type Guarded = {
  /** A copy of the file, because pdf.js takes ownership of its input. */
  bytes: Uint8Array;
  cut: boolean;
  facts: PageDrawingFacts;
  /** Entries in the lists of all trees of the file. */
  treeNodes: number;
};

/**
 * Protects the isolate from PDF streams that unpack to too much. Each compressed stream, except pictures, is unpacked
 * once to measure it; streams of an encrypted file are decrypted first. If pages draw more than pdf.js can process in a
 * second, the content is blanked, because pdf.js cannot be stopped within a page.
 * @param keepsDrawings true to blank only fonts that are too costly, for a browser, which can be stopped within a page
 * @throws {PeriscopeError} `extract_failed` for a file that unpacks to more than `PDF_INFLATED_BYTES_MAX`, needs a
 * password, is encrypted in an unknown way, or has streams, fonts or object lists that would cost pdf.js too much
 */
export function blankCostlyStreams(input: Pick<ExtractInput, 'bytes' | 'url'>, keepsDrawings = false): Guarded {
  return new StreamGuard(input, keepsDrawings).guard();
}

type Stream = PdfStreamPosition & { filters: string[]; packed: Uint8Array };

class StreamGuard {
  private readonly input: Pick<ExtractInput, 'bytes' | 'url'>;
  private readonly keepsDrawings: boolean;
  private readonly bytes: Uint8Array;
  private readonly objects: PdfObjects;
  private readonly facts: PageDrawingFacts;
  private readonly fonts: FontCodeCounter;
  private readonly programs: ExpensiveFonts;
  private readonly trees: TreeNodes;
  private readonly cipher: PdfStreamCipher | null;
  private left = PDF_INFLATED_BYTES_MAX;
  private drawable = PDF_DRAWING_BYTES_MAX;
  private packedLeft: number;
  private listable: number;
  private cut = false;

  constructor(input: Pick<ExtractInput, 'bytes' | 'url'>, keepsDrawings: boolean) {
    this.input = input;
    this.keepsDrawings = keepsDrawings;
    this.bytes = input.bytes.slice();
    this.packedLeft = OVERLAP_TIMES_MAX * this.bytes.length;
    this.listable = LISTED_MIN + this.bytes.length / BYTES_PER_LISTED;
    const source = latin1(this.bytes);
    this.objects = new PdfObjects(source, input);
    this.facts = new PageDrawingFacts(this.objects);
    this.fonts = new FontCodeCounter(this.objects);
    this.programs = new ExpensiveFonts(this.objects);
    this.trees = new TreeNodes(this.objects);
    this.addText(source);
    const encryption = readEncryption(source, this.objects);
    if (encryption === 'locked') failUnreadableFile(input, 'the PDF is encrypted and asks for a password');
    if (encryption === 'unknown') failUnreadableFile(input, 'the PDF is encrypted in a way that cannot be read here');
    this.cipher = encryption;
  }

  guard(): Guarded {
    const { streams } = this.objects;
    // Object streams first: they may contain the lengths and filters of other streams.
    const isFirst = ({ dictionary }: PdfStreamPosition) => readName(dictionary.get('Type')) === 'ObjStm';
    const data: Stream[] = [];
    for (const found of [...streams.filter(isFirst), ...streams.filter((one) => !isFirst(one))]) {
      const stream = this.measurable(found);
      this.countListed(stream.dictionary);
      const isImage = readName(stream.dictionary.get('Subtype')) === 'Image';
      if (isImage || this.measure(stream)) data.push(stream);
    }
    this.facts.finish();
    const numbers = new Set(streams.map(({ object }) => object));
    if (this.fonts.isTooMany((object) => numbers.has(object)))
      failUnreadableFile(this.input, 'the fonts of the PDF have too many characters');
    // A page may use any stream as content, whatever type it declares.
    for (const stream of data) if (!this.keepsDrawings && this.facts.isContent(stream.object)) this.leaveOut(stream);
    const costly = this.programs.tooCostly();
    for (const found of streams) if (costly.has(found.object)) this.blank(this.measurable(found));
    const treeNodes = this.trees.count();
    if (treeNodes === Infinity) failUnreadableFile(this.input, 'the page tree of the PDF may contain itself');
    if (this.trees.isTooDeep) failUnreadableFile(this.input, 'the trees of the PDF have too many levels');
    if (this.facts.hasCostlyGlyphs) failUnreadableFile(this.input, 'the fonts of the PDF draw too much');
    return { bytes: this.bytes, cut: this.cut, facts: this.facts, treeNodes };
  }

  private addText(text: string): void {
    this.facts.addText(text);
    this.fonts.addText(text);
    this.programs.addText(text);
    this.trees.addText(text);
  }

  /**
   * Counts the objects that a cross-reference stream lists. Any stream with `W` counts, because pdf.js does not check
   * the declared type.
   */
  private countListed(dictionary: PdfDictionary): void {
    if (!dictionary.has('W')) return;
    const index = this.objects.resolve(dictionary.get('Index') ?? null).find(Array.isArray);
    const counts = index?.filter((_, at) => at % 2 === 1) ?? [dictionary.get('Size') ?? null];
    for (const count of counts) this.listable -= Math.max(0, Number(this.objects.resolve(count)[0] ?? 0));
    if (this.listable < 0) failUnreadableFile(this.input, 'the PDF lists more objects than it has');
  }

  private measurable(found: PdfStreamPosition): Stream {
    const { dictionary, start, end } = found;
    const lengths = this.objects.resolve(dictionary.get('Length') ?? null).filter((value) => typeof value === 'number');
    const filters = this.namesOf(dictionary.get('F') ?? dictionary.get('Filter') ?? null);
    const packed = this.bytes.subarray(start, Math.max(end, ...lengths.map((length) => start + length)));
    return { ...found, filters, packed };
  }

  /**
   * Unpacks and measures a stream. Returns true for a stream of more than `PDF_STREAM_DRAWING_BYTES_MAX` whose type is not
   * drawn, because a page may draw it nevertheless.
   */
  private measure(stream: Stream): boolean {
    const { dictionary, filters, packed, object } = stream;
    if (countCompressions(filters) > 1) failUnreadableFile(this.input, 'the PDF compresses its streams twice');
    if (this.hasLongRows(dictionary)) failUnreadableFile(this.input, 'the PDF has streams with rows that are too long');
    this.packedLeft -= packed.length;
    if (this.packedLeft < 0) failUnreadableFile(this.input, 'the streams of the PDF overlap');
    const isDrawn = !isData(dictionary);
    const limit = isDrawn ? Math.min(this.left, this.drawable, PDF_STREAM_DRAWING_BYTES_MAX) : this.left;
    const { size, content, isWhole } = this.unpacked(stream, this.keepsDrawings ? this.left : limit);
    if (size > this.left)
      failUnreadableFile(this.input, `the PDF unpacks to more than ${PDF_INFLATED_BYTES_MAX} bytes`);
    this.left -= filters.length === 0 ? 0 : size;
    const isLeftOut = isDrawn && !this.keepsDrawings && (size > limit || isPictureFilter(filters));
    this.facts.addSize(object, dictionary, isLeftOut ? 0 : size);
    const text = content === null ? null : latin1(content);
    if (text !== null) this.fonts.addStream(object, text);
    this.addFont(stream, isWhole ? content : null);
    if (isLeftOut) this.leaveOut(stream);
    else if (isDrawn) {
      this.drawable -= size;
      if (text !== null) this.facts.addDrawn(object, dictionary, text);
    } else if (text !== null && readName(dictionary.get('Type')) === 'ObjStm') {
      this.objects.addPacked(dictionary, text);
      this.addText(text);
    }
    return !isDrawn && size > PDF_STREAM_DRAWING_BYTES_MAX;
  }

  private addFont(stream: Stream, content: Uint8Array | null): void {
    const { object, dictionary, filters } = stream;
    if (readName(dictionary.get('Type')) === 'ObjStm' || !this.programs.has(object)) return;
    const length = filters.length > 0 ? undefined : Number(this.objects.resolve(dictionary.get('Length') ?? null)[0]);
    this.programs.add(object, this.isExact(stream) ? (content?.subarray(0, length) ?? null) : null);
  }

  /** True if pdf.js certainly reads the same bytes of a font and unpacks them in the same way. */
  private isExact({ dictionary, filters, start, end, packed }: Stream): boolean {
    const lengths = this.objects.resolve(dictionary.get('Length') ?? null);
    const parameters = dictionary.get('DP') ?? dictionary.get('DecodeParms') ?? null;
    return (
      lengths.length === 1 &&
      packed.length === end - start &&
      /^\s{0,2}$/.test(latin1(packed.subarray(Number(lengths[0])))) &&
      filters.every((filter) => filter === 'FlateDecode' || filter === 'Fl') &&
      this.objects.resolve(parameters).every((one) => one === null) &&
      !DATA_TYPES.has(readName(dictionary.get('Type')) ?? '')
    );
  }

  private unpacked(stream: Stream, limit: number): UnpackedStream {
    const { dictionary, filters, packed } = stream;
    if (this.cipher === null || readName(dictionary.get('Type')) === 'XRef')
      return unpackStream(packed, filters, limit);
    const plain = this.cipher.decrypt(packed, stream, isFile(dictionary));
    const unpacked = unpackStream(plain, filters, limit);
    const isKnown = unpacked.isWhole && !filters.includes('Crypt');
    // pdf.js may decrypt the stream with another key. Its content is then unknown, and the worst case counts.
    return isKnown ? unpacked : { ...unpacked, size: packed.length * RATIO_MAX, content: null };
  }

  private leaveOut(stream: Stream): void {
    this.blank(stream);
    this.cut = true;
  }

  private blank({ packed, dictionary, ...stream }: Stream): void {
    if (this.cipher === null) packed.fill(BLANK);
    else this.cipher.blank(packed, stream, isFile(dictionary));
  }

  /** Returns the names in a value and its lists. In real files, lists contain no lists. */
  private namesOf(value: PdfValue, depth = 0): string[] {
    if (depth > LISTS_MAX) return [];
    return this.objects.resolve(value).flatMap((one) => {
      if (Array.isArray(one)) return one.flatMap((entry) => this.namesOf(entry, depth + 1));
      const name = readName(one);
      return name === null ? [] : [name];
    });
  }

  private hasLongRows(dictionary: PdfDictionary): boolean {
    const parameters = this.objects.resolve(dictionary.get('DP') ?? dictionary.get('DecodeParms') ?? null);
    const each = parameters.flatMap((one) =>
      Array.isArray(one) ? one.flatMap((entry) => this.objects.resolve(entry)) : one,
    );
    return each.filter(isDictionary).some((one) => {
      const [columns, colors, bits] = ['Columns', 'Colors', 'BitsPerComponent'].map((key) =>
        Math.max(1, ...this.objects.resolve(one.get(key) ?? null).map(Number)),
      );
      return (columns ?? 1) * (colors ?? 1) * ((bits ?? 8) / 8) > ROW_BYTES_MAX;
    });
  }
}

function isData(dictionary: PdfDictionary): boolean {
  if (DATA_TYPES.has(readName(dictionary.get('Type')) ?? '')) return true;
  if (DATA_SUBTYPES.has(readName(dictionary.get('Subtype')) ?? '')) return true;
  return DATA_ENTRIES.some((entry) => dictionary.has(entry));
}

function isFile(dictionary: PdfDictionary): boolean {
  return readName(dictionary.get('Type')) === 'EmbeddedFile';
}
