import { visibleText } from '#core/text/visible-text.ts';
import { stemSequence } from '#core/words/words.ts';
import { EVERY } from '#storage/search/page-index.ts';
import type { IndexedPage, PageIndex, Postings, IndexTerm, Word } from '#storage/search/page-index.ts';
import type { UrlFilter } from './provider.ts';
import type { QueryWords } from './passage-text.ts';
import { openableUrl } from './tidy-hits.ts';

/** Pageable results, `WEB_SEARCH_RESULTS_MAX` × (`SEARCH_OFFSET_MAX` + 1), and one that shows that there are more. */
const RANKED_PAGES_MAX = 201;
/** A page may be stored in three modes, each as a document. One of them is shown. */
const RANKED_DOCUMENTS_MAX = 3 * RANKED_PAGES_MAX;
/** A word in a larger share of the pages does not distinguish them. Not applied to a store with few pages. */
const COMMON_SHARE = 0.5;
const COMMON_PAGES_MIN = 10;
/** Number of best pages searched for a phrase (about a megabyte of text), and of pages read at a time. */
const PHRASE_PAGES_MAX = 64;
const PHRASE_PAGES_PER_READ = 8;

/** `chunk` is one with all words. `hasAll` means that the page has all distinctive words; a long page, in one chunk. */
export type FoundPage = IndexedPage & { chunk: number | null; hasAll: boolean; score: number };

type FoundPages = {
  /** In display order; each document and each URL once. */
  pages: FoundPage[];
  words: readonly Word[];
  left: number;
  notes: string[];
};

/** Factors for a long page, which contains a word more easily, and for one whose words are far apart. */
const LONG_WEIGHT = 0.8;
const SCATTERED_WEIGHT = 0.5;
const CHUNKS_PER_PHRASE = 2;

/** Finds as many pages as callers can page through. Deterministic for the same index. */
export async function findIndexedPages(query: QueryWords, index: PageIndex, listable: UrlFilter): Promise<FoundPages> {
  const { words, every } = await readMatches(query.words, index);
  const telling = distinctiveWords(words, every);
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
  const url = openableUrl(address);
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
  wanted: readonly Word[],
  index: PageIndex,
): Promise<{ words: WordMatches[]; every: Postings }> {
  const terms = wanted.flatMap((word): IndexTerm[] => [
    { kind: 'page', ...word },
    { kind: 'title', ...word },
    { kind: 'about', ...word },
  ]);
  const [every = NONE, ...lists] = await index.postings([EVERY, ...terms]);
  const words = wanted.map((word, n): WordMatches => {
    const [page = NONE, title = NONE, about = NONE] = lists.slice(3 * n, 3 * n + 3);
    return { ...word, page, title, about, more: [] };
  });
  return { words: await withOlder(words, index), every };
}

const NONE: Postings = { ids: [], isWhole: true };

/** For words with more pages than one list holds, looks up older pages that also have the rarer words, or all words. */
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

/** Looks up chunks with all words; `null` if that would distinguish nothing. */
async function chunksWithAll(
  matched: readonly MatchedPage[],
  telling: readonly WordMatches[],
  index: PageIndex,
): Promise<Postings | null> {
  const isLong = matched.some(({ rank, page }) => rank.hasAll && page.lastId > page.id);
  if (!isLong || telling.length < 2) return null;
  return index.all(telling.map(({ stem, foreign }): IndexTerm => ({ kind: 'chunk', stem, foreign })));
}

/** Lets a long page count as having all words only if one of its chunks does. */
function asFound(matched: readonly MatchedPage[], together: Postings | null): FoundPage[] {
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

function firstWithin({ ids }: Postings, { id, lastId }: IndexedPage): number | null {
  const inside = ids.filter((chunk) => chunk >= id && chunk <= lastId);
  return inside.at(-1) ?? null;
}

/** True if the list reaches far enough back to prove that a page is not in it. */
function isCovered({ ids, isWhole }: Postings, { id }: IndexedPage): boolean {
  return isWhole || id >= (ids.at(-1) ?? 0);
}

function eachOnce(pages: readonly FoundPage[]): FoundPage[] {
  const byUrl = new Map<string, FoundPage>();
  for (const page of pages) {
    const url = openableUrl(page.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, { ...page, url });
  }
  return [...byUrl.values()];
}

/** Keeps pages with each phrase in one chunk or in the title. Reads a few pages at a time. */
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

function phraseChunks(page: FoundPage, postings: readonly Postings[]): number[] {
  if (page.lastId === page.id) return [page.id];
  return postings.flatMap(({ ids }) =>
    ids.filter((id) => id >= page.id && id <= page.lastId).slice(-CHUNKS_PER_PHRASE),
  );
}

function holds(text: readonly string[], phrase: readonly string[]): boolean {
  return text.some((_, at) => phrase.every((stem, n) => text[at + n] === stem));
}

export type WordMatches = Word & {
  page: Postings;
  title: Postings;
  about: Postings;
  /** Pages older than those of `page` that also have other words of the query. */
  more: readonly number[];
};

type WordRank = { id: number; score: number; hasAll: boolean };

/** Minimum distinctive words of a rewording that a page must have (one proves too little), and their weight. */
const PHRASING_WORDS_MIN = 2;
const PHRASING_WEIGHT = 0.5;
/** Weights of a word in the title, and of a word in a heading or one that repeats. A word in the text has weight 1. */
const TITLE_WEIGHT = 3;
const ABOUT_WEIGHT = 1.5;

/**
 * Leaves out words that most pages of the index have, unless there are no others. Pure.
 * @param every the newest pages of the index
 */
export function distinctiveWords(words: readonly WordMatches[], every: Postings): readonly WordMatches[] {
  const telling = words.filter((word) => !isCommon(word.page, every));
  return telling.length === 0 ? words : telling;
}

/**
 * Ranks pages with all distinctive words of the query first, then those with at least half of them or of those of a
 * rewording. Within each group, a rarer word counts more, and so does a word in the title or one that the page is
 * about. Ties go to the page stored last. The number of repetitions has no effect. Pure.
 */
export function rankByWords(
  words: readonly WordMatches[],
  telling: readonly WordMatches[],
  every: Postings,
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

function isCommon(word: Postings, every: Postings): boolean {
  const from = Math.max(oldest(word), oldest(every));
  const pages = every.ids.filter((id) => id >= from).length;
  const having = word.ids.filter((id) => id >= from).length;
  return pages >= COMMON_PAGES_MIN && having > pages * COMMON_SHARE;
}

function oldest({ ids, isWhole }: Postings): number {
  return isWhole ? 0 : (ids.at(-1) ?? 0);
}

/** Extrapolates from the newest rows if not all rows were read. */
function estimatedCount(list: Postings): number {
  const newest = list.ids[0] ?? 0;
  if (list.isWhole) return list.ids.length;
  return Math.round((list.ids.length * newest) / Math.max(1, newest - oldest(list)));
}
