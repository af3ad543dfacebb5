import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { makeDocx, makeXlsx, makeZip, wordParagraph } from '#support/make-archive.ts';
import { FILES } from '../hostile/files.ts';
import { HTML, MARKDOWN } from '../hostile/pages.ts';
import type { Rig } from './rig.ts';
import { at, textOf } from './wire.ts';
import type { Answer, Caller } from './wire.ts';

/** Small inputs with expensive work. One user opens or calls each while another one waits. */
export type Bomb = {
  name: string;
  /** Makes the input on our side, which is not measured. @returns the part that is measured */
  prepare: (rig: Rig) => Promise<Go>;
};
type Go = () => Promise<readonly Answer[]>;

let count = 0;

type Served = {
  name: string;
  type: string;
  body: () => string | Uint8Array;
  headers?: Record<string, string>;
  extension?: string;
};

/** A page that is opened by two tools, searched, and scrolled beyond its end. */
function served({ name, type, body, headers = {}, extension = '' }: Served): Bomb {
  return {
    name,
    prepare: async ({ site, ana }) => {
      const bytes = body();
      const path = `/bomb/${(count += 1)}${extension}`;
      site.routes[path] = (_request, response) =>
        void response.writeHead(200, { 'content-type': type, ...headers }).end(bytes);
      return () => readThrough(ana.caller, site.url + path);
    },
  };
}

async function readThrough(caller: Caller, url: string): Promise<Answer[]> {
  const answers = [await caller.call('web_open', { url }), await caller.call('open_url', { url: `${url}?again` })];
  const cursor = textOf(at(answers[0]?.structured, 'cursor'));
  if (cursor === '') return answers;
  const pattern = '(a+)+$|(.*)*x|(\\w+\\s?)*!';
  return [
    ...answers,
    await caller.call('find', { cursor, pattern, is_regex: true }),
    await caller.call('scroll', { cursor, loc: 1_000_000_000 }),
  ];
}

export const repeated = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
export const page = (bytes: number) => Buffer.alloc(bytes, '<p>word after word, and a sentence of it. ');
const html = (name: string, body: () => string): Bomb => served({ name, type: 'text/html', body });
const markdown = (name: string, body: () => string): Bomb => served({ name, type: 'text/markdown', body });
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const LAUGHS = `<!DOCTYPE r [<!ENTITY a "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY ${String.fromCharCode(98 + (i % 24))}${i} "${'&a;'.repeat(10)}">`).join('')}<!ENTITY l1 "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">${Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 2} "${`&l${i + 1};`.repeat(10)}">`).join('')}]>`;

const PACKED: readonly Bomb[] = [
  served({
    name: 'gzip, 500 MB from half a MB',
    type: 'text/html',
    headers: { 'content-encoding': 'gzip' },
    body: () => gzipSync(page(500_000_000)),
  }),
  served({
    name: 'brotli, 200 MB',
    type: 'text/html',
    headers: { 'content-encoding': 'br' },
    body: () => brotliCompressSync(page(200_000_000), { params: { 1: 5 } }),
  }),
  served({
    name: 'deflate, 200 MB',
    type: 'text/html',
    headers: { 'content-encoding': 'deflate' },
    body: () => deflateSync(page(200_000_000)),
  }),
  served({
    name: 'gzip in gzip',
    type: 'text/html',
    headers: { 'content-encoding': 'gzip, gzip' },
    body: () => gzipSync(gzipSync(page(200_000_000))),
  }),
  served({
    name: 'a Word file of 400 MB of zeros',
    type: DOCX,
    extension: '.docx',
    body: () =>
      makeDocx(wordParagraph('words'), {
        'word/media/a.xml': new Uint8Array(300_000_000),
        'word/footnotes.xml': new Uint8Array(100_000_000),
      }),
  }),
  served({
    name: 'an Excel file of 60 MB of strings',
    type: XLSX,
    extension: '.xlsx',
    body: () =>
      makeXlsx(
        [{ name: 'a', rows: '<row><c t="s"><v>0</v></c></row>' }],
        Array.from({ length: 600_000 }, (_, i) => `<t>${'string '.repeat(13)}${i}</t>`),
      ),
  }),
  served({
    name: 'an Excel file whose every cell is one string of 1 MB',
    type: XLSX,
    extension: '.xlsx',
    body: () =>
      makeXlsx(
        [{ name: 'a', rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(200_000)}</row>` }],
        [`<t>${'w '.repeat(500_000)}</t>`],
      ),
  }),
  served({
    name: 'zip in zip in zip',
    type: 'application/epub+zip',
    extension: '.epub',
    body: () => {
      let zip = makeZip({ 'a.txt': 'x' });
      for (let i = 0; i < 50; i += 1) zip = makeZip({ mimetype: 'application/epub+zip', 'a.zip': zip });
      return zip;
    },
  }),
  served({
    name: 'an archive of 60,000 entries',
    type: DOCX,
    extension: '.docx',
    body: () =>
      makeZip({
        'word/document.xml': '<w:document/>',
        ...Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`word/${i}.xml`, ''])),
      }),
  }),
  served({
    name: 'a Word file with entities of entities',
    type: DOCX,
    extension: '.docx',
    body: () =>
      makeDocx('', {
        'word/document.xml': `<?xml version="1.0"?>${LAUGHS}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&l12;</w:t></w:r></w:p></w:body></w:document>`,
      }),
  }),
];

const DEEP: readonly Bomb[] = [
  markdown('Markdown: “> ” × 300,000', () => `${'> '.repeat(300_000)}deep`),
  markdown('Markdown: “>” × 300,000 on lines', () =>
    Array.from({ length: 2_000 }, (_, i) => `${'> '.repeat(Math.min(i, 1_000))}line`).join('\n'),
  ),
  markdown('Markdown: lists 20,000 deep', () =>
    Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(Math.min(i * 2, 1_500))}- item`).join('\n'),
  ),
  markdown('Markdown: [ × 300,000', () => `${'['.repeat(300_000)}x${']'.repeat(300_000)}(y)`),
  markdown('Markdown: ![ × 200,000', () => '![a]('.repeat(200_000)),
  markdown('Markdown: * × 500,000', () => '*a **b '.repeat(300_000)),
  markdown('Markdown: HTML 200,000 deep', () => `${'<div>'.repeat(200_000)}deep`),
  markdown(
    'Markdown: a table of 300,000 columns',
    () => `|${'a|'.repeat(300_000)}\n|${'-|'.repeat(300_000)}\n|${'b|'.repeat(300_000)}`,
  ),
  served({
    name: 'JSON 2,000,000 deep',
    type: 'application/json',
    body: () => '['.repeat(2_000_000) + ']'.repeat(2_000_000),
  }),
  served({
    name: 'JSON objects 400,000 deep',
    type: 'application/json',
    body: () => '{"a":'.repeat(400_000) + '1' + '}'.repeat(400_000),
  }),
  served({
    name: 'XML 300,000 deep',
    type: 'application/xml',
    body: () => `${'<a>'.repeat(300_000)}x${'</a>'.repeat(300_000)}`,
  }),
  served({
    name: 'XML, entities of entities',
    type: 'application/xml',
    body: () => `<?xml version="1.0"?>${LAUGHS}<r>&l12;</r>`,
  }),
  served({
    name: 'XML, one entity of 1 MB 4,000 times',
    type: 'application/xml',
    body: () =>
      `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "${'a'.repeat(1_000_000)}">]><r>${'&a;'.repeat(4_000)}</r>`,
  }),
  served({
    name: 'a feed of 60,000 items',
    type: 'application/rss+xml',
    body: () =>
      `<rss><channel><title>f</title>${'<item><title>t</title><link>http://x.acme.org/</link></item>'.repeat(60_000)}</channel></rss>`,
  }),
  html('HTML 1,000,000 deep', () => '<b>'.repeat(1_000_000)),
  html('HTML: formatting elements misnested', () => '<a><b><i><u><s><table><tr><td>'.repeat(20_000)),
  html('HTML: 700,000 attributes', () => `<p ${Array.from({ length: 400_000 }, (_, i) => `a${i}=1`).join(' ')}>x`),
];

/** The worst inputs of the extraction bench. */
const KNOWN_HTML = [
  '33 nested tables of 7,000 rows',
  'table 12,000 wide, 6,000 long',
  '24,000 h2 at depth 95',
  '5,000 references to an empty note',
  'one word of 3 MB',
  '120,000 sentences',
  '20,000 nested ul li',
];
const KNOWN_MARKDOWN = [
  'open links, 4 MB',
  'CJK stops, 4 MB',
  'quote signs, 4 MB',
  'a million lines',
  'delimiter row of spaces, 4 MB',
];
const KNOWN_FILES: Record<string, string> = {
  'PDF, 20,000 pieces a page': '.pdf',
  'PDF, 400 pages': '.pdf',
  'CSV, 5 MB': '.csv',
  'XLSX, 39 MB of XML': '.xlsx',
  'EPUB, 1,900 chapters of tags': '.epub',
  'notebook, 2,000 tables': '.ipynb',
  'DOCX, short runs, 4 MB of XML': '.docx',
  'ODT, 39 MB of XML': '.odt',
};

const KNOWN: readonly Bomb[] = [
  ...KNOWN_HTML.map((name) => html(`HTML: ${name}`, () => HTML[name]?.() ?? missing(name))),
  ...KNOWN_MARKDOWN.map((name) => markdown(`Markdown: ${name}`, () => MARKDOWN[name]?.() ?? missing(name))),
  ...Object.entries(KNOWN_FILES).map(([name, extension]) =>
    served({ name, type: 'application/octet-stream', extension, body: () => FILES[name]?.make() ?? missing(name) }),
  ),
];

function missing(name: string): never {
  throw new Error(`there is no ${name}`);
}

export const SERVED: readonly Bomb[] = [...PACKED, ...DEEP, ...KNOWN];
