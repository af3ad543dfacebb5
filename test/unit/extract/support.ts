import type { BodyKind } from '#core/document/kinds.ts';
import { extract } from '#extract/extract.ts';
import type { ExtractedText, ExtractMode } from '#extract/extractor.ts';

export const PAGE_URL = 'https://docs.example/guide/page?x=1';

export function read(kind: BodyKind, text: string, mode: ExtractMode = 'raw', url = PAGE_URL): Promise<ExtractedText> {
  return extract({ kind, text, bytes: new TextEncoder().encode(text), url, mode });
}

/** The Markdown of an HTML fragment, whole page mode. */
export async function markdownOf(html: string): Promise<string> {
  return (await read('html', html)).lines.join('\n');
}
