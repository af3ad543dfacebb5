import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPictureHeader } from '#extract/image/header.ts';
import { AVIF } from '#support/avif.ts';
import {
  ascii,
  concat,
  makeApng,
  makeBmp,
  makeGif,
  makeJpeg,
  makePng,
  makeSvg,
  makeWebp,
  SVG_QUARTERS,
} from '#support/make-image.ts';

const svg = (attributes: string) => readPictureHeader(ascii(makeSvg('<rect/>', attributes)))?.size;

describe('the header of a picture', () => {
  it.each([
    ['PNG', makePng({ width: 70, height: 50 })],
    ['JPEG', makeJpeg(70, 50)],
    ['JPEG', makeJpeg(70, 50, [0, 0, 0, 0])],
    ['GIF', makeGif(70, 50)],
    ['WebP', makeWebp(70, 50, [1, 2, 3])],
    ['BMP', makeBmp(70, 50)],
    ['SVG', ascii(makeSvg(SVG_QUARTERS, 'width="70" height="50"'))],
  ])('gives the size of a %s', (format, bytes) => {
    const found = readPictureHeader(bytes);
    expect(found).toMatchObject({ format, size: { width: 70, height: 50 }, isAnimated: false });
  });

  it('gives the size of an AVIF', () => {
    expect(readPictureHeader(AVIF)).toMatchObject({
      format: 'AVIF',
      size: { width: 64, height: 48 },
      isAnimated: false,
    });
  });

  it('shows whether a picture with frames is animated', () => {
    expect(readPictureHeader(makeApng(8, 8))).toMatchObject({ isAnimated: true });
    expect(readPictureHeader(makeGif(8, 8, 2))).toMatchObject({ isAnimated: true });
  });

  it('includes frames of a GIF that are larger than its screen', () => {
    const gif = makeGif(8, 8);
    const image = gif.indexOf(0x2c, 25);
    gif.set([0xff, 0xff, 0xff, 0xff], image + 5);
    expect(readPictureHeader(gif)?.size).toEqual({ width: 65_535, height: 65_535 });
  });

  it('gives the height of a BMP with top-down rows', () => {
    const bmp = makeBmp(8, 6);
    new DataView(bmp.buffer).setInt32(22, -6, true);
    expect(readPictureHeader(bmp)?.size).toEqual({ width: 8, height: 6 });
  });

  it('gives the size of a drawing from its lengths or its view box', () => {
    expect(svg('width="2in" height="72pt"')).toEqual({ width: 192, height: 96 });
    expect(svg('viewBox="0 0 300 150"')).toEqual({ width: 300, height: 150 });
    expect(svg('width="600" viewBox="0,0,300,150"')).toEqual({ width: 600, height: 300 });
    expect(svg('width="100%" height="100%"')).toBeNull();
    expect(svg('width="-1" height="x" viewBox="0 0 0 0"')).toBeNull();
  });

  it('is found after a declaration or a document type, and in UTF-16', () => {
    const plain = makeSvg('<rect/>', 'width="7" height="5"');
    const typed = `<?xml version="1.0"?><!-- a --><!DOCTYPE svg [<!ENTITY a "b">]>${plain}`;
    const utf16 = concat(
      Uint8Array.from([0xff, 0xfe]),
      Uint8Array.from(Array.from(plain, (one) => [one.charCodeAt(0), 0]).flat()),
    );
    for (const bytes of [ascii(typed), utf16]) expect(readPictureHeader(bytes)?.size).toEqual({ width: 7, height: 5 });
  });

  it('is missing if the file ends before it, or has another type', () => {
    const cut = [
      makePng({ width: 8, height: 8 }).slice(0, 18),
      makeGif(8, 8).slice(0, 8),
      makeWebp(8, 8, [0, 0, 0]).slice(0, 20),
    ];
    for (const bytes of [...cut, ascii('%PDF-1.7'), ascii('<html>'), new Uint8Array()]) {
      expect(readPictureHeader(bytes)).toBeNull();
    }
  });

  it('is read from any bytes in bounded time', () => {
    const starts = [makePng({ width: 2, height: 2 }), makeGif(2, 2), makeWebp(2, 2, [0, 0, 0]), AVIF, makeJpeg(8, 8)];
    const holds = fc.property(
      fc.constantFrom(...starts),
      fc.nat(60),
      fc.uint8Array({ maxLength: 300 }),
      (start, at, tail) => {
        const found = readPictureHeader(concat(start.slice(0, at), tail));
        return found === null || found.size === null || (found.size.width > 0 && found.size.height > 0);
      },
    );
    expect(() => fc.assert(holds, { numRuns: 2_000 })).not.toThrow();
    // Chunks, blocks and boxes without a length would be stepped over for ever.
    const empty = new Uint8Array(3_000_000);
    for (const start of starts) empty.set(start.slice(0, 40), 0);
    expect(() => readPictureHeader(empty)).not.toThrow();
  });
});
