import { describe, expect, it } from 'vitest';
import { makePptx, relations, slideShape, slideText } from '#support/make-archive.ts';
import { readBytes } from './support.ts';

const run = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
const frame = (data: string, more = '') =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" ${more}/></p:nvGraphicFramePr><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></p:graphicFrame>`;
const picture = (more: string) => `<p:pic><p:nvPicPr><p:cNvPr id="5" ${more}/></p:nvPicPr></p:pic>`;
const linesOf = async (shapes: string, more: Readonly<Record<string, string>> = {}) =>
  (await readBytes('pptx', makePptx([shapes], more))).lines.slice(2).filter((line) => line !== '');

describe('text of a slide', () => {
  it('is read once if it has alternative forms, with its equation', async () => {
    const formula =
      '<a14:m><m:oMath><m:r><m:t>L=</m:t></m:r><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>N</m:t></m:r></m:den></m:f></m:oMath></a14:m>';
    const shape = (middle: string) =>
      slideShape('', `<a:p>${run('Loss is ')}${middle}${run(' per item')}</a:p>`, slideText('Second'));
    const both = `<mc:AlternateContent><mc:Choice Requires="a14">${shape(formula)}</mc:Choice><mc:Fallback>${shape('')}</mc:Fallback></mc:AlternateContent>`;
    expect(await linesOf(both)).toEqual(['Loss is $L=\\frac{1}{N}$ per item', 'Second']);
  });

  it('marks superscripts and subscripts', async () => {
    const shape = slideShape(
      '',
      `<a:p>${run('10')}${run('6', 'baseline="30000"')}${run(' Hz, H')}${run('2', 'baseline="-25000"')}${run('O')}</a:p>`,
    );
    expect(await linesOf(shape)).toEqual(['10<sup>6</sup> Hz, H<sub>2</sub>O']);
  });

  it('marks struck-out text', async () => {
    const shape = slideShape('', `<a:p>${run('Price')}${run(' 40 ', 'strike="sngStrike"')}${run('30')}</a:p>`);
    expect(await linesOf(shape)).toEqual(['Price ~~40~~ 30']);
  });

  it('keeps the numbers of its lists', async () => {
    const numbered = (text: string, type: string, more = '') =>
      slideText(text, `<a:pPr ${more}><a:buAutoNum type="${type}"/></a:pPr>`);
    const starting = slideText('five', '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="5"/></a:pPr>');
    const shape = slideShape(
      '<p:ph/>',
      starting,
      numbered('deep', 'alphaLcParenR', 'lvl="1"'),
      slideText('six', '<a:pPr><a:buAutoNum type="arabicPeriod" startAt="5"/></a:pPr>'),
      slideText('none', '<a:pPr><a:buNone/></a:pPr>'),
    );
    expect(await linesOf(shape)).toEqual(['5. five', '  - a) deep', '6. six', 'none']);
  });

  it('is omitted in hidden shapes', async () => {
    const hidden =
      '<p:sp><p:nvSpPr><p:cNvPr id="2" hidden="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>never</a:t></a:r></a:p></p:txBody></p:sp>';
    expect(await linesOf(hidden + slideShape('', slideText('open')))).toEqual(['open']);
  });
});

describe('a slide', () => {
  it('gives the texts of diagrams, the values of charts and the descriptions of pictures', async () => {
    const shapes =
      frame('<dgm:relIds r:dm="d"/>', 'descr="Team"') +
      frame('<c:chart r:id="c"/>') +
      `<p:grpSp>${picture('descr="Map of the sites"')}</p:grpSp>`;
    const lines = await linesOf(shapes, {
      'ppt/slides/_rels/slide0.xml.rels': relations(
        ['d', 'diagramData', '../diagrams/data1.xml'],
        ['c', 'chart', '../charts/chart1.xml'],
      ),
      'ppt/diagrams/data1.xml': `<dgm:dataModel><dgm:ptLst>${['Head', 'Lab'].map((text) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')}</dgm:ptLst></dgm:dataModel>`,
      'ppt/charts/chart1.xml':
        '<c:chartSpace><c:chart><c:title><a:t>Revenue</a:t></c:title><c:plotArea><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>4.3</c:v></c:pt></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>',
    });
    expect(lines).toEqual([
      '![Team]()',
      '- Head',
      '- Lab',
      'Chart: Revenue',
      '|  | Sales |',
      '| --- | --- |',
      '| Q1 | 4.3 |',
      '![Map of the sites]()',
    ]);
  });

  it.each([
    [picture(''), 'a picture'],
    [frame('<dgm:relIds r:dm="none"/>'), 'a diagram'],
  ])('lists its content if it has no text', async (shapes, kind) => {
    const { lines } = await readBytes('pptx', makePptx([slideShape('', slideText('one')), shapes]));
    expect(lines.slice(-1)).toEqual([`*(This slide shows ${kind} without text.)*`]);
  });

  it('repeats the text of merged cells', async () => {
    const cell = (text: string, more = '') => `<a:tc ${more}><a:txBody>${slideText(text)}</a:txBody></a:tc>`;
    const table = `<a:tbl><a:tr>${cell('Region', 'rowSpan="2"')}${cell('2025', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('a|b')}${cell('H2')}</a:tr></a:tbl>`;
    expect(await linesOf(frame(table))).toEqual([
      '| Region | 2025 | 2025 |',
      '| --- | --- | --- |',
      '| Region | a\\|b | H2 |',
    ]);
  });

  it('has its comments in the rest', async () => {
    const pptx = makePptx([slideShape('', slideText('open'))], {
      'ppt/slides/_rels/slide0.xml.rels': relations(['c', 'comments', '../comments/comment1.xml']),
      'ppt/comments/comment1.xml': '<p:cmLst><p:cm authorId="0"><p:text>Is it not 5 %?</p:text></p:cm></p:cmLst>',
    });
    const { lines, restStart = 0 } = await readBytes('pptx', pptx);
    expect(lines.slice(restStart + 1)).toEqual(['Comments:', '', '- Slide 1: Is it not 5 %?']);
  });
});
