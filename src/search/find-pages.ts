import {
  COMMON_PAGES_MIN,
  COMMON_SHARE,
  PHRASE_PAGES_MAX,
  PHRASE_PAGES_PER_READ,
  RANKED_DOCUMENTS_MAX,
  RANKED_PAGES_MAX,
} from './limits.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { stemSequence } from '#core/text/words.ts';
import type { IndexedPage, PageIndex, Postings, Term } from '#storage/search/page-index.ts';
import type { Listable } from './provider.ts';
import type { QueryWords } from './passage-text.ts';
import { shownUrl } from './tidy-hits.ts';

/** A page that fits; `passage` is one that has all words, where one is known. */
export type FoundPage = IndexedPage & { passage: number | null };

export type FoundPages = {
  /** In the order in which they are shown, each document and each address once. */
  pages: FoundPage[];
  /** Stems with their weights, the most telling first. */
  stems: string[];
  /** Pages that fit and may not be listed. */
  left: number;
  /** What was left out or not looked at, in our own words. */
  notes: string[];
};

/** A long page has a word more easily than a short one; one whose words stand far apart says still less. */
const LONG_WEIGHT = 0.8;
const APART_WEIGHT = 0.5;
const PASSAGES_PER_PHRASE = 2;

/** All pages that fit a query, as far as anybody can page. The same index gives the same list. */
export async function findPages(query: QueryWords, index: PageIndex, listable: Listable): Promise<FoundPages> {
  const { words, every } = await lookUp(query.stems, index);
  const telling = tellingWords(words, every);
  const ranked = rankPages(words, telling, every);
  const known = await index.pages(ranked.slice(0, RANKED_DOCUMENTS_MAX).map(({ id }) => id));
  const listed = new Map(known.filter(({ url }) => isListed(url, listable)).map((page) => [page.id, page]));
  const placed = ranked.flatMap((rank) => {
    const page = listed.get(rank.id);
    return page === undefined ? [] : [{ rank, page }];
  });
  const together = await passagesWithAll(placed, telling, index);
  const pages = eachOnce(asFound(placed, together)).slice(0, RANKED_PAGES_MAX);
  const stems = telling.toSorted((a, b) => a.page.ids.length - b.page.ids.length).map(({ stem }) => stem);
  const left = known.length - listed.size;
  const notes = [
    ...(words.length > 0 && words.every(({ page }) => !page.isWhole) ? [MANY_NOTE] : []),
    ...(left > 0 ? [leftNote(left, listable)] : []),
    ...(left > 0 && ranked.length > RANKED_DOCUMENTS_MAX ? [BEST_NOTE] : []),
  ];
  if (query.phrases.length === 0) return { pages, stems, left, notes };
  const holding = await withPhrases(pages.slice(0, PHRASE_PAGES_MAX), query.phrases, index);
  return { pages: holding, stems, left, notes: pages.length > PHRASE_PAGES_MAX ? [...notes, PHRASE_NOTE] : notes };
}

function isListed(address: string, listable: Listable): boolean {
  const url = shownUrl(address);
  return url !== null && listable.allows(url);
}

function leftNote(left: number, { why }: Listable): string {
  return `${left} matching ${left === 1 ? 'page was' : 'pages were'} left out: ${why}.`;
}

const MANY_NOTE =
  'Very many pages have these words: for some words, only the pages stored last were searched. Add rarer words.';
const BEST_NOTE = `Only the best ${RANKED_DOCUMENTS_MAX} pages with these words were ranked. Add rarer words.`;
const PHRASE_NOTE = `The best ${PHRASE_PAGES_MAX} pages with these words were searched for the phrase.`;

async function lookUp(stems: readonly string[], index: PageIndex): Promise<{ words: WordPages[]; every: Postings }> {
  const terms = stems.flatMap((stem): Term[] => [
    { kind: 'page', stem },
    { kind: 'title', stem },
    { kind: 'about', stem },
  ]);
  const [every = NONE, ...lists] = await index.postings([{ kind: 'every', stem: '' }, ...terms]);
  const words = stems.map((stem, n): WordPages => {
    const [page = NONE, title = NONE, about = NONE] = lists.slice(3 * n, 3 * n + 3);
    return { stem, page, title, about, more: [] };
  });
  return { words: await withOlder(words, index), every };
}

const NONE: Postings = { ids: [], isWhole: true };

/**
 * For words with more pages than were listed: which further pages have them together with the rarer words, or have all
 * of them.
 */
async function withOlder(words: readonly WordPages[], index: PageIndex): Promise<WordPages[]> {
  const many = words.filter(({ page }) => !page.isWhole);
  const few = words.filter(({ page }) => page.isWhole && page.ids.length > 0);
  if (many.length === 0 || (few.length === 0 && many.length === 1)) return [...words];
  const asTerm = ({ stem }: WordPages): Term => ({ kind: 'page', stem });
  const all = few.length === 0 ? (await index.all(many.map(asTerm))).ids : [];
  return Promise.all(
    words.map(async (word) => {
      if (word.page.isWhole) return word;
      if (few.length === 0) return { ...word, more: all };
      return { ...word, more: await index.together(asTerm(word), few.map(asTerm), word.page.ids.at(-1) ?? 0) };
    }),
  );
}

type Placed = { rank: RankedPage; page: IndexedPage };

/** Passages of long pages that have all words; `null` when nothing is to be told apart by that. */
async function passagesWithAll(
  placed: readonly Placed[],
  telling: readonly WordPages[],
  index: PageIndex,
): Promise<Postings | null> {
  const isLong = placed.some(({ rank, page }) => rank.hasAll && page.lastId > page.id);
  if (!isLong || telling.length < 2) return null;
  return index.all(telling.map(({ stem }): Term => ({ kind: 'passage', stem })));
}

/** A long page has all words when one of its passages has. */
function asFound(placed: readonly Placed[], together: Postings | null): FoundPage[] {
  const judged = placed.map(({ rank, page }) => {
    if (page.lastId === page.id) return { rank, page: { ...page, passage: page.id } };
    const passage = together === null ? null : firstWithin(together, page);
    const isApart = rank.hasAll && together !== null && passage === null && isCovered(together, page);
    const score = rank.score * (isApart ? APART_WEIGHT : LONG_WEIGHT);
    return { rank: { ...rank, hasAll: rank.hasAll && !isApart, score }, page: { ...page, passage } };
  });
  return judged.sort((a, b) => byRank(a.rank, b.rank)).map(({ page }) => page);
}

function firstWithin({ ids }: Postings, { id, lastId }: IndexedPage): number | null {
  const inside = ids.filter((passage) => passage >= id && passage <= lastId);
  return inside.at(-1) ?? null;
}

/** Whether the list goes back far enough to say that a page is not in it. */
function isCovered({ ids, isWhole }: Postings, { id }: IndexedPage): boolean {
  return isWhole || id >= (ids.at(-1) ?? 0);
}

function eachOnce(pages: readonly FoundPage[]): FoundPage[] {
  const byUrl = new Map<string, FoundPage>();
  for (const page of pages) {
    const url = shownUrl(page.url);
    if (url !== null && !byUrl.has(url)) byUrl.set(url, { ...page, url });
  }
  return [...byUrl.values()];
}

/** The pages that have each phrase in one of their passages, or in the title. Reads a few pages at a time. */
async function withPhrases(
  pages: readonly FoundPage[],
  phrases: readonly string[][],
  index: PageIndex,
): Promise<FoundPage[]> {
  const places = await Promise.all(
    phrases.map((phrase) => index.all(phrase.map((stem): Term => ({ kind: 'passage', stem })))),
  );
  const holding: FoundPage[] = [];
  for (let at = 0; at < pages.length; at += PHRASE_PAGES_PER_READ) {
    const some = pages.slice(at, at + PHRASE_PAGES_PER_READ);
    const asked = some.map((page) => ({ page, ids: phrasePassages(page, places) }));
    const read = await index.passages(asked.flatMap(({ ids }) => ids));
    const sequences = new Map(read.map(({ id, lines }) => [id, stemSequence(lines.map(visibleText).join('\n'))]));
    for (const { page, ids } of asked) {
      const texts = [stemSequence(page.title ?? ''), ...ids.map((id) => sequences.get(id) ?? [])];
      if (phrases.every((phrase) => texts.some((text) => holds(text, phrase)))) holding.push(page);
    }
  }
  return holding;
}

function phrasePassages(page: FoundPage, places: readonly Postings[]): number[] {
  if (page.lastId === page.id) return [page.id];
  return places.flatMap(({ ids }) =>
    ids.filter((id) => id >= page.id && id <= page.lastId).slice(-PASSAGES_PER_PHRASE),
  );
}

function holds(text: readonly string[], phrase: readonly string[]): boolean {
  return text.some((_, at) => phrase.every((stem, n) => text[at + n] === stem));
}

/** Where the index has a word: numbers of pages that have it, name it in their title, are about it. */
export type WordPages = {
  stem: string;
  page: Postings;
  title: Postings;
  about: Postings;
  /** Older pages, beyond the newest ones of `page`, that have it together with other words of the query. */
  more: readonly number[];
};

type RankedPage = { id: number; score: number; hasAll: boolean };

/** A word in the title says more about a page than one in its text; so does a heading, or a word it repeats. */
const TITLE_WEIGHT = 3;
const ABOUT_WEIGHT = 1.5;

/**
 * The words that distinguish pages. Words that most pages of the index have do not count, unless there are no others.
 * Pure.
 *
 * @param every the newest pages of the index
 */
export function tellingWords(words: readonly WordPages[], every: Postings): readonly WordPages[] {
  const telling = words.filter((word) => !isCommon(word.page, every));
  return telling.length === 0 ? words : telling;
}

/**
 * The pages that fit, best first: those with all telling words, then those with at least half of them. Within each, a
 * word counts the more the fewer pages have it, and more in the title and where the page is about it; of equals the page
 * stored last comes first. How often a page repeats a word makes no difference. Pure.
 */
export function rankPages(words: readonly WordPages[], telling: readonly WordPages[], every: Postings): RankedPage[] {
  const total = numberOf(every);
  const found = new Map<number, { score: number; matched: number }>();
  for (const word of words) {
    const weight = Math.log(1 + total / Math.max(1, numberOf(word.page)));
    const counts = telling.includes(word) ? 1 : 0;
    const title = new Set(word.title.ids);
    const about = new Set(word.about.ids);
    for (const id of new Set([...word.page.ids, ...title, ...about, ...word.more])) {
      const { score, matched } = found.get(id) ?? { score: 0, matched: 0 };
      const worth = 1 + (title.has(id) ? TITLE_WEIGHT : 0) + (about.has(id) ? ABOUT_WEIGHT : 0);
      found.set(id, { score: score + weight * worth, matched: matched + counts });
    }
  }
  const least = Math.ceil(telling.length / 2);
  return [...found]
    .filter(([, { matched }]) => matched >= least)
    .map(([id, { score, matched }]) => ({ id, score, hasAll: matched === telling.length }))
    .sort(byRank);
}

/** Pages with all words first, then by score, then the newest. */
function byRank(a: RankedPage, b: RankedPage): number {
  return Number(b.hasAll) - Number(a.hasAll) || b.score - a.score || b.id - a.id;
}

/** Whether most pages have the word, as far as both lists reach. */
function isCommon(word: Postings, every: Postings): boolean {
  const from = Math.max(oldest(word), oldest(every));
  const pages = every.ids.filter((id) => id >= from).length;
  const having = word.ids.filter((id) => id >= from).length;
  return pages >= COMMON_PAGES_MIN && having > pages * COMMON_SHARE;
}

/** How far back a list reaches. */
function oldest({ ids, isWhole }: Postings): number {
  return isWhole ? 0 : (ids.at(-1) ?? 0);
}

/** How many there are, reckoned from the newest where there are more than were looked at. */
function numberOf(list: Postings): number {
  const newest = list.ids[0] ?? 0;
  if (list.isWhole) return list.ids.length;
  return Math.round((list.ids.length * newest) / Math.max(1, newest - oldest(list)));
}
