import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/**
 * READMEs and other rendered documents in repositories on GitHub. Profiles and gists may show one beside other content,
 * so they are read like any page, as are issues.
 */
export const github: SiteConfig = {
  id: 'github',
  version: 1,
  match: { domains: ['github.com'] },
  content: ['#js-repo-pjax-container article.markdown-body, #repo-content-pjax-container article.markdown-body'],
  remove: ['a.anchor', '.zeroclipboard-container'],
};
