import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** READMEs and other rendered documents of repositories and gists on GitHub. Its other pages are read without a config. */
export const github: SiteConfig = {
  id: 'github',
  version: 1,
  match: { domains: ['github.com'] },
  content: ['article.markdown-body'],
  remove: ['a.anchor', '.zeroclipboard-container'],
};
