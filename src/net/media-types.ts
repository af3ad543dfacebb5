/** What a body is to an extractor. `html` … `notebook` are text; the rest are read from bytes. */
export type Kind =
  | 'html'
  | 'xhtml'
  | 'markdown'
  | 'text'
  | 'json'
  | 'xml'
  | 'feed'
  | 'csv'
  | 'tsv'
  | 'notebook'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'epub';

const BINARY_KINDS: ReadonlySet<Kind> = new Set<Kind>(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'epub']);

export function isTextual(kind: Kind): boolean {
  return !BINARY_KINDS.has(kind);
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

export const MEDIA_TYPE_OF_ARCHIVE = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
} as const;

/** Types that say nothing: what the body is must show elsewhere. */
export const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
  'application/force-download',
  'application/x-download',
  'application/download',
]);

const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/x-web-markdown', 'markdown'],
  ['application/markdown', 'markdown'],
  ['text/plain', 'text'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/x-json', 'json'],
  ['application/feed+json', 'feed'],
  ['application/x-ipynb+json', 'notebook'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/rss+xml', 'feed'],
  ['application/atom+xml', 'feed'],
  ['application/rdf+xml', 'feed'],
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['text/comma-separated-values', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  [MEDIA_TYPE_OF_ARCHIVE.docx, 'docx'],
  [MEDIA_TYPE_OF_ARCHIVE.xlsx, 'xlsx'],
  [MEDIA_TYPE_OF_ARCHIVE.pptx, 'pptx'],
  [MEDIA_TYPE_OF_ARCHIVE.odt, 'odt'],
  [MEDIA_TYPE_OF_ARCHIVE.epub, 'epub'],
]);

/** Text under `application/` that is read as it stands. */
const TEXT_SUBTYPES =
  /^(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sh|shellscript|csh|perl|python|ruby|php|httpd-php|sql|tex|latex|graphql|ndjson|jsonl|json-lines|jsonlines|json-seq|n-triples|n-quads|trig|sparql-query|x509-ca-cert|pem-file|pgp-signature|subrip|node|rtf-text)$/;

/** The kind a declared type stands for, or `null` when nothing readable does. */
export function kindOfType(essence: string): Kind | null {
  const exact = KIND_OF_TYPE.get(essence);
  if (exact !== undefined) return exact;
  if (essence === 'image/svg+xml') return null;
  if (/^(?:image|audio|video|font|model)\//.test(essence)) return null;
  if (essence.endsWith('+json')) return 'json';
  if (essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/')) return 'text';
  return TEXT_SUBTYPES.test(essence.replace(/^application\//, '')) ? 'text' : null;
}

/** The kind a file name asks for where the declared type is `text/plain` or says nothing. */
export function kindOfPath(pathname: string): Kind | null {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1]?.toLowerCase();
  switch (extension) {
    case 'md':
    case 'markdown':
    case 'mdx':
      return 'markdown';
    case 'csv':
      return 'csv';
    case 'tsv':
      return 'tsv';
    case 'json':
      return 'json';
    case 'ipynb':
      return 'notebook';
    default:
      return null;
  }
}

const TYPE_OF_KIND: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['html', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['markdown', 'text/markdown'],
  ['text', 'text/plain'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['feed', 'application/xml'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['notebook', 'application/x-ipynb+json'],
  ['pdf', 'application/pdf'],
]);

export function typeOfKind(kind: Kind): string {
  return TYPE_OF_KIND.get(kind) ?? 'application/octet-stream';
}
