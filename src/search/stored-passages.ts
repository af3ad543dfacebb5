import type { Viewport } from '#core/document/document.ts';
import type { RankedPassage } from '#ranking/passage.ts';
import type { IndexedPage, PageIndex } from '#storage/search/page-index.ts';
import { definitionsFor, entriesFor } from './definitions.ts';
import type { Definition } from './definitions.ts';
import { findPages } from './find-pages.ts';
import { headingBefore, queryWithPhrasings } from './passage-text.ts';
import { fenceBehind } from '#core/text/shown-lines.ts';
import type { UrlFilter } from './provider.ts';
import { rankPages, TEXT_WEIGHT } from './rank-pages.ts';

/** Pages that the passages come from: the best of the store. */
const PAGES_MAX = 10;
/** Passages of other pages are passed over. */
const PASSAGES_RANKED_MAX = 100;

export type StoredPassage = {
  documentId: string;
  url: string;
  title: string | null;
  lines: Viewport;
  text: readonly string[];
  /** The mark of the code block that is open before them, as far as the lines before tell. */
  fence: string | null;
  headings: readonly string[];
  lead: { line: number; text: string } | null;
};

/** `pageIndex`: what this person may find of the store. */
export type StoredPassagesDeps = { pageIndex: PageIndex; mayShow: (url: string) => boolean };

/** The passages that fit a question best, among the stored pages that one person may find. */
export async function storedPassages(
  question: string,
  also: readonly string[],
  { pageIndex: index, mayShow }: StoredPassagesDeps,
): Promise<StoredPassage[]> {
  await index.catchUp();
  const query = queryWithPhrasings(question, also);
  if (query.words.length === 0) return [];
  const listable: UrlFilter = { allows: mayShow, why: '' };
  const { pages, words } = await findPages({ ...query, phrases: [] }, index, listable);
  const found = await rankPages(pages, { question, also, words }, index);
  const entries = entriesFor(question, found.pages.slice(0, PAGES_MAX));
  const defined = [...(await definitionsFor(question, index, mayShow)), ...entries].flatMap(definitionPassage);
  return eachOnce([...defined, ...fitting(found)]);
}

/** None has lines of one before it. */
function eachOnce(passages: readonly StoredPassage[]): StoredPassage[] {
  const shown: StoredPassage[] = [];
  for (const one of passages) {
    const isShown = shown.some(
      ({ documentId, lines }) =>
        documentId === one.documentId && lines.start <= one.lines.end && one.lines.start <= lines.end,
    );
    if (!isShown) shown.push(one);
  }
  return shown;
}

/** A definition stands by itself: its name says what it is of. */
function definitionPassage({ page, lines, chunk: { firstLine, lines: all } }: Definition): StoredPassage[] {
  if (lines === null) return [];
  const text = all.slice(lines.start - firstLine, lines.end - firstLine + 1);
  const heading = headingBefore(all, lines.start - firstLine);
  const headings = heading === '' ? [] : [heading];
  const fence = fenceBehind(all.slice(0, lines.start - firstLine));
  const { documentId, title } = page;
  return [{ documentId, url: addressOf(page), title, lines, text, fence, headings, lead: null }];
}

function addressOf({ url, page }: IndexedPage): string {
  return page === null ? url : `${url}#page=${page}`;
}

function fitting({ pages, ranking, sources }: Awaited<ReturnType<typeof rankPages>>): StoredPassage[] {
  const best = new Set(pages.slice(0, PAGES_MAX).map(({ page }) => page.id));
  const passages = ranking.passages(PASSAGES_RANKED_MAX);
  const mostFound = Math.max(...sources.map(({ page }) => page.score));
  const mostSaid = passages[0]?.score ?? 0;
  // As pages are ordered: what a passage says, and how much its page is about the question.
  const worth = ({ score, source }: RankedPassage) =>
    TEXT_WEIGHT * (score / mostSaid) + (sources[source]?.page.score ?? 0) / mostFound;
  return passages
    .toSorted((a, b) => worth(b) - worth(a))
    .flatMap(({ source, lines, headings, lead }): StoredPassage[] => {
      const found = sources[source];
      if (found === undefined || !best.has(found.page.id)) return [];
      const { page } = found;
      const chunk = found.text.find(
        ({ firstLine, lines: all }) => lines.start >= firstLine && lines.end < firstLine + all.length,
      );
      if (chunk === undefined) return [];
      const text = chunk.lines.slice(lines.start - chunk.firstLine, lines.end - chunk.firstLine + 1);
      return [
        {
          documentId: page.documentId,
          url: addressOf(page),
          title: page.title,
          lines,
          text,
          fence: fenceBehind(chunk.lines.slice(0, lines.start - chunk.firstLine)),
          headings,
          lead: lead === null ? null : { line: lead.loc, text: lead.raw },
        },
      ];
    });
}
