import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** javadoc of JDK 8 and later. Until JDK 9 it named itself only in a comment, and its pages had no `main`. */
export const javadoc: SiteConfig = {
  id: 'javadoc',
  version: 1,
  match: { generators: ['javadoc/'], markers: ['.bottomNav', '.contentContainer'] },
  content: ['main', 'body'],
  remove: [
    '.topNav',
    '.bottomNav',
    '.subNav',
    '.legalCopy',
    'caption .activeTableTab',
    'caption .tableTab',
    '.tabEnd',
    '.table-tabs',
    '.table-header',
    '.anchor-link',
    'button',
  ],
  rename: {
    // Sections are items of lists.
    div: [
      'ul.summary-list',
      'ul.summary-list > li',
      'ul.details-list',
      'ul.details-list > li',
      'ul.member-list',
      'ul.member-list > li',
      'ul.blockList',
      'ul.blockListLast',
      'li.blockList',
    ],
    pre: ['.package-signature', '.type-signature', '.member-signature'],
    // Summaries are grids without rows: the first cell of each row begins an item.
    dl: ['.summary-table'],
    dt: ['.col-first', '.two-column-summary > .col-constructor-name'],
    dd: ['.col-second', '.three-column-summary > .col-constructor-name', '.col-last'],
  },
  title: '.header .title',
};
