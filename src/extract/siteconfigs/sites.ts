import type { SiteConfig } from './site-config.ts';

/** All site configs. Generators and markers are tried in this order. */
export const SITE_CONFIGS: readonly SiteConfig[] = [
  // Docusaurus 2 and 3 with the classic theme. Lists of posts are not covered.
  {
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
  },
  // MkDocs with the theme Material, mkdocs or readthedocs. Only Material declares a generator.
  {
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
  },
  // Sphinx with the themes of Read the Docs, Furo, PyData, Django and its own. Some pages declare no generator.
  {
    id: 'sphinx',
    version: 2,
    match: {
      generators: ['sphinx', 'docutils'],
      markers: [
        'body.wy-body-for-nav .rst-content, #furo-main-content, article.bd-article, .documentwrapper .body[role="main"], #yui-main .yui-g .headerlink, #docs-content .headerlink',
      ],
    },
    content: [
      '[itemprop="articleBody"]',
      'article.bd-article',
      'article[role="main"]',
      '.documentwrapper .body',
      '#yui-main .yui-g',
      '#docs-content',
    ],
    remove: [
      '.headerlink',
      '.viewcode-link',
      '.copybtn',
      '.linenos',
      'nav.contents',
      '.topic.contents',
      '.prev-next-area',
      '[role="navigation"]',
    ],
    rename: { p: ['.sd-tab-set > label'], u: ['dt.sig span', 'dt.sig em'] },
    title: 'h1',
  },
  // VitePress 1 and 2 with the default theme.
  {
    id: 'vitepress',
    version: 1,
    match: { generators: ['VitePress'], markers: ['#VPContent'] },
    content: ['.VPDoc .vp-doc'],
    remove: ['.header-anchor', 'button.copy', 'span.lang', '.table-of-contents'],
    rename: { p: ['.vp-code-group > .tabs > label'] },
    title: 'h1',
  },
  // rustdoc, on docs.rs, doc.rust-lang.org and other hosts.
  {
    id: 'rustdoc',
    version: 1,
    match: { generators: ['rustdoc'], markers: ['body.rustdoc #main-content'] },
    content: ['#main-content'],
    remove: [
      '.rustdoc-breadcrumbs',
      'rustdoc-toolbar',
      '#copy-path',
      '.sub-heading',
      '.rightside',
      'a.anchor',
      'a.doc-anchor',
      'a.test-arrow',
      'summary.hideme',
      '.tooltip',
      '.button-holder',
      // Sections that are the same for every type.
      '#blanket-implementations',
      '#blanket-implementations-list',
    ],
    rename: { div: ['details.toggle > summary'], p: ['.item-table .stab'], blockquote: ['.docblock div.warning'] },
    title: 'h1',
  },
  // javadoc of JDK 8 and later. In JDK 8, pages declare it only in a comment and have no `main`.
  {
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
      // javadoc tags sections as items of lists.
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
      // javadoc lays out summaries as grids without rows. The first cell of a row begins an item.
      dl: ['.summary-table'],
      dt: ['.col-first', '.two-column-summary > .col-constructor-name'],
      dd: ['.col-second', '.three-column-summary > .col-constructor-name', '.col-last'],
    },
    title: '.header .title',
  },
  // GitBook: the hosted service, and the older tool of the same name that generated static pages.
  {
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
  },
  // Documentation sites on ReadMe (readme.com): guides, reference pages and custom pages.
  {
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
  },
  // Mintlify. Some of its paragraphs are `<span data-as="p">`.
  {
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
  },
  // READMEs and other rendered documents in GitHub repositories, but not profiles, gists and issues, which show other
  // content next to a document.
  {
    id: 'github',
    version: 1,
    match: { domains: ['github.com'] },
    content: ['#js-repo-pjax-container article.markdown-body, #repo-content-pjax-container article.markdown-body'],
    remove: ['a.anchor', '.zeroclipboard-container'],
  },
];
