type KindFacts = {
  /** Media types of this kind. If this server must choose one of them, it uses the first. */
  types: readonly [string, ...string[]];
  /** Media type to assign if the response has none and the first of `types` may be wrong, as for a feed. */
  unlabelled?: string;
  /**
   * File name extensions. They decide the kind if the declared type is `text/plain`, generic or missing. Otherwise they
   * only distinguish notebooks from JSON, and Markdown from plain text.
   */
  suffixes: readonly string[];
  /** Form in which the body is read: as bytes, or as decoded text. `html` and `xml` may declare their own encoding. */
  body: 'bytes' | 'text' | 'html' | 'xml';
  /**
   * The entry that identifies a ZIP file of this kind: a folder such as `word/`, or `mimetype`, a first entry that
   * contains the media type.
   */
  zip?: string;
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

/** The table of supported formats. `net` uses it to detect and decode them, and `extract` has an extractor for each. */
const KINDS = {
  html: { types: ['text/html'], suffixes: [], body: 'html' },
  xhtml: { types: ['application/xhtml+xml'], suffixes: [], body: 'html' },
  markdown: {
    types: ['text/markdown', 'text/x-markdown', 'text/x-web-markdown', 'application/markdown'],
    suffixes: ['md', 'markdown', 'mdx', 'mkd', 'qmd'],
    body: 'text',
  },
  text: { types: ['text/plain'], suffixes: [], body: 'text' },
  json: { types: ['application/json', 'text/json', 'application/x-json'], suffixes: ['json'], body: 'text' },
  notebook: { types: ['application/x-ipynb+json'], suffixes: ['ipynb'], body: 'text' },
  xml: { types: ['application/xml', 'text/xml'], suffixes: [], body: 'xml' },
  feed: {
    types: ['application/rss+xml', 'application/atom+xml', 'application/rdf+xml', 'application/feed+json'],
    unlabelled: 'application/xml',
    suffixes: [],
    body: 'xml',
  },
  csv: {
    types: ['text/csv', 'application/csv', 'text/comma-separated-values'],
    suffixes: ['csv'],
    body: 'text',
  },
  tsv: { types: ['text/tab-separated-values'], suffixes: ['tsv'], body: 'text' },
  pdf: { types: ['application/pdf', 'application/x-pdf'], suffixes: [], body: 'bytes' },
  docx: {
    types: [
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.wordprocessingml.template`,
      'application/vnd.ms-word.document.macroenabled.12',
    ],
    suffixes: [],
    body: 'bytes',
    zip: 'word/',
  },
  xlsx: {
    types: [
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.spreadsheetml.template`,
      'application/vnd.ms-excel.sheet.macroenabled.12',
    ],
    suffixes: [],
    body: 'bytes',
    zip: 'xl/',
  },
  pptx: {
    types: [
      `${OFFICE}.presentationml.presentation`,
      `${OFFICE}.presentationml.slideshow`,
      'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    ],
    suffixes: [],
    body: 'bytes',
    zip: 'ppt/',
  },
  odt: { types: [`${OPEN}.text`, `${OPEN}.text-template`], suffixes: [], body: 'bytes', zip: 'mimetype' },
  ods: { types: [`${OPEN}.spreadsheet`, `${OPEN}.spreadsheet-template`], suffixes: [], body: 'bytes', zip: 'mimetype' },
  odp: {
    types: [`${OPEN}.presentation`, `${OPEN}.presentation-template`],
    suffixes: [],
    body: 'bytes',
    zip: 'mimetype',
  },
  mail: {
    types: ['message/rfc822', 'application/mbox', 'application/x-mbox'],
    suffixes: ['eml', 'mbox'],
    body: 'bytes',
  },
  epub: { types: ['application/epub+zip'], suffixes: [], body: 'bytes', zip: 'mimetype' },
  image: {
    types: [
      'image/png',
      'image/apng',
      'image/jpeg',
      'image/jpg',
      'image/gif',
      'image/webp',
      'image/avif',
      'image/bmp',
      'image/x-ms-bmp',
      'image/svg+xml',
    ],
    suffixes: [],
    body: 'bytes',
  },
} as const satisfies Record<string, KindFacts>;

export type BodyKind = keyof typeof KINDS;

export const ALL_BODY_KINDS: readonly BodyKind[] = Object.keys(KINDS).filter((name): name is BodyKind => name in KINDS);

export function kindFacts(kind: BodyKind): KindFacts {
  return KINDS[kind];
}

export function hasHtmlBody(kind: BodyKind): boolean {
  return kindFacts(kind).body === 'html';
}
