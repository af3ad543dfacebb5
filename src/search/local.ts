import type { SearchHit } from '#core/document.ts';
import { SNIPPET_CHARS_MAX, TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { matchExpressions } from './match-expression.ts';
import type { ProviderAnswer, SearchProvider } from './provider.ts';

export type PageIndexPort = {
  size: () => Promise<number>;
  find: (match: string, limit: number) => Promise<SearchHit[]>;
};

const HOW_TO_ADD = 'To search the whole web, the person who runs this server can set BRAVE_API_KEY or SEARXNG_URL.';

/**
 * Full-text search over the public pages opened so far: works offline and without a key. Pages with all words of the
 * query come first, then pages with some of them.
 */
export function localProvider(index: PageIndexPort): SearchProvider {
  return {
    name: 'local',
    async search({ query, count }): Promise<ProviderAnswer> {
      const match = matchExpressions(query);
      const hits = match === null ? [] : await find(match, count, index);
      if (hits.length > 0) return { hits: hits.map(tidy), notes: [LOCAL_NOTE] };
      const size = await index.size();
      const why =
        size === 0
          ? 'The local index is empty: it holds the pages opened so far, and none has been opened yet. Open pages by address with open_url.'
          : `None of the ${size} pages opened so far matches. Open pages by address with open_url.`;
      return { hits: [], notes: [`${why} ${HOW_TO_ADD}`] };
    },
  };
}

const LOCAL_NOTE = 'These are pages opened on this server before; it has no web search provider configured.';

async function find(match: { all: string; any: string }, count: number, index: PageIndexPort): Promise<SearchHit[]> {
  const full = await index.find(match.all, count);
  if (full.length >= count || match.all === match.any) return full;
  const known = new Set(full.map((hit) => hit.url));
  const partial = await index.find(match.any, count + full.length);
  return [...full, ...partial.filter((hit) => !known.has(hit.url))].slice(0, count);
}

function tidy(hit: SearchHit): SearchHit {
  return {
    title: oneLine(hit.title, TITLE_CHARS_MAX),
    url: hit.url,
    snippet: oneLine(hit.snippet, SNIPPET_CHARS_MAX),
  };
}
