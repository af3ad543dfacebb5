import type { ListedHit } from '#reading/result-text.ts';
import { findStoredHitPassages } from '#reading/passages/find-passages.ts';
import { toSearchHit } from '#search/search.ts';
import type { SearchResult } from '#search/provider.ts';
import type { ToolServices } from './define-tool.ts';

/**
 * Search results as shown in a list. A result whose page is stored also has the lines that match the query.
 * @returns `notes`: names of stored pages that are too long to be searched here
 */
export async function addStoredPassages(
  query: string,
  also: readonly string[],
  hits: readonly SearchResult[],
  signal: AbortSignal,
  services: ToolServices,
): Promise<{ hits: ListedHit[]; notes: string[] }> {
  const urls = hits.flatMap(({ url, place }) => (place === undefined ? [url] : []));
  const { passages, unread } = await findStoredHitPassages({ query, also }, urls, signal, services);
  const listed = hits.map((hit): ListedHit => {
    const shown = toSearchHit(hit);
    const found = passages.get(hit.url);
    if (found === undefined) return shown;
    const { documentId, lines, text } = found;
    return { ...shown, place: { documentId, line: lines.start }, held: { lines, text } };
  });
  return { hits: listed, notes: unreadNotes(hits.flatMap(({ url }, n) => (unread.includes(url) ? [n + 1] : []))) };
}

function unreadNotes(ranks: readonly number[]): string[] {
  if (ranks.length === 0) return [];
  const [whose, pages] = ranks.length === 1 ? ['result', 'page is'] : ['results', 'pages are'];
  return [
    `The stored ${pages} too long to be searched here (${whose} ${ranks.join(', ')}). Call find_passages with the query as question and the address in urls.`,
  ];
}
