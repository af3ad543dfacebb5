import { describe, expect, it } from 'vitest';
import { makePdf, stream } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const PAGE = { texts: [{ x: 60, y: 700, text: 'The keeper of the lamp.' }] };
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));

/** A PDF of one page, with further objects behind its end, numbered by hand. */
function withObjects(objects: readonly string[]): Uint8Array {
  const pdf = Buffer.from(makePdf([PAGE])).toString('latin1');
  return Uint8Array.from(Buffer.from([pdf, ...objects].join('\n'), 'latin1'));
}

const streams = (count: number, entries: string) =>
  many(count, (at) => `${1_000 + at} 0 obj\n<< ${entries} >>\nstream\nx\nendstream\nendobj`);
/** Lists of two references, each to the next list: their names double with each. */
const doubling = many(40, (at) => `${900 + at} 0 obj\n[${901 + at} 0 R ${901 + at} 0 R]\nendobj`);

const LISTS: Readonly<Record<string, readonly string[]>> = {
  'a list of filters for many streams': [
    `900 0 obj\n[${'/A '.repeat(800)}]\nendobj`,
    ...streams(800, '/Filter 900 0 R /Length 1'),
  ],
  'a list of parameters for many streams': [
    `900 0 obj\n[${'<<>> '.repeat(800)}]\nendobj`,
    ...streams(800, '/DecodeParms 900 0 R /Length 1'),
  ],
  'many versions of a length for many streams': [
    ...many(800, () => '900 0 obj\n7\nendobj'),
    ...streams(800, '/Length 900 0 R'),
  ],
  'many versions of references to references': [
    ...many(60, () => '900 0 obj\n901 0 R\nendobj\n901 0 obj\n902 0 R\nendobj\n902 0 obj\n7\nendobj'),
    ...streams(1, '/Length 900 0 R'),
  ],
  'a list of contents for many pages': [
    `900 0 obj\n[${'1 0 R '.repeat(800)}]\nendobj`,
    ...many(800, (at) => `${1_000 + at} 0 obj\n<< /Type /Page /Contents 900 0 R >>\nendobj`),
  ],
};

describe('a PDF whose objects multiply', () => {
  it.each(Object.entries(LISTS))('is refused after a few times its own length: %s', async (_, objects) => {
    const refusal = { failure: { reason: 'the objects of the PDF overlap' } };
    await expect(readBytes('pdf', withObjects(objects))).rejects.toMatchObject(refusal);
  });

  it('is read if the filters of a stream are lists in lists, which double with each list', async () => {
    const read = await readBytes('pdf', withObjects([...doubling, ...streams(1, '/Filter 900 0 R /Length 1')]));
    expect(read.lines.join('\n')).toContain('The keeper of the lamp.');
  });
});

const cmap = (sections: string) => stream(`begincmap\n${sections}\nendcmap`);
const ranges = (kind: string, count: number, range: string) =>
  cmap(`${count} begin${kind}\n${`${range}\n`.repeat(count)}end${kind}`);
const simple = (entries: string) =>
  `/ColorSpace << >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${entries} >> >>`;
const composite = (encoding: string, widths: string) =>
  `/ColorSpace << >> /Font << /F << /Type /Font /Subtype /Type0 /BaseFont /A /Encoding ${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> ${widths} >>] >> >>`;
/** The number of its first object. */
const MAP = '6 0 R';

const FONTS: Readonly<Record<string, { resources: string; objects?: string[] }>> = {
  'a range of all codes of three bytes': {
    resources: simple(`/ToUnicode ${MAP}`),
    objects: [ranges('bfrange', 1, '<000000> <FFFFFE> <0041>')],
  },
  'many ranges of all codes': {
    resources: simple(`/ToUnicode ${MAP}`),
    objects: [ranges('bfrange', 40, '<0000> <FFFF> <0041>')],
  },
  'ranges that are written as text': {
    resources: simple(`/ToUnicode ${MAP}`),
    objects: [ranges('bfrange', 40, String.raw`(\000\000) (\377\377) 65`)],
  },
  'a name that is spelled in another way': {
    resources: simple(`/To#55nicode ${MAP}`),
    objects: [ranges('bfrange', 40, '<0000> <FFFF> <0041>')],
  },
  'one list for many fonts': {
    resources: `${simple(`/ToUnicode ${MAP}`)} /Other << ${many(40, (at) => `/G${at} << /ToUnicode ${MAP} >>`).join(' ')} >>`,
    objects: [ranges('bfrange', 1, '<0000> <FFFF> <0041>')],
  },
  'a list in a picture': {
    resources: simple(`/ToUnicode ${MAP}`),
    objects: [cmap('').replace('<<', '<< /Subtype /Image')],
  },
  'ranges of glyphs': {
    resources: composite(MAP, ''),
    objects: [ranges('cidrange', 40, '<0000> <FFFF> 0')],
  },
  'many code spaces': {
    resources: composite(MAP, ''),
    objects: [ranges('codespacerange', 5_000, '<00> <FF>')],
  },
  'a width for too large a code': { resources: composite('/Identity-H', '/W [0 200000 5]') },
  'widths for too large codes, twice': { resources: composite('/Identity-H', '/W [0 200000 5] /W2 [0 200000 5 5 5]') },
  'widths of all codes again and again': { resources: composite('/Identity-H', `/W [${'0 65535 5 '.repeat(4_000)}]`) },
  'vertical widths again and again': {
    resources: composite('/Identity-V', `/W#32 [${'0 65535 5 5 5 '.repeat(4_000)}]`),
  },
};

describe('a PDF whose fonts list too many characters', () => {
  it.each(Object.entries(FONTS))('is refused: %s', async (_, { resources, objects = [] }) => {
    const refusal = { failure: { reason: 'the fonts of the PDF have too many characters' } };
    const pdf = makePdf([{ ...PAGE, resources }], { objects });
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject(refusal);
  });

  it('is read if the name of a picture has an escaped space', async () => {
    const picture = '900 0 obj\n<< /Subtype /Image /Width 1 /Height 1 /Length 1 >>\nstream\nx\nendstream\nendobj';
    const read = await readBytes('pdf', withObjects([picture, '901 0 obj\n<< /Im#201 900 0 R >>\nendobj']));
    expect(read.lines.join('\n')).toContain('The keeper of the lamp.');
  });

  it('is read with a list of all characters of Unicode’s first plane, and all their widths', async () => {
    const list = ranges('bfrange', 1, '<0000> <FFFF> <0000>');
    const fonts = [composite('/Identity-H', '/W [0 65535 500]'), simple(`/ToUnicode ${MAP}`)];
    for (const resources of fonts) {
      const pdf = makePdf([{ ...PAGE, resources }], { objects: [list] });
      expect((await readBytes('pdf', pdf)).lines.length).toBeGreaterThan(0);
    }
  });
});

describe('a cross-reference stream', () => {
  /** The entries have no bytes. */
  const listing = (entries: string) => {
    const body = Buffer.from(makePdf([PAGE]))
      .toString('latin1')
      .replace(/xref\n0[^]*$/, '');
    const list = `99 0 obj\n<< /W [0 0 0] ${entries} /Root 1 0 R /Length 0 >>\nstream\n\nendstream\nendobj\n`;
    return Uint8Array.from(Buffer.from(`${body}${list}startxref\n${body.length}\n%%EOF\n`, 'latin1'));
  };

  it.each([
    '/Type /XRef /Size 300000',
    '/Size 300000',
    '/Subtype /Image /Size 300000',
    '/Size 9 /Index [0 300000]',
    `/Size 9 /Index [${'0 30000 '.repeat(10)}]`,
    '/Size 9 /Index 98 0 R',
  ])('is refused if it lists more objects than the file can have: %s', async (entries) => {
    const bytes = Buffer.from(listing(entries)).toString('latin1');
    const pdf = Uint8Array.from(Buffer.from(`${bytes}98 0 obj\n[0 300000]\nendobj\n`, 'latin1'));
    const refusal = { failure: { reason: 'the PDF lists more objects than it has' } };
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject(refusal);
  });

  it('is read if it lists objects that the file does not have', async () => {
    const read = await readBytes('pdf', listing('/Type /XRef /Size 100000'));
    expect(read.lines.join('\n')).toContain('The keeper of the lamp.');
  });
});
