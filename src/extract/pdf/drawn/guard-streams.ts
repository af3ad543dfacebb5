import { PDF_DRAWN_BYTES_MAX, PDF_INFLATED_BYTES_MAX, PDF_STREAM_BYTES_MAX } from '#extract/limits.ts';
import { failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import { DrawingFacts } from './drawing-facts.ts';
import { inflateSync } from 'node:zlib';
import { Unzlib } from 'fflate';

/** Bytes before its stream in which a dictionary is searched. */
const DICTIONARY_CHARS = 600;
/** The number and the generation of an object. */
const OBJECT_CHARS = 16;
const STREAM = /(?<!end)stream\r?\n/g;
const ENCRYPTED = /\/Encrypt\s*(?:\d|<<)/;
const OBJECT_STREAM = /\/Type\s*\/ObjStm\b/;
const IMAGE = /\/Subtype\s*\/Image/;
/** Objects, fonts, colours and functions. pdf.js needs them, and reads each once. */
const NOT_DRAWN =
  /\/Type\s*\/(?:ObjStm|XRef|Metadata|EmbeddedFile|CMap)\b|\/Length1\b|\/Subtype\s*\/(?:Type1C|CIDFontType0C|OpenType|XML)\b|\/FunctionType\b|\/N\s+\d/;
/** A space: nothing to draw, and nothing to unpack. */
const BLANK = 0x20;
/** The streams of a file may have so many times its bytes together: a declared length may reach too far. */
const OVERLAP_TIMES_MAX = 4;
/** Bytes unpacked at a time. One packed byte gives at most 1,032 bytes. */
const STEP_BYTES = 4 * 1024;

type Guarded = {
  /** A copy of the file, because pdf.js takes over the bytes that it gets. */
  bytes: Uint8Array;
  /** Some of what the pages draw was left out. */
  cut: boolean;
  facts: DrawingFacts;
};

/**
 * Unpacks the compressed streams of the file, except images, once and without keeping them, because pdf.js would hold
 * everything that a stream gives, and the isolate is shared. If the pages draw more than pdf.js can handle in a second,
 * that is blanked, because nothing can stop pdf.js within a page. This is a first check: lengths given by reference are
 * not followed.
 * @throws {PeriscopeError} `extract_failed` for a file that unpacks to more than `PDF_INFLATED_BYTES_MAX`
 */
export function guardStreams(input: ExtractInput): Guarded {
  const bytes = input.bytes.slice();
  const source = new TextDecoder('latin1').decode(bytes);
  let left = PDF_INFLATED_BYTES_MAX;
  let drawable = PDF_DRAWN_BYTES_MAX;
  let packedLeft = OVERLAP_TIMES_MAX * bytes.length;
  let cut = false;
  const facts = new DrawingFacts();
  facts.isEncrypted = ENCRYPTED.test(source);
  STREAM.lastIndex = 0;
  for (let match = STREAM.exec(source); match !== null; match = STREAM.exec(source)) {
    const dictionary = dictionaryBefore(source, match.index);
    const filters = dictionary.match(/\/(?:FlateDecode|Fl|LZWDecode|LZW)\b/g)?.length ?? 0;
    if (filters > 1) failUnreadable(input, 'the PDF compresses its streams twice');
    const start = match.index + match[0].length;
    const marked = source.indexOf('endstream', start);
    const end = marked < 0 ? bytes.length : marked;
    if (!IMAGE.test(dictionary)) {
      const isDrawn = !NOT_DRAWN.test(dictionary);
      const declared = Number(/\/Length\s+(\d{1,9})(?!\s+\d+\s+R)/.exec(dictionary)?.[1] ?? 0);
      const packed = bytes.subarray(start, Math.max(end, start + declared));
      packedLeft -= packed.length;
      if (packedLeft < 0) failUnreadable(input, 'the streams of the PDF overlap');
      const limit = isDrawn ? Math.min(left, drawable, PDF_STREAM_BYTES_MAX) : left;
      const unpacked = filters === 0 ? packed : inflated(packed, limit);
      const size = unpacked?.length ?? countedSize(packed, limit);
      if (size > left) failUnreadable(input, `the PDF unpacks to more than ${PDF_INFLATED_BYTES_MAX} bytes`);
      left -= filters === 0 ? 0 : size;
      if (isDrawn && size > limit) {
        packed.fill(BLANK);
        cut = true;
      } else if (isDrawn) {
        drawable -= size;
        if (unpacked !== null) facts.addDrawn(objectBefore(source, match.index), dictionary, latin1(unpacked));
      } else if (unpacked !== null && OBJECT_STREAM.test(dictionary)) facts.addObjects(dictionary, latin1(unpacked));
    }
    if (marked < 0) break;
    STREAM.lastIndex = end;
  }
  facts.finish(source);
  return { bytes, cut, facts };
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** The number of the object whose stream is at `at`; -1 if it is too far before it. */
function objectBefore(source: string, at: number): number {
  const window = source.slice(Math.max(0, at - DICTIONARY_CHARS), at);
  const object = window.lastIndexOf(' obj');
  return Number(
    /(\d{1,9})\s+\d{1,5}$/.exec(window.slice(Math.max(0, object - OBJECT_CHARS), Math.max(0, object)))?.[1] ?? -1,
  );
}

function dictionaryBefore(source: string, at: number): string {
  const window = source.slice(Math.max(0, at - DICTIONARY_CHARS), at);
  return window.slice(window.lastIndexOf(' obj') + 1);
}

/** Most streams are intact and small; the platform unpacks those at a fifth of the cost of counting their bytes. */
function inflated(packed: Uint8Array, max: number): Uint8Array | null {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, Math.min(max, PDF_STREAM_BYTES_MAX)) });
  } catch {
    return null;
  }
}

/** Counts up to a little over `max`. Broken data ends where it breaks, as pdf.js reads it. */
function countedSize(packed: Uint8Array, max: number): number {
  const counted = { bytes: 0 };
  const inflate = new Unzlib((chunk) => {
    counted.bytes += chunk.length;
  });
  try {
    for (let at = 0; at < packed.length; at += STEP_BYTES) {
      inflate.push(packed.subarray(at, at + STEP_BYTES), false);
      if (counted.bytes > max) break;
    }
  } catch {
    return counted.bytes;
  }
  return counted.bytes;
}
