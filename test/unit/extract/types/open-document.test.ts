import { describe, expect, it } from 'vitest';
import { sniffBodyType } from '#net/types/sniff.ts';
import { makeOdp, makeOds, makeOdt } from '#support/make-archive.ts';
import { FILE_URL, readBytes } from './support.ts';

const level = (at: number, format: string, more = '') =>
  `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
const STYLES =
  `<text:list-style style:name="Plain">${level(1, '1', 'style:num-suffix="."')}${level(2, 'a', 'style:num-prefix="(" style:num-suffix=")"')}</text:list-style>` +
  `<text:list-style style:name="Law">${level(1, '1', 'style:num-prefix="§ "')}${level(2, '1', 'text:display-levels="2"')}</text:list-style>` +
  '<text:list-style style:name="Dots"><text:list-level-style-bullet text:level="1"/></text:list-style>' +
  '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
  '<style:style style:name="Down" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>' +
  '<style:style style:name="Gone" style:family="text"><style:text-properties text:display="none"/></style:style>';
const item = (...content: readonly string[]) =>
  `<text:list-item><text:p>${content[0] ?? ''}</text:p>${content.slice(1).join('')}</text:list-item>`;
const list = (style: string, more: string, ...items: readonly string[]) =>
  `<text:list text:style-name="${style}" ${more}>${items.join('')}</text:list>`;

async function linesOf(content: string, more = {}): Promise<string[]> {
  const { lines } = await readBytes('odt', makeOdt(content, { styles: STYLES, ...more }));
  return lines.filter((line) => line !== '');
}

describe('lists of an OpenDocument text', () => {
  it('keep their numbers and bullets, and continue where they are marked to', async () => {
    const content =
      list('Plain', 'xml:id="l1"', item('Unplug it.'), item('Wait.', list('', '', item('an hour'), item('or two')))) +
      '<text:p>Then check.</text:p>' +
      list('Plain', 'text:continue-numbering="true"', item('Plug it in.')) +
      '<text:p>Else.</text:p>' +
      list('Plain', 'text:continue-list="l1"', item('Call us.')) +
      list('Dots', '', item('dot'));
    expect(await linesOf(content)).toEqual([
      '1. Unplug it.',
      '2. Wait.',
      '   - (a) an hour',
      '   - (b) or two',
      'Then check.',
      '3. Plug it in.',
      'Else.',
      '4. Call us.',
      '- dot',
    ]);
  });

  it('are shown as printed if Markdown has no such numbers, and start at their marked value', async () => {
    const start = '<text:list-item text:start-value="5"><text:p>Pay.</text:p></text:list-item>';
    const inner =
      '<text:list-item><text:list><text:list-item><text:p>Deliver.</text:p></text:list-item></text:list></text:list-item>';
    expect(await linesOf(list('Law', '', start, inner, item('Rest.')))).toEqual([
      '§ 5 Pay.',
      '5.1 Deliver.',
      '§ 6 Rest.',
    ]);
  });

  it('keep their numbers when the styles have other prefixes', async () => {
    const address = 'urn:oasis:names:tc:opendocument:xmlns';
    const named = `<ns0:x xmlns:ns0="${address}:text:1.0" xmlns:ns1="${address}:style:1.0"><ns0:list-style ns1:name="Far"><ns0:list-level-style-number ns0:level="1" ns1:num-format="1" ns1:num-suffix="."/></ns0:list-style></ns0:x>`;
    expect(await linesOf(list('Far', '', item('one'), item('two')), { named })).toEqual(['1. one', '2. two']);
  });

  it('number headings according to the outline', async () => {
    const named = `<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>`;
    const heading = (at: number, text: string) => `<text:h text:outline-level="${at}">${text}</text:h>`;
    const content = heading(1, 'Duties') + heading(2, 'Seller') + heading(2, 'Buyer') + heading(1, 'End');
    expect(await linesOf(content, { named })).toEqual(['# 1 Duties', '## 1.1 Seller', '## 1.2 Buyer', '# 2 End']);
  });
});

describe('text of an OpenDocument file', () => {
  it('keeps superscripts, subscripts, ruby and formulas, and omits hidden words', async () => {
    const span = (style: string, text: string) => `<text:span text:style-name="${style}">${text}</text:span>`;
    const content =
      `<text:p>10${span('Up', '6')} Hz, H${span('Down', '2')}O${span('Gone', ' floor 22')}</text:p>` +
      '<text:p><text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby></text:p>' +
      '<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="x"/></draw:frame> holds.</text:p>' +
      '<text:p><draw:frame><draw:image/><svg:title>Wiring</svg:title><svg:desc>Red to plus</svg:desc></draw:frame></text:p>';
    const more = {
      'Object 1/content.xml':
        '<math><semantics><mrow><mi>a</mi><mo>=</mo><mn>2</mn></mrow><annotation encoding="StarMath 5.0">a = 2</annotation></semantics></math>',
    };
    const { lines, cuts } = await readBytes('odt', makeOdt(content, { styles: STYLES, more }));
    expect(lines.filter((line) => line !== '')).toEqual([
      '10<sup>6</sup> Hz, H<sub>2</sub>O',
      '東京(とうきょう)',
      'So $a = 2$ holds.',
      '![Red to plus]()',
    ]);
    expect(cuts).toEqual(['Hidden text was left out.']);
  });

  it('has its comments, headers and footers in the rest', async () => {
    const content =
      '<text:tracked-changes><text:changed-region/></text:tracked-changes><text:p>The rate<office:annotation><dc:creator>Jo</dc:creator><text:p>Is it 5 %?</text:p></office:annotation></text:p>';
    const named =
      '<style:header><text:p>Confidential</text:p></style:header><style:footer><text:p>12</text:p></style:footer>';
    const { lines, restStart = 0, cuts } = await readBytes('odt', makeOdt(content, { named }));
    expect(lines.slice(0, restStart)).toEqual(['The rate']);
    expect(lines.slice(restStart + 1)).toEqual([
      'Comments:',
      '',
      '- Jo: Is it 5 %?',
      '',
      'Headers and footers:',
      '',
      '- Confidential',
    ]);
    expect(cuts).toEqual([
      'Comments were left out of the main part: the rest lists them.',
      'Headers and footers were left out of the main part: the rest lists them.',
      'The document has tracked changes: they are shown as accepted.',
    ]);
  });
});

const cell = (text: string, more = '') => `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
const row = (content: string, more = '') => `<table:table-row ${more}>${content}</table:table-row>`;
const covered = '<table:covered-table-cell/>';

describe('a table of an OpenDocument text', () => {
  it('keeps each value under its header', async () => {
    const head = `<table:table-header-rows>${row(cell('Year') + cell('Jan') + cell('Feb') + cell('Mar'))}</table:table-header-rows>`;
    const rows =
      row(cell('2025') + cell('5', 'table:number-columns-repeated="2"') + cell('9')) +
      row(
        cell('2026', 'table:number-rows-spanned="2"') +
          cell('joint', 'table:number-columns-spanned="2"') +
          covered +
          cell('4'),
      ) +
      row(covered + cell('a') + cell('b') + cell('c'));
    expect(await linesOf(`<table:table>${head}${rows}</table:table>`)).toEqual([
      '| Year | Jan | Feb | Mar |',
      '| --- | --- | --- | --- |',
      '| 2025 | 5 | 5 | 9 |',
      '| 2026 | joint | joint | 4 |',
      '| 2026 | a | b | c |',
    ]);
  });

  it('repeats cells only up to the limit of a table', async () => {
    const many = 'table:number-columns-repeated="100000" table:number-rows-repeated="100000"';
    const bytes = makeOdt(`<table:table>${row(cell('x'.repeat(900), many), many).repeat(20)}</table:table>`);
    const { lines } = await readBytes('odt', bytes);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(3_000_000);
  });
});

describe('an OpenDocument spreadsheet', () => {
  it('is recognised by its bytes, and every visible sheet is read as displayed', async () => {
    const styles =
      '<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const note = '<office:annotation><dc:creator>Jo</dc:creator><text:p>Checked</text:p></office:annotation>';
    const rows =
      row(
        cell('Region', 'table:number-rows-spanned="2"') +
          cell('2025', 'table:number-columns-spanned="2"') +
          covered +
          cell('Hidden'),
      ) +
      row(covered + cell('H1') + cell('H2') + cell('x')) +
      row(
        cell('North') +
          `<table:table-cell office:value="4.3499">${note}<text:p>4.35 €</text:p></table:table-cell>` +
          cell('<text:a xlink:href="https://lamps.example/a">Manual</text:a>'),
      ) +
      row(
        cell('Sum') +
          '<table:table-cell table:formula="of:=SUM([.B2:.B3])"/>' +
          '<table:table-cell table:number-columns-repeated="1000"/>',
      ) +
      row(cell('Gone'), 'table:visibility="collapse"') +
      row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048000"');
    const columns =
      '<table:table-column table:number-columns-repeated="3"/><table:table-column table:visibility="collapse"/>';
    const bytes = makeOds(
      `<table:table table:name="Prices">${columns}${rows}</table:table><table:table table:name="Secret" table:style-name="off">${row(cell('never'))}</table:table>`,
      { styles },
    );
    expect(sniffBodyType({ contentType: null, url: FILE_URL, bytes }).kind).toBe('ods');
    const { lines, cuts } = await readBytes('ods', bytes);
    expect(lines).toEqual([
      '## Prices',
      '',
      '| Region | 2025 | 2025 |',
      '| --- | --- | --- |',
      '| Region | H1 | H2 |',
      '| North | 4.35 € | [Manual](https://lamps.example/a) |',
      '| Sum | `=SUM([.B2:.B3])` |  |',
      '',
      'Comments:',
      '',
      '- 4.35 €, Jo: Checked',
    ]);
    expect(cuts).toEqual([
      'Formulas without a stored value are shown as formulas.',
      'Hidden sheets were left out.',
      'Hidden rows and columns were left out: 1 row, 1 column.',
    ]);
  });

  it('repeats cells only up to the limit of a sheet', async () => {
    const many = 'table:number-columns-repeated="16384"';
    const bytes = makeOds(
      `<table:table>${row(cell('x'.repeat(900), many), 'table:number-rows-repeated="1048576"').repeat(9)}</table:table>`,
    );
    const { lines } = await readBytes('ods', bytes);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(3_000_000);
  });
});

describe('an OpenDocument presentation', () => {
  it('is recognised by its bytes and gives titles, text and notes of its visible slides', async () => {
    const styles =
      '<style:style style:name="off" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const frame = (kind: string, content: string) =>
      `<draw:frame presentation:class="${kind}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
    const first =
      frame('outline', list('Dots', '', item('one'), item('two'))) +
      frame('title', '<text:p>Lamps</text:p>') +
      frame('page-number', '<text:p>1</text:p>') +
      `<presentation:notes>${frame('notes', '<text:p>Say hello.</text:p>')}</presentation:notes>`;
    const bytes = makeOdp(
      `<draw:page>${first}</draw:page><draw:page draw:style-name="off">${frame('outline', '<text:p>never</text:p>')}</draw:page>`,
      { styles: STYLES + styles },
    );
    expect(sniffBodyType({ contentType: 'application/octet-stream', url: FILE_URL, bytes }).kind).toBe('odp');
    const { lines, cuts } = await readBytes('odp', bytes);
    expect(lines).toEqual([
      '<!-- slide 1 -->',
      '',
      '## Lamps',
      '',
      '- one',
      '- two',
      '',
      '> Notes:',
      '>',
      '> Say hello.',
    ]);
    expect(cuts).toEqual(['Hidden slides were left out.']);
  });
});
