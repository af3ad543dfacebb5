import { oneLine } from '#core/text/text.ts';
import { queryTerms, stemOf } from '#core/text/words.ts';
import type { PageIndex, Passage, Term } from '#storage/search/page-index.ts';
import { findPages } from './find-pages.ts';
import type { FoundPage } from './find-pages.ts';
import { firstHeading, headingBefore, countPieces, queryWords, snippetOf } from './passage-text.ts';
import type { QueryWords, Snippet } from './passage-text.ts';
import { ignoredNote } from './provider.ts';
import type { UrlFilter, ProviderAnswer, SearchProvider } from './provider.ts';
import { tidyHits } from './tidy-hits.ts';
import type { RawHit } from './tidy-hits.ts';

/** Passages of a long page that are read to find words that a query writes in one piece. */
const PIECE_PASSAGES_MAX = 4;
/** Words by which a passage of a long page is chosen. */
const PASSAGE_WORDS_MAX = 4;

const IGNORED = ['freshness', 'safesearch', 'country', 'search_lang', 'ui_lang', 'extra_snippets', 'goggles'] as const;
const HOW_TO_ADD =
  'To search the whole web, the person who runs this server can set BRAVE_API_KEY, EXA_API_KEY, TAVILY_API_KEY or SEARXNG_URL.';

/**
 * Full-text search over the public pages opened so far and the caller's own; needs no network and no key. Pages with
 * all words of the query come first, then those with at least half of them.
 * @param isOnly no web search is configured; the notes then say so
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
      const words = queryWords(query.query);
      const notes = [...ignoredNote('The local index', query, IGNORED), ...wordNotes(words, isBehind)];
      const found = words.stems.length === 0 ? NOTHING : await findPages(words, index, listable);
      signal.throwIfAborted();
      const from = (query.offset ?? 0) * query.count;
      const shown = found.pages.slice(from, from + query.count);
      if (shown.length === 0) {
        const why = from === 0 && found.left > 0 ? [] : [await whyNothing(from, words, index, isOnly)];
        return { hits: [], more: false, notes: [...why, ...notes, ...found.notes] };
      }
      const list = tidyHits(
        await toHits(shown, found.pages, { stems: found.stems, pieces: words.pieces }, index),
        query.count,
      );
      const about = isOnly ? ONLY_NOTE : FALLBACK_NOTE;
      return {
        hits: list.hits,
        more: list.beyond || found.pages.length > from + query.count,
        notes: [about, ...notes, ...found.notes, ...list.notes],
      };
    },
  };
}

const NOTHING = { pages: [], stems: [], left: 0, notes: [] };
const ALL: UrlFilter = { allows: () => true, why: '' };
const FALLBACK_NOTE = 'These are pages opened on this server before.';
const ONLY_NOTE = 'These are pages opened on this server before; it has no web search provider configured.';
const BEHIND_NOTE =
  'Pages stored by an earlier version are still being added to the index: the same search may find more later.';
const CUT_NOTE = 'The query has very many words: only the first ones were searched for.';
const STOP_WORDS_NOTE =
  'The query has only words that nearly every page has. Add words that say what you are looking for, or put a phrase in double quotes.';

function wordNotes(words: QueryWords, isBehind: boolean): string[] {
  return [...(words.isCut ? [CUT_NOTE] : []), ...(isBehind ? [BEHIND_NOTE] : [])];
}

async function toHits(
  shown: readonly FoundPage[],
  all: readonly FoundPage[],
  { stems, pieces }: { stems: readonly string[]; pieces: readonly string[] },
  index: PageIndex,
): Promise<RawHit[]> {
  const withWords = await choosePassages(shown, stems, index);
  const chosen = new Map([...withWords, ...(await passagesWithPiece(shown, pieces, index))]);
  const shared = sharedTitles(all);
  const firsts = shown.filter((page) => shared.has(titleKey(page))).map(({ id }) => id);
  const read = await index.passages([...new Set([...chosen.values(), ...firsts])]);
  const texts = new Map(read.map((passage) => [passage.id, passage]));
  return shown.map((page): RawHit => {
    const passage = texts.get(chosen.get(page.id) ?? page.id) ?? { id: page.id, firstLine: 0, lines: [] };
    const snippet = snippetOf(passage.lines, passage.firstLine, stems, pieces);
    const title = page.title ?? '';
    const tells = shared.has(titleKey(page)) ? distinguishingText(page, passage, snippet, texts.get(page.id)) : '';
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

const TITLE_SHARE_CHARS = 98;

/** The passage with all words, else the one with most of the distinctive ones. */
async function choosePassages(
  shown: readonly FoundPage[],
  stems: readonly string[],
  index: PageIndex,
): Promise<Map<number, number>> {
  const open = shown.filter(({ passage }) => passage === null);
  const terms = stems.slice(0, PASSAGE_WORDS_MAX).map((stem): Term => ({ kind: 'passage', stem }));
  const found = await index.passagesWith(open, terms);
  const chosen = new Map(shown.map(({ id, passage }) => [id, passage ?? id]));
  for (const [n, { id }] of open.entries()) {
    const counts = new Map<number, number>();
    for (const [word, ids] of found.slice(n * terms.length, (n + 1) * terms.length).entries()) {
      for (const passage of ids) counts.set(passage, (counts.get(passage) ?? 0) + 1 + 1 / (word + 2));
    }
    const [best] = [...counts].sort(([a, m], [b, k]) => k - m || a - b);
    if (best !== undefined) chosen.set(id, best[0]);
  }
  return chosen;
}

/** Of long pages, the first passage that has a phrase of the query literally, among a few that have its words. */
async function passagesWithPiece(
  shown: readonly FoundPage[],
  [piece]: readonly string[],
  index: PageIndex,
): Promise<Map<number, number>> {
  const long = shown.filter(({ id, lastId }) => lastId > id);
  if (piece === undefined || long.length === 0) return new Map();
  const stems = [...new Set(queryTerms(piece).map(stemOf))].slice(0, PASSAGE_WORDS_MAX);
  const terms = stems.map((stem): Term => ({ kind: 'passage', stem }));
  const having = await index.passagesWith(long, terms);
  const candidates = long.map((_, n) => {
    const [first = [], ...others] = having.slice(n * terms.length, (n + 1) * terms.length);
    const all = first.filter((id) => others.every((ids) => ids.includes(id)));
    return all.toSorted((a, b) => a - b).slice(0, PIECE_PASSAGES_MAX);
  });
  const read = new Map((await index.passages(candidates.flat())).map(({ id, lines }) => [id, lines]));
  const [word = ''] = /[\p{L}\p{N}]+/u.exec(piece) ?? [];
  const has = (line: string) => line.toLowerCase().includes(word) && countPieces(line, [piece]) > 0;
  return new Map(
    long.flatMap(({ id }, n) => {
      const found = candidates[n]?.find((one) => read.get(one)?.some(has));
      return found === undefined ? [] : [[id, found] as const];
    }),
  );
}

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

function distinguishingText(page: FoundPage, passage: Passage, snippet: Snippet, first: Passage | undefined): string {
  const title = (page.title ?? '').toLowerCase();
  const { pathname } = new URL(page.url);
  const candidates = [
    firstHeading(first?.lines ?? []),
    headingBefore(passage.lines, snippet.line - passage.firstLine),
    pathname.split('/').findLast((part) => part !== '') ?? '',
  ];
  return candidates.find((text) => text !== '' && !title.includes(text.toLowerCase())) ?? '';
}

async function whyNothing(skipped: number, words: QueryWords, index: PageIndex, isOnly: boolean): Promise<string> {
  if (skipped > 0) return 'There are no further results in the local index.';
  const [every] = await index.postings([{ kind: 'every', stem: '' }]);
  const isEmpty = every === undefined || every.ids.length === 0;
  if (!isEmpty && words.onlyStopWords) return STOP_WORDS_NOTE;
  const why = isEmpty
    ? 'The local index is empty: it holds the pages opened so far, and none has been opened yet. Open pages by address with open_url.'
    : 'None of the pages opened so far matches. Open pages by address with open_url.';
  return isOnly ? `${why} ${HOW_TO_ADD}` : why;
}
