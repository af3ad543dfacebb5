import fc from 'fast-check';
import { zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  PDF_DRAWING_BYTES_MAX,
  PDF_PAGES_MAX,
  PDF_STREAM_DRAWING_BYTES_MAX,
  PDF_WORK_MAX,
  PDF_WORK_PER_PAGE,
  PDF_WORK_PER_TEXT_PIECE,
} from '#extract/limits.ts';
import { column, latin1, makePdf, stream, widthOf } from '#support/make-pdf.ts';
import { extract } from '#extract/extract.ts';
import { FILE_URL, markdownOf, readBytes } from './support.ts';
import { stories } from '#support/stories.ts';

function onePage(...texts: Parameters<typeof makePdf>[0][number]['texts'][number][]) {
  return makePdf([{ texts }]);
}

/** The same file with words of the same length in place of others. */
function changed(pdf: Uint8Array, from: string, to: string): Uint8Array {
  return latin1(new TextDecoder('latin1').decode(pdf).replace(from, to));
}

function failsWith(reason: string) {
  return { failure: { code: 'extract_failed', url: 'https://files.example/papers/file', reason } };
}

describe('a PDF', () => {
  it('lists its pages in order, each after a separate line with its mark', async () => {
    const pdf = makePdf([{ texts: column(['First page.'], 60, 700) }, { texts: column(['Second page.'], 60, 700) }]);
    const { lines, extractor } = await readBytes('pdf', pdf);
    expect(lines).toEqual(['<!-- page 1 -->', '', 'First page.', '', '<!-- page 2 -->', '', 'Second page.']);
    expect(extractor).toBe('pdf@31');
  });

  it('cannot forge a page mark', async () => {
    const text = await markdownOf(readBytes('pdf', onePage({ x: 60, y: 700, text: 'See <!-- page 9 --> here' })));
    expect(text).toBe('<!-- page 1 -->\n\nSee \\<!-- page 9 --> here');
  });

  it('joins the lines of a paragraph, and separates paragraphs at gaps', async () => {
    const pdf = onePage(
      ...column(['One paragraph goes', 'on here. It ends.'], 60, 700),
      ...column(['Another one.'], 60, 650),
    );
    expect(await markdownOf(readBytes('pdf', pdf))).toContain('One paragraph goes on here.\nIt ends.\n\nAnother one.');
  });

  it('joins broken words, and keeps the hyphen of a word that has one elsewhere', async () => {
    const lines = ['A word for exam-', 'ple is whole. A well-known word, as well-', 'known as any, keeps it.'];
    expect(await markdownOf(readBytes('pdf', onePage(...column(lines, 60, 700))))).toContain(
      'A word for example is whole.\nA well-known word, as well-known as any, keeps it.',
    );
  });

  it('ranks headings by their size', async () => {
    const body = column(['Text of the body that is long enough to be most of it.'], 60, 600);
    const pdf = onePage(
      { x: 60, y: 740, size: 24, text: 'Book' },
      { x: 60, y: 690, size: 16, text: 'Chapter' },
      ...body,
    );
    const { lines, title } = await readBytes('pdf', pdf);
    expect(lines.slice(2, 5)).toEqual(['# Book', '', '## Chapter']);
    expect(title).toBe('Book');
  });

  it('writes lists', async () => {
    const pdf = onePage(
      ...column(['Things:', '• a bell', '• a lamp that goes', '   on', '1. first', '2. second'], 60, 700),
    );
    expect(await markdownOf(readBytes('pdf', pdf))).toContain('- a bell\n- a lamp that goes on\n1. first\n2. second');
  });

  it('keeps the levels of nested lists', async () => {
    const item = (x: number, y: number, mark: string, text: string) => [
      { x, y, text: mark, mono: mark === 'o' },
      { x: x + 26, y, text },
    ];
    const pdf = onePage(
      ...column(['Before you sail:'], 60, 714),
      ...item(60, 700, '•', 'Check the fuel and'),
      { x: 86, y: 687, text: 'write it down' },
      ...item(78, 674, '-', 'in the tank'),
      ...item(96, 661, 'o', 'not below a third'),
      ...item(96, 648, 'o', 'not above the mark'),
      ...item(78, 635, '-', 'in the can'),
      ...item(60, 622, '10.', 'Check the ropes'),
      ...item(80, 609, '•', 'all of them'),
      ...item(55, 596, '100.', 'Cast off'),
    );
    expect(await markdownOf(readBytes('pdf', pdf))).toContain(
      [
        '- Check the fuel and write it down',
        '  - in the tank',
        '    - not below a third',
        '    - not above the mark',
        '  - in the can',
        '10. Check the ropes',
        '    - all of them',
        '100. Cast off',
      ].join('\n'),
    );
  });

  it('does not nest centred items', async () => {
    const centred = ['• Soup', '• Fish with rice and beans', '• Cake', '• Ice cream of the day'];
    const items = centred.map((text, at) => ({ x: 300 - widthOf(text, 10) / 2, y: 700 - at * 13, text }));
    expect(await markdownOf(readBytes('pdf', onePage(...items)))).toContain(
      '- Soup\n- Fish with rice and beans\n- Cake\n- Ice cream of the day',
    );
  });

  it('keeps the word o in a monospaced font', async () => {
    const pdf = onePage(
      ...column(['The layer takes a vector and gives a second one, where the letter'], 60, 700),
      { x: 60, y: 687, text: 'o', mono: true },
      { x: 72, y: 687, text: 'is the output of the layer before, and the next ones follow.' },
    );
    expect(await markdownOf(readBytes('pdf', pdf))).toMatch(/`?o`? is the output/);
  });

  it('does not nest the list of the next column', async () => {
    const list = (text: string) =>
      Array.from({ length: 7 }, (_, at) => `• ${text} ${at} that is long enough to fill it`);
    const pdf = onePage(...column(list('left'), 60, 700), ...column(list('right'), 330, 700));
    expect(await markdownOf(readBytes('pdf', pdf))).toMatch(/^- left 6.*\n- right 0/m);
  });

  it('keeps code in fences with its indents and blank lines', async () => {
    const code = column(['if lamp:', '- off(*x*)', 'end'], 60, 650).map((text) => ({ ...text, mono: true }));
    const [head, body, end] = code;
    const lines = [head, { ...body, x: 84 }, { ...end, y: 614 }].map((line) => ({ x: 60, y: 0, text: '', ...line }));
    const pdf = onePage(...column(['Write it as follows, and mind the colon at its end:'], 60, 700), ...lines);
    expect(await markdownOf(readBytes('pdf', pdf))).toContain('end:\n\n```\nif lamp:\n    - off(*x*)\n\nend\n```');
  });

  it('does not treat code as the mark of a page', async () => {
    const code = column(['<!-- page 7 -->', 'end'], 60, 650).map((text) => ({ ...text, mono: true }));
    const bytes = onePage(...column(['Write it as follows, and mind the colon at its end:'], 60, 700), ...code);
    const { lines, anchors, pages } = await extract({ kind: 'pdf', text: '', bytes, url: FILE_URL, mode: 'readable' });
    expect(lines).toContain('<!-- page 7 -->');
    expect([...(anchors ?? [])]).toEqual([['page=1', 0]]);
    expect(pages).toEqual({ first: 1, last: 1, total: 1 });
  });

  it('keeps the cells of a row on one line', async () => {
    const pdf = onePage(...column(['Name', 'Ann'], 60, 700), ...column(['Age', '31'], 300, 700));
    expect(await markdownOf(readBytes('pdf', pdf))).toContain('Name   Age\nAnn   31');
  });

  it('reads two columns one after the other, and text that spans them in its place', async () => {
    const left = Array.from({ length: 8 }, (_, index) => `left ${index} is a line that fills the column`);
    const right = Array.from({ length: 8 }, (_, index) => `right ${index} is a line that fills its column`);
    const title = {
      x: 60,
      y: 740,
      text: 'A title line that spans both of the columns of this page, from the left edge to the right',
    };
    const pdf = onePage(title, ...column(left, 60, 700), ...column(right, 320, 697));
    const text = await markdownOf(readBytes('pdf', pdf));
    const places = ['A title', 'left 0', 'left 7', 'right 0', 'right 7'].map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places.every((place) => place >= 0)).toBe(true);
  });

  it('drops repeated headers, footers and page numbers, and nothing else', async () => {
    const pages = Array.from({ length: 5 }, (_, index) => ({
      texts: [
        { x: 60, y: 780, text: 'Journal of Lamps' },
        ...column([`Content of ${index}, which all pages have.`], 60, 400),
        { x: 300, y: 20, text: `Chapter ${index < 2 ? 'one' : 'two'} | ${index + 7}` },
      ],
    }));
    const text = await markdownOf(readBytes('pdf', makePdf(pages)));
    expect(text).not.toMatch(/Journal|Chapter/);
    expect(text.match(/Content of \d/g)).toEqual([
      'Content of 0',
      'Content of 1',
      'Content of 2',
      'Content of 3',
      'Content of 4',
    ]);
  });

  it('keeps links in their place', async () => {
    const links = [{ rect: [114, 695, 141, 712], uri: 'https://lamps.example/a(b)' }];
    const pdf = makePdf([{ texts: [{ x: 60, y: 700, text: 'The keeper lamps and more' }], links }]);
    expect(await markdownOf(readBytes('pdf', pdf))).toContain(
      'The keeper [lamps](https://lamps.example/a%28b%29) and more',
    );
  });

  it('never links to a script', async () => {
    const links = [{ rect: [50, 690, 300, 712], uri: 'javascript:alert\\(1\\)' }];
    const pdf = makePdf([{ texts: [{ x: 60, y: 700, text: 'The keeper' }], links }]);
    expect(await markdownOf(readBytes('pdf', pdf))).not.toContain('](');
  });

  it('puts rotated text last', async () => {
    const pdf = onePage({ x: 20, y: 400, text: 'stamp', turned: true }, { x: 60, y: 300, text: 'Body of the page.' });
    expect(await markdownOf(readBytes('pdf', pdf))).toBe('<!-- page 1 -->\n\nBody of the page.\n\nstamp');
  });

  it('has the title of its metadata only if the pages contain it', async () => {
    const pages = [{ texts: column(['The Keeping of Lamps, explained.'], 60, 700) }];
    expect((await readBytes('pdf', makePdf(pages, { title: 'The Keeping of Lamps' }))).title).toBe(
      'The Keeping of Lamps',
    );
    expect((await readBytes('pdf', makePdf(pages, { title: 'Quarterly Budget Template' }))).title).toBeNull();
    expect((await readBytes('pdf', makePdf(pages, { title: 'lamps.docx' }))).title).toBeNull();
  });

  it('is cut at the maximum number of pages, and reports this', async () => {
    const pages = Array.from({ length: PDF_PAGES_MAX + 2 }, (_, index) => ({
      texts: column([`On sheet ${index}.`], 60, 400),
    }));
    const { lines, pages: range } = await readBytes('pdf', makePdf(pages));
    expect(lines.at(-1)).toBe(`On sheet ${PDF_PAGES_MAX - 1}.`);
    expect(range).toEqual({ first: 1, last: PDF_PAGES_MAX, total: PDF_PAGES_MAX + 2 });
  });

  it('can be read from any page, and each page has an anchor', async () => {
    const pages = Array.from({ length: 5 }, (_, index) => ({ texts: column([`On sheet ${index + 1}.`], 60, 400) }));
    const input = { kind: 'pdf', text: '', bytes: makePdf(pages), url: FILE_URL, mode: 'readable' } as const;
    const { lines, anchors, pages: range } = await extract({ ...input, firstPage: 4 });
    expect(lines).toEqual(['<!-- page 4 -->', '', 'On sheet 4.', '', '<!-- page 5 -->', '', 'On sheet 5.']);
    expect(range).toEqual({ first: 4, last: 5, total: 5 });
    expect([...(anchors ?? [])]).toEqual([
      ['page=4', 0],
      ['page=5', 4],
    ]);
  });

  it('reports that it is a scan, and marks its pages', async () => {
    const pdf = makePdf([{ texts: [] }, { texts: [] }], { title: 'Minutes of May' });
    const { title, lines, toView, pages } = await readBytes('pdf', pdf);
    expect(lines).toEqual(['This PDF is 2 pages without text.', '', '<!-- page 1 -->', '', '<!-- page 2 -->']);
    expect({ title, toView, pages }).toEqual({
      title: 'Minutes of May',
      toView: { page: 1 },
      pages: { first: 1, last: 2, total: 2 },
    });
  });

  it('names its pages without text, which need to be viewed', async () => {
    const text = { texts: column(['Some words.'], 60, 700) };
    const { cuts, toView } = await readBytes('pdf', makePdf([text, { texts: [] }, text, { texts: [] }]));
    expect(cuts).toEqual(['No text was found on pages 2, 4: such a page is a picture or blank.']);
    expect(toView).toEqual({ page: 2 });
    expect((await readBytes('pdf', makePdf([text]))).toView).toBeUndefined();
  });

  it('is refused by name when it is encrypted', async () => {
    const key = `<${'00'.repeat(32)}>`;
    const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -44 >> /ID [<00> <00>]`;
    const pdf = makePdf([{ texts: column(['Secret.'], 60, 700) }], { trailer: encryption });
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject(
      failsWith('the PDF is encrypted and asks for a password'),
    );
  });

  it('is refused by name when it is broken', async () => {
    await expect(readBytes('pdf', latin1('%PDF-1.7\nnothing'))).rejects.toMatchObject(failsWith('the PDF is broken'));
  });

  it('is refused before it unpacks to more than the memory limit', async () => {
    const packed = String.fromCharCode(...zlibSync(new Uint8Array(45 * 1024 * 1024), { level: 9 }));
    const bomb = `<< /Type /ObjStm /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`;
    const pdf = makePdf([{ texts: column(['Boom.'], 60, 700) }], { objects: [bomb] });
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject({
      failure: { code: 'extract_failed', reason: expect.stringContaining('unpacks to more than') },
    });
    const twice = makePdf([{ texts: [] }], {
      objects: [stream('x').replace('<<', '<< /Filter [/FlateDecode /FlateDecode]')],
    });
    await expect(readBytes('pdf', twice)).rejects.toMatchObject(failsWith('the PDF compresses its streams twice'));
  });

  it('is refused by name when its streams are declared to overlap', async () => {
    const reaching = `<< /Length 900000 >>\nstream\n${'x'.repeat(1_000)}\nendstream`;
    const pdf = makePdf([{ texts: column(['Some text.'], 60, 700) }], { objects: Array(100).fill(reaching) });
    await expect(readBytes('pdf', pdf)).rejects.toMatchObject(failsWith('the streams of the PDF overlap'));
  });

  it('omits what one page draws beyond the limit, and reports this', async () => {
    const art = `BT /F 9 Tf 60 700 Td (Lost.) Tj ET ${'1 1 2 2 re f\n'.repeat(PDF_STREAM_DRAWING_BYTES_MAX / 10)}`;
    const pages = [{ texts: column(['Kept.'], 60, 700) }, { texts: column(['Replaced.'], 60, 700) }];
    const pdf = changed(makePdf(pages, { objects: [stream(art)] }), '/Contents 7 0 R', '/Contents 8 0 R');
    const { lines, cuts } = await readBytes('pdf', pdf);
    expect(lines).toEqual(['<!-- page 1 -->', '', 'Kept.', '', '<!-- page 2 -->']);
    expect(cuts.join(' ')).toContain(String(PDF_DRAWING_BYTES_MAX));
  });

  it('is read up to the limit of text work, and reports the last page read', async () => {
    const line = 'lamp '.repeat(40);
    const perLine = line.trim().length + PDF_WORK_PER_TEXT_PIECE;
    const perPage = 200 * perLine + PDF_WORK_PER_PAGE + 2;
    const pages = Math.ceil(PDF_WORK_MAX / perPage) + 3;
    const texts = column(
      Array.from({ length: 200 }, () => line.trim()),
      60,
      790,
      2,
      3.5,
    );
    const links = [{ rect: [60, 80, 300, 800], uri: 'https://lamps.example/' }];
    const {
      lines,
      cuts,
      pages: range,
    } = await readBytes('pdf', makePdf(Array.from({ length: pages }, () => ({ texts, links }))));
    const read = lines.filter((one) => one.startsWith('<!-- page')).length;
    expect(read).toBeGreaterThan(1);
    expect(read).toBeLessThan(pages);
    expect(read * 200 * perLine).toBeLessThanOrEqual(PDF_WORK_MAX);
    // The page at which the work ends is left to the next reader, with all its text and links.
    expect(cuts.join(' ')).not.toContain('too much text');
    expect(lines.join(' ').match(/lamp/g)).toHaveLength(read * 200 * 40);
    expect(lines.at(-1)).toContain('](https://lamps.example/)');
    expect(range).toEqual({ first: 1, last: read, total: pages });
  });

  it('is read in bounded time when a page draws the same form repeatedly', async () => {
    const text = 'BT /F 9 Tf 1 0 0 1 60 700 Tm (again and) Tj ET';
    const form = stream(text).replace(
      '<<',
      '<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >>',
    );
    const objects = [stream('/X Do '.repeat(100_000)), form];
    const fonts = '/M << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >> >>';
    const looped = changed(
      changed(makePdf([{ texts: column(['x'], 60, 700) }], { objects }), '/Contents 5 0 R', '/Contents 6 0 R'),
      fonts,
      '>> /XObject << /X 7 0 R >> >>'.padEnd(fonts.length),
    );
    const { cuts, lines } = await readBytes('pdf', looped);
    const times = lines.join(' ').match(/again and/gu)?.length ?? 0;
    expect(times).toBeGreaterThan(100);
    expect(times).toBeLessThan(3_000);
    expect(cuts).toEqual(['Page 1 has too much text: some of it was left out.']);
  });

  it('yields text or a named failure with any damage', async () => {
    const whole = makePdf([{ texts: column(['Some text of a page.', 'More of it.'], 60, 700) }]);
    const damaged = fc.record({ end: fc.nat(whole.length), at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(damaged, async ({ end, at, byte }) => {
        const bytes = whole.slice(0, Math.max(end, 9));
        if (at < bytes.length) bytes[at] = byte;
        const result = await readBytes('pdf', bytes).catch((error: unknown) => error);
        const failed = { failure: { code: 'extract_failed' } };
        expect(result).toMatchObject(result instanceof Error ? failed : { lines: expect.any(Array) });
      }),
      { numRuns: stories(15) },
    );
  });
});
