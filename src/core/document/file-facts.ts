import { GIVEN_FILE_NAME_CHARS_MAX } from '#core/limits.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { cutToBytes, trimEndMatching, utf8Bytes } from '#core/text/text.ts';

/** Maximum length of a stored file's name, in characters. Every result about the file contains the name. */
const FILE_NAME_CHARS_MAX = 100;
/**
 * Maximum length of a file name in bytes. File systems allow 255, but a program that saves a file twice may append a
 * number.
 */
const FILE_NAME_BYTES_MAX = 240;

/** Facts about a stored file. `name` and `mediaType` come from a site or an upload: sanitized, but still untrusted. */
export type FileFacts = {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  /** Time at which the file was stored, in ms since 1970. */
  takenAt: number;
};

const SCHEME = 'periscope-file:';
const ID = /^f_[A-Za-z0-9_-]{16,64}$/;

export function fileAddress(id: string): string {
  return SCHEME + id;
}

export function isFileAddress(url: string): boolean {
  return url.trim().toLowerCase().startsWith(SCHEME);
}

export function parseFileAddress(url: string): string | null {
  const [id = ''] = url.trim().slice(SCHEME.length).split('#');
  return isFileId(id) ? id : null;
}

export function isFileId(id: string): boolean {
  return ID.test(id);
}

/**
 * Makes a page's file name safe for any operating system: removes folders, forbidden and invisible characters, and dots
 * and spaces at both ends; avoids device names such as `con`; limits the length. The extension stays.
 */
export function safeFileName(given: string): string {
  const last = sanitizeText(given.slice(-GIVEN_FILE_NAME_CHARS_MAX).toWellFormed().normalize('NFC'))
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '');
  const plain = withoutEdges((last ?? '').replaceAll(FORBIDDEN, '_').replaceAll(/\s+/gu, ' '));
  if (plain === '') return NAMELESS;
  return shortened(DEVICE.test(plain) ? `_${plain}` : plain);
}

/** Formats a `Content-Disposition` header (RFC 6266) that makes browsers download the file. Any name is valid. */
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
  return trimEndMatching(name.replace(/^[\s.]+/u, ''), EDGE);
}

function shortened(name: string): string {
  const ending = ENDING.exec(name)?.[0] ?? '';
  const room = FILE_NAME_CHARS_MAX - Array.from(ending).length;
  const characters = Array.from(name.slice(0, name.length - ending.length)).slice(0, room);
  const stem = cutToBytes(characters.join(''), FILE_NAME_BYTES_MAX - utf8Bytes(ending));
  return withoutEdges(stem) + ending;
}

/** A file to draw as a JPEG. `size`: for a vector drawing, which has no size in pixels; otherwise `null`. */
export type FileToDraw = { url: string; bytes: Uint8Array; mediaType: string } & (
  | { kind: 'picture'; size: { width: number; height: number } | null }
  | { kind: 'pdf'; page: number }
);

/** A file drawn as a JPEG. */
export type DrawnFile = {
  jpegBase64: string;
  width: number;
  height: number;
  bytes: number;
  /** Number of pages of a PDF; `null` for other files. */
  pages: number | null;
  /** Number of pictures on the page that are missing in the drawing. */
  leftOut: number;
  /** True if the background is dark, because the picture itself is light. */
  isDark: boolean;
};
