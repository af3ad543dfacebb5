import { describe, expect, it } from 'vitest';
import { FEED_ENTRIES_MAX } from '#extract/feed/read-feed.ts';
import { DOM_DEPTH_MAX } from '#extract/limits.ts';
import { markdownOf, readText } from './support.ts';

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:dc="x" xmlns:content="y"><channel>
<title>Lamps &amp; Bells</title><link>https://lamps.example/</link><description>All &lt;b&gt;news&lt;/b&gt;.</description><language>en-gb</language>
<item><title>First &amp;amp; best</title><link>https://lamps.example/1</link><pubDate>Mon, 04 May 2026 12:30:00 +0200</pubDate>
<dc:creator>Ann</dc:creator><description>short</description><content:encoded><![CDATA[<h1>Inside</h1><p>Whole <a href="more">text</a>.</p><script>x()</script>]]></content:encoded></item>
<item><guid>https://lamps.example/2</guid><description>&lt;ul&gt;&lt;li&gt;one&lt;/li&gt;&lt;/ul&gt;</description></item>
</channel></rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Lampen</title><link rel="self" href="https://a.example/f"/>
<link href="https://a.example/"/><entry><title type="html">Ein &lt;em&gt;Licht&lt;/em&gt;</title><link href="https://a.example/1"/>
<updated>2026-05-04T10:00:00Z</updated><author><name>Bea</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Es <b>brennt</b>.</p></div></content></entry>
<entry><title>1 &lt; 2 &amp; *3*</title><link rel="alternate" href="/2"/><summary>Nur Text</summary></entry></feed>`;

describe('a feed', () => {
  it('gives its title, description and entries as linked headings in RSS', async () => {
    const { lines, title, language } = await readText('feed', RSS);
    expect(title).toBe('Lamps & Bells');
    expect(language).toBe('en-gb');
    expect(lines).toEqual([
      '# Lamps & Bells',
      '',
      'All **news**.',
      '',
      '## [First & best](https://lamps.example/1)',
      '',
      '2026-05-04 10:30 UTC · Ann',
      '',
      '### Inside',
      '',
      'Whole [text](https://lamps.example/more).',
      '',
      '## [Untitled](https://lamps.example/2)',
      '',
      '- one',
    ]);
  });

  it('distinguishes text, HTML and XHTML in Atom', async () => {
    const { lines, language } = await readText('feed', ATOM);
    expect(language).toBe('de');
    expect(lines).toEqual([
      '# Lampen',
      '',
      '## [Ein *Licht*](https://a.example/1)',
      '',
      '2026-05-04 10:00 UTC · Bea',
      '',
      'Es **brennt**.',
      '',
      '## [1 < 2 & \\*3\\*](https://a.example/2)',
      '',
      'Nur Text',
    ]);
  });

  it('reports omitted parts of the HTML of its entries, once', async () => {
    const deep = `${'<div>'.repeat(DOM_DEPTH_MAX + 50)}deep`;
    const items = JSON.stringify([{ content_html: deep }, { content_html: '<p>flat</p>' }, { content_html: deep }]);
    const { cuts } = await readText(
      'feed',
      `{"version":"https://jsonfeed.org/version/1.1","title":"x","items":${items}}`,
    );
    expect(cuts).toEqual([`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`]);
  });

  it('includes the items outside the channel in RDF', async () => {
    const rdf =
      '<rdf:RDF><channel><title>R</title></channel><item><title>One</title><link>https://r.example/1</link></item></rdf:RDF>';
    expect(await markdownOf(readText('feed', rdf))).toBe('# R\n\n## [One](https://r.example/1)');
  });

  it('may contain HTML and text in JSON', async () => {
    const feed = {
      title: 'J',
      items: [
        { url: 'https://j.example/1', title: 'One', content_html: '<p>a <i>b</i></p>', authors: [{ name: 'Cy' }] },
        { url: 'https://j.example/2', title: 'Two', content_text: '# no heading' },
      ],
    };
    expect(await markdownOf(readText('feed', JSON.stringify(feed)))).toBe(
      '# J\n\n## [One](https://j.example/1)\n\nCy\n\na *b*\n\n## [Two](https://j.example/2)\n\n\\# no heading',
    );
  });

  it('never expands its own entities', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol">${levels}]><rss><channel><title>T &l9;</title></channel></rss>`;
    const text = await markdownOf(readText('feed', bomb));
    expect(text).toContain('&l9;');
    expect(text).not.toContain('lol');
  });

  it('is cut at the maximum number of entries, and reports this', async () => {
    const items = '<item><title>One</title></item>'.repeat(FEED_ENTRIES_MAX + 5);
    const { cuts, lines } = await readText('feed', `<rss><channel>${items}</channel></rss>`);
    expect(lines.filter((line) => line === '## One')).toHaveLength(FEED_ENTRIES_MAX);
    expect(cuts).toEqual([
      `The feed has ${FEED_ENTRIES_MAX + 5} entries: those after ${FEED_ENTRIES_MAX} were left out.`,
    ]);
  });

  it('is read despite endless depth and endless end tags', async () => {
    const deep = `<rss><channel><title>Deep</title>${'<a>'.repeat(400_000)}${'</b>'.repeat(400_000)}</channel></rss>`;
    const { cuts, title } = await readText('feed', deep);
    expect(title).toBe('Deep');
    expect(cuts).toEqual(['The feed is too deep or too large: the rest was left out.']);
  });

  it('is shown as XML if the file is other XML', async () => {
    expect(await markdownOf(readText('feed', '<rdf:RDF><thing>a</thing></rdf:RDF>'))).toBe(
      '```xml\n<rdf:RDF><thing>a</thing></rdf:RDF>\n```',
    );
  });

  it('never links to a script', async () => {
    const item = '<item><title>x</title><link>javascript:alert(1)</link></item>';
    expect(await markdownOf(readText('feed', `<rss><channel>${item}</channel></rss>`))).toBe('## x');
  });

  it('is refused by name when its JSON is broken', async () => {
    await expect(readText('feed', '{"items": [')).rejects.toMatchObject({
      failure: { code: 'extract_failed', reason: 'the feed is not valid JSON' },
    });
  });
});
