import type { Viewport } from '#core/document/document.ts';
import type { RankedPassage } from '#ranking/passage.ts';
import type { IndexedPage, PageIndex } from '#storage/search/page-index.ts';
import { findDefinitions, findDefinitionEntries } from './definitions.ts';
import type { Definition } from './definitions.ts';
import { findIndexedPages } from './find-pages.ts';
import { headingBefore, parseQueryWithPhrasings } from './passage-text.ts';
import { findOpenFenceAfter } from '#core/text/shown-lines.ts';
import type { UrlFilter } from './provider.ts';
import { rankPages, PAGE_TEXT_WEIGHT } from './rank-pages.ts';

const PAGES_MAX = 10;
/** Maximum passages that are ranked. Some of them belong to pages beyond `PAGES_MAX` and are skipped. */
const PASSAGES_RANKED_MAX = 100;

type StoredPassage = {
  documentId: string;
  url: string;
  title: string | null;
  lines: Viewport;
  text: readonly string[];
  /**
   * The fence of the code block that is open before the lines, or `null`. Only lines in the same chunk are considered,
   * so a block that began in an earlier chunk may be missed.
   */
  fence: string | null;
  headings: readonly string[];
  lead: { line: number; text: string } | null;
  /** The score of the text in the ranking. A definition gets the score of the best text. */
  score: number;
};

/** Dependencies of the search in stored pages. `pageIndex` contains only pages that the subject may find. */
export type StoredPassagesDeps = { pageIndex: PageIndex; mayShow: (url: string) => boolean };

/** Finds the best passages for a question in the stored pages that the subject may find. */
export async function findStoredPassages(
  question: string,
  also: readonly string[],
  { pageIndex: index, mayShow }: StoredPassagesDeps,
): Promise<StoredPassage[]> {
  await index.catchUp();
  const query = parseQueryWithPhrasings(question, also);
  if (query.words.length === 0) return [];
  const listable: UrlFilter = { allows: mayShow, why: '' };
  const { pages, words } = await findIndexedPages({ ...query, phrases: [] }, index, listable);
  const found = await rankPages(pages, { question, also, words }, index);
  const entries = findDefinitionEntries(question, found.pages.slice(0, PAGES_MAX));
  const passages = fitting(found);
  const most = Math.max(0, ...passages.map(({ score }) => score));
  const defined = [...(await findDefinitions(question, index, mayShow)), ...entries].flatMap((one) =>
    definitionPassage(one, most),
  );
  return eachOnce([...defined, ...passages]);
}

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

/**
 * Creates the passage of a definition. It has no lead (introducing line), because its name is enough to identify it.
 */
function definitionPassage(
  { page, lines, chunk: { firstLine, lines: all } }: Definition,
  score: number,
): StoredPassage[] {
  if (lines === null) return [];
  const text = all.slice(lines.start - firstLine, lines.end - firstLine + 1);
  const heading = headingBefore(all, lines.start - firstLine);
  const headings = heading === '' ? [] : [heading];
  const fence = findOpenFenceAfter(all.slice(0, lines.start - firstLine));
  const { documentId, title } = page;
  return [{ documentId, url: addressOf(page), title, lines, text, fence, headings, lead: null, score }];
}

function addressOf({ url, page }: IndexedPage): string {
  return page === null ? url : `${url}#page=${page}`;
}

function fitting({ pages, ranking, sources }: Awaited<ReturnType<typeof rankPages>>): StoredPassage[] {
  const best = new Set(pages.slice(0, PAGES_MAX).map(({ page }) => page.id));
  const passages = ranking.passages(PASSAGES_RANKED_MAX);
  const mostFound = Math.max(...sources.map(({ page }) => page.score));
  const mostSaid = passages[0]?.score ?? 0;
  // Passages are sorted by the same formula as pages: the passage's score in the ranking plus its page's score in the
  // index.
  const worth = ({ score, source }: RankedPassage) =>
    PAGE_TEXT_WEIGHT * (score / mostSaid) + (sources[source]?.page.score ?? 0) / mostFound;
  return passages
    .toSorted((a, b) => worth(b) - worth(a))
    .flatMap(({ source, lines, headings, lead, score }): StoredPassage[] => {
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
          fence: findOpenFenceAfter(chunk.lines.slice(0, lines.start - chunk.firstLine)),
          headings,
          lead: lead === null ? null : { line: lead.loc, text: lead.raw },
          score,
        },
      ];
    });
}
