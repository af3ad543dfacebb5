import { KIB } from '#core/limits.ts';
import { MIMEType } from 'whatwg-mimetype';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { ALL_BODY_KINDS, kindFacts } from '#core/document/kinds.ts';
import type { BodyKind } from '#core/document/kinds.ts';
import { redactForFailure } from '#net/fetch/canonical-url.ts';
import { guessUtf16 } from './charset.ts';

/**
 * Bytes read to detect a media type. They are enough for a signature, the root element, or the first names in a ZIP.
 */
const SNIFF_BYTES_MAX = 4 * KIB;
/** Maximum share of control characters in text. Random bytes contain 11 %, text almost none. */
const CONTROL_SHARE_MAX = 0.05;

export type SniffedType = {
  /** The media type without parameters: the type that the server declared, unless the bytes contradict the server. */
  mediaType: string;
  kind: BodyKind;
  /** The `charset` parameter as declared, or `null`. */
  charsetLabel: string | null;
};

const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|p|h[1-6]|table|ul|ol|main|article|section|header|nav|iframe|br|a|b|center|font)(?=[\s>/])/i;
/**
 * Control characters that are rare in text. Tabs, line ends, form feeds and escapes are not included, because they are
 * common.
 */
const CONTROL = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/g;

/**
 * Maximum characters of a `Content-Type` that are parsed. Valid values are short, and the parser takes quadratic time.
 */
const CONTENT_TYPE_CHARS_MAX = 1_000;

/**
 * Determines the type of a body. A binary signature overrides any declared type. A declared type overrides the form of
 * the text. Without a useful declared type, the beginning of the text and then the file name decide.
 * @param input.url only its path is used; the failure shows it
 * @param input.name the file name from the server, if any
 * @throws {PeriscopeError} `unsupported_mime` if the body is neither text nor a document format
 */
export function sniffBodyType(input: Input & { contentType: string | null }): SniffedType {
  const declared =
    input.contentType === null ? null : MIMEType.parse(input.contentType.slice(0, CONTENT_TYPE_CHARS_MAX));
  const charsetLabel = declared?.parameters.get('charset') ?? null;
  const essence = declared === null || GENERIC_TYPES.has(declared.essence) ? null : declared.essence;
  const head = latin1(input.bytes.subarray(0, SNIFF_BYTES_MAX));
  const found = fromSignature(head, essence, input) ?? fromText(head, essence, charsetLabel, input);
  return { ...found, charsetLabel };
}

type TypeAndKind = { mediaType: string; kind: BodyKind };
const SVG: TypeAndKind = { mediaType: 'image/svg+xml', kind: 'image' };
type Input = { url: string; bytes: Uint8Array; name?: string | undefined };

function kindByName({ name, url }: Input): BodyKind | null {
  return (name === undefined ? null : kindFromPath(name)) ?? kindFromPath(new URL(url).pathname);
}

function fromSignature(head: string, essence: string | null, input: Input): TypeAndKind | null {
  const signature = signatureOf(head);
  if (signature === 'application/pdf') return { mediaType: signature, kind: 'pdf' };
  if (signature !== null && kindFromMediaType(signature) === 'image') return { mediaType: signature, kind: 'image' };
  if (signature === 'application/zip') {
    const declared = essence === null ? null : kindFromMediaType(essence);
    const archive = archiveKindOf(head) ?? (declared !== null && isArchive(declared) ? declared : null);
    return archive === null ? refuse(input, signature) : { mediaType: typeOfKind(archive), kind: archive };
  }
  return signature === null ? null : refuse(input, signature);
}

function isArchive(kind: BodyKind): boolean {
  return kindFacts(kind).zip !== undefined;
}

function fromText(head: string, essence: string | null, charset: string | null, input: Input): TypeAndKind {
  const start = startOf(head);
  if (essence !== null) {
    const kind = kindFromMediaType(essence);
    if (kind === null) return refuse(input, essence);
    // PDF viewers accept the header `%PDF-` anywhere in the first kilobyte, and so does this check.
    if (kind === 'pdf' && head.includes('%PDF-')) return { mediaType: essence, kind };
    if (kind === 'image' && rootOf(start) === 'svg') return SVG;
    if (kind === 'pdf' || kind === 'image' || isArchive(kind)) {
      return HTML_START.test(start) ? { mediaType: 'text/html', kind: 'html' } : refuse(input, essence);
    }
  }
  if (isBinary(head, charset, input.bytes)) return refuse(input, 'application/octet-stream');
  if (essence === null) return unlabelled(start, input);
  return labelled(start, essence, input);
}

function labelled(start: string, essence: string, input: Input): TypeAndKind {
  const kind = kindFromMediaType(essence) ?? 'text';
  const named = kindByName(input);
  if (essence === 'text/plain' && named !== null) return { mediaType: typeOfKind(named), kind: named };
  // Servers declare many different types for Markdown files, so the file name decides.
  if (kind === 'text') return { mediaType: essence, kind: named === 'markdown' ? named : kind };
  if (kind === 'json' && named === 'notebook') return { mediaType: typeOfKind(named), kind: named };
  if (kind === 'html') {
    if (rootOf(start) === 'feed') return { mediaType: 'application/xml', kind: 'feed' };
    return isJson(input.bytes) ? { mediaType: 'application/json', kind: 'json' } : { mediaType: essence, kind };
  }
  if (kind !== 'xml') return { mediaType: essence, kind };
  const root = rootOf(start);
  return root === 'svg' ? SVG : { mediaType: essence, kind: root };
}

function unlabelled(start: string, input: Input): TypeAndKind {
  const kind = appearance(start, input) ?? kindByName(input) ?? 'text';
  return kind === 'image' ? SVG : { mediaType: typeOfKind(kind), kind };
}

function appearance(start: string, input: Input): BodyKind | null {
  if (HTML_START.test(start)) return 'html';
  const root = /^<\?xml|^<(?:rss|feed|rdf:RDF|svg)[\s>]/i.test(start) ? rootOf(start) : null;
  if (root === 'svg') return 'image';
  if (root !== null) return root;
  if (YEAR.test(MAILBOX_START.exec(start)?.[1] ?? '') || (MAIL_START.test(start) && MAIL_HEADER.test(start)))
    return 'mail';
  if (!isJson(input.bytes)) return null;
  return kindByName(input) === 'notebook' ? 'notebook' : 'json';
}

/** Matches the line before each message of a mailbox, and the header line that follows it. */
const MAILBOX_START = /^From \S+ ([^\n]+)\n[A-Za-z][\w-]*: /;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
/** Matches a header that mail servers put before a message. A `From` or `Subject` must follow (`MAIL_HEADER`). */
const MAIL_START = /^(?:Return-Path|Received|Delivered-To|MIME-Version|Message-ID|DKIM-Signature|X-[\w-]{1,60}): ?\S/i;
const MAIL_HEADER = /\n(?:From|Subject): /i;

function rootOf(start: string): 'feed' | 'xhtml' | 'svg' | 'xml' {
  let rest = start;
  while (/^<[?!]/.test(rest)) rest = rest.slice(prologLength(rest)).trimStart();
  const name = /^<([\w:.-]+)/.exec(rest)?.[1]?.toLowerCase();
  if (name === 'rss' || name === 'feed' || name === 'rdf:rdf') return 'feed';
  if (name === 'html') return 'xhtml';
  return name === 'svg' ? 'svg' : 'xml';
}

function prologLength(text: string): number {
  const subset = /^<![^<>[]*\[/.test(text);
  const mark = text.startsWith('<!--') ? '-->' : subset ? ']>' : '>';
  const at = text.indexOf(mark, 2);
  return at < 0 ? text.length : at + mark.length;
}

function startOf(head: string): string {
  let start = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  while (start.startsWith('<!--')) {
    const end = start.indexOf('-->');
    if (end < 0) return '';
    start = start.slice(end + 3).trimStart();
  }
  return start;
}

function isBinary(head: string, charset: string | null, bytes: Uint8Array): boolean {
  const isUtf16 =
    /^(?:\xff\xfe|\xfe\xff)/.test(head) || /^utf-?16|^ucs-?2/i.test(charset ?? '') || guessUtf16(bytes) !== null;
  if (isUtf16 || head.length === 0) return false;
  return (head.match(CONTROL)?.length ?? 0) / head.length > CONTROL_SHARE_MAX;
}

/** Returns true if the body is a complete JSON object or array. Some APIs declare JSON as HTML. */
function isJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20);
  const last = bytes.findLast((byte) => byte > 0x20);
  if (!((first === 0x7b && last === 0x7d) || (first === 0x5b && last === 0x5d))) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/**
 * Refuses an unsupported type. The server chose the type, so the failure shows it only if it has the syntax of a media
 * type.
 */
function refuse(input: Input, mediaType: string): never {
  const named = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,90}$/.test(mediaType) ? mediaType : 'of an unknown type';
  fail({ code: 'unsupported_mime', url: redactForFailure(input.url), mediaType: named });
}

/** Signatures of formats that are never text: patterns for the first bytes, which are read as Latin-1 text. */
const SIGNATURES: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^PK(?:\x03\x04|\x05\x06|\x07\x08)/, 'application/zip'],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^BZh[1-9]/, 'application/x-bzip2'],
  [/^\xfd7zXZ\x00/, 'application/x-xz'],
  [/^\x28\xb5\x2f\xfd/, 'application/zstd'],
  [/^7z\xbc\xaf\x27\x1c/, 'application/x-7z-compressed'],
  [/^Rar!\x1a\x07/, 'application/vnd.rar'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^RIFF[^]{4}AVI /, 'video/x-msvideo'],
  [/^\x00\x00\x01\x00/, 'image/x-icon'],
  [/^(?:II\*\x00|MM\x00\*)/, 'image/tiff'],
  [/^BM[^]{4}\x00\x00\x00\x00/, 'image/bmp'],
  [/^[^]{4}ftyp(?:avif|avis)/, 'image/avif'],
  [/^[^]{4}ftyp(?:mif1|msf1)[^]{4}(?:[^]{4}){0,8}avi[fs]/, 'image/avif'],
  [/^[^]{4}ftyp(?:hei[cx]|hev[cx]|mif1|msf1)/, 'image/heic'],
  [/^[^]{4}ftyp/, 'video/mp4'],
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^OggS\x00/, 'application/ogg'],
  [/^ID3[\x02-\x04]/, 'audio/mpeg'],
  [/^fLaC\x00/, 'audio/flac'],
  [/^wOF[F2]/, 'font/woff'],
  [/^\x00\x01\x00\x00\x00/, 'font/ttf'],
  [/^OTTO\x00/, 'font/otf'],
  [/^\x00asm/, 'application/wasm'],
  [/^\x7fELF/, 'application/x-elf'],
  [/^MZ[^]{0,62}\x00/, 'application/vnd.microsoft.portable-executable'],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'application/x-ole-storage'],
  [/^[^]{257}ustar[\x00 ]/, 'application/x-tar'],
  [/^SQLite format 3\x00/, 'application/vnd.sqlite3'],
  [/^\{\\rtf1/, 'application/rtf'],
];

function signatureOf(head: string): string | null {
  return SIGNATURES.find(([start]) => start.test(head))?.[1] ?? null;
}

function archiveKindOf(head: string): BodyKind | null {
  const named = /^[^]{26}\x08\x00[^]{2}mimetype(application\/[\w.+-]+?)(?:PK|$)/.exec(head)?.[1];
  const byType = named === undefined ? null : kindFromMediaType(named);
  if (byType !== null && kindFacts(byType).zip === 'mimetype') return byType;
  if (!/\[Content_Types\]\.xml|_rels\/\.rels|docProps\//.test(head)) return null;
  const folders = new Set([...head.matchAll(/PK\x03\x04[^]{26}([a-z]{1,20}\/)/g)].map(([, folder]) => folder));
  return ALL_BODY_KINDS.find((kind) => folders.has(kindFacts(kind).zip)) ?? null;
}

/** Declared types that reveal nothing about the content. The body decides instead. */
const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
  'application/force-download',
  'application/x-download',
  'application/download',
]);

const KIND_OF_TYPE: ReadonlyMap<string, BodyKind> = new Map(
  ALL_BODY_KINDS.flatMap((kind) => kindFacts(kind).types.map((type) => [type, kind] as const)),
);

const TEXT_SUBTYPES =
  /^(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sh|shellscript|csh|perl|python|ruby|php|httpd-php|sql|tex|latex|graphql|ndjson|jsonl|json-lines|jsonlines|json-seq|n-triples|n-quads|trig|sparql-query|x509-ca-cert|pem-file|pgp-signature|subrip|node|rtf-text)$/;

export function kindFromMediaType(essence: string): BodyKind | null {
  const exact = KIND_OF_TYPE.get(essence);
  if (exact !== undefined) return exact;
  if (/^(?:image|audio|video|font|model)\//.test(essence)) return null;
  if (essence.endsWith('+json')) return 'json';
  if (essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/')) return 'text';
  return TEXT_SUBTYPES.test(essence.replace(/^application\//, '')) ? 'text' : null;
}

function typeOfKind(kind: BodyKind): string {
  const { types, unlabelled: fallback } = kindFacts(kind);
  return fallback ?? types[0];
}

/**
 * Returns the media type of a file. Decided by its first bytes, then by the server's `Content-Type`, then by the file
 * name and the form of the text.
 */
export function detectMediaType(contentType: string | null, name: string, head: Uint8Array): string {
  try {
    const { mediaType } = sniffFile(contentType, name, head);
    return SHORT_TYPE.test(mediaType) ? mediaType : 'application/octet-stream';
  } catch (error) {
    const failure = error instanceof PeriscopeError ? error.failure : null;
    if (failure?.code !== 'unsupported_mime') throw error;
    return failure.mediaType.includes('/') ? failure.mediaType : 'application/octet-stream';
  }
}

/** Matches a media type of reasonable length. Registered types are far shorter than the limit. */
const SHORT_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,90}$/;

/**
 * Detects the type of a file from its content, its declared type and its name.
 * @throws {PeriscopeError} `unsupported_mime` for a kind that is not supported
 */
export function sniffFile(contentType: string | null, name: string, bytes: Uint8Array): SniffedType {
  return sniffBodyType({ contentType, url: `periscope-file:/${encodeURIComponent(name)}`, bytes });
}

type Disposition = { isAttachment: boolean; name: string | null };

/**
 * Maximum characters of a `Content-Disposition` header that are read. Servers limit all headers together to about
 * 16,000 bytes. A much longer text would overflow the stack of the regular expressions below.
 */
const DISPOSITION_CHARS_MAX = 16_000;

const NOTHING: Disposition = { isAttachment: false, name: null };

/**
 * Reads a `Content-Disposition` header (RFC 6266) as browsers do: any type except `inline` is a download. The name is
 * untrusted, because the server chose it.
 */
export function readDisposition(header: string | null): Disposition {
  if (header === null) return NOTHING;
  const text = header.slice(0, DISPOSITION_CHARS_MAX);
  const [, kind = '', rest = ''] = /^\s*([^;=\s]*)\s*(=?[^]*)$/.exec(text) ?? [];
  const isBare = rest.startsWith('=');
  return { isAttachment: kind !== '' && !isBare && !/^inline$/i.test(kind), name: nameIn(isBare ? text : rest) };
}

const PARAMETER = /(?:^|;)\s*(filename\*?)\s*=\s*("(?:[^"\\]|\\[^])*"|[^;]*)/gi;

function nameIn(parameters: string): string | null {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of parameters.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, value.trim());
  }
  return extended(found.get('filename*')) ?? plain(found.get('filename'));
}

/** Decodes an extended value, such as `UTF-8''na%C3%AFve.txt` (RFC 8187). */
function extended(value: string | undefined): string | null {
  const [, charset = '', text = ''] = /^"?(utf-8|iso-8859-1)'[^']*'([^"]*)"?$/i.exec(value ?? '') ?? [];
  if (text === '') return null;
  if (/^iso/i.test(charset)) {
    return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded(text);
}

function plain(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  const text = value.startsWith('"') ? value.replaceAll(/^"|"$/g, '').replaceAll(/\\([^])/g, '$1') : value;
  if (text === '') return null;
  const utf8 = asUtf8(text);
  return /%[\da-f]{2}/i.test(utf8) ? (decoded(utf8) ?? utf8) : utf8;
}

/** Decodes a header value as UTF-8. Header values arrive as one character per byte, and most servers send UTF-8. */
function asUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      Uint8Array.from(text, (one) => one.charCodeAt(0)),
    );
  } catch {
    return text;
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function kindFromPath(pathname: string): BodyKind | null {
  const suffix = /\.([a-z0-9]{1,8})$/i.exec(pathname)?.[1]?.toLowerCase();
  if (suffix === undefined) return null;
  return ALL_BODY_KINDS.find((kind) => kindFacts(kind).suffixes.includes(suffix)) ?? null;
}
