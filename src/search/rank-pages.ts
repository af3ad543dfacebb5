import { COMMON_PAGES_MIN, COMMON_SHARE } from './limits.ts';
import type { Postings } from '#storage/page-index.ts';

/** Where the index has a word: numbers of pages that have it, name it in their title, are about it. */
export type WordPages = {
  stem: string;
  page: Postings;
  title: Postings;
  about: Postings;
  /** Older pages, beyond the newest ones of `page`, that have it together with other words of the query. */
  more: readonly number[];
};

export type RankedPage = { id: number; score: number; hasAll: boolean };

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
export function byRank(a: RankedPage, b: RankedPage): number {
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
