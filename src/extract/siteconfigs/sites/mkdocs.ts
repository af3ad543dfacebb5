import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** MkDocs with Material, its own theme or its readthedocs theme. Only Material names a generator. */
export const mkdocs: SiteConfig = {
  id: 'mkdocs',
  version: 1,
  match: { generators: ['mkdocs-'], markers: ['footer a[href*="www.mkdocs.org"]'] },
  content: ['article.md-content__inner', '[itemprop="articleBody"]', '[role="main"]'],
  remove: [
    '.headerlink',
    '.md-content__button',
    '.md-code__nav',
    '.md-tags',
    '.md-source-file',
    '.md-feedback',
    '#__comments',
    '.linenos',
  ],
  rename: { p: ['.tabbed-labels > label'] },
  title: 'h1',
};
