import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extract } from '#extract/extract.ts';
import type { ExtractedText, ExtractInput } from '#extract/extractor.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { selectSiteContent } from '#extract/siteconfigs/read-site.ts';
import { canSelectorMatch, siteConfigSchema } from '#extract/siteconfigs/site-config.ts';
import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';
import { SITE_CONFIGS } from '#extract/siteconfigs/sites.ts';
import { siteGoldenOf } from '../../golden/siteconfigs/golden.ts';
import { stories } from '#support/stories.ts';

const PAGES = rawFiles(
  import.meta.glob('../../golden/siteconfigs/*.html', { query: '?raw', import: 'default', eager: true }),
);
const EXPECTED = rawFiles(
  import.meta.glob('../../golden/siteconfigs/*.md', { query: '?raw', import: 'default', eager: true }),
);

const HOME = 'https://docs.example/guide/page';

function rawFiles(files: Record<string, unknown>): Map<string, string> {
  return new Map(Object.entries(files).map(([path, text]) => [nameOf(path), String(text)]));
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
}

function pagesOf({ id }: SiteConfig): string[] {
  return [...PAGES].filter(([name]) => name === id || name.startsWith(`${id}-`)).map(([, html]) => html);
}

function read(html: string, more: Partial<ExtractInput> = {}): Promise<ExtractedText> {
  return extract({ kind: 'html', text: html, bytes: new Uint8Array(), url: HOME, mode: 'readable', ...more });
}

function documentOf(html: string) {
  return parsePage(html, false).document;
}

describe('the site configs', () => {
  it('match the schema and each have a unique id', () => {
    for (const config of SITE_CONFIGS) expect(siteConfigSchema.parse(config)).toEqual(config);
    expect(new Set(SITE_CONFIGS.map(({ id }) => id)).size).toBe(SITE_CONFIGS.length);
  });

  it.each(SITE_CONFIGS.map((config) => ({ id: config.id, config })))(
    'have only selectors that match in one of their pages: $id',
    ({ config }) => {
      const documents = pagesOf(config).map(documentOf);
      const { match, content, remove, rename, title } = config;
      const selectors = [match.markers, content, remove, ...Object.values(rename ?? {}), title].flat();
      const idle = selectors.filter(
        (selector) =>
          selector !== undefined && documents.every((document) => document.querySelector(selector) === null),
      );
      expect(idle).toEqual([]);
    },
  );
});

describe('the schema of site configs', () => {
  const config = { id: 'a-b', version: 1, match: { domains: ['a.example'] }, content: ['main'], remove: [] };

  it.each(['a[', 'p::before', 'a:hover', 'p:contains("x")', 'a >> b', 'div:is(.a', '', ' p', 'p,'])(
    'refuses the selector %j',
    (selector) => {
      expect(siteConfigSchema.safeParse({ ...config, remove: [selector] }).success).toBe(false);
      expect(siteConfigSchema.safeParse({ ...config, content: [selector] }).success).toBe(false);
      expect(siteConfigSchema.safeParse({ ...config, rename: { p: [selector] } }).success).toBe(false);
      expect(siteConfigSchema.safeParse({ ...config, match: { markers: [selector] } }).success).toBe(false);
    },
  );

  it.each(['meta[name="docsearch:version"]', 'body.rustdoc > main', 'p:not(.a, .b):first-child', 'div:has(> a)'])(
    'accepts the selector %j',
    (selector) => {
      expect(siteConfigSchema.safeParse({ ...config, content: [selector] }).success).toBe(true);
    },
  );

  it.each([
    { id: 'Docs' },
    { version: 0 },
    { match: {} },
    { match: { domains: ['https://a.example'] } },
    { match: { domains: ['A.example'] } },
    { content: [] },
    { rename: { script: ['p'] } },
    { selectors: [] },
  ])('refuses %j', (wrong) => {
    expect(siteConfigSchema.safeParse({ ...config, ...wrong }).success).toBe(false);
  });
});

describe('pages of documentation engines', () => {
  it.each([...PAGES.keys()].map((name) => ({ name })))('are read as the golden file shows: $name', async ({ name }) => {
    expect(await siteGoldenOf(name, PAGES.get(name) ?? '')).toBe(EXPECTED.get(name));
  });

  it('have no unused golden file', () => {
    expect([...EXPECTED.keys()].sort()).toEqual([...PAGES.keys()].sort());
  });

  it('are read to their end wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PAGES.values()),
        fc.double({ min: 0.4, max: 1, noNaN: true }),
        async (html, share) => {
          const page = await read(html.slice(0, Math.floor(html.length * share))).catch((error: unknown) => error);
          const expected =
            page instanceof Error ? { failure: { code: 'extract_failed' } } : { cuts: expect.any(Array) };
          expect(page).toMatchObject(expected);
        },
      ),
      { numRuns: stories(20) },
    );
  });
});

describe('the choice of a site config', () => {
  const one = (id: string, match: SiteConfig['match'], more: Partial<SiteConfig> = {}): SiteConfig => ({
    id,
    version: 3,
    match,
    content: [`#${id}`],
    remove: [],
    ...more,
  });
  const configs = [
    one('marked', { markers: ['.engine', 'meta[name="engine"]'] }),
    one('made', { generators: ['Engine 2'] }),
    one('wide', { domains: ['acme.dev'] }),
    one('narrow', { domains: ['docs.acme.dev'] }),
  ];
  const page = (...ids: string[]) =>
    documentOf(
      `<meta name=generator content="Other"><meta name=generator content="engine 2.1"><meta name=engine content=x><body class=engine>${ids.map((id) => `<div id=${id}>text of ${id}</div>`).join('')}`,
    );
  const chosen = (url: string, ids: string[], siteconfig?: string) => {
    const { content, inVain } = selectSiteContent(page(...ids), { url, siteconfig }, configs);
    return { siteconfig: content?.siteconfig, match: content?.match, inVain };
  };
  const all = ['marked', 'made', 'wide', 'narrow'];

  it('never excludes by a text search a config whose marker matches the page', () => {
    const markers = [
      '.engine',
      '#top .engine, footer a[href*="engine.dev"]',
      'body.engine [role="main"]',
      'main:not(.engine)',
    ];
    const bodies = [
      '<p class="other engine">x',
      '<div id=top><i class=engine>x</i></div>',
      '<footer><a href="//engine.dev/">x</a></footer>',
      '<main>x</main>',
      '<body class=engine><p role=main>x',
      '<p>engine',
    ];
    for (const marker of markers) {
      for (const body of bodies) {
        const { document, names } = parsePage(body, false);
        const isFound = document.querySelector(marker) !== null;
        if (isFound) expect(canSelectorMatch(marker, { html: body, names })).toBe(true);
      }
    }
    expect(canSelectorMatch('.engine', { html: '<p>engine', names: parsePage('<p>engine', false).names })).toBe(false);
  });

  it('uses the argument first, then domain, generator and markers', () => {
    const url = 'https://docs.acme.dev/x';
    expect(chosen(url, all, 'marked')).toEqual({ siteconfig: 'marked@3', match: 'argument', inVain: [] });
    expect(chosen(url, all)).toEqual({ siteconfig: 'narrow@3', match: 'domain', inVain: [] });
    expect(chosen('https://other.dev/', all)).toEqual({ siteconfig: 'made@3', match: 'generator', inVain: [] });
    expect(chosen('https://other.dev/', ['marked'])).toEqual({
      siteconfig: 'marked@3',
      match: 'marker',
      inVain: ['made@3'],
    });
  });

  it('includes subdomains, prefers the longest domain, and excludes other hosts with the same ending', () => {
    expect(chosen('https://a.docs.acme.dev/', all).siteconfig).toBe('narrow@3');
    expect(chosen('https://acme.dev/', all).siteconfig).toBe('wide@3');
    expect(chosen('https://www.acme.dev/', all).siteconfig).toBe('wide@3');
    expect(chosen('https://notacme.dev/', all).match).toBe('generator');
    expect(chosen('https://acme.dev.evil.example/', all).match).toBe('generator');
  });

  it('falls back to the next matching one if the first finds no text, and reports this', () => {
    expect(chosen('https://docs.acme.dev/', ['wide'])).toEqual({
      siteconfig: 'wide@3',
      match: 'domain',
      inVain: ['narrow@3'],
    });
    expect(chosen('https://docs.acme.dev/', []).inVain).toEqual(['narrow@3', 'wide@3', 'made@3', 'marked@3']);
  });

  it('uses no other config when the requested one finds no text', () => {
    expect(chosen('https://docs.acme.dev/', ['narrow'], 'made').siteconfig).toBeUndefined();
  });

  it('needs every marker', () => {
    const document = documentOf('<body class=engine><div id=marked>text</div>');
    expect(selectSiteContent(document, { url: HOME }, configs).content).toBeNull();
  });

  it('reports that pages need scripts even if it finds nothing without them', () => {
    const rendered = [one('shell', { domains: ['docs.example'] }, { rendered: true })];
    const { content, needsScripts } = selectSiteContent(page(), { url: HOME }, rendered);
    expect({ content, needsScripts }).toEqual({ content: null, needsScripts: true });
    expect(selectSiteContent(page('wide'), { url: 'https://acme.dev/' }, configs).needsScripts).toBe(false);
  });

  it('refuses an unknown id, and lists the valid ones', async () => {
    await expect(read('<p>Some text.</p>', { siteconfig: 'docusaurs' })).rejects.toMatchObject({
      failure: {
        code: 'invalid_argument',
        field: 'siteconfig',
        hint: expect.stringContaining(SITE_CONFIGS.map(({ id }) => id).join(', ')),
      },
    });
  });
});

describe('a site config', () => {
  const config: SiteConfig = {
    id: 'shop',
    version: 1,
    match: { domains: ['docs.example'] },
    content: ['.first', '.second'],
    remove: ['.ad', 'nav'],
    rename: { table: ['.grid'], tr: ['.grid > div'], td: ['.grid > div > div'] },
    title: '.name',
  };
  const textOf = (html: string) => {
    const { content } = selectSiteContent(documentOf(html), { url: HOME }, [config]);
    const title = content?.apply();
    return content === null ? null : { text: content.root.textContent?.trim(), title };
  };

  it('takes the first region with text after removals', () => {
    expect(
      textOf(
        '<div class=first><nav>menu</nav> <p class=ad>buy</p></div><div class=second>words<i class=ad>buy</i></div>',
      ),
    ).toEqual({
      text: 'words',
      title: null,
    });
    expect(textOf('<div class=second>b</div><div class=first>a</div>')).toEqual({ text: 'a', title: null });
  });

  it('changes nothing on a page without matches', () => {
    const document = documentOf('<div class=first><p class=ad>buy</p></div><p class=ad>and more</p>');
    const before = document.body.textContent;
    expect(selectSiteContent(document, { url: HOME }, [config]).content).toBeNull();
    expect(document.body.textContent).toBe(before);
  });

  it('takes the title from the region, or from the page, without removed parts', () => {
    expect(
      textOf('<h1 class=name>Page</h1><div class=first><h1 class=name>Region<i class=ad>!</i></h1></div>')?.title,
    ).toBe('Region');
    expect(textOf('<h1 class=name>Page</h1><div class=first>x</div>')?.title).toBe('Page');
  });

  it('reads elements as the kind to which it maps them', () => {
    const html = '<div class=first><div class=grid><div><div>a</div><div>b</div></div></div></div>';
    const document = documentOf(html);
    const { content } = selectSiteContent(document, { url: HOME }, [config]);
    content?.apply();
    expect(content?.root.querySelectorAll('table > tr > td')).toHaveLength(2);
  });

  it('is not used in raw mode', async () => {
    const raw = await read(PAGES.get('vitepress') ?? '', { mode: 'raw' });
    expect(raw.siteconfig).toBeUndefined();
    expect(raw.lines.join('\n')).toContain('On this page');
  });

  it('leaves a page without matches to the default extraction', async () => {
    const text = 'An issue about tides. It is long enough to be read, and has no rendered document in it.';
    const html = `<title>Issue</title><main><h1>Issue</h1><p>${text}</p><p>${text}</p></main>`;
    const here = await read(html, { url: 'https://github.com/example/tidepool/issues/1' });
    const elsewhere = await read(html, { url: 'https://docs.example/example/tidepool/issues/1' });
    expect(here.siteconfig).toBeUndefined();
    expect(here.lines).toEqual(elsewhere.lines);
    expect(here.explanation.candidates[0]).toEqual({ strategy: 'site config github@1', chars: 0 });
    expect(here.explanation.siteconfigMatch).toBeUndefined();
  });

  it('for READMEs does not treat one file of a gist, or a profile, as the page', async () => {
    const files =
      '<article class="markdown-body"><h1>One</h1></article><article class="markdown-body"><p>Two</p></article>';
    const gist = await read(`<main id="gist-pjax-container">${files}</main>`, { url: 'https://gist.github.com/a/1' });
    expect(gist.siteconfig).toBeUndefined();
    const readme = await read(`<main id="js-repo-pjax-container">${files}</main>`, { url: 'https://github.com/a/b' });
    expect(readme.siteconfig).toBe('github@1');
  });

  it('is used for any page when it is requested by name', async () => {
    const page = await read(PAGES.get('vitepress') ?? '', { siteconfig: 'javadoc' });
    expect(page.siteconfig).toBe('javadoc@1');
    expect(page.explanation).toMatchObject({ strategy: 'site config', siteconfigMatch: 'argument' });
  });
});
