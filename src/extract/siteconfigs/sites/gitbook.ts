import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** GitBook, hosted, and the old tool of that name that made static pages. */
export const gitbook: SiteConfig = {
  id: 'gitbook',
  version: 1,
  match: { generators: ['GitBook'] },
  content: ['section.markdown-section', 'main'],
  remove: ['header nav', 'main > .sr-only', 'main > .mt-6', '.hash', 'button', '.highlight-line-number'],
  rename: {
    blockquote: ['.hint'],
    table: ['[role="table"]'],
    tr: ['[role="row"]'],
    th: ['[role="columnheader"]'],
    td: ['[role="cell"]'],
  },
  title: 'h1',
};
