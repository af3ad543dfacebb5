import { escapeInline } from '#extract/escape.ts';
import { failUnreadableFile, toExtracted } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { readPictureHeader, readSvgTexts } from './header.ts';
import { descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { PictureTexts } from './header.ts';

/** Extracts facts about a picture without decoding it: format, size, title, alternative text, labels of an SVG. */
export const imageExtractor: Extractor = { id: 'image', version: '1', extract: extractImage };

async function extractImage(input: ExtractInput): Promise<ExtractedText> {
  const header = readPictureHeader(input.bytes);
  if (header === null) return failUnreadableFile(input, 'the picture is broken or incomplete');
  const { format, size, isAnimated } = header;
  const { title, description, labels } = readPictureTexts(input.bytes, format === 'SVG');
  const plain = (text: string) => escapeInline(text, { inLink: false, inCell: false });
  const pixels = size === null ? [] : [`${Math.round(size.width)} × ${Math.round(size.height)} pixels`];
  const facts = [`${format} image`, ...pixels, `${input.bytes.length} bytes`, ...(isAnimated ? ['animated'] : [])];
  const markdown = [
    `${facts.join(', ')}.`,
    ...(title === '' ? [] : ['', `Title: ${plain(title)}`]),
    ...(description === '' ? [] : ['', `Alternative text: ${plain(description)}`]),
    ...(labels.length === 0 ? [] : ['', 'Labels:', '', ...labels.map((label) => `- ${plain(label)}`)]),
  ];
  const written = { title: title === '' ? null : title, markdown, cuts: [], strategy: 'facts' };
  return { ...(await toExtracted(imageExtractor, written, input)), toView: { page: null } };
}

/** Bytes at the start of a file that are searched for texts, such as alternative text in XMP metadata. */
const FIRST_BYTES = 512 * 1024;
/** Bytes at the end of a file that are searched for texts, because WebP has its metadata there. */
const LAST_BYTES = 128 * 1024;
const XMP_CHARS_MAX = 200_000;
const WORDS_CHARS_MAX = 2_000;
/** Maximum entries of an EXIF directory, or text chunks of a PNG, that are read. */
const ENTRIES_MAX = 200;
const TEXT_CHARS_MAX = 200_000;
/** Bytes converted to characters in one call, because a call can take only a limited number of arguments. */
const STEP_BYTES = 8 * 1024;

/**
 * Returns the texts in a picture's metadata: alternative text, description and title in XMP (IPTC), text chunks of a
 * PNG, the description in EXIF; for an SVG, its `title`, `desc` and labels.
 */
function readPictureTexts(bytes: Uint8Array, isDrawing: boolean): PictureTexts {
  if (isDrawing) return readSvgTexts(bytes, TEXT_CHARS_MAX);
  const ends = latin1(bytes.subarray(0, FIRST_BYTES)) + latin1(bytes.subarray(FIRST_BYTES).subarray(-LAST_BYTES));
  const chunks = pngTexts(bytes);
  const said = xmpWords(ends);
  const description = said('AltTextAccessibility') || said('ExtDescrAccessibility') || said('description');
  return {
    title: said('title') || short(chunks.get('Title') ?? ''),
    description: description || short(chunks.get('Description') ?? '') || short(exifDescription(ends)),
    labels: [],
  };
}

/**
 * Returns a function that finds a text in the XMP metadata.
 * @param ends the start and end of the file, one character per byte
 */
function xmpWords(ends: string): (name: string) => string {
  const start = ends.indexOf('<x:xmpmeta');
  const end = start < 0 ? -1 : ends.indexOf('</x:xmpmeta>', start);
  if (end < 0) return () => '';
  const packet = utf8(ends.slice(start, Math.min(end, start + XMP_CHARS_MAX)));
  const { document } = parseXml(packet, 'local');
  return (name) => {
    const [found] = descendantsOf(document, name);
    return short(textOf(descendantsOf(found, 'li')[0] ?? found));
  };
}

/** Returns the uncompressed texts of a PNG by keyword (third edition, §11.3.3). */
function pngTexts(bytes: Uint8Array): Map<string, string> {
  const texts = new Map<string, string>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (latin1(bytes.subarray(1, 4)) !== 'PNG') return texts;
  let at = 8;
  for (let entries = 0; entries < ENTRIES_MAX && at + 12 <= bytes.length; entries += 1) {
    const length = view.getUint32(at);
    const type = latin1(bytes.subarray(at + 4, at + 8));
    const body = latin1(bytes.subarray(at + 8, at + 8 + Math.min(length, XMP_CHARS_MAX)));
    const [keyword = '', ...rest] = body.split('\0');
    if (type === 'tEXt') texts.set(keyword, rest.join(' '));
    // Before the text come the compression flag and method, the language and the translated keyword.
    if (type === 'iTXt' && body.startsWith(`${keyword}\0\0`)) texts.set(keyword, utf8(rest.slice(4).join(' ')));
    at += 12 + length;
  }
  return texts;
}

const IMAGE_DESCRIPTION = 0x010e;
const EXIF = 'Exif\0\0';

/** Returns the EXIF `ImageDescription` (TIFF 6.0), or an empty string. */
function exifDescription(ends: string): string {
  const at = ends.indexOf(EXIF);
  if (at < 0) return '';
  const tiff = Uint8Array.from(ends.slice(at + EXIF.length, at + EXIF.length + 65_536), (one) => one.charCodeAt(0));
  const view = new DataView(tiff.buffer);
  const isLittle = ends.startsWith('II', at + EXIF.length);
  const number = (from: number, bytes: 2 | 4) => {
    if (from + bytes > tiff.length) return 0;
    return bytes === 2 ? view.getUint16(from, isLittle) : view.getUint32(from, isLittle);
  };
  const directory = number(4, 4);
  const count = Math.min(number(directory, 2), ENTRIES_MAX);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (number(entry, 2) !== IMAGE_DESCRIPTION) continue;
    const length = number(entry + 4, 4);
    const from = length <= 4 ? entry + 8 : number(entry + 8, 4);
    return utf8(latin1(tiff.subarray(from, from + Math.min(length, WORDS_CHARS_MAX))).split('\0')[0] ?? '');
  }
  return '';
}

function short(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, WORDS_CHARS_MAX);
}

/** Returns one character per byte. `TextDecoder('latin1')` would decode windows-1252, in which 27 bytes differ. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + STEP_BYTES));
  }
  return text;
}

function utf8(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0) & 0xff));
}
