import { deflateSync } from 'node:zlib';

/** Small generated pictures. By default, the quarters have these four colours, beginning at the top left. */
export const QUARTERS = [
  [224, 16, 16],
  [16, 192, 16],
  [16, 48, 224],
  [240, 224, 32],
] as const;

export type Rgb = readonly [number, number, number];

function quarter(x: number, y: number, width: number, height: number): Rgb {
  return QUARTERS[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] ?? QUARTERS[0];
}

type PngOptions = {
  width: number;
  height: number;
  /** Chunks before the pixels. */
  chunks?: readonly Uint8Array[];
  /** Alpha of every pixel; the picture is opaque without it. */
  alpha?: number;
  colour?: (x: number, y: number) => Rgb;
};

export function makePng({ width, height, chunks = [], alpha, colour }: PngOptions): Uint8Array {
  const at = colour ?? ((x: number, y: number) => quarter(x, y, width, height));
  const rows: number[] = [];
  for (let y = 0; y < height; y += 1) {
    rows.push(0);
    for (let x = 0; x < width; x += 1) rows.push(...at(x, y), ...(alpha === undefined ? [] : [alpha]));
  }
  const head = [...big32(width), ...big32(height), 8, alpha === undefined ? 2 : 6, 0, 0, 0];
  return concat(
    PNG_SIGNATURE,
    pngChunk('IHDR', Uint8Array.from(head)),
    ...chunks,
    pngChunk('IDAT', deflateSync(Uint8Array.from(rows))),
    pngChunk('IEND', new Uint8Array()),
  );
}

const PNG_SIGNATURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const named = concat(ascii(type), data);
  return concat(big32(data.length), named, big32(crc32(named)));
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A second frame for an animated PNG, in one colour. */
export function makeApng(width: number, height: number): Uint8Array {
  const png = makePng({
    width,
    height,
    chunks: [pngChunk('acTL', Uint8Array.from([...big32(2), ...big32(0)])), frameControl(0, width, height)],
  });
  const rows = Array.from({ length: height }, () => [0, ...Array.from({ length: width }, () => [0, 0, 0]).flat()]);
  const second = concat(big32(2), deflateSync(Uint8Array.from(rows.flat())));
  const end = png.length - 12;
  return concat(png.slice(0, end), frameControl(1, width, height), pngChunk('fdAT', second), png.slice(end));
}

/** Shown for a hundredth of a second. */
function frameControl(sequence: number, width: number, height: number): Uint8Array {
  const numbers = [sequence, width, height, 0, 0].flatMap((one) => [...big32(one)]);
  return pngChunk('fcTL', Uint8Array.from([...numbers, 0, 1, 0, 100, 0, 0]));
}

export function makeBmp(width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const size = 54 + rowBytes * height;
  const head = [...ascii('BM'), ...little32(size), ...little32(0), ...little32(54), ...little32(40)];
  const info = [...little32(width), ...little32(height), 1, 0, 24, 0, ...Array<number>(24).fill(0)];
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = quarter(x, height - 1 - y, width, height);
      pixels.set([blue, green, red], y * rowBytes + x * 3);
    }
  }
  return concat(Uint8Array.from(head), Uint8Array.from(info), pixels);
}

/** Writes every pixel with at most nine bits, without compression: a clear code comes before the table is full. */
export function makeGif(width: number, height: number, frames = 1): Uint8Array {
  const table = QUARTERS.flat();
  const screen = [...ascii('GIF89a'), ...little16(width), ...little16(height), 0x81, 0, 0];
  const repeats = frames > 1 ? [0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0] : [];
  const drawn = Array.from({ length: frames }, (_, frame) => {
    const place = [0x2c, 0, 0, 0, 0, ...little16(width), ...little16(height), 0];
    const codes: number[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const index = (x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2);
        codes.push(4, frame === 0 ? index : 3 - index);
      }
    }
    const packed = packBits([...codes, 5], 3);
    const blocks: number[] = [];
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.slice(at, at + 255);
      blocks.push(block.length, ...block);
    }
    return [0x21, 0xf9, 4, 0, 5, 0, 0, 0, ...place, 2, ...blocks, 0];
  });
  return Uint8Array.from([...screen, ...table, ...repeats, ...drawn.flat(), 0x3b]);
}

/** Packs the lowest bit first. */
function packBits(values: readonly number[], bits: number): number[] {
  const packed: number[] = [];
  let held = 0;
  let count = 0;
  for (const value of values) {
    held |= value << count;
    count += bits;
    while (count >= 8) {
      packed.push(held & 0xff);
      held >>>= 8;
      count -= 8;
    }
  }
  return count > 0 ? [...packed, held & 0xff] : packed;
}

/** Lossless WebP in one colour. Pixels take no bits, so a small file unpacks to any size. */
export function makeWebp(width: number, height: number, [red, green, blue]: Rgb): Uint8Array {
  const bits: [value: number, bits: number][] = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    [0, 1], // no alpha
    [0, 3], // version
    [0, 1], // no transform
    [0, 1], // no colour cache
    [0, 1], // one set of codes
    ...[green, red, blue, 255].flatMap((symbol): [number, number][] => [
      [1, 1],
      [0, 1],
      [1, 1],
      [symbol, 8],
    ]),
    [1, 1], // distances
    [0, 1],
    [0, 1],
    [0, 1],
  ];
  const packed = packBits(
    bits.flatMap(([value, count]) => Array.from({ length: count }, (_, bit) => (value >> bit) & 1)),
    1,
  );
  const data = packed.length % 2 === 0 ? packed : [...packed, 0];
  const body = [...ascii('WEBPVP8L'), ...little32(packed.length), ...data];
  return Uint8Array.from([...ascii('RIFF'), ...little32(body.length), ...body]);
}

/** Baseline JPEG with one value per block of 8 × 8 pixels: grey, or four inks (Adobe, so 0 is full ink). */
export function makeJpeg(width: number, height: number, inks: readonly number[] | null = null): Uint8Array {
  const components = inks === null ? 1 : 4;
  const segment = (marker: number, ...data: number[]) => [0xff, marker, ...big16(data.length + 2), ...data];
  const parts = Array.from({ length: components }, (_, at) => [at + 1, 0x11, 0]);
  const adobe = inks === null ? [] : segment(0xee, ...ascii('Adobe'), 0, 100, 0, 0, 0, 0, 0);
  const frame = segment(0xc0, 8, ...big16(height), ...big16(width), components, ...parts.flat());
  // Differences of 0 to 11 bits have codes of four bits; the end of a block has a code of one bit.
  const dc = segment(0xc4, 0x00, ...counts(new Map([[4, 12]])), ...Array.from({ length: 12 }, (_, bits) => bits));
  const ac = segment(0xc4, 0x10, ...counts(new Map([[1, 1]])), 0);
  const scan = segment(0xda, components, ...parts.flatMap(([id = 0]) => [id, 0x00]), 0, 63, 0);
  const table = segment(0xdb, 0, ...Array<number>(64).fill(1));
  const bits: number[] = [];
  const write = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  const before = Array<number>(components).fill(0);
  const columns = Math.ceil(width / 8);
  for (let block = 0; block < columns * Math.ceil(height / 8); block += 1) {
    const shade = block % columns < columns / 2 ? 32 : 224;
    for (const [at, ink] of (inks ?? [shade]).entries()) {
      const level = (ink - 128) * 8;
      const difference = level - (before[at] ?? 0);
      before[at] = level;
      const count = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
      write(count, 4);
      write(difference < 0 ? difference + 2 ** count - 1 : difference, count);
      write(0, 1);
    }
  }
  while (bits.length % 8 !== 0) bits.push(1);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit, 0);
    data.push(byte, ...(byte === 0xff ? [0] : []));
  }
  return Uint8Array.from([0xff, 0xd8, ...adobe, ...table, ...frame, ...dc, ...ac, ...scan, ...data, 0xff, 0xd9]);
}

/** The number of codes of each length from 1 to 16. */
function counts(of: ReadonlyMap<number, number>): number[] {
  return Array.from({ length: 16 }, (_, at) => of.get(at + 1) ?? 0);
}

export function makeSvg(inner: string, attributes = 'width="400" height="300" viewBox="0 0 400 300"'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inner}</svg>`;
}

/** The four quarters of a drawing of 400 × 300. */
export const SVG_QUARTERS = QUARTERS.map(
  ([red, green, blue], at) =>
    `<rect x="${(at % 2) * 200}" y="${at < 2 ? 0 : 150}" width="200" height="150" fill="rgb(${red},${green},${blue})"/>`,
).join('');

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (one) => one.charCodeAt(0));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function big16(value: number): Uint8Array {
  return Uint8Array.from([value >> 8, value & 0xff]);
}

export function big32(value: number): Uint8Array {
  return Uint8Array.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]);
}

function little16(value: number): Uint8Array {
  return big16(value).toReversed();
}

function little32(value: number): Uint8Array {
  return big32(value).toReversed();
}
