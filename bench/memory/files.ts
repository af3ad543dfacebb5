import { gzipSync } from 'node:zlib';
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
import { randomFrom } from '#scripts/docs/scale/random.ts';
import { htmlPage, markdownPage } from '../spine/pages.ts';

/** A body of nearly the largest size of a page. `isPacked`: sent compressed, so that its length is unknown. */
export type Body = { type: string; bytes: Buffer; isPacked?: boolean };

const LARGE_BYTES = 4_600_000;
const HTML = 'text/html; charset=utf-8';

/** Bodies by name; each is made once. Each edition is another page. */
export const BODIES: Readonly<Record<string, (edition: number) => Body>> = {
  'HTML 4.6 MB': (edition) => ({ type: HTML, bytes: Buffer.from(htmlPage(LARGE_BYTES, edition)) }),
  'HTML 4.6 MB, packed': (edition) => ({
    type: HTML,
    bytes: gzipSync(htmlPage(LARGE_BYTES, edition), { level: 1 }),
    isPacked: true,
  }),
  'HTML 4.6 MB, Greek': (edition) => ({ type: HTML, bytes: Buffer.from(greekPage(LARGE_BYTES, edition)) }),
  'HTML 4.6 MB, one euro sign': (edition) => ({
    type: HTML,
    bytes: Buffer.from(htmlPage(LARGE_BYTES, edition).replace('<h1>', '<h1>€ ')),
  }),
  'Markdown 4.6 MB': (edition) => ({
    type: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdownPage(LARGE_BYTES, edition)),
  }),
  'text 4.6 MB': (edition) => ({
    type: 'text/plain; charset=utf-8',
    bytes: Buffer.from(`Edition ${edition}\n${lines(LARGE_BYTES)}`),
  }),
  'JSON 4.6 MB': (edition) => ({ type: 'application/json', bytes: Buffer.from(json(LARGE_BYTES, edition)) }),
  'CSV 4.6 MB': (edition) => ({ type: 'text/csv; charset=utf-8', bytes: Buffer.from(csv(LARGE_BYTES, edition)) }),
  'PDF 4.6 MB': (edition) => ({ type: 'application/pdf', bytes: Buffer.from(pdf(LARGE_BYTES, edition)) }),
  'DOCX 2 MB': (edition) => ({
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    bytes: docx(edition),
  }),
  'XLSX 3 MB': (edition) => ({
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    bytes: xlsx(edition),
  }),
  'PPTX 4 MB': (edition) => ({
    type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    bytes: pptx(edition),
  }),
  'ODT 4 MB': (edition) => ({ type: 'application/vnd.oasis.opendocument.text', bytes: odt(edition) }),
  'EPUB 4 MB': (edition) => ({ type: 'application/epub+zip', bytes: epub(edition) }),
};

/** Words that compress badly. */
function wordsFrom(random: () => number, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 4_294_967_296).toString(36)).join(' ');
}

function lines(bytes: number): string {
  const random = randomFrom(bytes);
  const some = Array.from({ length: 2_000 }, () => `${wordsFrom(random, 12)}.`).join('\n');
  return some.repeat(Math.ceil(bytes / some.length)).slice(0, bytes);
}

function greekPage(bytes: number, edition: number): string {
  const word = 'θάλασσα λιμάνι φάρος κύμα άνεμος ';
  const paragraph = `<p>${word.repeat(12)}.</p>\n`;
  const count = Math.floor(bytes / Buffer.byteLength(paragraph)) - 1;
  return `<!doctype html><title>Έκδοση ${edition}</title><main><h1>Έκδοση ${edition}</h1>${paragraph.repeat(count)}</main>`;
}

function json(bytes: number, edition: number): string {
  const row = JSON.stringify({ id: 1, name: 'lantern', tags: ['amber', 'window'], at: { x: 1.5, y: 2.25 } });
  return `{"edition":${edition},"rows":[${Array.from({ length: Math.floor(bytes / (row.length + 1)) }, () => row).join(',')}]}`;
}

function csv(bytes: number, edition: number): string {
  const row = 'lantern,amber,window,12,7.5,harbour\n';
  return `name,colour,place,edition ${edition},size,site\n${row.repeat(Math.floor(bytes / row.length))}`;
}

function pdf(bytes: number, edition: number): Uint8Array {
  const random = randomFrom(edition);
  const page = () => ({
    texts: column(
      Array.from({ length: 100 }, () => `${wordsFrom(random, 12)}.`),
      60,
      790,
      5,
      7,
    ),
  });
  const pages = [page()];
  const each = makePdf([page(), page()]).length - makePdf([page()]).length;
  while (pages.length * each < bytes) pages.push(page());
  return makePdf(pages, { title: `Edition ${edition}` });
}

function docx(edition: number): Buffer {
  const random = randomFrom(edition);
  const paragraphs = Array.from({ length: 9_000 }, () => wordParagraph(wordsFrom(random, 30)));
  return Buffer.from(makeDocx(paragraphs.join('')));
}

function xlsx(edition: number): Buffer {
  const random = randomFrom(edition);
  const row = () =>
    `<row>${Array.from({ length: 12 }, () => `<c t="inlineStr"><is><t>${wordsFrom(random, 2)}</t></is></c>`).join('')}</row>`;
  return Buffer.from(makeXlsx([{ name: `Edition ${edition}`, rows: Array.from({ length: 9_000 }, row).join('') }]));
}

function pptx(edition: number): Buffer {
  const random = randomFrom(edition);
  const slide = () => slideShape('<p:ph/>', ...Array.from({ length: 40 }, () => slideText(wordsFrom(random, 30))));
  return Buffer.from(makePptx(Array.from({ length: 200 }, slide)));
}

function odt(edition: number): Buffer {
  const random = randomFrom(edition);
  const paragraphs = Array.from({ length: 25_000 }, () => `<text:p>${wordsFrom(random, 30)}</text:p>`);
  return Buffer.from(makeOdt(paragraphs.join('')));
}

function epub(edition: number): Buffer {
  const random = randomFrom(edition);
  const chapter = () =>
    `<h1>A chapter</h1>${Array.from({ length: 400 }, () => `<p>${wordsFrom(random, 40)}</p>`).join('')}`;
  return Buffer.from(makeEpub({ chapters: Array.from({ length: 40 }, chapter) }));
}
