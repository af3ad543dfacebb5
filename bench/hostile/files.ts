/** Files of the size that a fetch may have by default (5 MB) and at most (20 MB), and files that try to be slow. */
import type { BodyKind } from '#core/document/kinds.ts';
import {
  makeDocx,
  makeEpub,
  makeOdt,
  makePptx,
  makeXlsx,
  slideShape,
  slideText,
  wordParagraph,
} from '#support/make-archive.ts';
import { column, makePdf } from '#support/make-pdf.ts';

export type File = { kind: BodyKind; make: () => Uint8Array | string };

const WORDS = 'lamp keeper light wind harbour glass stair night ship rock signal fog oil brass lens tide'.split(' ');

/** Text that compresses badly, and is the same for the same seed. */
export function prose(seed: number, words: number): string {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const out: string[] = [];
  for (let index = 0; index < words; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const high = state >>> 12;
    const word = `${WORDS[high % WORDS.length] ?? ''}${high % 97 === 0 ? '.' : ''}`;
    out.push(high % 7 === 0 ? `${word}${high % 10_007}` : word);
  }
  return `${out.join(' ')}.`;
}

/** Parts until their sum reaches `chars`. */
export function fill(chars: number, part: (index: number) => string): string[] {
  const parts: string[] = [];
  for (let size = 0; size < chars; size += parts.at(-1)?.length ?? 1) parts.push(part(parts.length));
  return parts;
}

const MB = 1_000_000;
const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const row = (index: number, columns: number) =>
  `<row>${Array.from({ length: columns }, (_, at) => cell(prose(index * 64 + at, 2))).join('')}</row>`;
const slide = (index: number) =>
  slideShape('<p:ph type="title"/>', slideText(prose(index, 5))) +
  slideShape('<p:ph/>', ...Array.from({ length: 12 }, (_, at) => slideText(prose(index * 20 + at, 12))));
const csvRow = (index: number) => `${index},"${prose(index, 6)}",${prose(index + 7, 3)},${index * 7}\n`;
const pdfPage = (index: number) => ({
  texts: column(
    Array.from({ length: 46 }, (_, line) => prose(index * 50 + line, 13)),
    60,
    760,
    10,
    15,
  ),
});
const wordTable = (index: number) =>
  `<w:tr>${Array.from({ length: 5 }, (_, at) => `<w:tc>${wordParagraph(prose(index * 5 + at, 2))}</w:tc>`).join('')}</w:tr>`;

export const FILES: Readonly<Record<string, File>> = {
  'PDF, 100 pages': { kind: 'pdf', make: () => makePdf(Array.from({ length: 100 }, (_, page) => pdfPage(page))) },
  'PDF, 400 pages': { kind: 'pdf', make: () => makePdf(Array.from({ length: 400 }, (_, page) => pdfPage(page))) },
  'PDF, 2,000 pages': { kind: 'pdf', make: () => makePdf(Array.from({ length: 2_000 }, (_, page) => pdfPage(page))) },
  'PDF, 20,000 pieces a page': {
    kind: 'pdf',
    make: () =>
      makePdf(
        Array.from({ length: 20 }, () => ({
          texts: Array.from({ length: 20_000 }, (_, at) => ({
            x: (at % 100) * 6,
            y: 790 - Math.floor(at / 100) * 3.9,
            size: 3,
            text: 'a',
          })),
        })),
      ),
  },
  'PDF, a paragraph of 12,000 lines': {
    kind: 'pdf',
    make: () =>
      makePdf(
        Array.from({ length: 16 }, (_, page) => ({
          texts: Array.from({ length: 750 }, (__, at) => ({
            x: 10,
            y: 790 - at * 1.04,
            size: 1,
            text: prose(page * 750 + at, 12).replaceAll('.', ''),
          })),
        })),
      ),
  },
  'PDF, 200 links on 100 pages': {
    kind: 'pdf',
    make: () =>
      makePdf(
        Array.from({ length: 100 }, (_, page) => ({
          ...pdfPage(page),
          links: [...Array(200).keys()].map((at) => ({
            rect: [60, 100 + at * 3, 300, 103 + at * 3],
            uri: `https://a.example/${at}`,
          })),
        })),
      ),
  },
  'DOCX, paragraphs, 4 MB of XML': {
    kind: 'docx',
    make: () => makeDocx(fill(4.1 * MB, (index) => wordParagraph(prose(index, 40))).join('')),
  },
  'DOCX, short runs, 4 MB of XML': {
    kind: 'docx',
    make: () => makeDocx(`<w:p>${fill(4.1 * MB, () => '<w:r><w:t>a </w:t></w:r>').join('')}</w:p>`),
  },
  'DOCX, table, 4 MB of XML': {
    kind: 'docx',
    make: () => makeDocx(`<w:tbl>${fill(4.1 * MB, wordTable).join('')}</w:tbl>`),
  },
  'DOCX, 400 kB of XML': {
    kind: 'docx',
    make: () => makeDocx(fill(0.4 * MB, (index) => wordParagraph(prose(index, 40))).join('')),
  },
  'XLSX, 5 MB of XML': {
    kind: 'xlsx',
    make: () => makeXlsx([{ name: 'a', rows: fill(5 * MB, (index) => row(index, 8)).join('') }]),
  },
  'XLSX, 39 MB of XML': {
    kind: 'xlsx',
    make: () => makeXlsx([{ name: 'a', rows: fill(39 * MB, (index) => row(index, 8)).join('') }]),
  },
  'XLSX, 8 sheets of 4.5 MB': {
    kind: 'xlsx',
    make: () => {
      const rows = fill(4.5 * MB, (index) => row(index, 8)).join('');
      return makeXlsx(Array.from({ length: 8 }, (_, index) => ({ name: `s${index}`, rows })));
    },
  },
  'XLSX, 39 MB of shared strings': {
    kind: 'xlsx',
    make: () =>
      makeXlsx(
        [{ name: 'a', rows: '<row><c t="s"><v>0</v></c></row>' }],
        fill(30 * MB, (index) => `<t>${prose(index, 6)}</t>`),
      ),
  },
  'PPTX, 5 MB of XML': {
    kind: 'pptx',
    make: () => makePptx(fill(5 * MB, (index) => slide(index * 2) + slide(index * 2 + 1))),
  },
  'PPTX, 39 MB of XML': {
    kind: 'pptx',
    make: () =>
      makePptx(fill(39 * MB, (index) => Array.from({ length: 20 }, (_, at) => slide(index * 20 + at)).join(''))),
  },
  'ODT, 5 MB of XML': {
    kind: 'odt',
    make: () => makeOdt(fill(5 * MB, (index) => `<text:p>${prose(index, 40)}</text:p>`).join('')),
  },
  'ODT, 39 MB of XML': {
    kind: 'odt',
    make: () => makeOdt(fill(39 * MB, (index) => `<text:p>${prose(index, 40)}</text:p>`).join('')),
  },
  'EPUB, 5 MB of text': {
    kind: 'epub',
    make: () =>
      makeEpub({
        chapters: fill(
          5 * MB,
          (index) => `<h1>C</h1>${fill(60_000, (at) => `<p>${prose(index * 99 + at, 60)}</p>`).join('')}`,
        ),
      }),
  },
  'EPUB, 39 MB of small chapters': {
    kind: 'epub',
    make: () =>
      makeEpub({
        chapters: fill(
          39 * MB,
          (index) => `<h1>C</h1>${fill(40_000, (at) => `<p>${prose(index * 99 + at, 4)}</p>`).join('')}`,
        ),
      }),
  },
  'EPUB, 1,900 chapters of tags': {
    kind: 'epub',
    make: () => makeEpub({ chapters: Array.from({ length: 1_900 }, () => '<p>a</p>'.repeat(2_000)) }),
  },
  'CSV, 5 MB': { kind: 'csv', make: () => fill(5 * MB, csvRow).join('') },
  'CSV, 20 MB': { kind: 'csv', make: () => fill(20 * MB, csvRow).join('') },
  'CSV, 20 MB of quotes': { kind: 'csv', make: () => `a,b\n${'"""",'.repeat(4 * MB)}` },
  'CSV, 20 MB of commas': { kind: 'csv', make: () => `a\n${','.repeat(20 * MB)}` },
  'CSV, 10,000 rows of 256 columns': { kind: 'csv', make: () => `${'a,'.repeat(255)}b\n`.repeat(10_000) },
  'text, 5 MB': { kind: 'text', make: () => fill(5 * MB, (index) => `${prose(index, 10)}\n`).join('') },
  'text, 20 MB': { kind: 'text', make: () => fill(20 * MB, (index) => `${prose(index, 10)}\n`).join('') },
  'text, 20 MB of long lines': {
    kind: 'text',
    make: () => fill(20 * MB, (index) => `${prose(index, 200)}\n\n`).join(''),
  },
  'Markdown, 20 MB of prose': {
    kind: 'markdown',
    make: () => fill(20 * MB, (index) => `${prose(index, 100)}\n\n`).join(''),
  },
  'notebook, 5 MB': {
    kind: 'notebook',
    make: () =>
      JSON.stringify({
        nbformat: 4,
        cells: fill(5 * MB, (index) => prose(index, 100)).map((source, index) => ({
          cell_type: index % 2 === 0 ? 'markdown' : 'code',
          source,
          outputs: [],
        })),
      }),
  },
  'notebook, 2,000 tables': {
    kind: 'notebook',
    make: () => {
      const html = `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(60)}</table>`;
      const outputs = [{ output_type: 'display_data', data: { 'text/html': html } }];
      return JSON.stringify({
        nbformat: 4,
        cells: Array.from({ length: 2_000 }, () => ({ cell_type: 'code', source: 'x', outputs })),
      });
    },
  },
  'JSON, 5 MB': {
    kind: 'json',
    make: () => JSON.stringify(fill(4 * MB, (index) => prose(index, 8)).map((text, id) => ({ id, text }))),
  },
  'XML, 5 MB': {
    kind: 'xml',
    make: () => `<r>${fill(5 * MB, (index) => `<i n="${index}"><t>${prose(index, 8)}</t></i>`).join('')}</r>`,
  },
  'feed, 5 MB': {
    kind: 'feed',
    make: () =>
      `<rss><channel><title>t</title>${fill(5 * MB, (index) => `<item><title>t${index}</title><description>&lt;p&gt;${prose(index, 300)}&lt;/p&gt;</description></item>`).join('')}</channel></rss>`,
  },
};
