import { describe, expect, it } from 'vitest';
import { makeDocx, relations, wordParagraph } from '#support/make-archive.ts';
import { readBytes } from './support.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const STYLES = `<w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/></w:style><w:style w:type="character" w:styleId="Ghost"><w:name w:val="ghost"/><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Up"><w:name w:val="up"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>`;
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const NUMBERING =
  `<w:numbering xmlns:w="${WORD}">` +
  `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '(%2)')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="1">${level(0, 'upperRoman', 'Part %1')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}</w:abstractNum>` +
  `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/>')}</w:abstractNum>` +
  [1, 2, 3].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id - 1}"/></w:num>`).join('') +
  '<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>' +
  '</w:numbering>';
const MORE = { 'word/styles.xml': STYLES, 'word/numbering.xml': NUMBERING };

const item = (text: string, num: number, at = 0) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${num}"/></w:numPr>`);
const run = (content: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr>${content}</w:r>`;
const words = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`;
const raised = (text: string) => run(words(text), '<w:position w:val="6"/>');

async function linesOf(body: string, more: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return (await readBytes('docx', makeDocx(body, { ...MORE, ...more }))).lines;
}

describe('checkboxes of a Word document', () => {
  it('are shown as checked or not', async () => {
    const box = (isOn: boolean) =>
      `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${isOn ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(words(isOn ? '☒' : '☐'))}</w:sdtContent></w:sdt>`;
    const [line] = await linesOf(
      `<w:p>${box(true)}${run(words(' Insured '))}${box(false)}${run(words(' Smoker'))}</w:p>`,
    );
    expect(line).toBe('☑ Insured ☐ Smoker');
  });
});

describe('form fields of a Word document', () => {
  const field = (properties: string, text: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${run(words(text))}</w:sdtContent></w:sdt>`;
  const list = (name: string) => `<w:${name}><w:listItem w:displayText="Approved" w:value="2"/></w:${name}>`;

  it.each(['dropDownList', 'comboBox'])('show the chosen text of a %s, and a placeholder in brackets', async (name) => {
    const chosen = field(list(name), 'Approved');
    const empty = field(`<w:showingPlcHdr/>${list(name)}`, 'Choose an item.');
    const [line] = await linesOf(`<w:p>${run(words('First: '))}${chosen}${run(words('; second: '))}${empty}</w:p>`);
    expect(line).toBe('First: Approved; second: [Choose an item.\\]');
    const [other] = await linesOf(`<w:p>${field(`<w:showingPlcHdr w:val="0"/>${list(name)}`, 'Approved')}</w:p>`);
    expect(other).toBe('Approved');
  });
});

describe('raised text of a Word document', () => {
  it('is a superscript, and lowered text a subscript', async () => {
    const at = (position: number) => `<w:position w:val="${position}"/>`;
    const [line] = await linesOf(
      `<w:p>${run(words('About 2'))}${run(words('10'), at(8))}${run(words(' of CO'))}${run(words('2'), at(-6))}${run(words(' here'), at(1))}</w:p>`,
    );
    expect(line).toBe('About 2<sup>10</sup> of CO<sub>2</sub> here');
  });

  it.each([
    ['a drop cap', `<w:p>${run(words('O'), '<w:position w:val="-8"/>')}</w:p>`, 'O'],
    ['all text of a paragraph', `<w:p>${raised('Date: ')}${run(words(' '))}${raised('1 May')}</w:p>`, 'Date: 1 May'],
    [
      'a long text in several parts',
      `<w:p>${raised('A line ')}${raised('of words ')}${raised('above')}${run(words(' it.'))}</w:p>`,
      'A line of words above it.',
    ],
  ])('is no script if it is %s', async (_, paragraph, expected) => {
    const [line] = await linesOf(`${paragraph}${wordParagraph('More text.')}`);
    expect(line).toBe(expected);
  });
});

describe('fields of a Word document', () => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
  const page = `${mark('begin')}${code(' PAGE ')}${mark('separate')}${run(words('3'))}${mark('end')}`;

  it('have the result of an outer field, without that of a field in its instruction', async () => {
    const [line] = await linesOf(
      `<w:p>${run(words('It is '))}${mark('begin')}${code(' IF ')}${page}${code(' = 3 "due" "open" ')}${mark('separate')}${run(words('due'))}${mark('end')}${run(words(' now.'))}</w:p>`,
    );
    expect(line).toBe('It is due now.');
  });

  it('are found whatever the quotes and spaces of their marks', async () => {
    const loose = (type: string) => `<w:r><w:fldChar w:dirty='0'\n w:fldCharType = '${type}' /></w:r>`;
    const inner = `${loose('begin')}${code(' PAGE ')}${loose('separate')}${run(words('3'))}${loose('end')}`;
    const [line] = await linesOf(
      `<w:p>${loose('begin')}${code(' IF ')}${inner}${code(' = 3 "due" "open" ')}${loose('separate')}${run(words('due'))}${loose('end')}</w:p>`,
    );
    expect(line).toBe('due');
  });

  it('have the result of a field inside the result of another one', async () => {
    const [line] = await linesOf(
      `<w:p>${mark('begin')}${code(' REF a ')}${mark('separate')}${run(words('page '))}${page}${mark('end')}${run(words(' and on'))}</w:p>`,
    );
    expect(line).toBe('page 3 and on');
  });
});

describe('numbers of a Word document', () => {
  it('continue after a plain paragraph, and restart where the document says so', async () => {
    const body =
      item('one', 1) +
      item('two', 1) +
      wordParagraph('Between.') +
      item('three', 1) +
      wordParagraph('Then.') +
      item('seven', 4);
    expect(await linesOf(body)).toEqual([
      '1. one',
      '2. two',
      '',
      'Between.',
      '',
      '3. three',
      '',
      'Then.',
      '',
      '7. seven',
    ]);
  });

  it('are shown as printed when Markdown has no such numbers', async () => {
    const body = item('Sale', 2) + item('Price', 2, 1) + item('Goods', 2, 1) + item('Rent', 2) + item('Rooms', 2, 1);
    expect((await linesOf(body)).filter((line) => line !== '')).toEqual([
      'Part I Sale',
      '1.1 Price',
      '1.2 Goods',
      'Part II Rent',
      '2.1 Rooms',
    ]);
  });

  it('restart for items below each item', async () => {
    const body = item('a', 1) + item('deep', 1, 1) + item('deeper', 1, 1) + item('b', 1) + item('deep again', 1, 1);
    expect(await linesOf(body)).toEqual(['1. a', '   - (a) deep', '   - (b) deeper', '2. b', '   - (a) deep again']);
  });

  it('come from the styles of headings', async () => {
    const heading = (text: string, style: string) => wordParagraph(text, `<w:pStyle w:val="${style}"/>`);
    const unnumbered = wordParagraph('Annex', '<w:pStyle w:val="H1"/><w:numPr><w:numId w:val="0"/></w:numPr>');
    const body = heading('Duties', 'H1') + heading('Seller', 'H2') + heading('Buyer', 'H2') + unnumbered;
    expect((await linesOf(body)).filter((line) => line !== '')).toEqual([
      '# 1 Duties',
      '## 1.1 Seller',
      '## 1.2 Buyer',
      '# Annex',
    ]);
  });

  it('include the items of earlier parts of a long document', async () => {
    const bytes = makeDocx(Array.from({ length: 6_000 }, (_, index) => item(`item ${index + 1}`, 1)).join(''), MORE);
    const { lines, pages } = await readBytes('docx', bytes, { firstPage: 2 });
    expect(pages).toMatchObject({ first: 2 });
    const [, number = '', name = ''] = /^(\d+)\. item (\d+)$/.exec(lines.find((line) => /^\d/.test(line)) ?? '') ?? [];
    expect(Number(number)).toBeGreaterThan(1_000);
    expect(number).toBe(name);
  });
});

describe('a Word document with other XML prefixes', () => {
  it('is read like any other', async () => {
    const body = `${item('one', 1)}${wordParagraph('Between.')}${item('two', 1)}`;
    const document = `<ns0:document xmlns:ns0="${WORD}"><ns0:body>${body.replaceAll('w:', 'ns0:')}</ns0:body></ns0:document>`;
    expect(await linesOf('', { 'word/document.xml': document })).toEqual(['1. one', '', 'Between.', '', '2. two']);
  });
});

describe('text of a Word document', () => {
  it('is read in fields, with a direction, with ruby and in alternative forms', async () => {
    const body = [
      `<w:p>${run(words('Table '))}<w:fldSimple w:instr=" SEQ Table ">${run(words('7'))}</w:fldSimple></w:p>`,
      `<w:p><w:fldSimple w:instr=' HYPERLINK "https://lamps.example/f" '>${run(words('a link'))}</w:fldSimple></w:p>`,
      `<w:p><w:bdo w:val="rtl">${run(words('שלום'))}</w:bdo><w:dir w:val="rtl">${run(words(' مرحبا'))}</w:dir></w:p>`,
      `<w:p>${run(`<w:ruby><w:rubyPr/><w:rt>${run(words('とう'))}</w:rt><w:rubyBase>${run(words('東'))}</w:rubyBase></w:ruby>`)}</w:p>`,
      `<w:p>${run(`${words('Rent 900')}<w:cr/>${words('Power 75')}`)}</w:p>`,
      `<w:p>${run('<mc:AlternateContent><mc:Choice Requires="w16se"><w16se:symEx/></mc:Choice><mc:Fallback><w:t>☺</w:t></mc:Fallback></mc:AlternateContent>')}</w:p>`,
    ].join('');
    expect((await linesOf(body)).filter((line) => line !== '')).toEqual([
      'Table 7',
      '[a link](https://lamps.example/f)',
      'שלום مرحبا',
      '東(とう)',
      'Rent 900\\',
      'Power 75',
      '☺',
    ]);
  });

  it('is marked when a style raises it, or when it is struck out twice', async () => {
    const body = `<w:p>${run(words('10'))}${run(words('6'), '<w:rStyle w:val="Up"/>')}${run(words(' Hz '))}${run(words('gone'), '<w:dstrike/>')}</w:p>`;
    expect(await linesOf(body)).toEqual(['10<sup>6</sup> Hz ~~gone~~']);
  });

  it('is omitted when it is hidden, and a note reports this', async () => {
    const body =
      `<w:p>${run(words('Price 40.'))}${run(words(' Floor 22.'), '<w:vanish/>')}${run(words(' Cost 9.'), '<w:rStyle w:val="Ghost"/>')}` +
      `${run(words(' Shown.'), '<w:rStyle w:val="Ghost"/><w:vanish w:val="0"/>')}</w:p>`;
    const { lines, cuts } = await readBytes('docx', makeDocx(body, MORE));
    expect(lines.join(' ')).toBe('Price 40. Shown.');
    expect(cuts).toEqual(['Hidden text was left out.']);
  });

  it('in boxes and charts follows the paragraph of its anchor, once', async () => {
    const box = `<w:txbxContent>${item('boxed', 1)}${wordParagraph('Deadline 14 March')}</w:txbxContent>`;
    const graphic = (content: string, name = '') =>
      `<w:drawing><wp:inline><wp:docPr id="1" name="x" descr="${name}"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing>`;
    const body =
      `<w:p>${run(`${words('Before.')}<mc:AlternateContent><mc:Choice>${graphic(`<wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp>`)}</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`)}</w:p>` +
      `<w:p>${run(graphic('<c:chart r:id="ch"/>', 'Sales by quarter'))}</w:p>`;
    const point = (index: number, value: string) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;
    const chart = `<c:chartSpace><c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea><c:barChart><c:ser><c:tx>${point(0, 'North')}</c:tx><c:cat>${point(0, 'Q1')}${point(1, 'Q2')}</c:cat><c:val>${point(1, '4.2999999999999998')}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    const lines = await linesOf(body, {
      'word/_rels/document.xml.rels': relations(['ch', 'chart', 'charts/chart1.xml'], ['s', 'styles', 'styles.xml']),
      'word/charts/chart1.xml': chart,
    });
    expect(lines.filter((line) => line !== '')).toEqual([
      'Before.',
      '1. boxed',
      'Deadline 14 March',
      'Sales by quarter',
      'Chart: Sales',
      '|  | North |',
      '| --- | --- |',
      '| Q1 |  |',
      '| Q2 | 4.3 |',
    ]);
  });

  it('keeps its column in a table row that begins later', async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('Jan')}${cell('Feb')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('9')}</w:tr></w:tbl>`;
    expect((await linesOf(body)).slice(-2)).toEqual(['| Jan | Feb |', '|  | 9 |']);
  });
});

describe('equations of a Word document', () => {
  const text = (value: string) => `<m:r><m:t>${value}</m:t></m:r>`;
  const e = (value: string) => `<m:e>${text(value)}</m:e>`;
  it.each([
    [`${text('E=m')}<m:sSup>${e('c')}<m:sup>${text('2')}</m:sup></m:sSup>`, 'E=mc^{2}'],
    [`<m:f><m:num>${text('a+b')}</m:num><m:den>${text('2')}</m:den></m:f>`, '\\frac{a+b}{2}'],
    [`<m:rad><m:deg>${text('3')}</m:deg>${e('x')}</m:rad>`, '\\sqrt[3]{x}'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${text('i=1')}</m:sub><m:sup>${text('n')}</m:sup>${e('i')}</m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    [`<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e('x')}</m:d>`, '\\left\\{ x \\right.'],
    [
      `<m:m><m:mr>${e('1')}${e('0')}</m:mr><m:mr>${e('0')}${e('1')}</m:mr></m:m>`,
      '\\begin{matrix} 1 & 0 \\\\ 0 & 1 \\end{matrix}',
    ],
    [`<m:sSub>${e('x')}<m:sub>${text('i')}</m:sub></m:sSub>${text('&lt;5%')}`, 'x_{i}<5\\%'],
    [`<m:func><m:fName>${text('sin')}</m:fName>${e('x')}</m:func>`, '\\sin{x}'],
    [`<m:acc><m:accPr><m:chr m:val="\u20d7"/></m:accPr>${e('v')}</m:acc>`, '\\vec{v}'],
  ])('become TeX: %#', async (content, tex) => {
    const body = `<w:p>${run(words('So '))}<m:oMath>${content}</m:oMath>${run(words(' holds.'))}</w:p><w:p><m:oMathPara><m:oMath>${content}</m:oMath></m:oMathPara></w:p>`;
    expect(await linesOf(body)).toEqual([`So $${tex}$ holds.`, '', `$$${tex}$$`]);
  });
});

describe('the rest of a Word document', () => {
  it('contains its comments, headers and footers, and the answer names tracked changes', async () => {
    const body =
      `<w:p>${run(words('The rate is '))}<w:commentRangeStart w:id="0"/>${run(words('4 %'))}<w:commentRangeEnd w:id="0"/>${run('<w:commentReference w:id="0"/>')}` +
      `<w:del w:id="1">${run('<w:delText>never</w:delText>')}</w:del><w:ins w:id="2">${run(words(' a year.'))}</w:ins></w:p>`;
    const extracted = await readBytes(
      'docx',
      makeDocx(body, {
        ...MORE,
        'word/comments.xml': `<w:comments xmlns:w="${WORD}"><w:comment w:id="0" w:author="Jo">${wordParagraph('Is it not 5 %?')}</w:comment></w:comments>`,
        'word/header1.xml': `<w:hdr xmlns:w="${WORD}">${wordParagraph('Confidential')}</w:hdr>`,
        'word/header2.xml': `<w:hdr xmlns:w="${WORD}">${wordParagraph('Confidential')}</w:hdr>`,
        'word/footer1.xml': `<w:ftr xmlns:w="${WORD}">${wordParagraph('12')}</w:ftr>`,
      }),
    );
    expect(extracted.lines.slice(0, extracted.restStart)).toEqual(['The rate is 4 % a year.']);
    expect(extracted.lines.slice((extracted.restStart ?? 0) + 1)).toEqual([
      'Comments:',
      '',
      '- Jo, on “4 %”: Is it not 5 %?',
      '',
      'Headers and footers:',
      '',
      '- Confidential',
    ]);
    expect(extracted.cuts).toEqual([
      'Comments were left out of the main part: the rest lists them.',
      'Headers and footers were left out of the main part: the rest lists them.',
      'The document has tracked changes: they are shown as accepted.',
    ]);
  });
});
