import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jpegSize } from '#extract/image/header.ts';

const SOI = [0xff, 0xd8];
const APP0 = [0xff, 0xe0, 0x00, 0x04, 0x01, 0x02];
const frame = (marker: number, width: number, height: number) =>
  [0xff, marker, 0x00, 0x0b, 0x08].concat([height >> 8, height & 0xff, width >> 8, width & 0xff]);
const size = (...parts: number[][]) => jpegSize(Uint8Array.from(parts.flat()));

describe('the size of a JPEG', () => {
  it('is read from the first start of frame, baseline or progressive', () => {
    expect(size(SOI, APP0, frame(0xc0, 1568, 882))).toEqual({ width: 1568, height: 882 });
    expect(size(SOI, APP0, frame(0xc2, 300, 65_535))).toEqual({ width: 300, height: 65_535 });
  });

  it('skips Huffman tables, restart markers and fill bytes, which look like frames', () => {
    const huffman = [0xff, 0xc4, 0x00, 0x08, 0, 1, 2, 3, 4, 5];
    expect(size(SOI, huffman, [0xff, 0xd0], [0xff], frame(0xc1, 7, 9))).toEqual({ width: 7, height: 9 });
  });

  it('is unknown without a frame before the scan, or in other bytes', () => {
    expect(size(SOI, [0xff, 0xda, 0x00, 0x02], frame(0xc0, 1, 1))).toBeNull();
    expect(size([0x89, 0x50, 0x4e, 0x47])).toBeNull();
    expect(size([])).toBeNull();
    expect(size(SOI, [0xff, 0xe0, 0x00, 0x00, 0xff])).toBeNull();
  });

  it('is unknown, without an exception, for truncated or arbitrary bytes', () => {
    const whole = [...SOI, ...APP0, ...frame(0xc0, 10, 10)];
    for (let length = 0; length < whole.length; length += 1) expect(size(whole.slice(0, length))).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        jpegSize(Uint8Array.from([...SOI, ...bytes]));
      }),
    );
  });
});
