import { zlibSync } from 'fflate';
import { safeFileName } from '#core/document/file-facts.ts';
import { runToEnd, noPause } from '#core/flow/turns.ts';
import { hasSecretInUrl, redactText } from '#core/secrets/secret-addresses.ts';
import { foldForSearch } from '#core/text/fold.ts';
import { withRelativeLinks } from '#core/text/links.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { shownLineText, toShownLines } from '#core/text/shown-lines.ts';
import { findApprovalReason } from '#browsing/ask/classify.ts';
import { comparesPartOfAttribute } from '#browsing/locate/resolve.ts';
import { createSecretMask } from '#browsing/secrets/mask.ts';
import { compareDocuments } from '#library/compare/compare.ts';
import { discoverSitePages } from '#library/discovery/discover.ts';
import { sniffBodyType } from '#net/types/sniff.ts';
import { findQuote } from '#reading/cite/quote-text.ts';
import { explainMatches } from '#reading/find/match-context.ts';
import { writeMatchesText } from '#reading/find/find-in.ts';
import { compilePattern } from '#reading/find/matcher.ts';
import { findMatches, splitIntoChunks } from '#reading/find/find-matches.ts';
import { GROWING_FILES } from './growing-files.ts';
import { bytes, filled, many, reads, SITE } from './shape.ts';
import type { Shape } from './shape.ts';

const INVENTORY_HEAD =
  '# Sphinx inventory version 2\n# Project: Ferry\n# Version: 1.0\n# The remainder of this file is compressed using zlib.\n';

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
          const file = files[url.slice(SITE.length)];
          return file === undefined ? { missing: 'absent' } : { url, bytes: file };
        },
        rules: async () => () => ({ isAllowed: true, bytes: 0 }),
        inTurn: (work) => work(noPause),
        signal: new AbortController().signal,
      },
      { start: `${SITE}/guide/`, prefix: `${SITE}/guide/`, maxPages: 5 },
    );
  },
});

const hides = (values: string | readonly string[], part: string): Shape => ({
  from: 300_000,
  work: (size) => createSecretMask([values].flat())?.from(filled(part, size)),
});

const matchesIn = (lines: readonly string[], pattern: string, isRegex: boolean) =>
  findMatches(
    { chunks: toSearchableChunks(splitIntoChunks(lines), true), restStart: null },
    compilePattern(pattern, isRegex)[0],
    noPause,
  );
const finds = (make: (size: number) => readonly string[], pattern: string, isRegex = false): Shape => ({
  from: 50_000,
  work: (size) => matchesIn(make(size), pattern, isRegex),
});

/** Finds a word in lines, and writes the result. */
const shows = (make: (size: number) => readonly string[]): Shape => ({
  from: 300_000,
  work: async (size) => {
    const lines = make(size);
    const result = await matchesIn(lines, 'needle', false);
    const among = new Set(result.matches.map(({ loc }) => loc));
    const extent = { lineCount: lines.length, restStart: null };
    const explanations = await explainMatches(result.best, among, extent, async (start, end) =>
      lines.slice(start, end + 1),
    );
    const page = { cursor: 'c', shownUrl: SITE, title: null, part: null, outline: [], notes: [], link: '', ...extent };
    const found = { result, explanations, pages: null, others: [] };
    return writeMatchesText(page, found, { isRegex: false, asRegex: null });
  },
});

const onText = (make: (size: number) => string, work: (text: string) => unknown): Shape => ({
  from: 300_000,
  work: (size) => work(make(size)),
});

/** One shape for each of many parts that fill a text. */
const each = (name: string, parts: readonly string[], shape: (part: string) => Shape): Record<string, Shape> =>
  Object.fromEntries(parts.map((part) => [`${name} ${JSON.stringify(part)}`, shape(part)]));

const quotes = (quote: string, make: (size: number) => readonly string[]): Shape => ({
  from: 100_000,
  work: (size) => findQuote(quote, () => splitIntoChunks(make(size)), noPause),
});

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

const repeated = (line: string, size: number): string[] =>
  Array.from({ length: Math.ceil(size / line.length) }, () => line);
const NAMED = {
  kind: 'button',
  name: '',
  hints: '',
  around: '',
  isInDialog: false,
  opens: null,
  form: null,
  submits: false,
  path: '',
} as const;

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
  'diff: code in code': html('<pre>'.repeat(500), '<b>a</b> '),
  'table: spans': html('<table class="wikitable">', '<tr><td rowspan="99" colspan="9">x<td>y'),
  'table: one long row': html('<table class="wikitable"><tr>', '<td>a', '<tr><td>b'.repeat(1_000)),
  'lines: struck out and bold': html('<p><s>', '<b>Yes! <i>No.</i></b> ', '</s></p>'),
  'diff: rows': html('<table class="diff">', '<tr><td class="del">a<td class="add">b', '</table>'),
  'diff: cells of one row': html('<table class="diff"><tr>', '<td class="changed">a', '</table>'),
  'diff: edits in one line': html('<pre>', '<del>a</del>', '</pre>'),
  'table: tables in cells': html('', '<table><tr><td>a<td>b'),
  'headings of one name': html('', '<h2>Name</h2><p>text</p>'),
  'headings of one name and number': html('', '<h2>Name</h2><h2>Name 2</h2>'),
  'headings of one name with links to each': reads('html', (size) =>
    many(size / 40, (at) => `<h2 id="n${at}">Name</h2><a href="#n${at}">x</a>`),
  ),
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
  'style: line ends kept by many': reads(
    'html',
    (size) => '<div style="white-space:pre">'.repeat(size / 1_400) + filled('<i>a\n</i>', size),
    30_000,
  ),
  ...GROWING_FILES,
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
  'secret: values that begin alike': hides(
    Array.from({ length: 100 }, (_, at) => 'a'.repeat(6 + at)),
    'a',
  ),
  ...each('secret: 500 letters in', ['a', 'a\u00a0', 'a<b>', '<', 'ab', '1 '], (part) =>
    hides(`${filled(part.charAt(0), 499)}b`, part),
  ),
  ...each('secret: 500 signs in', ['-', '%25', '%41', '\\', '\\n%25', '&amp;'], (part) =>
    hides(filled(part.charAt(0), 500), part),
  ),
  ...each(
    'redacted: a text of',
    ['"', '\\"', 'token:"', '<input ', 'ey.', 'https://', 'a=', "'", 'x-', 'eyABCDEFG', 'ey-'],
    (part) => onText((size) => filled(part, size), redactText),
  ),
  ...each('secret in an address of', ['a', '=', ';', '?', '/', '%', 'a=b&', 'https://x/?a=', '-', '\u00e4'], (part) =>
    onText((size) => `${SITE}/?x=${filled(part, size)}`, hasSecretInUrl),
  ),
  'approval: a long name': onText(
    (size) => filled('delete ', size),
    (name) => findApprovalReason({ kind: 'click', acceptsDialog: false, element: { ...NAMED, name, around: name } }),
  ),
  'content type: blanks': onText(
    (size) => `text/html; a${filled(' ', size)}b`,
    (contentType) => sniffBodyType({ contentType, url: SITE, bytes: bytes('<p>x') }),
  ),
  'file name: points and blanks': onText(
    (size) => `a${filled('. ', size / 2)}b${filled('.', size / 2)}bx.csv`,
    safeFileName,
  ),
  'folded: white space': onText((size) => `é${filled(' ', size)}a`, foldForSearch),
  'relative links: code in addresses': onText(
    (size) => filled(`[a](${SITE}/a/\`b\`)`, size),
    (line) => withRelativeLinks([line], `${SITE}/a/b`),
  ),
  ...each('shown lines of', ['| a | b | c |', 'A sentence.', '- **term**', '```'], (line) => ({
    from: 300_000,
    work: (size) => toShownLines(repeated(line, size), 0),
  })),
  'shown line: cells': onText((size) => filled('| a', size), shownLineText),
  'shown line: blanks': onText((size) => `|${filled(' ', size)}|`, shownLineText),
  'find: link ends': finds((size) => [`[${filled('](x', size)}`], 'x'),
  'find: many lines of link ends': finds(
    (size) => Array.from({ length: size / 300 }, () => `[${filled('](x', 300)}`),
    'x',
  ),
  'find: lines of code': finds(
    (size) => ['```', ...Array.from({ length: size / 2 }, (_, at) => 'ba'[at % 2] ?? ''), '```'],
    String.raw`a\nb(?:(?s:.)*never)?`,
    true,
  ),
  'find: words in one line': finds((size) => [filled('walrus ', size)], String.raw`(\w+ )+never`, true),
  'find: a phrase in sentences': finds((size) => repeated('A **sentence** about `things` – “mostly”.', size), 'never'),
  ...each('matches in lines of', ['A needle is here.', '| needle | a |', '- **needle**'], (line) =>
    shows((size) => repeated(line, size)),
  ),
  'matches in items within items': shows((size) =>
    Array.from({ length: size / 108 }, (_, at) => `${' '.repeat(at % 200)}- needle`),
  ),
  'matches in a row that never ends': shows((size) => [
    '| a | b |',
    '| --- | --- |',
    `| needle |${filled(' x |', size)}`,
  ]),
  'matches in links that never end': shows((size) => [`needle ${filled(`[a](${SITE}/`, size)}`]),
  'matches in links without a space': shows((size) => [`needle ${filled(`[a](${SITE}/b),`, size)}`]),
  'quote: wide spaces': quotes('a — b', (size) => [`x${filled('\u3000', size)}y — ${filled('\u3000', size)}z`]),
  'quote: dashes': quotes('a — b', (size) => [filled('a -- ', size)]),
  'quote: words again and again': quotes('the ferry leaves never', (size) => [filled('the ferry leaves ', size)]),
};
