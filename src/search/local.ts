import type { SearchHit } from '#core/document.ts';
import { matchExpressions } from './match-expression.ts';
import { ignoredNote } from './provider.ts';
import type { ProviderAnswer, SearchProvider } from './provider.ts';
import { tidyHits } from './tidy-hits.ts';

export type PageIndexPort = {
  size: () => Promise<number>;
  /** Pages that match, those that match `all` first; `skip` of them left out at the beginning. */
  find: (match: string, limit: number, skip: number, all: string) => Promise<SearchHit[]>;
};

const IGNORED = ['freshness', 'safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles'] as const;
const HOW_TO_ADD = 'To search the whole web, the person who runs this server can set BRAVE_API_KEY or SEARXNG_URL.';

/**
 * Full-text search over the public pages opened so far: works offline and without a key. Pages with all words of the
 * query come first, then pages with some of them.
 * @param isOnly no web search is configured: the notes then say so
 */
export function localProvider(index: PageIndexPort, isOnly = true): SearchProvider {
  return {
    name: 'local',
    source: 'local',
    cacheable: false,
    async search(query, { signal }): Promise<ProviderAnswer> {
      signal.throwIfAborted();
      const ignored = ignoredNote('The local index', query, IGNORED);
      const skip = (query.offset ?? 0) * query.count;
      const match = matchExpressions(query.query);
      const found = match === null ? [] : await index.find(match.any, query.count + 1, skip, match.all);
      if (found.length === 0)
        return { hits: [], more: false, notes: [await whyNothing(skip, index, isOnly), ...ignored] };
      const { hits, beyond, notes } = tidyHits(found.map(asRawHit), query.count);
      return { hits, more: beyond, notes: [isOnly ? ONLY_NOTE : FALLBACK_NOTE, ...ignored, ...notes] };
    },
  };
}

const FALLBACK_NOTE = 'These are pages opened on this server before.';
const ONLY_NOTE = 'These are pages opened on this server before; it has no web search provider configured.';

function asRawHit(hit: SearchHit) {
  return { title: hit.title, url: hit.url, description: hit.snippet, extraSnippets: [], age: null };
}

async function whyNothing(skip: number, index: PageIndexPort, isOnly: boolean): Promise<string> {
  if (skip > 0) return 'There are no further results in the local index.';
  const size = await index.size();
  const why =
    size === 0
      ? 'The local index is empty: it holds the pages opened so far, and none has been opened yet. Open pages by address with open_url.'
      : `None of the ${size} pages opened so far matches. Open pages by address with open_url.`;
  return isOnly ? `${why} ${HOW_TO_ADD}` : why;
}
