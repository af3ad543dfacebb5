import { unzipSync, zipSync } from 'fflate';
import type { BodyKind } from '#core/document/kinds.ts';
import { StructureTexts } from '#extract/pdf/drawn/actual-text.ts';
import { findDrawnLines, findPathBoxes } from '#extract/pdf/drawn/path-boxes.ts';
import { PdfObjects } from '#extract/pdf/file/file-objects.ts';
import { findRuledGrids } from '#extract/pdf/tables/ruled-grids.ts';
import { makeDocx, makeOds, makeOdt, makePptx, makeXlsx, relations } from '#support/make-archive.ts';
import { makePdf, stream } from '#support/make-pdf.ts';
import { bytes, filled, many, reads, SITE } from './shape.ts';
import type { Shape } from './shape.ts';

/** Reads a file. Its archive is stored uncompressed, because an attacker would add content that compresses badly. */
const readsFile = (kind: BodyKind, make: (size: number) => Uint8Array, from = 1_000): Shape =>
  reads(
    kind,
    (size) => (kind === 'pdf' || kind === 'mail' ? make(size) : zipSync(unzipSync(make(size)), { level: 0 })),
    from,
  );

const WORD_NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const CHART =
  '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>';
const MAIL_HEAD = 'From: a@docs.example\r\nSubject: x\r\n';
const mail = (headers: string, part: string): Shape =>
  readsFile('mail', (size) => bytes(`${MAIL_HEAD}${headers}\r\n${filled(part, size)}`), 300_000);
const onOneLine = (size: number, text: string, state?: string) =>
  makePdf([
    {
      texts: Array.from({ length: size }, (_, at) => ({
        x: (at * 37) % 590,
        y: 400,
        text,
        ...(at === 0 && state !== undefined ? { state } : {}),
      })),
    },
  ]);

/** Files that once took quadratic time or worse, and similar ones. */
export const GROWING_FILES: Readonly<Record<string, Shape>> = {
  'OpenDocument: attributes of styles': readsFile('odt', (size) =>
    makeOdt(
      many(size, (at) => `<text:p><text:span text:style-name="S${at}">x</text:span></text:p>`),
      {
        styles: `${many(size, (at) => `<style:style style:family="text" style:name="S${at}" style:parent-style-name="X"/>`)}<style:style style:family="text" style:name="X"><style:text-properties${many(size, (at) => ` a${at}="1"`)}/></style:style>`,
      },
    ),
  ),
  'OpenDocument: signs of a list': readsFile('odt', (size) =>
    makeOdt(
      `<text:list text:style-name="L">${'<text:list-item><text:p>x</text:p></text:list-item>'.repeat(size)}</text:list>`,
      {
        styles: `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="${'a'.repeat(size)}"/></text:list-style>`,
      },
    ),
  ),
  'OpenDocument: empty rows below a span': readsFile(
    'ods',
    (size) =>
      makeOds(
        `<table:table><table:table-row><table:table-cell table:number-columns-repeated="256" table:number-rows-spanned="99999999"><text:p>x</text:p></table:table-cell></table:table-row>${'<table:table-row/>'.repeat(size)}</table:table>`,
      ),
    20_000,
  ),
  'OpenDocument: a row that repeats': readsFile('ods', (size) =>
    makeOds(
      `<table:table><table:table-row table:number-rows-repeated="${size * 1_000}"><table:table-cell table:number-columns-repeated="256"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`,
    ),
  ),
  'Word: elements of a style': readsFile('docx', (size) =>
    makeDocx('<w:p><w:r><w:t>x</w:t></w:r></w:p>', {
      'word/styles.xml': `<w:styles ${WORD_NAMES}><w:style w:styleId="P">${'<w:a/>'.repeat(size)}</w:style>${many(size, (at) => `<w:style w:styleId="s${at}"><w:basedOn w:val="P"/></w:style>`)}</w:styles>`,
    }),
  ),
  'Word: open tags between pages': readsFile(
    'docx',
    (size) => makeDocx(`${'<w:x>'.repeat(size)}${'<w:p></w:p>'.repeat(2 * size)}`),
    50_000,
  ),
  'Word: document parts and a header': readsFile(
    'docx',
    (size) =>
      makeDocx('<w:p><w:r><w:t>x</w:t></w:r></w:p>', {
        ...Object.fromEntries(
          Array.from({ length: size }, (_, at) => [`word/document${at}.xml`, `<w:document ${WORD_NAMES}/>`]),
        ),
        'word/header1.xml': `<w:hdr ${WORD_NAMES}>${'<w:p/>'.repeat(100 * size)}</w:hdr>`,
      }),
    100,
  ),
  'workbook: comments of many relations': readsFile(
    'xlsx',
    (size) =>
      makeXlsx([{ name: 'a', rows: '<row><c><v>1</v></c></row>' }], [], '0', {
        'xl/worksheets/_rels/sheet0.xml.rels': relations(
          ...Array.from({ length: size }, (_, at) => [`r${at}`, 'comments', '../comments.xml'] as const),
        ),
        'xl/comments.xml': `<comments>${'<a>b</a>'.repeat(100 * size)}</comments>`,
      }),
    100,
  ),
  'workbook: texts in a format': readsFile(
    'xlsx',
    (size) =>
      makeXlsx(
        [{ name: 'a', rows: '<row><c t="s" s="2"><v>0</v></c></row>'.repeat(size) }],
        [`<t>${'a'.repeat(100 * size)}</t>`],
        `${'@'.repeat(120)}x`,
      ),
    100,
  ),
  'workbook: formats that no cell uses': readsFile('xlsx', (size) =>
    makeXlsx([{ name: 'a', rows: '<row><c><v>1</v></c></row>' }], [], '0', {
      'xl/styles.xml': `<styleSheet><numFmts>${many(size, (at) => `<numFmt numFmtId="${at + 200}" formatCode="${'yymmdd-'.repeat(34)}${at}"/>`)}</numFmts><cellXfs>${many(size, (at) => `<xf numFmtId="${at + 200}"/>`)}</cellXfs></styleSheet>`,
    }),
  ),
  'presentation: one chart again and again': readsFile(
    'pptx',
    (size) =>
      makePptx([CHART.repeat(size)], {
        'ppt/slides/_rels/slide0.xml.rels': relations(['c', 'chart', '../charts/c.xml']),
        'ppt/charts/c.xml': `<c:chartSpace>${'<a>b</a>'.repeat(100 * size)}</c:chartSpace>`,
      }),
    100,
  ),
  'PDF: links over a page': readsFile('pdf', (size) =>
    makePdf([
      {
        texts: Array.from({ length: size }, (_, at) => ({
          x: (at % 100) * 6,
          y: 790 - Math.floor(at / 100) * 9,
          size: 5,
          text: 'ab cd',
        })),
        links: Array.from({ length: size / 4 }, (_, at) => ({ rect: [0, 0, 600, 800], uri: `${SITE}/${at}` })),
      },
    ]),
  ),
  'PDF: options of a list': readsFile('pdf', (size) =>
    makePdf([
      {
        texts: [{ x: 9, y: 9, text: 'hello' }],
        annotations: [
          `<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 2097152 /F 4 /T (a) /Rect [0 0 99 9] /Opt [${many(size, (at) => `[(k${at}) (n${at})]`)}] /V [${many(size, (at) => `(k${at})`)}] >>`,
        ],
      },
    ]),
  ),
  'PDF: cells': readsFile('pdf', (size) =>
    makePdf([
      {
        texts: Array.from({ length: size }, (_, at) => ({
          x: (at % 40) * 14,
          y: 790 - Math.floor(at / 40) * 1.5,
          size: 1.4,
          text: `${at % 7} ${at % 11}`,
        })),
      },
    ]),
  ),
  'PDF: ruling lines': readsFile('pdf', (size) =>
    makePdf([
      {
        texts: Array.from({ length: 32 }, (_, at) => ({
          x: 60 + (at % 4) * 90,
          y: 700 - Math.floor(at / 4) * 20,
          text: `${at}.5`,
        })),
        drawn: many(size, (at) => `${50 + (at % 90) * 5} 500 m ${50 + (at % 90) * 5} 720 l S\n`),
      },
    ]),
  ),
  'PDF: crossing lines': {
    from: 25_000,
    work: (size) => {
      const drawing = many(size, (at) =>
        at % 2 === 0 ? `${at % 600} 0 m ${at % 600} 800 l S\n` : `0 ${at % 800} m 600 ${at % 800} l S\n`,
      );
      return findRuledGrids([], findDrawnLines(findPathBoxes(drawing), [1, 0, 0, -1, 0, 800]));
    },
  },
  'PDF: replacement texts without a dictionary around them': {
    from: 100_000,
    work: (size) =>
      new StructureTexts(new PdfObjects('', { url: SITE })).addText(
        `<< >>${filled(`/ActualText ${'x'.repeat(80)}`, size)}`,
      ),
  },
  'PDF: a white run on a line': readsFile('pdf', (size) => onOneLine(size, 'ab', '1 g')),
  'PDF: wide runs on a line': readsFile('pdf', (size) => onOneLine(size, 'a b c d ')),
  'PDF: filters of many streams': readsFile('pdf', (size) =>
    makePdf([{ texts: [{ x: 9, y: 9, text: 'hello' }] }], {
      objects: [
        `[${'/A '.repeat(size)}]`,
        ...Array.from({ length: size }, () => '<< /Filter 6 0 R /Length 1 >>\nstream\nx\nendstream'),
      ],
    }),
  ),
  'PDF: characters of a font': readsFile('pdf', (size) =>
    makePdf([{ texts: [{ x: 9, y: 9, text: 'hello' }], resources: '/Pattern << /F << /ToUnicode 6 0 R >> >>' }], {
      objects: [stream(`beginbfrange ${'<0000> <FFFF> <0041>\n'.repeat(size)}endbfrange`)],
    }),
  ),
  'mail: empty lines': mail('', '\r\n'),
  'mail: parts': mail('Content-Type: multipart/mixed; boundary=b\r\n', '--b\r\n\r\nx\r\n'),
  'mail: flowed lines': mail('Content-Type: text/plain; format=flowed; delsp=yes\r\n', 'a \r\n'),
};
