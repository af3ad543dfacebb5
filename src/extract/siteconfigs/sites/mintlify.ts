import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** Mintlify. Its paragraphs are sometimes `span`s that say what they stand for. */
export const mintlify: SiteConfig = {
  id: 'mintlify',
  version: 1,
  match: { generators: ['Mintlify'] },
  content: ['#content-area'],
  remove: [
    '.eyebrow',
    '.sr-only',
    '#page-context-menu',
    'a[aria-label="Navigate to header"]',
    '.feedback-toolbar',
    '#pagination',
    '#footer',
    '.step > .absolute',
  ],
  rename: { p: ['span[data-as="p"]'], ol: ['.steps'], li: ['.step'] },
  title: 'h1',
};
