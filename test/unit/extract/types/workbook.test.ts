import { describe, expect, it } from 'vitest';
import { makeXlsx, relations } from '#support/make-archive.ts';
import { readBytes } from './support.ts';

const number = (value: string, style = 2) => `<row><c s="${style}"><v>${value}</v></c></row>`;
const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;

describe('a number in a workbook', () => {
  it.each([
    ['00000', '2134', '02134'],
    ['"INV-"0000', '7', 'INV-0007'],
    ['000\\-0000', '5551234', '555-1234'],
    ['#,##0.00', '977', '977.00'],
    ['#,##0.00\\ "€";[Red]-#,##0.00\\ "€"', '-42.5', '-42.50 €'],
    ['[$€-407] #,##0.00', '1234.5', '€ 1,234.50'],
    ['_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', '0', '-'],
    ['#,##0_);(#,##0)', '-1500', '(1,500)'],
    ['0.0,,"M"', '1234567', '1.2M'],
    ['[>=1000]0.0,"K";0', '4200', '4.2K'],
    ['# ??/??', '1.5', '1 1/2'],
    ['0.00E+00', '12345', '1.23E+04'],
    ['+0.0;-0.0;"zero"', '0', 'zero'],
    ['[$-407]d. mmmm yyyy', '46146', '4. Mai 2026'],
    ['[', '3.5', '3.5'],
  ])('is formatted by %s: %s is shown as %s', async (code, value, expected) => {
    expect((await readBytes('xlsx', makeXlsx([{ name: 'a', rows: number(value) }], [], code))).lines).toContain(
      `| ${expected} |`,
    );
  });

  it.each([
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.3'],
    ['9.9999999999999995E-7', '0.000001'],
    ['1E+21', '1E+21'],
    ['1234567890123456789', '1234567890123456789'],
    ['123456.789012345', '123456.789012345'],
  ])('has a default format: %s is shown as %s', async (value, expected) => {
    const xlsx = makeXlsx([{ name: 'a', rows: number(value, 0) }]);
    expect((await readBytes('xlsx', xlsx)).lines).toContain(`| ${expected} |`);
  });

  it('is counted instead of shown when its format hides it', async () => {
    const rows = `<row>${text('A1', 'Pay')}<c r="B1" s="2"><v>4200</v></c></row>`;
    const { lines, cuts } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows }], [], ';;;'));
    expect(lines.join()).not.toContain('4200');
    expect(cuts).toEqual(['1 value that the number format hides: left out.']);
  });

  it.each([
    ['has its own format in a workbook with 250 long ones, as many as Excel allows', 250, `"${'x'.repeat(240)}"`, true],
    ['may have none in a workbook with thousands of formats, which would take seconds to parse', 30_000, '', false],
  ])('%s', async (_name, count, words, isFormatted) => {
    const each = (one: (at: number) => string) => Array.from({ length: count }, (_, at) => one(at)).join('');
    const code = (at: number) => `0.00\\#${at}${words}`.replaceAll('"', '&quot;');
    const styles = `<styleSheet><numFmts>${each((at) => `<numFmt numFmtId="${at + 200}" formatCode="${code(at)}"/>`)}</numFmts><cellXfs>${each((at) => `<xf numFmtId="${at + 200}"/>`)}</cellXfs></styleSheet>`;
    const rows = each((at) => number('1.5', at));
    const { lines, cuts } = await readBytes(
      'xlsx',
      makeXlsx([{ name: 'a', rows }], [], '0', { 'xl/styles.xml': styles }),
    );
    const [first, last] = [lines.find((line) => line.includes('1.5')), lines.findLast((line) => line.includes('1.5'))];
    expect(first).toContain('1.50#0');
    expect(last?.includes(`1.50#${count - 1}`)).toBe(isFormatted);
    const note = 'The workbook has too many number formats or formatted values: some values are unformatted.';
    expect(cuts.includes(note)).toBe(!isFormatted);
  });

  it('counts days from 1904 if the workbook says so', async () => {
    const workbook =
      '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="a" sheetId="1" r:id="s0"/></sheets></workbook>';
    const xlsx = makeXlsx([{ name: 'a', rows: number('44684') + number('0.5') }], [], 'dd.mm.yyyy', {
      'xl/workbook.xml': workbook,
    });
    expect((await readBytes('xlsx', xlsx)).lines).toContain('| 04.05.2026 |');
  });
});

describe('a cell of a workbook', () => {
  it('without a reference follows the cell before it, even if that is empty', async () => {
    const rows =
      '<row><c t="str"><v>Name</v></c><c t="str"><v>Middle</v></c><c t="str"><v>Age</v></c></row><row><c t="str"><v>Ann</v></c><c/><c><v>31</v></c></row>';
    expect((await readBytes('xlsx', makeXlsx([{ name: 'a', rows }]))).lines).toContain('| Ann |  | 31 |');
  });

  it('gives the value of its merged area to all cells of the area', async () => {
    const rows =
      `<row r="1">${text('A1', 'Region')}${text('B1', '2025')}</row>` +
      `<row r="2">${text('B2', 'H1')}${text('C2', 'H2')}</row><row r="3"><c r="B3"><v>1</v></c><c r="C3"><v>2</v></c></row>`;
    const after = '<mergeCells><mergeCell ref="A1:A3"/><mergeCell ref="B1:C1"/></mergeCells>';
    const { lines } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows, after }]));
    expect(lines.slice(2)).toEqual([
      '| Region | 2025 | 2025 |',
      '| --- | --- | --- |',
      '| Region | H1 | H2 |',
      '| Region | 1 | 2 |',
    ]);
  });

  it('repeats a merged value only within bounds', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c></row>`);
    const first = `<row r="1">${text('A1', 'x'.repeat(5_000))}</row>`;
    const after = `<mergeCells>${'<mergeCell ref="A1:IV3000"/>'.repeat(50)}</mergeCells>`;
    const xlsx = makeXlsx([{ name: 'a', rows: first + rows.slice(1).join(''), after }]);
    const { lines } = await readBytes('xlsx', xlsx);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(5_000_000);
  });

  it('keeps its link, and a formula that is a link keeps its address', async () => {
    const rows = `<row r="1">${text('A1', 'Manual [2]')}<c r="B1" t="str"><f>HYPERLINK("https://lamps.example/b","Parts")</f><v>Parts</v></c></row>`;
    const after = '<hyperlinks><hyperlink ref="A1" r:id="l"/></hyperlinks>';
    const xlsx = makeXlsx([{ name: 'a', rows, after }], [], '0', {
      'xl/worksheets/_rels/sheet0.xml.rels': relations(['l', 'hyperlink', 'https://lamps.example/a']),
    });
    expect((await readBytes('xlsx', xlsx)).lines[2]).toBe(
      '| [Manual \\[2\\]](https://lamps.example/a) | [Parts](https://lamps.example/b) |',
    );
  });

  it('shows its formula when no value is stored', async () => {
    const rows = '<row><c><f>SUM(B2:B3)*2</f></c><c t="str"><f>""</f><v></v></c><c><f>1+1</f><v>2</v></c></row>';
    const { lines, cuts } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows }]));
    expect(lines[2]).toBe('| `=SUM(B2:B3)*2` |  | 2 |');
    expect(cuts).toEqual(['Formulas without a stored value are shown as formulas.']);
  });

  it('marks superscripts and subscripts', async () => {
    const rich =
      '<r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><t> H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r>';
    const xlsx = makeXlsx([{ name: 'a', rows: '<row><c t="s"><v>0</v></c></row>' }], [rich]);
    expect((await readBytes('xlsx', xlsx)).lines[2]).toBe('| 10<sup>6</sup> H<sub>2</sub> |');
  });

  it('names a shared formula without a value', async () => {
    const rows = '<row><c><f t="shared" si="0" ref="A1:B1">C1*2</f></c><c><f t="shared" si="0"/></c></row>';
    expect((await readBytes('xlsx', makeXlsx([{ name: 'a', rows }]))).lines[2]).toBe('| `=C1*2` | `=…` |');
  });

  it('shows escaped characters decoded', async () => {
    const rows = `<row>${text('A1', 'one_x000D_&#10;two _x005F_x0041_')}<c t="s"><v>0</v></c></row>`;
    expect((await readBytes('xlsx', makeXlsx([{ name: 'a', rows }], ['<t>a_x0009_b</t>']))).lines[2]).toBe(
      '| one<br>two \\_x0041\\_ | a\tb |',
    );
  });
});

describe('a worksheet', () => {
  const rows =
    `<row r="1">${text('A1', 'Name')}${text('B1', 'Score')}${text('C1', 'Grade')}</row>` +
    `<row r="2">${text('A2', 'Ann')}<c r="B2"><v>17</v></c>${text('C2', 'B')}</row>` +
    `<row r="3" hidden="1">${text('A3', 'Gone')}</row><row r="4" ht="0" customHeight="1">${text('A4', 'Flat')}</row>`;

  it('omits hidden rows and columns and counts them', async () => {
    const before = '<cols><col min="2" max="2" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>';
    const { lines, cuts } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows, before }]));
    expect(lines.slice(2)).toEqual(['| Name | Grade |', '| --- | --- |', '| Ann | B |']);
    expect(cuts).toEqual(['Hidden rows and columns were left out: 2 rows, 1 column.']);
  });

  it('is followed by the text boxes of its sheet, which may have no cells', async () => {
    const shape = (words: string, flags = '') =>
      `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="TextBox 1" ${flags}/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p><a:p><a:r><a:t>second line</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
    const anchor = (row: number, inside: string) =>
      `<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>${row}</xdr:row></xdr:from>${inside}</xdr:twoCellAnchor>`;
    const choice = `<mc:AlternateContent><mc:Choice>${shape('Read me')}</mc:Choice><mc:Fallback>${shape('Read me')}</mc:Fallback></mc:AlternateContent>`;
    const drawing = `<xdr:wsDr>${anchor(4, choice)}${anchor(0, shape('never seen', 'hidden="1"'))}${anchor(2, shape('nor this'))}</xdr:wsDr>`;
    const drawn = {
      'xl/worksheets/_rels/sheet0.xml.rels': relations(['d', 'drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': drawing,
    };
    const payRows = `<row r="1">${text('A1', 'Pay')}</row><row r="3" hidden="1">${text('A3', 'Bonus')}</row>`;
    const { lines } = await readBytes('xlsx', makeXlsx([{ name: 'a', rows: payRows }], [], 'hh:mm', drawn));
    expect(lines.slice(2)).toEqual(['| Pay |', '| --- |', '', 'Text boxes:', '', '- Read me second line']);
    const empty = await readBytes('xlsx', makeXlsx([{ name: 'a', rows: '' }], [], 'hh:mm', drawn));
    expect(empty.lines).toContain('- Read me second line');
  });

  it('lists the comments on its visible cells', async () => {
    const note = (cell: string, words: string) =>
      `<comment ref="${cell}" authorId="0"><text><r><t>${words}</t></r></text></comment>`;
    const comments = `<comments><authors><author>Jo</author></authors><commentList>${note('C2', 'Checked on Monday')}${note('A3', 'never seen')}</commentList></comments>`;
    const xlsx = makeXlsx([{ name: 'a', rows }], [], '0', {
      'xl/worksheets/_rels/sheet0.xml.rels': relations(['c', 'comments', '../comments1.xml']),
      'xl/comments1.xml': comments,
    });
    const { lines } = await readBytes('xlsx', xlsx);
    expect(lines.slice(-3)).toEqual(['Comments:', '', '- C2, Jo: Checked on Monday']);
  });

  it('is found whatever prefix its references have', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const xlsx = makeXlsx([{ name: 'a', rows: '<row><c><v>5</v></c></row>' }], [], '0', {
      'xl/workbook.xml': `<workbook xmlns:ns1="${office}"><sheets><sheet name="a" sheetId="1" ns1:id="s0"/></sheets></workbook>`,
    });
    expect((await readBytes('xlsx', xlsx)).lines).toContain('| 5 |');
  });

  it('is found by its relations wherever its files are', async () => {
    const xlsx = makeXlsx([], [], '0', {
      '_rels/.rels': relations(['r', 'officeDocument', '/xl/book2.xml']),
      'xl/book2.xml': '<workbook xmlns:r="r"><sheets><sheet name="Data" sheetId="1" r:id="a"/></sheets></workbook>',
      'xl/_rels/book2.xml.rels': relations(['a', 'worksheet', 'tables/one.xml'], ['b', 'sharedStrings', 'words.xml']),
      'xl/words.xml': '<sst><si><t>here</t></si></sst>',
      'xl/tables/one.xml': '<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>',
      'xl/workbook.xml': '<workbook/>',
    });
    expect((await readBytes('xlsx', xlsx)).lines).toContain('| here |');
  });
});
