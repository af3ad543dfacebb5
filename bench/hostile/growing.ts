import { unzipSync, zipSync, zlibSync } from 'fflate';
import { PeriscopeError } from '#core/failures/failure.ts';
import { runToEnd, noPause } from '#core/flow/turns.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { comparesPartOfAttribute } from '#browsing/locate/resolve.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { extract } from '#extract/extract.ts';
import { compareDocuments } from '#library/compare/compare.ts';
import { discoverSitePages } from '#library/discovery/discover.ts';
import { findQuote } from '#reading/cite/quote-text.ts';
import { makeDocx, makeOds, makeOdt, makePptx, makeXlsx, relations } from '#support/make-archive.ts';
import { makePdf, stream } from '#support/make-pdf.ts';
import { compilePattern } from '#reading/find/matcher.ts';
import { findMatches, splitIntoChunks } from '#reading/find/find-matches.ts';

/** Work on a text of about this many characters. */
type Growing = (size: number) => unknown;

/** The smallest of three sizes, each twice the previous one, and the work on them. */
export type Shape = { from: number; work: Growing };

const SITE = 'https://docs.example';
const INVENTORY_HEAD =
  '# Sphinx inventory version 2\n# Project: Ferry\n# Version: 1.0\n# The remainder of this file is compressed using zlib.\n';

const filled = (part: string, size: number) => part.repeat(Math.max(1, Math.floor(size / part.length)));

function reads(kind: BodyKind, make: (size: number) => string, from = 300_000): Shape {
  return {
    from,
    work: async (size) => {
      const input = { kind, text: make(size), bytes: new Uint8Array(), url: `${SITE}/a/b`, mode: 'readable' } as const;
      await extract(input).catch((error: unknown) => {
        if (!(error instanceof PeriscopeError)) throw error;
      });
    },
  };
}

/** Reads a file. Its archive is stored uncompressed, because an attacker would add content that compresses badly. */
function readsFile(kind: BodyKind, make: (size: number) => Uint8Array, from = 1_000): Shape {
  return {
    from,
    work: async (size) => {
      const made = make(size);
      const bytes = kind === 'pdf' || kind === 'mail' ? made : zipSync(unzipSync(made), { level: 0 });
      const input = { kind, text: '', bytes, url: `${SITE}/a/b`, mode: 'readable' } as const;
      await extract(input).catch((error: unknown) => {
        if (!(error instanceof PeriscopeError)) throw error;
      });
    },
  };
}

const html = (before: string, part: string, behind = ''): Shape =>
  reads('html', (size) => before + filled(part, size) + behind);
const markdown = (before: string, part: string, behind = ''): Shape =>
  reads('markdown', (size) => before + filled(part, size) + behind);

const selects = (make: (size: number) => string): Shape => ({
  from: 50_000,
  work: (size) => comparesPartOfAttribute(make(size)),
});

const compares = (make: (size: number, version: number) => readonly string[], from = 100_000): Shape => ({
  from,
  work: (size) => {
    const [old, now] = [1, 2].map((version) => ({ lines: make(size, version), restStart: null }));
    if (old !== undefined && now !== undefined) runToEnd(compareDocuments(old, now));
  },
});

const discovers = (make: (size: number) => Readonly<Record<string, Uint8Array>>, from = 300_000): Shape => ({
  from,
  work: (size) => {
    const files = make(size);
    return discoverSitePages(
      {
        fetch: async (url) => {
          const bytes = files[url.slice(SITE.length)];
          return bytes === undefined ? { missing: 'absent' } : { url, bytes };
        },
        rules: async () => () => ({ isAllowed: true, bytes: 0 }),
        inTurn: (work) => work(noPause),
        signal: new AbortController().signal,
      },
      { start: `${SITE}/guide/`, prefix: `${SITE}/guide/`, maxPages: 5 },
    );
  },
});

const hides = (value: string, part: string): Shape => ({
  from: 300_000,
  work: (size) => createSecretMask([value])?.from(filled(part, size)),
});

const finds = (make: (size: number) => readonly string[], pattern: string, isRegex: boolean): Shape => ({
  from: 50_000,
  work: (size) => {
    const [matcher] = compilePattern(pattern, isRegex);
    return findMatches(
      { chunks: toSearchableChunks(splitIntoChunks(make(size)), true), restStart: null },
      matcher,
      noPause,
    );
  },
});

const quotes = (quote: string, make: (size: number) => readonly string[]): Shape => ({
  from: 100_000,
  work: (size) => findQuote(quote, () => splitIntoChunks(make(size)), noPause),
});

const bytes = (text: string) => new TextEncoder().encode(text);
const inventory = (line: string, size: number) => {
  const packed = zlibSync(bytes(filled(`${line}\n`, size)));
  const head = bytes(INVENTORY_HEAD);
  const whole = new Uint8Array(head.length + packed.length);
  whole.set(head);
  whole.set(packed, head.length);
  return { '/guide/': bytes('Sphinx'), '/guide/objects.inv': whole };
};
const searchIndex = (folder: string, size: number) => ({
  '/guide/': bytes('<meta name="generator" content="mkdocs">'),
  '/guide/search/search_index.json': bytes(
    `{"docs":[${Array.from({ length: Math.floor(size / 20) }, (_, at) => `{"url":"${folder}/${at.toString(36)}"}`).join(',')}]}`,
  ),
});

/** Different words in each text and each version. */
const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ((at * 7_919 + seed * 31) % 46_656).toString(36)).join(' ');
const paragraphs = (count: number, size: number, version: number) =>
  Array.from({ length: count }, (_, at) => [
    words(Math.ceil(size / count / 4), version * 100_000 + at * 17),
    '',
  ]).flat();

const many = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join('');
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

/** Inputs that once took quadratic time or worse, and similar ones. */
export const GROWING: Readonly<Record<string, Shape>> = {
  'selector: comments in an attribute': selects((size) => `a[b$/${filled('**//', size)}`),
  'selector: comments that end': selects((size) => `a[b$${filled('/* */', size)}`),
  'selector: blanks in an attribute': selects((size) => `a[b$${filled(' ', size)}`),
  'selector: brackets': selects((size) => filled('a[b', size)),
  'style: comments without an end': html('<p style="', '/* ', '">x</p>'),
  'style: comments': html('<p style="', '/**/', '">x</p>'),
  'style: colons and blanks': html('<p style="', 'display : ', '">x</p>'),
  'code: no-break spaces': html('<p><code>a', '\u00a0', 'b</code></p>'),
  'pre: no-break spaces': html('<pre>a', '\u00a0 ', 'b</pre>'),
  'heading: no-break spaces': html('<h2>a', '\u00a0', 'b</h2>'),
  'link: wide spaces': html('<p>w <a href="/x">a', '\u3000', 'b</a></p>'),
  'cell: wide spaces': html('<table><tr><th>h<th>i<tr><td>a', '\u3000', 'b<td>c</table>'),
  'title: separators': html('<title>', 'a - ', '</title><p>x</p>'),
  'table: spans': html('<table class="wikitable">', '<tr><td rowspan="99" colspan="9">x<td>y'),
  'table: one long row': html('<table class="wikitable"><tr>', '<td>a', '<tr><td>b'.repeat(1_000)),
  'table: tables in cells': html('', '<table><tr><td>a<td>b'),
  'headings of one name': html('', '<h2>Name</h2><p>text</p>'),
  'headings of one name and number': html('', '<h2>Name</h2><h2>Name 2</h2>'),
  'Markdown: headings of one name': markdown('', '# Name\n\ntext\n\n'),
  'Markdown: link ends': markdown('[', '](x', ''),
  'Markdown: formulas': markdown('', '$a', ''),
  'Markdown: emphasis': markdown('', '*a_', ''),
  'CSV: blanks': reads('csv', (size) => `a,b\n"${filled(' ', size)}x",2\n`),
  'JSON: names that become equal': reads('json', (size) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`a${'\u200b'.repeat(at % 99)}`, at])),
    ),
  ),
  'JSON: deep': reads('json', (size) => filled('[', size / 2) + filled(']', size / 2)),
  'style: line ends kept by many': html('<div style="white-space:pre">'.repeat(90), '<i>a\n</i>'),
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
          `<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 2097152 /F 4 /T (a) /Rect [0 0 99 9] /Opt [${many(size, (at) => `(${at})`)}] /V [${'(x)'.repeat(size)}] >>`,
        ],
      },
    ]),
  ),
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
  'compare: counters': compares((size, version) => [`${filled('day ago - - - ', size)}${version}`]),
  'compare: short counters': compares((size, version) =>
    Array.from({ length: size / 100 }, () => [`${filled('day ago - - - ', 90)}${version}`, '']).flat(),
  ),
  'compare: 50 long paragraphs': compares((size, version) => paragraphs(50, size, version), 800_000),
  'compare: 200 long paragraphs': compares((size, version) => paragraphs(200, size, version), 800_000),
  'compare: short paragraphs': compares((size, version) => paragraphs(Math.ceil(size / 100), size, version)),
  'compare: one paragraph again and again': compares((size) =>
    Array.from({ length: size / 20 }, () => 'The ferry leaves.'),
  ),
  'inventory: blanks and colons': discovers((size) =>
    inventory(`${' '.repeat(900)}${':'.repeat(200)}${' '.repeat(2_990)}`, size),
  ),
  'inventory: names': discovers((size) => inventory('a py:class 1 a.html#$ -', size)),
  'search index: addresses inside': discovers((size) => searchIndex('p', size)),
  'search index: addresses outside': discovers((size) => searchIndex('/o', size)),
  'sitemap: entries': discovers((size) => ({
    '/guide/sitemap.xml': bytes(`<urlset>${filled('<url><loc>/guide/a</loc></url>', size)}</urlset>`),
  })),
  'sitemap: tags without an end': discovers((size) => ({ '/guide/sitemap.xml': bytes(filled('<url<loc', size)) })),
  'sitemap: tags that end again and again': discovers((size) => ({
    '/guide/sitemap.xml': bytes(filled(`<loc>${'&amp;'.repeat(400)}${'</loc>'.repeat(345)}`, size)),
  })),
  'llms.txt: links': discovers((size) => ({ '/guide/llms.txt': bytes(filled('- [a](b) [', size)) })),
  'secret: equal letters in equal letters': hides('aaaaab', 'a'),
  'secret: two letters in two letters': hides('abababac', 'ab'),
  'secret: escapes': hides('&&&&&;', '&amp;'),
  'secret: in percent signs': hides('%25%25x', '%25'),
  'find: link ends': finds((size) => [`[${filled('](x', size)}`], 'x', false),
  'find: many lines of link ends': finds(
    (size) => Array.from({ length: size / 300 }, () => `[${filled('](x', 300)}`),
    'x',
    false,
  ),
  'find: lines of code': finds(
    (size) => ['```', ...Array.from({ length: size / 2 }, (_, at) => 'ba'[at % 2] ?? ''), '```'],
    String.raw`a\nb(?:(?s:.)*never)?`,
    true,
  ),
  'find: words in one line': finds((size) => [filled('walrus ', size)], String.raw`(\w+ )+never`, true),
  'quote: wide spaces': quotes('a — b', (size) => [`x — ${filled('\u3000', size)}y`]),
  'quote: dashes': quotes('a — b', (size) => [filled('a -- ', size)]),
  'quote: words again and again': quotes('the ferry leaves never', (size) => [filled('the ferry leaves ', size)]),
};
