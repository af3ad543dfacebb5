import { oneLine } from '#core/text/text.ts';
import { EVERY_ROW_TERM } from '#storage/search/page-index.ts';
import type { IndexedChunk, PageIndex, QueryWord } from '#storage/search/page-index.ts';
import { DATE_AND_SEARCH_FILTERS } from './engine.ts';
import { findIndexedPages } from './find-pages.ts';
import type { FoundPage } from './find-pages.ts';
import {
  firstHeadingText,
  headingBefore,
  parseQueryWithPhrasings,
  makeSnippet,
  findDefinitions,
  findDefinitionEntries,
} from './passage-text.ts';
import type { ParsedQueryWords, SearchSnippet, Definition } from './passage-text.ts';
import { noteIgnoredFields } from './provider.ts';
import { rankPages } from './stored-passages.ts';
import type { RankedPage } from './stored-passages.ts';
import type { UrlFilter, ProviderAnswer, SearchProvider } from './provider.ts';
import type { SearchSource } from '#core/search-engines.ts';
import { cleanHits } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';

const HOW_TO_ADD =
  'To search the web, the owner of this server adds one setting: SEARCH_PROVIDERS=keenable (npm start only; no key, Keenable receives the queries), BRAVE_API_KEY or SEARXNG_URL.';
const QUERY_CHARS_SHOWN = 200;

function worksNow(query: string): string {
  const call = (source: SearchSource) =>
    `web_search ${JSON.stringify({ query: oneLine(query, QUERY_CHARS_SHOWN), source })}`;
  return `These work now: ${call('wikipedia')}; ${call('stackexchange')} (Stack Overflow); ${call('github')}.`;
}

/**
 * Searches the text of stored pages: the public ones that anyone opened, and the caller's own. It needs no network and
 * no API key. Finds pages with at least half of the distinctive words of the query or of a rewording. Pages that define
 * a name from the query come first; the others are sorted by `rankPages`.
 * @param isOnly true if no web search is configured; then a note explains how to add one
 */
export function localProvider(index: PageIndex, isOnly = true): SearchProvider {
  return {
    name: 'local',
    source: 'local',
    paid: false,
    cacheable: false,
    async search(query, { signal }, listable = ALL): Promise<ProviderAnswer> {
      signal.throwIfAborted();
      const isBehind = await index.catchUp();
      const { also = [] } = query;
      const wanted = parseQueryWithPhrasings(query.query, also);
      const notes = [
        ...noteIgnoredFields('The local index', query, DATE_AND_SEARCH_FILTERS),
        ...wordNotes(wanted, isBehind),
      ];
      const found = wanted.words.length === 0 ? NOTHING : await findIndexedPages(wanted, index, listable);
      signal.throwIfAborted();
      const from = (query.offset ?? 0) * query.count;
      const { pages: ranked } = await rankPages(
        found.pages,
        { question: query.query, also, words: found.words },
        index,
      );
      const named = await findDefinitions(query.query, index, listable.allows);
      const pages = definedFirst(ranked, [
        ...named,
        ...findDefinitionEntries(query.query, ranked.slice(0, ENTRY_PAGES_MAX)),
      ]);
      const shown = pages.slice(from, from + query.count);
      if (shown.length === 0) {
        const why =
          from === 0 && found.left > 0
            ? []
            : [
                await whyNothing(from, wanted, index),
                ...(isOnly && from === 0 ? [HOW_TO_ADD, worksNow(query.query)] : []),
              ];
        return { hits: [], more: false, notes: [...why, ...notes, ...found.notes] };
      }
      const list = cleanHits(await toHits(shown, found.pages, found.words, index), query.count);
      const about = isOnly ? ONLY_NOTE : FALLBACK_NOTE;
      return {
        hits: list.hits,
        more: list.beyond || pages.length > from + query.count,
        notes: [about, ...notes, ...found.notes, ...list.notes],
      };
    },
  };
}

const ENTRY_PAGES_MAX = 10;
const NOTHING = { pages: [], words: [], left: 0, notes: [] };
const ALL: UrlFilter = { allows: () => true, why: '' };
const FALLBACK_NOTE = 'These are pages opened on this server before.';
const ONLY_NOTE = 'These are pages opened on this server before; it has no web search provider configured.';
const BEHIND_NOTE = 'Some stored pages are still being added to the index: the same search may find more later.';
const CUT_NOTE = 'The query has very many words: only the first ones were searched for.';
const STOP_WORDS_NOTE =
  'The query has only words that nearly every page has. Add more specific words, or put a phrase in double quotes.';

function wordNotes(words: ParsedQueryWords, isBehind: boolean): string[] {
  return [...(words.isCut ? [CUT_NOTE] : []), ...(isBehind ? [BEHIND_NOTE] : [])];
}

function definedFirst(ranked: readonly RankedPage[], definitions: readonly Definition[]): RankedPage[] {
  const first = new Map<string, RankedPage>();
  for (const { page, lines, chunk } of definitions) {
    if (first.has(page.documentId)) continue;
    const found = { ...page, chunk: chunk.id, hasAll: true, score: 0 };
    first.set(page.documentId, {
      page: found,
      passage: null,
      text: [chunk],
      score: 0,
      ...(lines === null ? {} : { at: lines.start }),
    });
  }
  return [...first.values(), ...ranked.filter(({ page }) => !first.has(page.documentId))];
}

async function toHits(
  shown: readonly RankedPage[],
  all: readonly FoundPage[],
  words: readonly QueryWord[],
  index: PageIndex,
): Promise<RawHit[]> {
  const shared = sharedTitles(all);
  const wanted = shown.flatMap(({ page, text }) => {
    const isRead = text.some(({ id }) => id === page.id);
    return isRead || (text.length > 0 && !shared.has(titleKey(page))) ? [] : [page.id];
  });
  const firsts = new Map((await index.chunks(wanted)).map((chunk) => [chunk.id, chunk]));
  return shown.map(({ page, passage, text, at: defined }): RawHit => {
    const first = text.find(({ id }) => id === page.id) ?? firsts.get(page.id);
    const at = defined ?? passage?.at ?? first?.firstLine ?? 0;
    const stored =
      text.find((one) => at >= one.firstLine && at < one.firstLine + one.lines.length) ?? first ?? NO_LINES;
    const snippet = makeSnippet(stored, at, words);
    const title = page.title ?? '';
    const tells = shared.has(titleKey(page)) ? distinguishingText(page, stored, snippet, first) : '';
    return {
      url: page.url,
      ...(page.page === null ? {} : { page: page.page }),
      title: tells === '' ? title : `${oneLine(title, TITLE_SHARE_CHARS)} – ${oneLine(tells, TITLE_SHARE_CHARS)}`,
      description: snippet.text,
      extraSnippets: [],
      age: null,
      place: { documentId: page.documentId, line: snippet.line },
    };
  });
}

const NO_LINES: IndexedChunk = { id: 0, firstLine: 0, lines: [] };

const TITLE_SHARE_CHARS = 98;

function sharedTitles(pages: readonly FoundPage[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const key of pages.map(titleKey)) {
    if (seen.has(key)) shared.add(key);
    seen.add(key);
  }
  return shared;
}

function titleKey({ url, title }: FoundPage): string {
  return `${new URL(url).host} ${oneLine(title ?? '', TITLE_SHARE_CHARS).toLowerCase()}`;
}

function distinguishingText(
  page: FoundPage,
  chunk: IndexedChunk,
  snippet: SearchSnippet,
  first: IndexedChunk | undefined,
): string {
  const title = (page.title ?? '').toLowerCase();
  const { pathname } = new URL(page.url);
  const candidates = [
    firstHeadingText(first?.lines ?? []),
    headingBefore(chunk.lines, snippet.line - chunk.firstLine),
    pathname.split('/').findLast((part) => part !== '') ?? '',
  ];
  return candidates.find((text) => text !== '' && !title.includes(text.toLowerCase())) ?? '';
}

async function whyNothing(skipped: number, words: ParsedQueryWords, index: PageIndex): Promise<string> {
  if (skipped > 0) return 'There are no further results in the local index.';
  const [every] = await index.postings([EVERY_ROW_TERM]);
  const isEmpty = every === undefined || every.ids.length === 0;
  if (!isEmpty && words.onlyStopWords) return STOP_WORDS_NOTE;
  return isEmpty
    ? 'The local index is empty: it holds the pages opened so far, and none has been opened yet. Open pages by address with open_url.'
    : 'None of the pages opened so far matches. Open pages by address with open_url.';
}
