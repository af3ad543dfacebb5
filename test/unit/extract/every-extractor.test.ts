import { describe, expect, expectTypeOf, it } from 'vitest';
import { UNBROKEN_LINE_BYTES_MAX } from '#extract/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { ALL_BODY_KINDS } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';
import { sniffBodyType } from '#net/types/sniff.ts';
import type { ExtractInput } from '#extract/extractor.ts';
import {
  makeDocx,
  makeEpub,
  makeOdp,
  makeOds,
  makeOdt,
  makePptx,
  makeXlsx,
  slideShape,
  slideText,
  wordParagraph,
} from '#support/make-archive.ts';
import { makeSvg } from '#support/make-image.ts';
import { makePdf } from '#support/make-pdf.ts';

const URL_OF_PAGE = 'https://docs.example/guide/page';

/** One ordinary body of every kind, with something invisible in it. */
const BODIES: Readonly<Record<BodyKind, string | Uint8Array>> = {
  html: '<html lang="en"><title>Sam\u200bple</title><body><h1>Sample</h1><p>Some vis\u200bible text. More of\u202e it.</p><p><a href="/next">next</a> <a href="other#x">other</a> <img src="a.png" alt="pic"></p><pre>a\u{e0041}b\nc</pre>',
  xhtml:
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Sample</title></head><body><a id="x"/><p>Some vis\u200bible text.</p></body></html>',
  markdown: '# Sample\n\nSome vis\u200bible text. More of it.\n\n```js\nlet a\u{e0041} = 1;\n```\n',
  text: 'Some vis\u200bible text.\r\nMore of it.\n',
  json: '{"some":"vis\u200bible text","n":[1,2,{"deep":true}]}',
  xml: '<?xml version="1.0"?><a b="c"><d>Some vis\u200bible text</d>\u202e<e/></a>',
  feed: '<rss version="2.0"><channel><title>Sam\u200bple</title><link>https://docs.example/</link><item><title>One</title><link>/one</link><description>&lt;p&gt;Some vis\u200bible text, &lt;a href="two"&gt;two&lt;/a&gt;.&lt;/p&gt;</description></item></channel></rss>',
  csv: 'name,note\nvis\u200bible text,"a ""b"""\n',
  tsv: 'name\tnote\nvis\u200bible text\tb\n',
  notebook:
    '{"nbformat":4,"cells":[{"cell_type":"markdown","source":"Some vis\u200bible text"},{"cell_type":"code","source":"x","outputs":[{"output_type":"stream","text":"a\u202e"}]}]}',
  pdf: makePdf([
    {
      texts: [
        { x: 60, y: 700, text: 'Some visible text.' },
        { x: 60, y: 600, text: 'next' },
      ],
      links: [{ rect: [58, 598, 90, 612], uri: 'https://docs.example/next' }],
    },
  ]),
  docx: makeDocx(wordParagraph('Some vis\u200bible text.\u202e')),
  xlsx: makeXlsx([{ name: 'A', rows: '<row><c t="str"><v>vis\u200bible text</v></c></row>' }]),
  pptx: makePptx([slideShape('', slideText('Some vis\u200bible text.\u202e'))]),
  odt: makeOdt('<text:p>Some vis\u200bible text.\u202e <text:a xlink:href="/next">x</text:a></text:p>'),
  ods: makeOds(
    '<table:table table:name="A"><table:table-row><table:table-cell><text:p>vis\u200bible text</text:p></table:table-cell></table:table-row></table:table>',
  ),
  odp: makeOdp(
    '<draw:page><draw:frame><draw:text-box><text:p>Some vis\u200bible text.\u202e</text:p></draw:text-box></draw:frame></draw:page>',
  ),
  mail: 'From: Ann <ann@lamps.example>\r\nSubject: Sam\u200bple\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSome vis\u200bible text.\u202e\r\n',
  image: new TextEncoder().encode(makeSvg('<title>Sam\u200bple</title><desc>Some vis\u200bible text.\u202e</desc>')),
  epub: makeEpub({ chapters: ['<p>Some vis\u200bible text.\u202e <a href="x.xhtml">x</a></p>'] }),
};

const INVISIBLE = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u2064\ufeff\u00ad\0-\x08]/u;
const LINK = /\]\(([^)\s]*)\)/g;

function input(kind: BodyKind, body: string | Uint8Array): ExtractInput {
  const isText = typeof body === 'string';
  const bytes = isText ? new TextEncoder().encode(body) : body;
  return { kind, text: isText ? body : '', bytes, url: URL_OF_PAGE, mode: 'readable' };
}

describe.each(ALL_BODY_KINDS.map((kind) => ({ kind })))('the extractor of $kind', ({ kind }) => {
  const body = BODIES[kind];

  it('has a sample body', () => {
    expect(body).not.toHaveLength(0);
  });

  it('returns lines without line ends, of a size that can be shown, with the text in them', async () => {
    const { lines } = await extract(input(kind, body));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => !/[\n\r]/.test(line) && utf8Bytes(line) <= UNBROKEN_LINE_BYTES_MAX)).toBe(true);
    expect(lines.join('\n')).toContain('visible text');
  });

  it('returns no invisible characters', async () => {
    const { lines, title } = await extract(input(kind, body));
    expect(INVISIBLE.test(lines.join('\n') + (title ?? ''))).toBe(false);
  });

  it('returns the same for the same body', async () => {
    expect(await extract(input(kind, body))).toEqual(await extract(input(kind, body)));
  });

  it('reports its name and version', async () => {
    const { extractor } = await extract(input(kind, body));
    expect(extractor).toMatch(/^[a-z]+@[\w.]+$/);
  });

  it('makes every link absolute', async () => {
    const { lines } = await extract(input(kind, body));
    for (const [, target] of lines.join('\n').matchAll(LINK)) expect(target).toMatch(/^(?:https?:\/\/|mailto:)/);
  });

  it('refuses a body without visible text, and never returns an empty page', async () => {
    await expect(extract(input(kind, ' \n\t '))).rejects.toMatchObject({ failure: { code: 'extract_failed' } });
  });

  it('handles a body that is cut at any point', async () => {
    for (let end = 1; end < body.length; end += 7) {
      const result = await extract(input(kind, body.slice(0, end))).catch((error: unknown) => error);
      const expected = result instanceof Error ? { failure: { code: 'extract_failed' } } : { cuts: expect.any(Array) };
      expect(result).toMatchObject(expected);
    }
  });
});

describe('extract', () => {
  it('is never called with a kind that it cannot read', () => {
    expectTypeOf<ExtractInput['kind']>().toEqualTypeOf<ReturnType<typeof sniffBodyType>['kind']>();
  });

  it.each(['text/plain', 'text/x-unknown', 'application/octet-stream'])(
    'reads a Markdown file that the server calls %s as Markdown',
    async (contentType) => {
      const text = '# Head\n\nOne. Two.';
      for (const suffix of ['md', 'MD', 'markdown', 'mdx', 'mkd', 'qmd']) {
        const url = `https://raw.example/a/README.${suffix}`;
        const { kind } = sniffBodyType({ contentType, url, bytes: new TextEncoder().encode(text) });
        const result = await extract({ ...input(kind, text), url });
        expect(result.lines).toEqual(['# Head', '', 'One.', 'Two.']);
        expect(result.title).toBe('Head');
      }
    },
  );
});
