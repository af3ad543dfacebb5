import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/**
 * READMEs and other rendered documents in repositories on GitHub. Profiles and gists may show one beside more, and are
 * read as any page, as are issues and the rest.
 */
export const github: SiteConfig = {
  id: 'github',
  version: 1,
  match: { domains: ['github.com'] },
  content: ['#js-repo-pjax-container article.markdown-body, #repo-content-pjax-container article.markdown-body'],
  remove: ['a.anchor', '.zeroclipboard-container'],
};
