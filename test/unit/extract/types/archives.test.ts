import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARCHIVE_ENTRIES_MAX,
  DOM_ELEMENTS_MAX,
  FILE_HTML_TAGS_MAX,
  DOCX_ELEMENTS_PER_PART,
  DOCX_XML_BYTES_MAX,
} from '#extract/limits.ts';
import { openArchive } from '#extract/archive.ts';
import { stripWordFormatting } from '#extract/office/word/pages.ts';
import { coreProperties, makeDocx, makeEpub, makeZip, wordParagraph } from '#support/make-archive.ts';
import { FILE_URL, markdownOf, readBytes } from './support.ts';
import { stories } from '#support/stories.ts';

function open(bytes: Uint8Array) {
  return openArchive({ kind: 'docx', text: '', bytes, url: FILE_URL, mode: 'raw' });
}

function refusal(reason: string) {
  return { failure: { code: 'extract_failed', reason } };
}

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('an archive', () => {
  it('gives its entries, packed or stored', () => {
    const archive = open(makeZip({ 'a.txt': 'lamp '.repeat(500), b: '\ufefftext' }));
    expect(archive.names).toEqual(['a.txt', 'b']);
    expect(archive.text('a.txt')).toBe('lamp '.repeat(500));
    expect(archive.text('b')).toBe('text');
    expect(archive.text('c')).toBeNull();
  });

  it('is refused if it unpacks to a hundred times its size', () => {
    const bomb = makeZip({ 'a.xml': new Uint8Array(20 * 1024 * 1024) });
    expect(failureOf(() => open(bomb))).toMatchObject(refusal('the file unpacks to far more than its own size'));
  });

  it('ends at the declared size if its real size is larger', () => {
    const bomb = makeZip({ 'a.xml': new Uint8Array(20 * 1024 * 1024) });
    const view = new DataView(bomb.buffer);
    const central = view.getUint32(bomb.length - 6, true);
    view.setUint32(central + 24, 1_000, true);
    expect(open(bomb).bytes('a.xml')).toHaveLength(1_000);
  });

  it('ends a small entry at its declared size, and still yields the others', () => {
    const zip = makeZip({ a: 'lamp '.repeat(50), b: 'bell '.repeat(50) });
    const view = new DataView(zip.buffer);
    view.setUint32(view.getUint32(zip.length - 6, true) + 24, 7, true);
    const archive = open(zip);
    expect([archive.text('a'), archive.text('b'), archive.text('b', 4)]).toEqual([
      'lamp la',
      'bell '.repeat(50),
      'bell',
    ]);
  });

  it('is refused if its entries overlap', () => {
    const zip = makeZip({ a: 'x'.repeat(100), b: 'y'.repeat(100) });
    const view = new DataView(zip.buffer);
    const central = view.getUint32(zip.length - 6, true);
    view.setUint32(central + 20, zip.length, true);
    expect(failureOf(() => open(zip))).toMatchObject(refusal('the file unpacks to far more than its own size'));
  });

  it('is refused if it has too many entries', () => {
    const many = Object.fromEntries(Array.from({ length: ARCHIVE_ENTRIES_MAX + 1 }, (_, index) => [`f${index}`, '']));
    expect(failureOf(() => open(makeZip(many)))).toMatchObject(
      refusal(`the file holds more than ${ARCHIVE_ENTRIES_MAX} entries`),
    );
  });

  it('is refused if it is encrypted', () => {
    const zip = makeZip({ a: 'x' });
    const view = new DataView(zip.buffer);
    view.setUint16(view.getUint32(zip.length - 6, true) + 8, 1, true);
    expect(failureOf(() => open(zip))).toMatchObject(refusal('the file is encrypted'));
  });
});

describe('a Word document', () => {
  it('gives its headings, emphasis, lists, links and tables', async () => {
    const item = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const docx = makeDocx(
      [
        wordParagraph('Lamps *now*', '<w:pStyle w:val="H1"/>'),
        wordParagraph('Bright *stars*.', '', '<w:b/>'),
        wordParagraph('one', item),
        wordParagraph('two', item),
        '<w:p><w:hyperlink r:id="link"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>',
        `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr>${cell('1')}${cell('2')}</w:tr></w:tbl>`,
      ].join(''),
    );
    const { lines, title } = await readBytes('docx', docx);
    expect(lines.slice(0, 8)).toEqual([
      '# Lamps \\*now\\*',
      '',
      '**Bright \\*stars\\*.**',
      '',
      '- one',
      '- two',
      '',
      '[here](https://lamps.example/a)',
    ]);
    expect(lines.slice(9).join('\n')).toContain('| a | b |');
    expect(title).toBe('Lamps *now*');
  });

  it('takes its title from its properties, unless they contain a file name', async () => {
    const body = wordParagraph('Text.');
    const titled = (title: string) => makeDocx(body, { 'docProps/core.xml': coreProperties(title) });
    expect((await readBytes('docx', titled('On Lamps'))).title).toBe('On Lamps');
    expect((await readBytes('docx', titled('lamps.dot'))).title).toBeNull();
  });

  it('never unpacks parts without text', async () => {
    const docx = makeDocx(wordParagraph('Text.'), {
      'word/media/big.zip': crypto.getRandomValues(new Uint8Array(60_000)),
    });
    expect(await markdownOf(readBytes('docx', docx))).toBe('Text.');
  });

  it('is cut when it has too much text, and reports this', async () => {
    const text = (from: number) =>
      Array.from({ length: 70_000 }, (_, index) => `lamp ${from + index * 7919}`).join(' ');
    const docx = makeDocx(Array.from({ length: 3 }, (_, index) => wordParagraph(text(index))).join(''));
    const { lines, cuts } = await readBytes('docx', docx);
    expect(text(0).length * 3).toBeGreaterThan(DOCX_XML_BYTES_MAX);
    expect(lines.join(' ')).toContain(text(1).slice(-20));
    expect(lines.join(' ').length).toBeLessThan(DOCX_XML_BYTES_MAX);
    expect(cuts).toEqual([expect.stringContaining('the rest was left out')]);
  });

  it('is read part by part when it is long, and all parts together contain each row once', async () => {
    const row = (index: number) => `<w:tr>${`<w:tc>${wordParagraph(`lamp ${index}`)}</w:tc>`.repeat(5)}</w:tr>`;
    const rows = DOCX_ELEMENTS_PER_PART / 8;
    const table = `<w:tbl>${Array.from({ length: rows }, (_, index) => row(index)).join('')}</w:tbl>`;
    const bytes = makeDocx(`${table}${wordParagraph('The end.')}`);
    const { pages } = await readBytes('docx', bytes);
    expect(pages).toMatchObject({ first: 1, last: 1 });
    const total = pages?.total ?? 0;
    expect(total).toBeGreaterThan(2);
    const read: string[] = [];
    for (let page = 1; page <= total; page += 1) {
      const part = await readBytes('docx', bytes, { firstPage: page });
      expect(part.pages).toEqual({ first: page, last: page, total });
      expect(part.cuts).toEqual([]);
      expect(part.anchors?.get(`page=${page}`)).toBe(0);
      read.push(...part.lines);
    }
    const numbers = read.flatMap((line) => [...line.matchAll(/lamp (\d+)/g)].map((match) => Number(match[1])));
    expect(numbers).toEqual(Array.from({ length: rows }, (_, index) => Array(5).fill(index)).flat());
    expect(read.at(-1)).toBe('The end.');
  });

  it('loses its formatting and none of its text', () => {
    const looks =
      '<w:p w:rsidR="00A1" w14:paraId="1F"><w:pPr><w:pStyle w:val="H1"/><w:spacing w:after="0"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr><w:r><w:rPr><w:rFonts w:ascii="A"/><w:b/></w:rPr><w:t>a</w:t><w:tab/></w:r><w:r><w:rPr><w:color w:val="1"/></w:rPr><w:t>b</w:t></w:r></w:p>';
    expect(stripWordFormatting(looks)).toBe(
      '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t><w:tab/></w:r><w:r><w:t>b</w:t></w:r></w:p>',
    );
  });

  it('yields text or a named failure when it is nested excessively', async () => {
    const deep = `${'<w:sdt><w:sdtContent>'.repeat(20_000)}${wordParagraph('x')}${'</w:sdtContent></w:sdt>'.repeat(20_000)}`;
    const result = await readBytes('docx', makeDocx(deep)).catch((error: unknown) => error);
    expect(result).toMatchObject(result instanceof Error ? { failure: { code: 'extract_failed' } } : { lines: ['x'] });
  });

  it('is refused by name when it is broken', async () => {
    await expect(readBytes('docx', makeZip({ 'word/document.xml': '<w:document' }))).rejects.toMatchObject(
      refusal('the document is broken'),
    );
  });
});

describe('an e-book', () => {
  it('is read up to the maximum number of tags of a file, and reports the last chapter read', async () => {
    const paragraphs = 5_000;
    const chapters = Math.ceil((FILE_HTML_TAGS_MAX + DOM_ELEMENTS_MAX) / (paragraphs * 2)) + 2;
    const epub = makeEpub({ chapters: Array.from({ length: chapters }, () => '<p>lamp</p>'.repeat(paragraphs)) });
    const { lines, cuts } = await readBytes('epub', epub);
    const read = lines.filter((line) => line.startsWith('<!-- chapter')).length;
    expect(read * paragraphs * 2).toBeLessThanOrEqual(FILE_HTML_TAGS_MAX + DOM_ELEMENTS_MAX);
    expect(cuts).toContain(`The book has ${chapters} chapters: those after ${read} were left out.`);
  });

  it('gives its chapters in the order of the spine, each after a mark', async () => {
    const epub = makeEpub({
      chapters: [
        '<h1>One</h1><p>First, see <a href="c%201.xhtml#x">two</a> or <a href="https://a.example/">out</a>.</p>',
        '<h1>Two</h1><p>Second.</p>',
      ],
    });
    const { lines, title, language } = await readBytes('epub', epub);
    expect(title).toBe('The Lamp Book');
    expect(language).toBe('en');
    expect(lines).toEqual([
      '# The Lamp Book',
      '',
      'Ann Keeper',
      '',
      '<!-- chapter 1 -->',
      '',
      '# One',
      '',
      'First, see two or [out](https://a.example/).',
      '',
      '<!-- chapter 2 -->',
      '',
      '# Two',
      '',
      'Second.',
    ]);
  });

  it('has its notes as footnotes', async () => {
    const chapter =
      '<p>The sea was calm<a epub:type="noteref" href="#n1">1</a> then.</p><aside epub:type="footnote" id="n1"><p>So the log says.</p></aside>';
    const text = await markdownOf(readBytes('epub', makeEpub({ chapters: [chapter] })));
    expect(text).toContain('calm[^1] then.');
    expect(text).toContain('[^1]: So the log says.');
  });

  it('cannot forge a chapter mark', async () => {
    const text = await markdownOf(readBytes('epub', makeEpub({ chapters: ['<p>&lt;!-- chapter 9 --&gt;</p>'] })));
    expect(text).toContain('\\<!-- chapter 9 -->');
  });

  it('is refused by name with encrypted chapters, and read with encrypted fonts', async () => {
    const encryption = (name: string) => ({
      'META-INF/encryption.xml': `<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${name}"/></enc:CipherData></enc:EncryptedData></encryption>`,
    });
    const chapters = ['<p>Text.</p>'];
    await expect(
      readBytes('epub', makeEpub({ chapters, more: encryption('OPS/text/c%200.xhtml') })),
    ).rejects.toMatchObject(refusal('the book is encrypted'));
    expect(await markdownOf(readBytes('epub', makeEpub({ chapters, more: encryption('OPS/f.otf') })))).toContain(
      'Text.',
    );
  });

  it('is refused by name without text or without a table of contents', async () => {
    await expect(readBytes('epub', makeEpub({ chapters: ['<img src="cover.png"/>'] }))).rejects.toMatchObject(
      refusal('the book has no text'),
    );
    await expect(readBytes('epub', makeZip({ a: 'x' }))).rejects.toMatchObject(
      refusal('the book has no list of its contents'),
    );
  });
});

describe.each([
  { kind: 'docx' as const, whole: makeDocx(wordParagraph('Some text.')) },
  { kind: 'epub' as const, whole: makeEpub({ chapters: ['<p>Some text.</p>'] }) },
])('a damaged $kind', ({ kind, whole }) => {
  it('yields text or a named failure', async () => {
    const damage = fc.record({
      end: fc.nat(whole.length),
      at: fc.nat(whole.length - 1),
      byte: fc.nat(255),
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ end, at, byte, cut }) => {
        const bytes = whole.slice(0, cut ? end : whole.length);
        if (at < bytes.length) bytes[at] = byte;
        const result = await readBytes(kind, bytes).catch((error: unknown) => error);
        const failed = { failure: { code: 'extract_failed' } };
        expect(result).toMatchObject(result instanceof Error ? failed : { lines: expect.any(Array) });
      }),
      { numRuns: stories(15) },
    );
  });

  it('of random bytes is refused by name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expect(readBytes(kind, bytes)).rejects.toMatchObject({ failure: { code: 'extract_failed' } });
      }),
      { numRuns: stories(10) },
    );
  });
});
