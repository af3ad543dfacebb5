import { FILE_GIVEN_NAME_CHARS_MAX } from '#core/limits.ts';
import { toPlain } from '#core/text/plain.ts';
import { cutToBytes, trimEndOf, utf8Bytes } from '#core/text/text.ts';

/** Limit on a stored file's name, which every result about the file contains. */
const FILE_NAME_CHARS_MAX = 100;
/** File systems allow 255, and saving a file twice may append a number. */
const FILE_NAME_BYTES_MAX = 240;

/** `name` and `mediaType` are sanitized, but still untrusted: they come from a page. */
export type FileFacts = {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** ms since 1970. */
  takenAt: number;
};

const SCHEME = 'periscope-file:';
const ID = /^f_[A-Za-z0-9_-]{16,64}$/;

export function newFileId(): string {
  return `f_${crypto.randomUUID().replaceAll('-', '')}`;
}

export function fileAddress(id: string): string {
  return SCHEME + id;
}

export function isFileAddress(url: string): boolean {
  return url.trim().toLowerCase().startsWith(SCHEME);
}

export function fileIdIn(url: string): string | null {
  const [id = ''] = url.trim().slice(SCHEME.length).split('#');
  return isFileId(id) ? id : null;
}

export function isFileId(id: string): boolean {
  return ID.test(id);
}

/**
 * Sanitizes a page's file name for any system: no folders, no forbidden or invisible characters, no device name, no
 * leading or trailing dots or spaces, limited length. Keeps the extension.
 */
export function safeFileName(given: string): string {
  const last = toPlain(given.slice(-FILE_GIVEN_NAME_CHARS_MAX).toWellFormed().normalize('NFC'))
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '');
  const plain = withoutEdges((last ?? '').replaceAll(FORBIDDEN, '_').replaceAll(/\s+/gu, ' '));
  if (plain === '') return NAMELESS;
  return shortened(DEVICE.test(plain) ? `_${plain}` : plain);
}

/** RFC 6266. Accepts any name. */
export function contentDisposition(name: string): string {
  const plainName = name.replaceAll(/[^ -~]|["\\%]/gu, '_');
  const escaped = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainName}"; filename*=UTF-8''${escaped}`;
}

const NAMELESS = 'file';
const FORBIDDEN = /[<>:"|?*]/g;
const EDGE = /[\s.]/u;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/i;
const ENDING = /\.[\p{L}\p{N}]{1,12}(?:\.(?:gz|bz2|xz|zst))?$/u;

function withoutEdges(name: string): string {
  return trimEndOf(name.replace(/^[\s.]+/u, ''), EDGE);
}

function shortened(name: string): string {
  const ending = ENDING.exec(name)?.[0] ?? '';
  const room = FILE_NAME_CHARS_MAX - Array.from(ending).length;
  const characters = Array.from(name.slice(0, name.length - ending.length)).slice(0, room);
  const stem = cutToBytes(characters.join(''), FILE_NAME_BYTES_MAX - utf8Bytes(ending));
  return withoutEdges(stem) + ending;
}
