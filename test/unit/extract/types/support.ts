import type { BodyKind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractedText } from '#extract/extractor.ts';

export const FILE_URL = 'https://files.example/papers/file';

export function readBytes(
  kind: BodyKind,
  bytes: Uint8Array,
  more: { firstPage?: number } = {},
): Promise<ExtractedText> {
  return extract({ kind, text: '', bytes, url: FILE_URL, mode: 'readable', ...more });
}

export function readText(kind: BodyKind, text: string): Promise<ExtractedText> {
  return extract({ kind, text, bytes: new TextEncoder().encode(text), url: FILE_URL, mode: 'readable' });
}

export async function markdownOf(read: Promise<ExtractedText>): Promise<string> {
  return (await read).lines.join('\n');
}
