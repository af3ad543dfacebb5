import { firstNamedChild, descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/**
 * Facts from a picture's header. `size`: the largest size that a decoder may produce; `null` for an SVG that declares
 * none.
 */
export type PictureHeader = {
  format: PictureFormat;
  mediaType: string;
  size: Size | null;
  /** True for a picture with several frames. Only the first frame is shown. */
  isAnimated: boolean;
};

type PictureFormat = 'PNG' | 'JPEG' | 'GIF' | 'WebP' | 'AVIF' | 'BMP' | 'SVG';

/** Maximum chunks, blocks or boxes of a file that are skipped to find its size. Real files have a few dozen. */
const STEPS_MAX = 2_000;

/** @returns `null` for bytes that are not a picture of a known format, that end before its size, or whose size is 0 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const data = new Bytes(bytes);
  for (const [format, mediaType, starts, read] of FORMATS) {
    if (!starts(data)) continue;
    const found = read(data);
    return found === null || !isSize(found) ? null : { format, mediaType, ...found };
  }
  const size = svgSize(bytes);
  return size === undefined ? null : { format: 'SVG', mediaType: 'image/svg+xml', size, isAnimated: false };
}

type Found = { size: Size; isAnimated: boolean };

function isSize({ size }: Found): boolean {
  return size.width > 0 && size.height > 0;
}

const FORMATS: readonly (readonly [
  format: PictureFormat,
  mediaType: string,
  starts: (data: Bytes) => boolean,
  read: (data: Bytes) => Found | null,
])[] = [
  ['PNG', 'image/png', (data) => data.text(0, 8) === '\x89PNG\r\n\x1a\n', readPng],
  ['JPEG', 'image/jpeg', (data) => data.text(0, 3) === '\xff\xd8\xff', readJpeg],
  ['GIF', 'image/gif', (data) => /^GIF8[79]a$/u.test(data.text(0, 6)), readGif],
  ['WebP', 'image/webp', (data) => data.text(0, 4) === 'RIFF' && data.text(8, 4) === 'WEBP', readWebp],
  ['AVIF', 'image/avif', (data) => data.text(4, 4) === 'ftyp', readAvif],
  ['BMP', 'image/bmp', (data) => data.text(0, 2) === 'BM', readBmp],
];

/** Reads numbers from bytes. Beyond the end, they are 0, so a truncated file has no size. */
class Bytes {
  readonly all: Uint8Array;
  readonly length: number;
  readonly #view: DataView;

  constructor(all: Uint8Array) {
    this.all = all;
    this.length = all.byteLength;
    this.#view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  }

  byte(at: number): number {
    return this.all[at] ?? 0;
  }

  big32(at: number): number {
    return at + 4 <= this.length ? this.#view.getUint32(at) : 0;
  }

  little16(at: number): number {
    return at + 2 <= this.length ? this.#view.getUint16(at, true) : 0;
  }

  little24(at: number): number {
    return this.little16(at) + this.byte(at + 2) * 0x10000;
  }

  little32(at: number): number {
    return at + 4 <= this.length ? this.#view.getUint32(at, true) : 0;
  }

  littleInt32(at: number): number {
    return at + 4 <= this.length ? this.#view.getInt32(at, true) : 0;
  }

  text(at: number, length: number): string {
    return String.fromCharCode(...this.all.subarray(at, at + length));
  }
}

/** Reads a PNG (third edition). A chunk `acTL` before the pixels (`IDAT`) means that it is animated. */
function readPng(data: Bytes): Found {
  let isAnimated = false;
  let at = 8;
  for (let steps = 0; steps < STEPS_MAX && at < data.length; steps += 1) {
    const type = data.text(at + 4, 4);
    if (type === 'IDAT') break;
    isAnimated ||= type === 'acTL';
    at += 12 + data.big32(at);
  }
  return { size: { width: data.big32(16), height: data.big32(20) }, isAnimated };
}

function readJpeg({ all }: Bytes): Found | null {
  const size = jpegSize(all);
  return size === null ? null : { size, isAnimated: false };
}

const GIF_HEAD_BYTES = 13;
const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;

/** Reads a GIF89a. Decoders make it as large as its first frame, even if the header declares less. */
function readGif(data: Bytes): Found {
  const size = { width: data.little16(6), height: data.little16(8) };
  let at = GIF_HEAD_BYTES + colourTableBytes(data.byte(10));
  let frames = 0;
  for (let steps = 0; steps < STEPS_MAX && frames < 2; steps += 1) {
    if (data.byte(at) === GIF_EXTENSION) {
      at = endOfBlocks(data, at + 2);
    } else if (data.byte(at) === GIF_IMAGE) {
      frames += 1;
      if (frames > 1) break;
      size.width = Math.max(size.width, data.little16(at + 1) + data.little16(at + 5));
      size.height = Math.max(size.height, data.little16(at + 3) + data.little16(at + 7));
      at = endOfBlocks(data, at + 11 + colourTableBytes(data.byte(at + 9)));
    } else break;
  }
  return { size, isAnimated: frames > 1 };
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function endOfBlocks(data: Bytes, from: number): number {
  let at = from;
  while (at < data.length && data.byte(at) !== 0) at += data.byte(at) + 1;
  return at + 1;
}

const WEBP_ANIMATED = 0x02;

/** Minimum bytes of a WebP file. A lossless file with a single colour has this size. */
const WEBP_HEAD_BYTES = 25;

/**
 * Reads a WebP (RFC 9649): lossy (`VP8 `), lossless (`VP8L`) or extended (`VP8X`). Shorter files are refused, because a
 * missing length would be read as 1: the last two formats store lengths minus one.
 */
function readWebp(data: Bytes): Found | null {
  const kind = data.length < WEBP_HEAD_BYTES ? '' : data.text(12, 4);
  if (kind === 'VP8 ') {
    const size = { width: data.little16(26) & 0x3fff, height: data.little16(28) & 0x3fff };
    return { size, isAnimated: false };
  }
  if (kind === 'VP8L') {
    const bits = data.little32(21);
    return { size: { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }, isAnimated: false };
  }
  if (kind !== 'VP8X') return null;
  const size = { width: data.little24(24) + 1, height: data.little24(27) + 1 };
  return { size, isAnimated: (data.byte(20) & WEBP_ANIMATED) !== 0 };
}

/** Returns the largest size (`ispe`) of any item in an AVIF file (ISO/IEC 23008-12). */
function readAvif(data: Bytes): Found | null {
  const size = { width: 0, height: 0 };
  let steps = 0;
  const within = (from: number, end: number) => {
    for (let at = from; at + 8 <= end && steps < STEPS_MAX; steps += 1) {
      const [type, length] = [data.text(at + 4, 4), data.big32(at)];
      const boxEnd = length === 0 ? end : Math.min(end, at + length);
      if (length !== 0 && length < 8) return;
      if (type === 'ispe') {
        size.width = Math.max(size.width, data.big32(at + 12));
        size.height = Math.max(size.height, data.big32(at + 16));
      } else if (type === 'meta') within(at + 12, boxEnd);
      else if (type === 'iprp' || type === 'ipco') within(at + 8, boxEnd);
      at = boxEnd;
    }
  };
  within(0, data.length);
  return { size, isAnimated: data.text(8, 4) === 'avis' };
}

const BMP_CORE_HEAD_BYTES = 12;

/** Reads a BMP. Its height is negative if rows are stored from top to bottom. */
function readBmp(data: Bytes): Found {
  const isCore = data.little32(14) === BMP_CORE_HEAD_BYTES;
  const size = isCore
    ? { width: data.little16(18), height: data.little16(20) }
    : { width: data.littleInt32(18), height: Math.abs(data.littleInt32(22)) };
  return { size, isAnimated: false };
}

/** Maximum characters searched for the root element. A licence may come before it. */
const HEAD_CHARS_MAX = 32_000;
/** Maximum labels listed for one drawing: enough for a map, which has a few hundred. */
const LABELS_MAX = 300;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['mm', 96 / 25.4],
  ['cm', 96 / 2.54],
  ['in', 96],
]);

/**
 * Returns the size of an SVG, or of its view box, in CSS pixels; `null` if it declares neither completely, `undefined`
 * if it is not an SVG.
 */
function svgSize(bytes: Uint8Array): Size | null | undefined {
  const root = rootOf(decode(bytes.subarray(0, 2 * HEAD_CHARS_MAX)).slice(0, HEAD_CHARS_MAX));
  if (root === undefined) return undefined;
  const { width, height, viewBox = '' } = root.attributes;
  const [, , boxWidth = 0, boxHeight = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const box = boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null;
  const size = { width: lengthOf(width), height: lengthOf(height) };
  if (size.width !== null && size.height !== null) return { width: size.width, height: size.height };
  if (box === null) return null;
  if (size.width !== null) return { width: size.width, height: (size.width * box.height) / box.width };
  if (size.height !== null) return { width: (size.height * box.width) / box.height, height: size.height };
  return box;
}

export type PictureTexts = { title: string; description: string; labels: readonly string[] };

/** Returns the title, description and labels of an SVG. Scripts in it do not run. */
export function readSvgTexts(bytes: Uint8Array, charsMax: number): PictureTexts {
  const root = rootOf(decode(bytes), charsMax);
  const said = (name: string) => spaced(textOf(firstNamedChild(root, name)));
  const labels = descendantsOf(root, 'text')
    .slice(0, LABELS_MAX)
    .map((label) => spaced(textOf(label)))
    .filter((label) => label !== '');
  return { title: said('title'), description: said('desc') || (root?.attributes['aria-label'] ?? ''), labels };
}

function rootOf(source: string, charsMax?: number): XmlElement | undefined {
  const [root] = parseXml(source, 'local', charsMax).document.children.filter((node) => typeof node !== 'string');
  return root?.name.toLowerCase() === 'svg' ? root : undefined;
}

function decode(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const mark = first * 256 + second;
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8').decode(bytes);
}

function lengthOf(text: string | undefined): number | null {
  const [, digits = '', unit = ''] = /^\s*([\d.]{1,20})([a-z]{0,2})\s*$/iu.exec(text ?? '') ?? [];
  const pixels = Number(digits) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN);
  return pixels > 0 && Number.isFinite(pixels) ? pixels : null;
}

function spaced(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

type Size = { width: number; height: number };

/**
 * Returns a JPEG's size in pixels, from its first start-of-frame segment (ITU-T T.81 B.2.2); `null` without such a
 * segment, and for other files.
 */
export function jpegSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 2 || view.getUint16(0) !== START_OF_IMAGE) return null;
  let at = 2;
  while (at + SEGMENT_HEAD_BYTES <= bytes.byteLength) {
    if (view.getUint8(at) !== MARKER) return null;
    const marker = view.getUint8(at + 1);
    if (marker === MARKER) {
      at += 1; // `0xff` may be repeated before a marker, as a fill byte
      continue;
    }
    if (isStandalone(marker)) {
      at += 2;
      continue;
    }
    if (isStartOfFrame(marker)) {
      if (at + FRAME_HEAD_BYTES > bytes.byteLength) return null;
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    const length = view.getUint16(at + 2);
    if (marker === START_OF_SCAN || length < 2) return null;
    at += 2 + length;
  }
  return null;
}

const START_OF_IMAGE = 0xffd8;
const MARKER = 0xff;
const START_OF_SCAN = 0xda;
/** Bytes of a segment's marker and length, which begin each segment. */
const SEGMENT_HEAD_BYTES = 4;
/** Bytes of a start-of-frame segment up to the width: marker, length, precision, height, width. */
const FRAME_HEAD_BYTES = 9;

/** True for a marker without a length: TEM and the restart markers. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** True for SOF0 to SOF15. DHT, JPG and DAC are in the same range, but do not start a frame. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
