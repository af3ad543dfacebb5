import { describe, expect, it } from 'vitest';
import { ascii, concat, makeGif, makeJpeg, makePng, makeSvg, pngChunk, SVG_QUARTERS } from '#support/make-image.ts';
import { readBytes } from './support.ts';

const XMP = (inner: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>${inner}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const inLanguages = (name: string, text: string) =>
  `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></${name}>`;

/** An application segment behind the start of a JPEG. */
function withSegment(jpeg: Uint8Array, marker: number, data: string): Uint8Array {
  const length = data.length + 2;
  return concat(
    jpeg.slice(0, 2),
    Uint8Array.from([0xff, marker, length >> 8, length & 0xff]),
    ascii(data),
    jpeg.slice(2),
  );
}

describe('a picture', () => {
  it('is described by its type, its size, and whether it is animated', async () => {
    const png = makePng({ width: 64, height: 48 });
    const { lines, toView } = await readBytes('image', png);
    expect(lines).toEqual([`PNG image, 64 × 48 pixels, ${png.length} bytes.`]);
    expect(toView).toEqual({ page: null });
    const { lines: moving } = await readBytes('image', makeGif(8, 8, 2));
    expect(moving[0]).toMatch(/^GIF image, 8 × 8 pixels, \d+ bytes, animated\.$/u);
  });

  it('has the title, description and labels of a drawing, each on one line', async () => {
    const inner = `<title>Plan</title><desc>Where\n the rooms are</desc>${SVG_QUARTERS}<g><text>Kitchen <tspan>(1)</tspan></text><text>*Bath*</text></g>`;
    const { title, lines } = await readBytes('image', ascii(makeSvg(inner)));
    expect(title).toBe('Plan');
    expect(lines.slice(2)).toEqual([
      'Title: Plan',
      '',
      'Alternative text: Where the rooms are',
      '',
      'Labels:',
      '',
      '- Kitchen (1)',
      '- \\*Bath\\*',
    ]);
  });

  it('has the alternative text of a photograph before its description', async () => {
    const both = XMP(
      inLanguages('dc:description', 'Taken in May') + inLanguages('Iptc4xmpCore:AltTextAccessibility', 'A red boat'),
    );
    const jpeg = withSegment(makeJpeg(64, 48), 0xe1, `http://ns.adobe.com/xap/1.0/\0${both}`);
    expect((await readBytes('image', jpeg)).lines).toContain('Alternative text: A red boat');
    const one = withSegment(makeJpeg(64, 48), 0xe1, `x\0${XMP(inLanguages('dc:description', 'Taken in May'))}`);
    expect((await readBytes('image', one)).lines).toContain('Alternative text: Taken in May');
  });

  it('has the description of its EXIF data', async () => {
    const text = 'A harbour at night';
    const entry = `\x0e\x01\x02\x00${String.fromCharCode(text.length + 1)}\0\0\0\x1a\0\0\0`;
    const exif = `Exif\0\0II*\0\x08\0\0\0\x01\0${entry}\0\0\0\0${text}\0`;
    const { lines } = await readBytes('image', withSegment(makeJpeg(64, 48), 0xe1, exif));
    expect(lines).toContain(`Alternative text: ${text}`);
  });

  it('has the texts of a PNG', async () => {
    const chunks = [
      pngChunk('tEXt', ascii('Title\0Tides')),
      pngChunk('iTXt', concat(ascii('Description\0\0\0en\0\0'), new TextEncoder().encode('High at 6 – low at 12'))),
    ];
    const { title, lines } = await readBytes('image', makePng({ width: 4, height: 4, chunks }));
    expect(title).toBe('Tides');
    expect(lines).toContain('Alternative text: High at 6 – low at 12');
  });

  it('is refused by name when it is broken', async () => {
    await expect(readBytes('image', makePng({ width: 8, height: 8 }).slice(0, 18))).rejects.toMatchObject({
      failure: { code: 'extract_failed', reason: 'the picture is broken or incomplete' },
    });
  });
});
