import { visibleText } from '#core/text/visible-text.ts';
import { stemSequence } from '#core/words/words.ts';
import { EVERY_ROW_TERM } from '#storage/search/page-index.ts';
import type { IndexedPage, PageIndex, WordPostings, IndexTerm, QueryWord } from '#storage/search/page-index.ts';
import type { UrlFilter } from './provider.ts';
import type { ParsedQueryWords } from './passage-text.ts';
import { toOpenableUrl } from './tidy-hits.ts';

/**
 * Maximum pages found: all results that callers can page through, `WEB_SEARCH_RESULTS_MAX` × (`SEARCH_OFFSET_MAX` + 1),
 * and one more, which shows that there are more results.
 */
const RANKED_PAGES_MAX = 201;
/** Maximum documents read. A page may be stored in three modes, each as a separate document, but it is shown once. */
const RANKED_DOCUMENTS_MAX = 3 * RANKED_PAGES_MAX;
/**
 * Share of pages above which a word is too common to distinguish pages. Not applied if fewer than `COMMON_PAGES_MIN`
 * pages are compared.
 */
const COMMON_SHARE = 0.5;
const COMMON_PAGES_MIN = 10;
/** Number of best pages that are searched for a phrase: about 1 MB of text. */
const PHRASE_PAGES_MAX = 64;
/** Number of these pages that are read from the database at a time. */
const PHRASE_PAGES_PER_READ = 8;

/**
 * A page that matches a query. `hasAll` is true if the page has all distinctive words; a long page does not count if
 * the index shows that no chunk has all of them. `chunk` is the ID of a chunk with all words, or `null` if none is
 * known.
 */
export type FoundPage = IndexedPage & { chunk: number | null; hasAll: boolean; score: number };

type FoundPages = {
  /** The pages in display order. Each document and each URL is listed once. */
  pages: FoundPage[];
  words: readonly QueryWord[];
  left: number;
  notes: string[];
};

/**
 * Score factors for long pages. `LONG_WEIGHT` compensates for a long page's greater chance of containing a word.
 * `SCATTERED_WEIGHT` applies if no chunk of the page has all words.
 */
const LONG_WEIGHT = 0.8;
const SCATTERED_WEIGHT = 0.5;
const CHUNKS_PER_PHRASE = 2;

/**
 * Finds stored pages for a query, at most as many as callers can page through. The result depends only on the query and
 * the index.
 */
export async function findIndexedPages(
  query: ParsedQueryWords,
  index: PageIndex,
  listable: UrlFilter,
): Promise<FoundPages> {
  const { words, every } = await readMatches(query.words, index);
  const telling = selectDistinctiveWords(words, every);
  const ranked = rankByWords(words, telling, every, query.groups);
  const known = await index.pages(ranked.slice(0, RANKED_DOCUMENTS_MAX).map(({ id }) => id));
  const listed = new Map(known.filter(({ url }) => isListed(url, listable)).map((page) => [page.id, page]));
  const matched = ranked.flatMap((rank) => {
    const page = listed.get(rank.id);
    return page === undefined ? [] : [{ rank, page }];
  });
  const together = await chunksWithAll(matched, telling, index);
  const pages = eachOnce(asFound(matched, together)).slice(0, RANKED_PAGES_MAX);
  const distinctive = telling.toSorted((a, b) => a.page.ids.length - b.page.ids.length);
  const left = known.length - listed.size;
  const notes = [
    ...(words.length > 0 && words.every(({ page }) => !page.isWhole) ? [MANY_NOTE] : []),
    ...(left > 0 ? [leftNote(left, listable)] : []),
    ...(left > 0 && ranked.length > RANKED_DOCUMENTS_MAX ? [BEST_NOTE] : []),
  ];
  if (query.phrases.length === 0) return { pages, words: distinctive, left, notes };
  const holding = await withPhrases(pages.slice(0, PHRASE_PAGES_MAX), query.phrases, index);
  return {
    pages: holding,
    words: distinctive,
    left,
    notes: pages.length > PHRASE_PAGES_MAX ? [...notes, PHRASE_NOTE] : notes,
  };
}

function isListed(address: string, listable: UrlFilter): boolean {
  const url = toOpenableUrl(address);
  return url !== null && listable.allows(url);
}

function leftNote(left: number, { why }: UrlFilter): string {
  return `${left} matching ${left === 1 ? 'page was' : 'pages were'} left out: ${why}.`;
}

const MANY_NOTE =
  'Very many pages have these words: for some words, only the pages stored last were searched. Add rarer words.';
const BEST_NOTE = `Only the best ${RANKED_DOCUMENTS_MAX} pages with these words were ranked. Add rarer words.`;
const PHRASE_NOTE = `The best ${PHRASE_PAGES_MAX} pages with these words were searched for the phrase.`;

async function readMatches(
  wanted: readonly QueryWord[],
  index: PageIndex,
): Promise<{ words: WordMatches[]; every: WordPostings }> {
  const terms = wanted.flatMap((word): IndexTerm[] => [
    { kind: 'page', ...word },
    { kind: 'title', ...word },
    { kind: 'about', ...word },
  ]);
  const [every = NONE, ...lists] = await index.postings([EVERY_ROW_TERM, ...terms]);
  const words = wanted.map((word, n): WordMatches => {
    const [page = NONE, title = NONE, about = NONE] = lists.slice(3 * n, 3 * n + 3);
    return { ...word, page, title, about, more: [] };
  });
  return { words: await withOlder(words, index), every };
}

const NONE: WordPostings = { ids: [], isWhole: true };

/**
 * Looks up older pages for words that are so common that one list does not contain all their pages. The older pages
 * must also have a rarer word of the query or, if all words are that common, all words.
 */
async function withOlder(words: readonly WordMatches[], index: PageIndex): Promise<WordMatches[]> {
  const many = words.filter(({ page }) => !page.isWhole);
  const few = words.filter(({ page }) => page.isWhole && page.ids.length > 0);
  if (many.length === 0 || (few.length === 0 && many.length === 1)) return [...words];
  const asTerm = ({ stem, foreign }: WordMatches): IndexTerm => ({ kind: 'page', stem, foreign });
  const all = few.length === 0 ? (await index.all(many.map(asTerm))).ids : [];
  return Promise.all(
    words.map(async (word) => {
      if (word.page.isWhole) return word;
      if (few.length === 0) return { ...word, more: all };
      return { ...word, more: await index.together(asTerm(word), few.map(asTerm), word.page.ids.at(-1) ?? 0) };
    }),
  );
}

type MatchedPage = { rank: WordRank; page: IndexedPage };

/**
 * Looks up the chunks that contain all distinctive words. Returns `null` if the result would not change the ranking.
 */
async function chunksWithAll(
  matched: readonly MatchedPage[],
  telling: readonly WordMatches[],
  index: PageIndex,
): Promise<WordPostings | null> {
  const isLong = matched.some(({ rank, page }) => rank.hasAll && page.lastId > page.id);
  if (!isLong || telling.length < 2) return null;
  return index.all(telling.map(({ stem, foreign }): IndexTerm => ({ kind: 'chunk', stem, foreign })));
}

/**
 * Converts ranked pages to found pages. A long page does not count as having all words if the index shows that none of
 * its chunks has all of them.
 */
function asFound(matched: readonly MatchedPage[], together: WordPostings | null): FoundPage[] {
  const judged = matched.map(({ rank, page }) => {
    if (page.lastId === page.id)
      return { rank, page: { ...page, chunk: page.id, hasAll: rank.hasAll, score: rank.score } };
    const chunk = together === null ? null : firstWithin(together, page);
    const isScattered = rank.hasAll && together !== null && chunk === null && isCovered(together, page);
    const score = rank.score * (isScattered ? SCATTERED_WEIGHT : LONG_WEIGHT);
    const hasAll = rank.hasAll && !isScattered;
    return { rank: { ...rank, hasAll, score }, page: { ...page, chunk, hasAll, score } };
  });
  return judged.sort((a, b) => byRank(a.rank, b.rank)).map(({ page }) => page);
}

function firstWithin({ ids }: WordPostings, { id, lastId }: IndexedPage): number | null {
  const inside = ids.filter((chunk) => chunk >= id && chunk <= lastId);
  return inside.at(-1) ?? null;
}

/** Returns true if the list of matches reaches far enough back to prove that the page is not in it. */
function isCovered({ ids, isWhole }: WordPostings, { id }: IndexedPage): boolean {
  return isWhole || id >= (ids.at(-1) ?? 0);
}

function eachOnce(pages: readonly FoundPage[]): FoundPage[] {
  const byUrl = new Map<string, FoundPage>();
  for (const page of pages) {
    const url = toOpenableUrl(page.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, { ...page, url });
  }
  return [...byUrl.values()];
}

/** Returns the pages that contain each phrase in one chunk or in the title. Only a few pages are read at a time. */
async function withPhrases(
  pages: readonly FoundPage[],
  phrases: readonly string[][],
  index: PageIndex,
): Promise<FoundPage[]> {
  const postings = await Promise.all(
    phrases.map((phrase) => index.all(phrase.map((stem): IndexTerm => ({ kind: 'chunk', stem, foreign: [] })))),
  );
  const holding: FoundPage[] = [];
  for (let at = 0; at < pages.length; at += PHRASE_PAGES_PER_READ) {
    const some = pages.slice(at, at + PHRASE_PAGES_PER_READ);
    const candidates = some.map((page) => ({ page, ids: phraseChunks(page, postings) }));
    const read = await index.chunks(candidates.flatMap(({ ids }) => ids));
    const sequences = new Map(read.map(({ id, lines }) => [id, stemSequence(lines.map(visibleText).join('\n'))]));
    for (const { page, ids } of candidates) {
      const texts = [stemSequence(page.title ?? ''), ...ids.map((id) => sequences.get(id) ?? [])];
      if (phrases.every((phrase) => texts.some((text) => holds(text, phrase)))) holding.push(page);
    }
  }
  return holding;
}

function phraseChunks(page: FoundPage, postings: readonly WordPostings[]): number[] {
  if (page.lastId === page.id) return [page.id];
  return postings.flatMap(({ ids }) =>
    ids.filter((id) => id >= page.id && id <= page.lastId).slice(-CHUNKS_PER_PHRASE),
  );
}

function holds(text: readonly string[], phrase: readonly string[]): boolean {
  return text.some((_, at) => phrase.every((stem, n) => text[at + n] === stem));
}

export type WordMatches = QueryWord & {
  page: WordPostings;
  title: WordPostings;
  about: WordPostings;
  /**
   * IDs of further pages with this word. They are older than the pages in the list `page`, and also have other words of
   * the query.
   */
  more: readonly number[];
};

type WordRank = { id: number; score: number; hasAll: boolean };

/**
 * Minimum number of distinctive words of a rewording that a page must have. A single word would be too little evidence.
 */
const PHRASING_WORDS_MIN = 2;
/** Weight of the words of a rewording. */
const PHRASING_WEIGHT = 0.5;
/** Weight added for a word in the title. A word in the text has weight 1. */
const TITLE_WEIGHT = 3;
/** Weight added for a word in a heading, or a word that the page repeats. */
const ABOUT_WEIGHT = 1.5;

/**
 * Removes words that most pages of the index have, unless all words are so common. Pure.
 * @param every the newest pages of the index
 */
export function selectDistinctiveWords(words: readonly WordMatches[], every: WordPostings): readonly WordMatches[] {
  const telling = words.filter((word) => !isCommon(word.page, every));
  return telling.length === 0 ? words : telling;
}

/**
 * Ranks pages. Pages with all distinctive words of the query come first. Then come pages with at least half of the
 * distinctive words of the query or of a rewording. Within each group, the score decides: rarer words count more, as do
 * words in the title and words that the page is about. Repetitions have no effect. For equal scores, the page stored
 * last comes first. Pure.
 */
export function rankByWords(
  words: readonly WordMatches[],
  telling: readonly WordMatches[],
  every: WordPostings,
  groups: readonly (readonly string[])[] = [words.map(({ stem }) => stem)],
): WordRank[] {
  const total = estimatedCount(every);
  const wanted = groups.map((stems) => telling.filter(({ stem }) => stems.includes(stem)).map(({ stem }) => stem));
  const found = new Map<number, { score: number; matched: number[] }>();
  for (const word of words) {
    const isOwn = wanted.length === 1 || (groups[0]?.includes(word.stem) ?? false);
    const weight = (isOwn ? 1 : PHRASING_WEIGHT) * Math.log(1 + total / Math.max(1, estimatedCount(word.page)));
    const isTelling = telling.includes(word);
    const having = wanted.flatMap((stems, n) => (isTelling && stems.includes(word.stem) ? [n] : []));
    const title = new Set(word.title.ids);
    const about = new Set(word.about.ids);
    for (const id of new Set([...word.page.ids, ...title, ...about, ...word.more])) {
      const { score, matched } = found.get(id) ?? { score: 0, matched: wanted.map(() => 0) };
      for (const n of having) matched[n] = (matched[n] ?? 0) + 1;
      const worth = 1 + (title.has(id) ? TITLE_WEIGHT : 0) + (about.has(id) ? ABOUT_WEIGHT : 0);
      found.set(id, { score: score + weight * worth, matched });
    }
  }
  const [own = 0, ...others] = wanted.map((stems) => stems.length);
  const fits = ([matched = 0, ...byOther]: readonly number[]) =>
    matched >= Math.max(Math.ceil(own / 2), others.length > 0 ? 1 : 0) ||
    others.some((size, n) => (byOther[n] ?? 0) >= Math.max(Math.ceil(size / 2), PHRASING_WORDS_MIN));
  return [...found]
    .filter(([, { matched }]) => fits(matched))
    .map(([id, { score, matched }]) => ({ id, score, hasAll: own > 0 && matched[0] === own }))
    .sort(byRank);
}

function byRank(a: WordRank, b: WordRank): number {
  return Number(b.hasAll) - Number(a.hasAll) || b.score - a.score || b.id - a.id;
}

function isCommon(word: WordPostings, every: WordPostings): boolean {
  const from = Math.max(oldest(word), oldest(every));
  const pages = every.ids.filter((id) => id >= from).length;
  const having = word.ids.filter((id) => id >= from).length;
  return pages >= COMMON_PAGES_MIN && having > pages * COMMON_SHARE;
}

function oldest({ ids, isWhole }: WordPostings): number {
  return isWhole ? 0 : (ids.at(-1) ?? 0);
}

/**
 * Returns the number of pages in a list. If not all rows were read, the number is extrapolated from the newest rows.
 */
function estimatedCount(list: WordPostings): number {
  const newest = list.ids[0] ?? 0;
  if (list.isWhole) return list.ids.length;
  return Math.round((list.ids.length * newest) / Math.max(1, newest - oldest(list)));
}
