import { PeriscopeError } from '#core/failures/failure.ts';
import { sniffBodyType } from './sniff.ts';
import type { SniffedType } from './sniff.ts';

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
