import { describe, expect, it } from 'vitest';
import { blankCostlyStreams } from '#extract/pdf/file/guard-streams.ts';
import { makePdf, stream } from '#support/make-pdf.ts';
import { readBytes } from './support.ts';

const PAGE = { texts: [{ x: 60, y: 700, text: 'The keeper of the lamp.' }] };
/** The number of the first object after those of one page. */
const FIRST = 6;
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));
const reading = (bytes: Uint8Array) => readBytes('pdf', bytes);

/** A PDF whose tree of pages begins with this node. The numbers of further objects begin with `NODE`. */
const NODE = FIRST + 1;
function withTree(root: string, objects: readonly string[]): Uint8Array {
  return makePdf([PAGE], { objects: [`<< /Type /Pages ${root} >>`, ...objects], catalog: `/Pages ${FIRST} 0 R` });
}

/** Levels of ten nodes each, which are one object: a small file with ten to the power of `levels` pages. */
const sharing = (levels: number) =>
  withTree(
    `/Kids [${`${NODE} 0 R `.repeat(10)}] /Count ${10 ** levels}`,
    many(levels - 1, (at) => {
      const kid = at === levels - 2 ? 4 : NODE + at + 1;
      return `<< /Type /Pages /Kids [${`${kid} 0 R `.repeat(10)}] /Count ${10 ** (levels - 1 - at)} >>`;
    }),
  );

describe('a tree of pages that shares its nodes', () => {
  it.each([6, 7, 9])('is read up to a limit: 10 to the power of %i', async (levels) => {
    const { pages, cuts, lines } = await reading(sharing(levels));
    expect(pages).toMatchObject({ first: 1, total: 50_000 });
    expect(lines.join('\n')).toContain('The keeper of the lamp.');
    expect(cuts).toContain(
      'The PDF declares more than 50000 pages: later ones, and all links, form fields and comments, are left out.',
    );
  });

  it('is read whole if it has few pages', async () => {
    const { pages, cuts } = await reading(sharing(2));
    expect(pages).toMatchObject({ first: 1, total: 100 });
    expect(cuts).toEqual([]);
  });

  it('counts each entry of its lists, because pdf.js searches them all', () => {
    const pdf = withTree(`/Kids [4 0 R ${'7 0 R '.repeat(5_000)}] /Count 1`, ['<< /Type /Pages /Kids [] /Count 0 >>']);
    // The file also has a tree that is not used, with one page.
    expect(blankCostlyStreams({ bytes: pdf, url: 'https://pier.example/a.pdf' }).treeNodes).toBe(5_002);
  });
});

describe('a page that is written in the list of pages itself', () => {
  it('is left out, because its drawing cannot be limited', async () => {
    const page = '<< /Type /Page /Parent 6 0 R /MediaBox [0 0 600 800] /Contents 5 0 R >>';
    const { lines, cuts } = await reading(withTree(`/Kids [${page} 4 0 R] /Count 2`, []));
    expect(lines.join('\n').match(/The keeper of the lamp\./gu)).toHaveLength(1);
    expect(cuts).toEqual(['Pages that could not be read: 1.']);
  });
});

describe('fonts that share a list of characters', () => {
  it('are refused if they list too many together', async () => {
    const list = stream(`begincmap ${`100 beginbfchar ${'<00> <41> '.repeat(100)}endbfchar `.repeat(100)}endcmap`);
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${FIRST} 0 R >>`;
    const withFonts = (count: number) =>
      makePdf([{ ...PAGE, fonts: many(count, (at) => `/G${at} ${font}`).join(' ') }], { objects: [list] });
    const refusal = { failure: { reason: 'the fonts of the PDF have too many characters' } };
    await expect(reading(withFonts(300))).rejects.toMatchObject(refusal);
    expect((await reading(withFonts(100))).lines.join('\n')).toContain('The keeper of the lamp.');
  });
});

describe('a tree of pages that has no end', () => {
  it.each([
    ['through a list with a number of its own', '/Kids'],
    ['with a name that is spelled in another way', '/#4bids'],
  ])('is refused: %s', async (_, kids) => {
    const pdf = withTree(`/Kids ${NODE} 0 R /Count 2`, [`[<< /Type /Pages ${kids} ${NODE} 0 R /Count 2 >>]`]);
    const refusal = { failure: { reason: 'the page tree of the PDF may contain itself' } };
    await expect(reading(pdf)).rejects.toMatchObject(refusal);
  });

  it.each([
    ['pages', (next: number) => `<< /Type /Pages /Parent ${next} 0 R >>`],
    ['names with a code', (next: number) => `<< /Type /Pages /P#61rent ${next} 0 R >>`],
  ])('is refused if its parents are a long chain: %s', async (_, node) => {
    const refusal = { failure: { reason: 'the trees of the PDF have too many levels' } };
    const chain = (count: number) =>
      withTree(
        '/Kids [4 0 R] /Count 1',
        many(count, (at) => node(NODE + at + 1)),
      );
    await expect(reading(chain(300))).rejects.toMatchObject(refusal);
    expect((await reading(chain(100))).lines.join('\n')).toContain('The keeper of the lamp.');
  });

  it('is read if many nodes have few levels', async () => {
    const nodes = many(1_000, (at) => `<< /Parent ${at === 0 ? 6 : NODE + Math.floor(at / 10)} 0 R >>`);
    expect((await reading(withTree('/Kids [4 0 R] /Count 1', nodes))).lines.join('\n')).toContain('The keeper');
  });
});

describe('a declared number of pages that is wrong', () => {
  it.each([
    [-5, { failure: { reason: 'the PDF is broken' } }],
    [0, { failure: { reason: 'the PDF is broken' } }],
  ])('is an error if there are none: %i', async (count, refusal) => {
    await expect(reading(withTree(`/Kids [4 0 R] /Count ${count}`, []))).rejects.toMatchObject(refusal);
  });

  it.each([5, 1_000_000_000, 1_000_000_000_000])('is corrected if there are fewer: %i', async (count) => {
    const { pages } = await reading(withTree(`/Kids [4 0 R] /Count ${count}`, []));
    expect(pages).toMatchObject({ first: 1, last: 1, total: 1 });
  });
});

const note = (entries: string) =>
  `<< /Type /Annot /Subtype /FreeText /Contents (A note) /Rect [60 60 200 90] ${entries} >>`;
const LEFT_OUT =
  'Links, form fields and comments are left out on page 1: there are more than 2000 on a page, or they draw too much.';

describe('annotations that pdf.js executes', () => {
  it.each([
    ['a default appearance with states', [note(`/DA (${'q '.repeat(9)})`)], []],
    ['a long default appearance', [note(`/DA (${'0 g '.repeat(900)})`)], []],
    ['a default appearance elsewhere', [note('')], [`<< /#44A (${'q '.repeat(9)}) >>`]],
    ['an appearance that saves states', [note(`/AP << /N ${FIRST} 0 R >>`)], [stream('q '.repeat(9_000))]],
    [
      'a long appearance, many times',
      many(500, () => note(`/AP << /N << /On ${FIRST} 0 R >> >>`)),
      [stream('0 g '.repeat(9_000))],
    ],
  ])('are left out: %s', async (_, annotations, objects) => {
    const { cuts, lines } = await reading(makePdf([{ ...PAGE, annotations }], { objects }));
    expect(cuts).toContain(LEFT_OUT);
    expect(lines.join('\n')).toContain('The keeper of the lamp.');
  });

  it('are read if their appearances are short', async () => {
    const annotations = many(500, () => note(`/DA (/Helv 0 Tf 0 g) /AP << /N ${FIRST} 0 R >>`));
    const pdf = makePdf([{ ...PAGE, annotations }], { objects: [stream('q BT /F 9 Tf (A note) Tj ET Q')] });
    const { cuts, lines } = await reading(pdf);
    expect(cuts).not.toContain(LEFT_OUT);
    expect(lines.join('\n')).toContain('A note');
  });
});

describe('the glyphs of a Type 3 font', () => {
  const withGlyphs = (glyphs: string, content: string) =>
    makePdf(
      [
        {
          ...PAGE,
          fonts: `/T << /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << ${glyphs} >> >>`,
        },
      ],
      { objects: [stream(content)] },
    );

  it.each([
    ['one saves too many states', `/a ${FIRST} 0 R`, 'q '.repeat(20_000)],
    ['one stream is many of them', many(300, (at) => `/g${at} ${FIRST} 0 R`).join(' '), '0 0 9 9 re f '.repeat(5_000)],
  ])('are refused if they draw too much: %s', async (_, glyphs, content) => {
    const refusal = { failure: { reason: 'the fonts of the PDF draw too much' } };
    await expect(reading(withGlyphs(glyphs, content))).rejects.toMatchObject(refusal);
  });

  it('are read if they draw little', async () => {
    const { lines } = await reading(withGlyphs(`/a ${FIRST} 0 R`, '9 0 d0 0 0 9 9 re f'));
    expect(lines.join('\n')).toContain('The keeper of the lamp.');
  });
});
