import { Unzlib } from 'fflate';
import { PDF_INFLATED_BYTES_MAX } from '#core/limits.ts';
import { unreadable } from '#extract/as-extracted.ts';
import type { ExtractInput } from '#extract/extractor.ts';

/** A dictionary is looked at this far before its stream. */
const DICTIONARY_CHARS = 600;
const STREAM = /(?<!end)stream\r?\n/g;
/** Unpacked at a time: deflate gives at most 1,032 bytes for one. */
const STEP_BYTES = 4 * 1024;

/**
 * Unpacks the compressed streams of the file, images apart, once and without keeping them: pdf.js would hold all of
 * what a stream gives, and the isolate is shared. A first wall: lengths given by reference are not followed.
 * @throws {PeriscopeError} `extract_failed` for a file that unpacks to more than `PDF_INFLATED_BYTES_MAX`
 */
export function guardStreams(input: ExtractInput): void {
  const { bytes } = input;
  const source = new TextDecoder('latin1').decode(bytes);
  let left = PDF_INFLATED_BYTES_MAX;
  STREAM.lastIndex = 0;
  for (let match = STREAM.exec(source); match !== null; match = STREAM.exec(source)) {
    const dictionary = dictionaryBefore(source, match.index);
    const filters = dictionary.match(/\/(?:FlateDecode|Fl|LZWDecode|LZW)\b/g)?.length ?? 0;
    if (filters > 1) unreadable(input, 'the PDF packs its streams twice');
    const start = match.index + match[0].length;
    const marked = source.indexOf('endstream', start);
    const end = marked < 0 ? bytes.length : marked;
    if (filters === 1 && !/\/Subtype\s*\/Image/.test(dictionary)) {
      const declared = Number(/\/Length\s+(\d{1,9})(?!\s+\d+\s+R)/.exec(dictionary)?.[1] ?? 0);
      left -= inflatedSize(bytes.subarray(start, Math.max(end, start + declared)), left);
      if (left < 0) unreadable(input, `the PDF unpacks to more than ${PDF_INFLATED_BYTES_MAX} bytes`);
    }
    if (marked < 0) return;
    STREAM.lastIndex = end;
  }
}

function dictionaryBefore(source: string, at: number): string {
  const window = source.slice(Math.max(0, at - DICTIONARY_CHARS), at);
  return window.slice(window.lastIndexOf(' obj') + 1);
}

/** Counts up to a little over `max`; broken data ends where it breaks, as pdf.js reads it. */
function inflatedSize(packed: Uint8Array, max: number): number {
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
