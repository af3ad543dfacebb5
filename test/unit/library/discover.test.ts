import { gzipSync, zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { runToEnd, noPause } from '#core/flow/turns.ts';
import { discoverSitePages } from '#library/discovery/discover.ts';
import type { DiscoverPorts } from '#library/discovery/discover.ts';
import { linksInsideSite, linksOfLines, toPageKey } from '#library/discovery/links.ts';
import { hostileSize } from '#support/stories.ts';

const SITE = 'https://docs.example';
const HEAD =
  '# Sphinx inventory version 2\n# Project: Ferry\n# Version: 1.0\n# The remainder of this file is compressed using zlib.\n';
const ASKED = { start: `${SITE}/guide/`, prefix: `${SITE}/guide/`, maxPages: 100 };

describe('pages of a site', () => {
  it('come from llms.txt in its order, with optional ones last', async () => {
    const text =
      '# Ferry\n\n> Boats.\n\n## Optional\n\n- [Old](old)\n\n## Docs\n\n- [One](one): first\n- [Two](/guide/two.html.md)\n- [Away](https://other.example/x)\n';
    const found = await discoverSitePages(site({ '/guide/llms.txt': text }), ASKED);
    expect(paths(found)).toEqual(['/guide/', '/guide/one', '/guide/two.html', '/guide/old']);
    expect(found.ways).toEqual([
      { via: 'links', count: 1 },
      { via: 'llms.txt', count: 3 },
    ]);
    expect(found.leftOut).toEqual([{ reason: 'lie on another site', count: 1 }]);
  });

  it('come from the sitemaps in robots.txt, compressed or not, with the time of their last change', async () => {
    const index = '<sitemapindex><sitemap><loc>https://docs.example/maps/b.xml.gz</loc></sitemap></sitemapindex>';
    const map =
      '<urlset><url><loc>https://docs.example/guide/a?x=1&amp;y=2</loc><lastmod>2026-11-02</lastmod><image:image><image:loc>https://docs.example/guide/picture</image:loc></image:image></url><!-- <url><loc>/guide/hidden</loc></url> --><url><loc><![CDATA[https://docs.example/guide/b]]></loc></url><url><loc>https://docs.example/blog/c</loc></url></urlset>';
    const found = await discoverSitePages(
      site({
        '/robots.txt':
          'User-agent: *\nDisallow:\n\nSitemap: https://docs.example/maps/a.xml\nSitemap: https://evil.example/a.xml',
        '/maps/a.xml': index,
        '/maps/b.xml.gz': gzipSync(bytes(map)),
      }),
      ASKED,
    );
    expect(found.pages.slice(1)).toEqual([
      { url: `${SITE}/guide/a?x=1&y=2`, via: 'sitemap', lastModified: '2026-11-02T00:00:00.000Z' },
      { url: `${SITE}/guide/b`, via: 'sitemap' },
    ]);
    expect(found.leftOut).toEqual([
      { reason: 'are sitemaps on another site', count: 1 },
      { reason: 'are outside of the followed site', count: 1 },
    ]);
  });

  it('have the names from the Sphinx inventory', async () => {
    const found = await discoverSitePages(
      site({
        '/guide/': '<script src="_static/documentation_options.js"></script>',
        '/guide/objects.inv': inventory(
          'os.path.join py:function 1 library/os.path.html#$ -\nOverview std:label -1 overview.html#top What it is\n',
        ),
      }),
      ASKED,
    );
    expect(found.pages.slice(1)).toEqual([
      { url: `${SITE}/guide/library/os.path.html`, via: 'objects.inv', names: ['os.path.join'] },
      { url: `${SITE}/guide/overview.html`, via: 'objects.inv', names: ['Overview'] },
    ]);
  });

  it.each([
    [
      'MkDocs',
      'mkdocs',
      'search/search_index.json',
      '{"docs":[{"location":"a/","title":"A","text":"x"},{"location":"a/#b"},{"location":"c/"}]}',
    ],
    [
      'Docusaurus',
      'Docusaurus',
      'search-index.json',
      '[{"documents":[{"i":1,"t":"A","u":"/guide/a/"},{"i":2,"u":"/guide/c/"}],"index":{}}]',
    ],
    [
      'mdBook',
      'mdBook',
      'searchindex.js',
      'Object.assign(window.search, {"doc_urls":["a/#x","a/#y","c/"],"index":{}});',
    ],
  ])('come from the search index of %s', async (_, sign, file, body) => {
    const found = await discoverSitePages(
      site({ '/guide/': `<meta name="generator" content="${sign}">`, [`/guide/${file}`]: body }),
      ASKED,
    );
    expect(paths(found)).toEqual(['/guide/', '/guide/a/', '/guide/c/']);
    expect(found.ways[1]).toEqual({ via: 'search index', count: 2 });
  });

  it('come from a feed that the front page links to', async () => {
    const feed =
      '<rss><channel><item><link>https://docs.example/guide/news</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>';
    const front = '<html><head><link rel="alternate" type="application/rss+xml" href="feed.xml"></head></html>';
    const found = await discoverSitePages(site({ '/guide/': front, '/guide/feed.xml': feed }), ASKED);
    expect(found.pages[1]).toEqual({
      url: `${SITE}/guide/news`,
      via: 'feed',
      lastModified: '2026-11-02T10:00:00.000Z',
    });
  });

  it('are listed once under several URLs, and not if robots.txt closes them', async () => {
    const text = '## A\n- [1](a/)\n- [2](a)\n- [3](a/index.html#top)\n- [4](a?utm_source=x)\n- [5](private/b)\n';
    const found = await discoverSitePages(site({ '/guide/llms.txt': text }), ASKED);
    expect(paths(found)).toEqual(['/guide/', '/guide/a/']);
    expect(found.leftOut).toEqual([{ reason: 'are closed by robots.txt', count: 1 }]);
  });

  it('are limited to the requested number, and the others are counted', async () => {
    const urls = Array.from({ length: 50 }, (_, at) => `<url><loc>https://docs.example/guide/p${at}</loc></url>`);
    const found = await discoverSitePages(site({ '/guide/sitemap.xml': `<urlset>${urls.join('')}</urlset>` }), {
      ...ASKED,
      maxPages: 10,
    });
    expect(found.pages).toHaveLength(10);
    expect(found.leftOut).toEqual([{ reason: 'come after the first 10', count: 41 }]);
  });
});

describe('a hostile list of pages', () => {
  it('gives no text of a sitemap twice when its tags end again and again', async () => {
    const map = '<urlset><url><loc>/guide/a</loc> and </loc> more </loc></url></urlset>';
    const found = await discoverSitePages(site({ '/guide/sitemap.xml': map }), ASKED);
    expect(paths(found)).toEqual(['/guide/', '/guide/a']);
  });

  it('is read up to the page limit when it has very many entries, which are counted', async () => {
    const entries = hostileSize(1_000_000);
    const map = `<urlset>${'<url><loc>/guide/a</loc></url>'.repeat(entries)}</urlset>`;
    const found = await discoverSitePages(site({ '/guide/sitemap.xml': gzipSync(bytes(map)) }), ASKED);
    expect(paths(found)).toEqual(['/guide/', '/guide/a']);
    const counted = found.leftOut.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBeGreaterThan(entries / 2);
  });

  it.each([
    ['a sitemap', '/guide/sitemap.xml', gzipSync(new Uint8Array(200_000_000))],
    ['an inventory', '/guide/objects.inv', concat(bytes(HEAD), zlibSync(new Uint8Array(200_000_000)))],
  ])('is stopped and reported when it contains a compression bomb: %s', async (_, path, body) => {
    const found = await discoverSitePages(site({ '/guide/': 'Sphinx', [path]: body }), ASKED);
    expect(paths(found)).toEqual(['/guide/']);
    expect(found.leftOut.map(({ reason }) => reason).join()).toMatch(/too long or too damaged to be read to their end/);
  });

  it('yields the entries before the damage when it is damaged', async () => {
    const entries = Array.from({ length: 60_000 }, (_, at) => `<url><loc>/guide/${at.toString(36)}</loc></url>`);
    const packed = gzipSync(bytes(`<urlset>${entries.join('')}</urlset>`), { level: 1 });
    packed.fill(0xff, packed.length - 64);
    const found = await discoverSitePages(site({ '/guide/sitemap.xml': packed }), ASKED);
    expect(found.pages.length).toBe(ASKED.maxPages);
    expect(found.leftOut.map(({ reason }) => reason).join()).toContain('too damaged to be read to their end');
  });

  it('is stopped and reported when endless sitemaps refer to each other', async () => {
    let asked = 0;
    const endless: DiscoverPorts = {
      ...site({}),
      fetch: async (url) => {
        asked += 1;
        const maps = Array.from({ length: 50 }, (_, at) => `<sitemap><loc>${url}.${at}</loc></sitemap>`);
        return url.includes('sitemap')
          ? { url, bytes: bytes(`<sitemapindex>${maps.join('')}</sitemapindex>`) }
          : { missing: 'absent' };
      },
    };
    const found = await discoverSitePages(endless, ASKED);
    expect(asked).toBeLessThan(40);
    expect(found.leftOut.map(({ reason }) => reason)).toEqual([
      'are sitemaps after the first 20, or too deep in others',
    ]);
  });

  it('yields plain text for names with markup and control characters', async () => {
    const names = '<img src=x onerror=alert(1)>\u0000\u202e evil py:class 1 a.html#$ -\n';
    const found = await discoverSitePages(site({ '/guide/': 'Sphinx', '/guide/objects.inv': inventory(names) }), ASKED);
    expect(found.pages[1]?.names).toEqual(['<img src=x onerror=alert(1)> evil']);
  });

  it('is dropped and reported when it redirects to another site', async () => {
    const ports: DiscoverPorts = {
      ...site({}),
      fetch: async (url) =>
        url.endsWith('sitemap.xml')
          ? {
              url: 'https://evil.example/sitemap.xml',
              bytes: bytes('<urlset><url><loc>https://docs.example/guide/x</loc></url></urlset>'),
            }
          : { missing: 'absent' },
    };
    const found = await discoverSitePages(ports, ASKED);
    expect(paths(found)).toEqual(['/guide/']);
    expect(found.leftOut).toEqual([{ reason: 'are lists of pages that lead to another site', count: 2 }]);
  });

  it('is read in linear time and yields nothing when it is an inventory of blanks and colons', async () => {
    const line = `${' '.repeat(900)}${':'.repeat(200)}${' '.repeat(2_990)}`;
    const lines = Array.from({ length: 6_000 }, () => line).join('\n');
    const found = await discoverSitePages(site({ '/guide/': 'Sphinx', '/guide/objects.inv': inventory(lines) }), ASKED);
    expect(paths(found)).toEqual(['/guide/']);
  });

  it.each([
    ['inside', 'p'],
    ['outside', '/o'],
  ])(
    'leaves time for others and counts the omitted addresses when it has very many of them %s of a followed site',
    async (_, folder) => {
      const count = hostileSize(400_000);
      const docs = Array.from({ length: count }, (__, at) => `{"url":"${folder}/${at.toString(36)}"}`);
      const front = '<meta name="generator" content="mkdocs">';
      let pauses = 0;
      const ports: DiscoverPorts = {
        ...site({ '/guide/': front, '/guide/search/search_index.json': `{"docs":[${docs.join(',')}]}` }),
        inTurn: (work) =>
          work(async () => {
            pauses += 1;
          }),
      };
      const found = await discoverSitePages(ports, { ...ASKED, maxPages: 5 });
      expect(pauses).toBeGreaterThan(count / 40_000);
      expect(found.pages).toHaveLength(folder === 'p' ? 5 : 1);
      expect(found.leftOut).toContainEqual({
        reason: 'are in lists beyond those that were read',
        count: count - 10_000,
      });
    },
  );

  it('is abandoned when its robots.txt takes too long for each address', async () => {
    let bytesRead = 0;
    const text = Array.from({ length: 5_000 }, (_, at) => `- [a](private/${at})`).join('\n');
    const ports: DiscoverPorts = {
      ...site({ '/guide/llms.txt': text }),
      rules: async () => (path) => {
        bytesRead += 1_000_000;
        return { isAllowed: !path.includes('/private'), bytes: 1_000_000 };
      },
    };
    const found = await discoverSitePages(ports, ASKED);
    expect(bytesRead).toBeLessThan(250_000_000);
    expect(found.leftOut.map(({ reason }) => reason).join()).toContain('takes too long to check');
  });

  it.each([
    ['tags without an end', '<url<loc'.repeat(500_000)],
    ['comments without an end', `<urlset>${'<!-- '.repeat(500_000)}`],
    ['deep JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('is read in linear time and yields nothing: %s', async (_, body) => {
    const found = await discoverSitePages(
      site({
        '/guide/': 'mkdocs',
        '/guide/sitemap.xml': body,
        '/guide/search/search_index.json': body,
        '/guide/llms.txt': body,
      }),
      ASKED,
    );
    expect(paths(found)).toEqual(['/guide/']);
  });
});

describe('links of a page', () => {
  it('are the URLs in its Markdown, each once, without those in code', () => {
    const lines = [
      'See [a](https://x.example/a) and [b](https://x.example/b_%28c%29).',
      '[a again](https://x.example/a)',
      '```',
      '[code](https://x.example/code)',
      '```',
      '[here](#place) ![pic](https://x.example/p.png)',
    ];
    expect(runToEnd(linksOfLines(lines))).toEqual([
      'https://x.example/a',
      'https://x.example/b_%28c%29',
      'https://x.example/p.png',
    ]);
  });

  it('are followed when they are pages inside the prefix, and the others are counted', () => {
    const links = [
      'a',
      '/docs-old/b',
      '/docs/c.png',
      '/docs/d?sort=name',
      '/docs/?C=N;O=D',
      '/docs/cal?month=5',
      '/docs/x/x/x/x/',
      'https://other.example/',
      '#top',
      '/docs/a#part',
    ];
    const absolute = links.map((link) => new URL(link, `${SITE}/docs/`).href);
    expect(runToEnd(linksInsideSite(absolute, `${SITE}/docs/`, [`${SITE}/docs/`]))).toEqual({
      pages: [`${SITE}/docs/a`],
      leftOut: [
        { reason: 'are outside of the followed site', count: 1 },
        { reason: 'are not pages, but pictures, archives, scripts or page sources', count: 1 },
        { reason: 'show the same content in another order, for printing, for editing or after sign-in', count: 2 },
        { reason: 'are days and months of a calendar', count: 1 },
        { reason: 'have a path or parameters that could continue without end', count: 1 },
        { reason: 'lie on another site', count: 1 },
      ],
    });
  });

  it('are limited to thirty calendar days, but not limited for articles behind one parameter', () => {
    const days = Array.from({ length: 100 }, (_, at) => `${SITE}/events/${2000 + at}/05/`);
    const articles = Array.from({ length: 100 }, (_, at) => `${SITE}/index.php?title=Article_${at}`);
    const { pages, leftOut } = runToEnd(linksInsideSite([...days, ...articles], `${SITE}/`, []));
    expect(pages).toHaveLength(130);
    expect(leftOut).toEqual([{ reason: 'differ from 30 others only in their parameters or dates', count: 70 }]);
  });
});

describe('two URLs of the same page', () => {
  it.each([
    ['/a/', '/a'],
    ['/a/index.html', '/a/'],
    ['/a#part', '/a'],
    ['/a?utm_source=x&b=1', '/a?b=1'],
    ['/a?b=1&a=2', '/a?a=2&b=1'],
    ['/%7Euser/a%2fb', '/~user/a%2Fb'],
    ['/a;jsessionid=1F2', '/a'],
  ])('are recognised: %s is %s', (one, other) => {
    expect(toPageKey(SITE + one)).toBe(toPageKey(SITE + other));
  });

  it.each([
    ['/stable/a', '/3.2/a'],
    ['/a.html', '/a'],
    ['/a?ref=main', '/a?ref=v2'],
    ['/A', '/a'],
  ])('are distinguished from others: %s is not %s', (one, other) => {
    expect(toPageKey(SITE + one)).not.toBe(toPageKey(SITE + other));
  });
});

/** Answers with what lies at a path, and with 404 elsewhere. robots.txt closes `/guide/private`. */
function site(files: Record<string, string | Uint8Array>): DiscoverPorts {
  return {
    fetch: async (url) => {
      const body = files[new URL(url).pathname];
      return body === undefined ? { missing: 'absent' } : { url, bytes: typeof body === 'string' ? bytes(body) : body };
    },
    rules: async () => (path) => ({ isAllowed: !path.includes('/private'), bytes: 100 }),
    inTurn: (work) => work(noPause),
    signal: new AbortController().signal,
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function inventory(lines: string): Uint8Array {
  return concat(bytes(HEAD), zlibSync(bytes(lines)));
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}

function paths({ pages }: { pages: readonly { url: string }[] }): string[] {
  return pages.map(({ url }) => url.replace(SITE, ''));
}
