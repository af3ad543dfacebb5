import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** VitePress 1 and 2 with the default theme. */
export const vitepress: SiteConfig = {
  id: 'vitepress',
  version: 1,
  match: { generators: ['VitePress'], markers: ['#VPContent'] },
  content: ['.VPDoc .vp-doc'],
  remove: ['.header-anchor', 'button.copy', 'span.lang', '.table-of-contents'],
  rename: { p: ['.vp-code-group > .tabs > label'] },
  title: 'h1',
};
