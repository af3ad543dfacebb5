import type { SiteConfig } from '#extract/siteconfigs/site-config.ts';

/** rustdoc, on docs.rs, doc.rust-lang.org and elsewhere. */
export const rustdoc: SiteConfig = {
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
    // The same on every type.
    '#blanket-implementations',
    '#blanket-implementations-list',
  ],
  rename: { div: ['details.toggle > summary'], p: ['.item-table .stab'], blockquote: ['.docblock div.warning'] },
  title: 'h1',
};
