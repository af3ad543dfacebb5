import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** Docusaurus 2 and 3 with the classic theme: documents, category indexes, posts and MDX pages. Not lists of posts. */
export const docusaurus: SiteConfig = {
  id: 'docusaurus',
  version: 1,
  match: { generators: ['Docusaurus'] },
  content: [
    '.theme-doc-markdown',
    '[class*="generatedIndexPage"]',
    '.blog-post-page main article',
    '.mdx-page main article',
  ],
  remove: ['nav', '.hash-link', '[class*="admonitionIcon"]', '[class*="buttonGroup"]', 'article > footer'],
  title: 'h1',
};
