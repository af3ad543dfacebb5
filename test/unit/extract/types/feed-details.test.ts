import { describe, expect, it } from 'vitest';
import { readText } from './support.ts';

async function linesOf(feed: string): Promise<string[]> {
  return (await readText('feed', feed)).lines.filter((line) => line !== '');
}

const rss = (items: string, more = '') =>
  `<rss version="2.0" ${more}><channel><link>https://lamps.example/</link>${items}</channel></rss>`;

describe('an entry of a feed', () => {
  it('shows its description when its content is empty', async () => {
    const item =
      '<item><title>A</title><content:encoded> </content:encoded><description>Described.</description></item>';
    expect(await linesOf(rss(item))).toEqual(['## A', 'Described.']);
  });

  it('shows a description once that its text and its files share', async () => {
    const media = (name: string, words: string) =>
      `<media:content url="https://cdn.example/${name}"><media:description>${words}</media:description></media:content>`;
    const item = `<item><title>A</title><description>&lt;p&gt;All of it.&lt;/p&gt;</description>${media('a.jpg', 'All of it.')}${media('b.jpg', 'A lamp.')}${media('c.jpg', 'A lamp.')}</item>`;
    expect(await linesOf(rss(item))).toEqual([
      '## A',
      'Attachments:',
      '- [a.jpg](https://cdn.example/a.jpg)',
      '- [b.jpg](https://cdn.example/b.jpg): A lamp.',
      '- [c.jpg](https://cdn.example/c.jpg)',
      'All of it.',
    ]);
  });

  it('lists a game for Flash', async () => {
    const item =
      '<item><title>A</title><link>https://a.example/</link><enclosure url="https://a.example/g.swf" type="application/x-shockwave-flash"/></item>';
    expect(await linesOf(rss(item))).toContain('- [g.swf](https://a.example/g.swf) (application/x-shockwave-flash)');
  });

  it('lists its recordings, with their length, and its categories', async () => {
    const item =
      '<item><title>Five</title><link>https://lamps.example/5</link><enclosure url="https://cdn.example/5.mp3" type="audio/mpeg"/>' +
      '<media:content url="https://cdn.example/5.mp3"/><itunes:duration>1880</itunes:duration><category>sea</category></item>';
    expect(await linesOf(rss(item))).toEqual([
      '## [Five](https://lamps.example/5)',
      '31:20 · sea',
      'Attachments:',
      '- [5.mp3](https://cdn.example/5.mp3) (audio/mpeg)',
    ]);
    const json = {
      version: 'https://jsonfeed.org/version/1.1',
      items: [
        {
          url: 'https://lamps.example/6',
          title: 'Six',
          attachments: [{ url: 'https://cdn.example/6.mp3', mime_type: 'audio/mpeg', duration_in_seconds: 3723 }],
        },
      ],
    };
    expect(await linesOf(JSON.stringify(json))).toContain('- [6.mp3](https://cdn.example/6.mp3) (audio/mpeg, 1:02:03)');
  });

  it.each([
    [
      'of a file',
      '<media:content url="https://cdn.example/1.jpg" type="image/jpeg"><media:description type="plain">A lamp &lt;on&gt;.</media:description></media:content>',
      ['Attachments:', '- [1.jpg](https://cdn.example/1.jpg) (image/jpeg): A lamp \\<on>.'],
    ],
    [
      'of a file in a group',
      '<media:group><media:content url="https://cdn.example/1.mp4"><media:description type="html">&lt;b&gt;Film&lt;/b&gt;.</media:description></media:content></media:group>',
      ['Attachments:', '- [1.mp4](https://cdn.example/1.mp4): **Film**.'],
    ],
    [
      'of a file with the address of the entry',
      '<media:content url="https://lamps.example/7"><media:description># A lamp.</media:description></media:content>',
      ['\\# A lamp.'],
    ],
    ['of a group', '<media:group><media:description>A lamp.</media:description></media:group>', ['A lamp.']],
    ['of the entry', '<media:description>A lamp.</media:description>', ['A lamp.']],
    [
      'that is a title only',
      '<media:content url="https://cdn.example/1.jpg"><media:title>A lamp.</media:title></media:content>',
      ['Attachments:', '- [1.jpg](https://cdn.example/1.jpg): A lamp.'],
    ],
  ])('shows a description %s, in RSS and Atom', async (_, media, shown) => {
    const title = '<title>Seven</title>';
    const item = `<item>${title}<link>https://lamps.example/7</link>${media}</item>`;
    const entry = `<entry>${title}<link href="https://lamps.example/7"/>${media}</entry>`;
    for (const feed of [rss(item), `<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`])
      expect(await linesOf(feed)).toEqual(['## [Seven](https://lamps.example/7)', ...shown]);
  });

  it('is named by its media, and lists no players that browsers no longer show', async () => {
    const media =
      '<media:group><media:title>Film</media:title><media:content url="https://cdn.example/v" type="application/x-shockwave-flash"/></media:group>';
    expect(await linesOf(rss(`<item>${media}</item>`))).toEqual(['## Film']);
  });

  it.each([
    ['Why List&lt;String&gt; beats &lt;b&gt; tags', 'Why List\\<String> beats \\<b> tags'],
    ['a &lt; b and &lt;b&gt;bold&lt;/b&gt;', 'a < b and **bold**'],
    ['&lt;![CDATA[', '\\<!\\[CDATA\\['],
    ['AT&amp;amp;T', 'AT&T'],
  ])('keeps the words of the title %s', async (title, expected) => {
    expect(await linesOf(rss(`<item><title>${title}</title></item>`))).toEqual([`## ${expected}`]);
  });

  it('is read in bounded time when its title opens endless tags', async () => {
    const title = `&lt;${'a'.repeat(400_000)}`;
    expect((await linesOf(rss(`<item><title>${title}</title></item>`))).length).toBeGreaterThan(0);
  });

  it.each([
    '<div xmlns="http://www.w3.org/1999/xhtml">Gates <b>open</b></div>',
    '\n  <x:div xmlns:x="http://www.w3.org/1999/xhtml">Gates <x:b>open</x:b></x:div>\n',
  ])('has titles of Atom that are XHTML: %s', async (title) => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title type="xhtml">${title}</title><link href="https://a.example/1"/></entry></feed>`;
    expect((await linesOf(atom)).join('\n')).toContain('## [Gates **open**](https://a.example/1)');
  });

  it('resolves links against the bases that the feed names', async () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/posts/"><title>B</title><link href="/"/>' +
      '<entry xml:base="2026/"><title>One</title><link href="one.html"/><link rel="enclosure" href="x.zip"/><content type="xhtml"><div><p><a href="two.html">two</a></p></div></content></entry>' +
      '<entry><title>Deep</title><link href="d.html"/><content type="html" xml:base="https://other.example/a/">&lt;a href="b"&gt;b&lt;/a&gt;</content></entry></feed>';
    expect(await linesOf(atom)).toEqual([
      '# B',
      '## [One](https://blog.example/posts/2026/one.html)',
      'Attachments:',
      '- [x.zip](https://blog.example/posts/2026/x.zip)',
      '[two](https://blog.example/posts/2026/two.html)',
      '## [Deep](https://blog.example/posts/d.html)',
      '[b](https://other.example/a/b)',
    ]);
  });
});

describe('an output of a notebook', () => {
  const outputOf = async (...outputs: readonly object[]) => {
    const cell = { cell_type: 'code', source: 'x', outputs };
    const { lines } = await readText('notebook', JSON.stringify({ nbformat: 4, metadata: {}, cells: [cell] }));
    return lines.slice(4);
  };
  const result = (data: object) => ({ output_type: 'execute_result', data });

  it('is read as HTML when its plain form has no text', async () => {
    const plain = '<IPython.core.display.HTML object>';
    expect(await outputOf(result({ 'text/html': ['<p>There are <b>42</b></p>'], 'text/plain': [plain] }))).toEqual([
      'There are **42**',
    ]);
    expect(await outputOf(result({ 'text/html': '<i>x</i>', 'text/plain': 'x = 1' }))).toEqual(['```', 'x = 1', '```']);
    expect(await outputOf(result({ 'text/html': '<div></div><script>draw()</script>', 'text/plain': plain }))).toEqual([
      '*(an interactive output is left out)*',
    ]);
  });

  it('is read as TeX or JSON', async () => {
    expect(await outputOf(result({ 'text/latex': '$\\frac{x}{2}$', 'text/plain': 'x/2' }))).toEqual(['$\\frac{x}{2}$']);
    expect(
      await outputOf(
        result({ 'application/json': { score: 0.93 }, 'text/plain': '<IPython.core.display.JSON object>' }),
      ),
    ).toEqual(['```json', '{', '  "score": 0.93', '}', '```']);
  });

  it('is read in linear time when it contains only carriage returns', async () => {
    expect(await outputOf({ output_type: 'stream', name: 'stdout', text: '\r'.repeat(400_000) })).toEqual([]);
  });

  it('is read in its final state when a program overwrites it', async () => {
    const stream = (text: string) => ({ output_type: 'stream', name: 'stderr', text });
    expect(await outputOf(stream('\r  0%|  |'), stream('\r 33%|# |'), stream('\r100%|##|\nDone\r\n'))).toEqual([
      '```',
      '100%|##|',
      'Done',
      '```',
    ]);
  });
});
