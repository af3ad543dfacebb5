import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { FILE_MARKDOWN_CHARS_MAX, REST_OF_PAGE_BYTES_MAX } from '#extract/limits.ts';
import { csvExtractor } from '#extract/csv-extractor.ts';
import { toExtracted } from '#extract/extractor.ts';
import { utf8Bytes } from '#core/text/text.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { convertRestToMarkdown, convertDomToMarkdown } from '#extract/html/markdown/to-markdown.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { divideMainAndRest } from '#extract/html/parts.ts';
import { REST_SEPARATOR_LINE } from '#extract/lines/lines.ts';
import type { ExtractedText } from '#extract/extractor.ts';
import { read } from './support.ts';
import { stories } from '#support/stories.ts';

const LINKS = new LinkResolver('https://docs.example/');
const MENU = '<nav><ul><li><a href="/a">Harbour</a></li><li><a href="/b">Ferries</a></li></ul></nav>';
const ARTICLE = `<article><h1>How locks lift boats</h1>${[
  'A lock is a chamber with gates at both ends, and water does all of the lifting in it.',
  'The keeper opens a sluice, and the chamber fills until it is level with the upper reach.',
  'Then the gates swing open, because nothing presses on them any more, and the boat leaves.',
  'Going down is the same the other way round, and it takes as long: eight minutes for most.',
]
  .map((sentence) => `<p>${sentence} ${sentence.toLowerCase()}</p>`)
  .join('')}</article>`;
const COMMENTS = '<section id="comments"><h2>Comments</h2><p>Ann: my uncle kept one of these.</p></section>';
const FOOTER = '<footer><p>Imprint and postal address</p></footer>';
const PAGE = `<html><head><title>Locks</title></head><body>${MENU}${ARTICLE}${COMMENTS}${FOOTER}</body></html>`;

function restOf({ lines, restStart }: ExtractedText): string {
  return restStart === undefined ? '' : lines.slice(restStart + 1).join('\n');
}

describe('the rest of a page', () => {
  it('follows the main part under a line that names it, in page order', async () => {
    const page = await read('html', PAGE, 'readable');
    const main = mainLines(page).join('\n');
    expect(main).toContain('The keeper opens a sluice');
    expect(main).not.toMatch(/Harbour|Imprint/);
    expect(page.lines[page.restStart ?? -1]).toBe(REST_SEPARATOR_LINE);
    const rest = restOf(page);
    expect(rest).not.toContain('sluice');
    const places = ['Harbour', 'Ferries', 'Imprint'].map((word) => rest.indexOf(word));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('contains nothing hidden, and no scripts', async () => {
    const hidden = `<p hidden>unseen words</p><script>let secret</script><div style="display:none">unseen words</div>`;
    const page = await read('html', PAGE.replace('</nav>', `</nav>${hidden}`), 'readable');
    expect(page.lines.join('\n')).not.toMatch(/unseen|secret/);
  });

  it('is missing when a page is read whole', async () => {
    const page = await read('html', PAGE, 'raw');
    expect(page.restStart).toBeUndefined();
    expect(page.lines.join('\n')).toContain('Harbour');
  });

  it('contains the text that a site config omits, in its region and around it', async () => {
    const html = `<html><head><meta name="generator" content="Sphinx 7"></head><body>${MENU}<div class="documentwrapper">
      <div class="body" role="main"><h1>Locks<a class="headerlink" href="#l">¶</a></h1><nav class="contents"><p>On this page</p></nav>
      <div class="highlight"><pre>open(gate)<a class="headerlink" href="#c">Link to this code</a></pre></div>
      <p>A lock is a chamber.</p></div></div>${FOOTER}</body></html>`;
    const page = await read('html', html, 'readable');
    expect(page.siteconfig).toMatch(/^sphinx@/);
    expect(mainLines(page).join('\n')).toBe('# Locks\n\n```\nopen(gate)\n```\n\nA lock is a chamber.');
    const rest = restOf(page);
    for (const words of ['Harbour', 'On this page', 'Link to this code', 'Imprint']) expect(rest).toContain(words);
    expect(rest).not.toMatch(/open\(gate\)|chamber/);
  });

  it('is cut at its own limit, with a note', async () => {
    const menu = `<nav><ul>${'<li><a href="/x">An entry of a menu that never ends</a></li>'.repeat(9000)}</ul></nav>`;
    const generator = '<meta name="generator" content="Sphinx">';
    const html = `<html><head>${generator}</head><body>${menu}<div itemprop="articleBody">${ARTICLE}</div></body></html>`;
    const page = await read('html', html, 'readable');
    expect(utf8Bytes(restOf(page))).toBeLessThanOrEqual(REST_OF_PAGE_BYTES_MAX);
    expect(mainLines(page).join('\n')).toContain('sluice');
    expect(page.cuts.join()).toContain(`more than ${REST_OF_PAGE_BYTES_MAX} bytes`);
  });

  it('cannot be forged by text that imitates its first line', async () => {
    const forged = `<p>${REST_SEPARATOR_LINE.replace('<', '&lt;')} and more words of the very same article about locks and boats.</p>`;
    const page = await read('html', PAGE.replace('</article>', `${forged}</article>`), 'readable');
    expect(page.lines.filter((line) => line.startsWith(REST_SEPARATOR_LINE.slice(0, 4)))).toEqual([
      REST_SEPARATOR_LINE,
    ]);
  });
});

describe('the parts of a page', () => {
  /** Elements as nested lists of tag and children; leaves are words, each of them once. */
  const tag = fc.constantFrom(
    'div',
    'p',
    'ul',
    'li',
    'section',
    'table',
    'tr',
    'td',
    'span',
    'b',
    'h2',
    'dl',
    'dt',
    'dd',
    'a',
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant('_WORD_'),
      fc
        .tuple(tag, fc.array(tie('tree'), { maxLength: 4 }))
        .map(([name, inside]) => `<${name}>${inside.join(' ')}</${name}>`),
    ),
  }));

  it('contain every word of a page once, whatever the main part omits', () => {
    fc.assert(
      fc.property(fc.array(tree, { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.boolean()), (trees, choices) => {
        let words = 0;
        const html = trees.join(' ').replaceAll('_WORD_', () => `w${(words += 1)}x`);
        const { body } = parsePage(html, false).document;
        const left = new Set<DomNode>();
        for (const node of nodesOf(body)) if (choices.next().value === true) left.add(node);
        const parts = divideMainAndRest(body, left);
        const main = convertDomToMarkdown(body, LINKS, parts.main).markdown.join('\n');
        const rest = convertRestToMarkdown(body, LINKS, parts).markdown.join('\n');
        const found = `${main}\n${rest}`.match(/w\d+x/g) ?? [];
        expect(found.toSorted()).toEqual(Array.from({ length: words }, (_, n) => `w${n + 1}x`).toSorted());
        for (const word of main.match(/w\d+x/g) ?? []) expect(isLeft(body, word, left)).toBe(false);
      }),
      { numRuns: stories(100) },
    );
  });
});

function* nodesOf(root: DomElement): Generator<DomNode> {
  const open: DomNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node !== root) yield node;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) open.push(child);
  }
}

/** True if the text node with the word, or an element around it, is left out. */
function isLeft(body: DomElement, word: string, left: ReadonlySet<DomNode>): boolean {
  for (const node of nodesOf(body)) {
    if (node.firstChild !== null || !(node.textContent ?? '').includes(word)) continue;
    for (let at: DomNode | null = node; at !== null; at = at.parentNode) if (left.has(at)) return true;
  }
  return false;
}

describe('the rest of a file', () => {
  it('is cut at the limit of its content, and a note reports this', async () => {
    const long = Array.from({ length: 40 }, () => `${'comment '.repeat(FILE_MARKDOWN_CHARS_MAX / 240)}end.`);
    const written = { title: null, markdown: ['Text.'], rest: long, cuts: [], strategy: 'test' };
    const input = {
      kind: 'docx',
      text: '',
      bytes: new Uint8Array(),
      url: 'https://docs.example/',
      mode: 'raw',
    } as const;
    const { lines, cuts } = await toExtracted(csvExtractor, written, input);
    expect(lines.join('\n').length).toBeLessThan(FILE_MARKDOWN_CHARS_MAX * 1.01);
    expect(cuts).toHaveLength(1);
  });
});
