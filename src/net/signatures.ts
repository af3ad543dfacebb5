import { ALL_KINDS, factsOf } from '#core/kinds.ts';
import type { Kind } from '#core/kinds.ts';
import { kindOfType } from './media-types.ts';

/** First bytes, as latin1 text, of formats that are never text. */
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
  [/^[^]{4}ftyp(?:avif|avis|heic|heix|mif1)/, 'image/avif'],
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
  [/^SQLite format 3\x00/, 'application/vnd.sqlite3'],
  [/^\{\\rtf1/, 'application/rtf'],
];

/** The media type that the first bytes prove, or `null`. `head` is latin1. */
export function signatureOf(head: string): string | null {
  return SIGNATURES.find(([start]) => start.test(head))?.[1] ?? null;
}

/** Which document format a ZIP is, from the names of its first entries. */
export function archiveKindOf(head: string): Kind | null {
  const named = /^[^]{26}\x08\x00[^]{2}mimetype(application\/[\w.+-]+?)(?:PK|$)/.exec(head)?.[1];
  const byType = named === undefined ? null : kindOfType(named);
  if (byType !== null && factsOf(byType).zip === 'mimetype') return byType;
  if (!/\[Content_Types\]\.xml|_rels\/\.rels|docProps\//.test(head)) return null;
  const folders = new Set([...head.matchAll(/PK\x03\x04[^]{26}([a-z]{1,20}\/)/g)].map(([, folder]) => folder));
  return ALL_KINDS.find((kind) => folders.has(factsOf(kind).zip)) ?? null;
}
