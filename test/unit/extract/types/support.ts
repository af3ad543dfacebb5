import type { Kind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';
import type { Extracted } from '#extract/extractor.ts';

export const FILE_URL = 'https://files.example/papers/file';

export function readBytes(kind: Kind, bytes: Uint8Array, more: { firstPage?: number } = {}): Promise<Extracted> {
  return extract({ kind, text: '', bytes, url: FILE_URL, mode: 'readable', ...more });
}

export function readText(kind: Kind, text: string): Promise<Extracted> {
  return extract({ kind, text, bytes: new TextEncoder().encode(text), url: FILE_URL, mode: 'readable' });
}

export async function markdownOf(read: Promise<Extracted>): Promise<string> {
  return (await read).lines.join('\n');
}
