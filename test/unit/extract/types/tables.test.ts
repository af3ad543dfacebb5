import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { SHEET_ROWS_MAX } from '#extract/limits.ts';
import { parseDelimited } from '#extract/csv-extractor.ts';
import { markdownOf, readText } from './support.ts';
import { stories } from '#support/stories.ts';

describe('a CSV file', () => {
  it('becomes a table with quotes, line ends and pipes in its cells', async () => {
    const csv = '\ufeffname,note\r\n"Ann ""A""","two\r\nlines"\r\nBob,a|b\r\n';
    expect(await markdownOf(readText('csv', csv))).toBe(
      '| name | note |\n| --- | --- |\n| Ann "A" | two<br>lines |\n| Bob | a\\|b |',
    );
  });

  it.each([
    { name: 'semicolons', delimiter: ';' },
    { name: 'tabs', delimiter: '\t' },
    { name: 'pipes', delimiter: '|' },
    { name: 'commas', delimiter: ',' },
  ])('is divided by $name when that fits best', async ({ delimiter }) => {
    const csv = [
      ['a', 'b', 'c'],
      ['1, 2', '3', '4'],
      ['5', '6; 7', '8'],
    ]
      .map((row) => row.map((cell) => (/[,;]/.test(cell) ? `"${cell}"` : cell)).join(delimiter))
      .join('\n');
    expect((await markdownOf(readText('csv', csv))).split('\n')[0]).toBe('| a | b | c |');
  });

  it('uses the delimiter that a spreadsheet declares', async () => {
    expect(await markdownOf(readText('csv', 'sep=;\na,1;b\nc;d'))).toContain('| a,1 | b |');
  });

  it.each([
    ['has a comma in a cell', '#,Name,Note\n1,Ann,"a, b"\n', ['| # | Name | Note |', '| 1 | Ann | a, b |']],
    ['has fewer cells', '#,Name,Note\n1,Ann\n2,Bob,c\n', ['| # | Name | Note |', '| 1 | Ann |  |']],
    ['has one cell', '#Gene\nTP53\n', ['| #Gene |', '| TP53 |']],
  ])('names its columns in a line with # if the row below %s', async (_, csv, rows) => {
    expect((await markdownOf(readText('csv', csv))).split('\n')).toEqual(expect.arrayContaining([...rows]));
  });

  it('keeps colours and other values that all begin with #', async () => {
    expect(await markdownOf(readText('csv', '#ff0000\n#00ff00\n#0000ff\n'))).toBe(
      '| #ff0000 |\n| --- |\n| #00ff00 |\n| #0000ff |',
    );
  });

  it('has the width of its widest row', async () => {
    expect(await markdownOf(readText('csv', 'a,b\n1\n1,2,3\n'))).toBe(
      '| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |',
    );
  });

  it('is cut at the maximum number of rows, and reports this', async () => {
    const { lines, cuts } = await readText('csv', `a,b\n${'1,2\n'.repeat(SHEET_ROWS_MAX + 1)}`);
    expect(lines).toHaveLength(SHEET_ROWS_MAX + 2);
    expect(cuts).toEqual([`The table has more than ${SHEET_ROWS_MAX} rows: the rest were left out.`]);
  });

  it('keeps markup in its cells as text', async () => {
    expect(await markdownOf(readText('csv', 'a,b\n<script>x</script>,[l](u)'))).toContain('\\<script>x\\</script>');
  });

  it('keeps every cell that was written', () => {
    const cell = fc.string().map((text) => text.replaceAll('\r', ''));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 }), (rows) => {
        const csv = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');
        expect(runToEnd(parseDelimited(csv, ',', 100)).rows).toEqual(rows);
      }),
    );
  });

  it('keeps all of its text except delimiters, quotes and line ends, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ') }), (csv) => {
        const letters = (text: string) => text.replace(/[^a]/g, '').length;
        const { rows } = runToEnd(parseDelimited(csv, ',', 1_000));
        expect(letters(rows.flat().join(''))).toBe(letters(csv));
      }),
    );
  });
});

describe('a TSV file', () => {
  it('is divided at tabs only', async () => {
    expect(await markdownOf(readText('tsv', 'a,b\tc\n1,2,3\t4'))).toBe('| a,b | c |\n| --- | --- |\n| 1,2,3 | 4 |');
  });
});

describe('an XML file', () => {
  it('is unchanged if it is already indented', async () => {
    const xml = '<?xml version="1.0"?>\n<a>\n   <b>x</b>\n</a>';
    expect(await markdownOf(readText('xml', xml))).toBe(`\`\`\`xml\n${xml}\n\`\`\``);
  });

  it('is indented if it is one very long line, and keeps every text and comment', async () => {
    const rows = '<row id="a>b"><n>1</n><e></e><t>x<b>y</b>z</t><!-- <c> --></row>'.repeat(20);
    const text = await markdownOf(readText('xml', `<rows>${rows}</rows>`));
    expect(text).toContain(
      '  <row id="a>b">\n    <n>1</n>\n    <e></e>\n    <t>x<b>y</b>z</t>\n    <!-- <c> -->\n  </row>',
    );
  });

  it('loses nothing but white space, whatever it contains', async () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '<b x="1>2">',
      '<c/>',
      'text',
      ' ',
      '<!-- x -->',
      '<![CDATA[<a>]]>',
      '"',
      '<',
      '<?p',
      '&x;',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 80, maxLength: 160 }), async (pieces) => {
        const xml = `<r>${pieces.join('')}${'.'.repeat(400)}`;
        const squeeze = (text: string) => text.replace(/\s/g, '');
        expect(squeeze(await markdownOf(readText('xml', xml)))).toBe(squeeze(`\`\`\`xml${xml}\`\`\``));
      }),
      { numRuns: stories(10) },
    );
  });

  it('is cut when it is nested without end, and reports this', async () => {
    const { cuts, lines } = await readText('xml', '<a>'.repeat(500_000));
    expect(cuts).toEqual([expect.stringContaining('characters of text')]);
    expect(lines.at(-1)).toBe('```');
  });

  it('is shown without expanding its entities', async () => {
    const xml = '<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY z SYSTEM "file:///etc/passwd">]><a>&x;&z;</a>';
    expect(await markdownOf(readText('xml', xml))).toContain('<a>&x;&z;</a>');
  });
});
