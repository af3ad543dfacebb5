import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHEET_ROWS_MAX } from '#extract/limits.ts';
import {
  makeOdp,
  makeOds,
  makeOdt,
  makePptx,
  makeXlsx,
  makeZip,
  relations,
  slideShape,
  slideText,
} from '#support/make-archive.ts';
import { markdownOf, readBytes } from './support.ts';
import { stories } from '#support/stories.ts';

describe('a workbook', () => {
  it('gives every visible sheet as a table of values', async () => {
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>when</t></is></c></row>' +
      '<row><c r="A2"><v>1.5</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" s="1"><v>46146</v></c><c r="D2" s="2"><v>0.5</v></c></row><row/>';
    const xlsx = makeXlsx(
      [
        { name: 'Lamps', rows },
        { name: 'Secret', rows, state: 'hidden' },
        { name: 'Bells', rows: '<row><c t="str"><v>a|b</v></c></row>' },
      ],
      ['<r><t>na</t></r><r><t>me</t></r><rPh><t>reading</t></rPh>'],
    );
    const { lines, cuts } = await readBytes('xlsx', xlsx);
    expect(lines).toEqual([
      '## Lamps',
      '',
      '| name |  | when |  |',
      '| --- | --- | --- | --- |',
      '| 1.5 | TRUE | 2026-05-04 | 12:00 |',
      '',
      '## Bells',
      '',
      '| a\\|b |',
      '| --- |',
    ]);
    expect(cuts).toEqual(['Hidden sheets were left out.']);
  });

  it.each([
    ['0%', '0.125', '13%'],
    ['0.0%', '0.125', '12.5%'],
    ['0.##%', '-0.5', '-50.%'],
    ['+0%;[Red]-0%;"none" 0%', '-0.07', '-7%'],
    ['0.00 %', '1.005', '100.50 %'],
    ['"100%" 0', '0.125', '100% 0'],
    ['yyyy-mm-dd', '46146', '2026-05-04'],
    ['yyyy/m/d h:mm', '46146.5', '2026/5/4 12:00'],
    ['dd.mm.yyyy', '46146', '04.05.2026'],
    ['mm/dd/yyyy', '46146', '2026-05-04'],
    ['dd/mm/yy hh:mm', '46146.25', '2026-05-04 06:00:00'],
    ['mmm yyyy', '46146', 'May 2026'],
    ['[$-409]dddd, mmmm d, yyyy;@', '46146', 'Monday, May 4, 2026'],
    ['h:mm:ss AM/PM', '0.75', '6:00:00 PM'],
    ['[h]:mm', '1.5', '36:00'],
    ['mm:ss.0', '0.000005', '00:00.4'],
    ['yyyy"年"m"月"d"日"', '46146', '2026年5月4日'],
    ['General', '46146', '46146'],
    ['0.00', '3.14159', '3.14'],
    ['mmm yyyy', '-3', '-3'],
    ['mmm yyyy', 'x', 'x'],
  ])('shows a cell of the format %s as displayed', async (code, value, expected) => {
    const xlsx = makeXlsx([{ name: 'a', rows: `<row><c s="2"><v>${value}</v></c></row>` }], [], code);
    expect((await readBytes('xlsx', xlsx)).lines).toContain(`| ${expected} |`);
  });

  it('keeps every row and text when its XML is too large for one tree', async () => {
    const count = 6_000;
    const rows = Array.from(
      { length: count },
      (_, index) => `<x:row><x:c t="s"><x:v>${index}</x:v></x:c><x:c><x:v>${index * 7}</x:v></x:c></x:row>`,
    );
    const shared = Array.from({ length: count }, (_, index) => `<t>lamp ${index} ${'of the harbour '.repeat(3)}</t>`);
    const { lines, cuts } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows: rows.join('') }], shared));
    expect(lines.filter((line) => line.startsWith('| lamp'))).toHaveLength(count);
    expect(lines.at(-1)).toBe(
      `| lamp ${count - 1} of the harbour of the harbour of the harbour | ${(count - 1) * 7} |`,
    );
    expect(cuts).toEqual([]);
  });

  it('is cut when it has too many rows, and reports this', async () => {
    const row = (_: unknown, index: number) => `<row><c><v>${(index * 7919) % 99_991}.${index % 7}</v></c></row>`;
    const rows = Array.from({ length: SHEET_ROWS_MAX + 5 }, row).join('');
    const { lines, cuts } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows }]));
    expect(lines.filter((line) => /^\| \d/.test(line))).toHaveLength(SHEET_ROWS_MAX + 1);
    expect(cuts).toEqual(['A sheet has too many cells: the rest were left out.']);
  });

  it('is refused by name without cells', async () => {
    await expect(readBytes('xlsx', makeXlsx([{ name: 'a', rows: '' }]))).rejects.toMatchObject({
      failure: { code: 'extract_failed', reason: 'the workbook shows no cells' },
    });
  });
});

describe('a presentation', () => {
  it('gives titles, bullets, tables, links and notes of its slides', async () => {
    const table =
      '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>h</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>';
    const linked = '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>here</a:t></a:r></a:p>';
    const pptx = makePptx(
      [
        slideShape('<p:ph/>', slideText('one'), slideText('deeper', '<a:pPr lvl="1"/>')) +
          slideShape('<p:ph type="title"/>', slideText('On *Lamps*')) +
          slideShape('<p:ph type="sldNum"/>', slideText('1')) +
          slideShape('', slideText('Free text.'), linked),
        table,
      ],
      {
        'ppt/slides/_rels/slide0.xml.rels': relations(
          ['l', 'hyperlink', 'https://lamps.example/a'],
          ['n', 'notesSlide', '../notesSlides/notes0.xml'],
        ),
        'ppt/notesSlides/notes0.xml': `<p:notes><p:spTree>${slideShape('<p:ph type="body"/>', slideText('Say hello.'))}</p:spTree></p:notes>`,
      },
    );
    expect((await readBytes('pptx', pptx)).lines).toEqual([
      '<!-- slide 1 -->',
      '',
      '## On \\*Lamps\\*',
      '',
      '- one',
      '  - deeper',
      '',
      'Free text.',
      '',
      '[here](https://lamps.example/a)',
      '',
      '> Notes:',
      '>',
      '> Say hello.',
      '',
      '<!-- slide 2 -->',
      '',
      '| h |',
      '| --- |',
    ]);
  });

  it('never shows a hidden slide', async () => {
    const hidden = `<p:sld show="0"><p:spTree>${slideShape('', slideText('secret'))}</p:spTree></p:sld>`;
    const pptx = makePptx([slideShape('', slideText('open')), ''], { 'ppt/slides/slide1.xml': hidden });
    const { lines, cuts } = await readBytes('pptx', pptx);
    expect(lines.join()).not.toContain('secret');
    expect(cuts).toEqual(['Hidden slides were left out.']);
  });
});

describe('an OpenDocument text', () => {
  it('gives headings, lists, tables, links and notes, and no deleted text', async () => {
    const odt = makeOdt(
      '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Lamps</text:h>' +
        '<text:p>See <text:a xlink:href="https://lamps.example/a">this</text:a><text:s text:c="2"/>now<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p>' +
        '<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>' +
        '<table:table><table:table-row><table:table-cell><text:p>h</text:p></table:table-cell></table:table-row></table:table>',
    );
    const text = await markdownOf(readBytes('odt', odt));
    expect(text).toContain('## Lamps\n\nSee [this](https://lamps.example/a) now (A note.)\n\n- one');
    expect(text).not.toContain('deleted');
  });
});

describe.each([
  { kind: 'xlsx' as const, whole: makeXlsx([{ name: 'a', rows: '<row><c t="str"><v>text</v></c></row>' }]) },
  { kind: 'pptx' as const, whole: makePptx([slideShape('', slideText('text'))]) },
  { kind: 'odt' as const, whole: makeOdt('<text:p>text</text:p>') },
  {
    kind: 'ods' as const,
    whole: makeOds(
      '<table:table><table:table-row><table:table-cell><text:p>text</text:p></table:table-cell></table:table-row></table:table>',
    ),
  },
  { kind: 'odp' as const, whole: makeOdp('<draw:page><text:p>text</text:p></draw:page>') },
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

  it('is refused by name if it is another archive', async () => {
    await expect(readBytes(kind, makeZip({ a: 'x' }))).rejects.toMatchObject({ failure: { code: 'extract_failed' } });
  });
});
