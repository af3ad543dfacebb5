import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** Sphinx with the themes of Read the Docs, Furo, PyData, Django and Sphinx itself. Only docutils names a generator, at times. */
export const sphinx: SiteConfig = {
  id: 'sphinx',
  version: 2,
  match: {
    generators: ['sphinx', 'docutils'],
    markers: [
      'body.wy-body-for-nav .rst-content, #furo-main-content, article.bd-article, .documentwrapper .body[role="main"], #yui-main .yui-g .headerlink, #docs-content .headerlink',
    ],
  },
  content: [
    '[itemprop="articleBody"]',
    'article.bd-article',
    'article[role="main"]',
    '.documentwrapper .body',
    '#yui-main .yui-g',
    '#docs-content',
  ],
  remove: [
    '.headerlink',
    '.viewcode-link',
    '.copybtn',
    '.linenos',
    'nav.contents',
    '.topic.contents',
    '.prev-next-area',
    '[role="navigation"]',
  ],
  rename: { p: ['.sd-tab-set > label'], u: ['dt.sig span', 'dt.sig em'] },
  title: 'h1',
};
