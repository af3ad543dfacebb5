import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** Hubs of ReadMe (readme.com): guides, reference pages and custom pages. */
export const readme: SiteConfig = {
  id: 'readme',
  version: 1,
  match: { domains: ['readme.io'], markers: ['meta[name="readme-deploy"]'] },
  content: ['article.rm-Article', '.rm-CustomPage'],
  remove: [
    '.heading-anchor-icon',
    '.callout-icon',
    '.rdmd-code-copy',
    '.content-toc',
    '.UpdatedAt',
    '.NextStepsDivider',
    '[class*="PageThumbs"]',
    '.rm-Pagination',
  ],
  rename: { p: ['.CodeTabs-toolbar > button'] },
  title: 'h1',
};
