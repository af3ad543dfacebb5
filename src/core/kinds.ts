/** What is known of a kind of file before anything is read of it. */
type KindFacts = {
  /** Media types that servers declare for it. */
  types: readonly [string, ...string[]];
  /** The media type of a body that came without one, where that is not the first of `types`. */
  unlabelled?: string;
  /** Endings of file names, which decide where the declared type is `text/plain` or says nothing. */
  suffixes: readonly string[];
  /** Read from its bytes, or as text; `html` and `xml`: as text that may declare its encoding inside. */
  body: 'bytes' | 'text' | 'html' | 'xml';
  /** Of a ZIP: the folder of its parts, or `mimetype`, the name of a first entry that holds the media type. */
  zip?: string;
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/**
 * Every kind of file that can be read, in one table: `net` decides by it what a body is and how it is decoded, and
 * `extract` has one extractor for each.
 */
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
  docx: { types: [`${OFFICE}.wordprocessingml.document`], suffixes: [], body: 'bytes', zip: 'word/' },
  xlsx: { types: [`${OFFICE}.spreadsheetml.sheet`], suffixes: [], body: 'bytes', zip: 'xl/' },
  pptx: { types: [`${OFFICE}.presentationml.presentation`], suffixes: [], body: 'bytes', zip: 'ppt/' },
  odt: { types: ['application/vnd.oasis.opendocument.text'], suffixes: [], body: 'bytes', zip: 'mimetype' },
  epub: { types: ['application/epub+zip'], suffixes: [], body: 'bytes', zip: 'mimetype' },
} as const satisfies Record<string, KindFacts>;

export type Kind = keyof typeof KINDS;

/** In the order of the table. */
export const ALL_KINDS: readonly Kind[] = Object.keys(KINDS).filter((name): name is Kind => name in KINDS);

export function factsOf(kind: Kind): KindFacts {
  return KINDS[kind];
}

/** Whether it is a page that a browser shows, and scripts may fill. */
export function isPage(kind: Kind): boolean {
  return factsOf(kind).body === 'html';
}

/** The kind that a file name asks for. */
export function kindOfPath(pathname: string): Kind | null {
  const suffix = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1]?.toLowerCase();
  if (suffix === undefined) return null;
  return ALL_KINDS.find((kind) => factsOf(kind).suffixes.includes(suffix)) ?? null;
}
