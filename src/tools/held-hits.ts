import type { ListedHit } from '#reading/result-text.ts';
import { heldPassages } from '#reading/passages/held-passages.ts';
import { asListHit } from '#search/search.ts';
import type { SearchResult } from '#search/provider.ts';
import type { Services } from './define-tool.ts';

/** Results as a list shows them; those whose page is stored have the lines that fit the query, and open there. */
export async function withHeldPassages(
  query: string,
  hits: readonly SearchResult[],
  signal: AbortSignal,
  services: Services,
): Promise<ListedHit[]> {
  const urls = hits.flatMap(({ url, place }) => (place === undefined ? [url] : []));
  const held = await heldPassages(query, urls, signal, services);
  return hits.map((hit): ListedHit => {
    const listed = asListHit(hit);
    const found = held.get(hit.url);
    if (found === undefined) return listed;
    const { documentId, lines, text } = found;
    return { ...listed, place: { documentId, line: lines.start }, held: { lines, text } };
  });
}
