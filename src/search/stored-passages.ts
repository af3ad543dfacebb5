import type { Viewport } from '#core/document/document.ts';
import type { RankedPassage } from '#ranking/passage.ts';
import type { IndexedPage, PageIndex, IndexedChunk, IndexTerm, QueryWord } from '#storage/search/page-index.ts';
import type { Definition } from './passage-text.ts';
import { findIndexedPages } from './find-pages.ts';
import { headingBefore, parseQueryWithPhrasings, findDefinitions, findDefinitionEntries } from './passage-text.ts';
import { findOpenFenceAfter } from '#core/text/shown-lines.ts';
import { completeList, LIST_LINES_MAX } from '#core/document/list-rest.ts';
import type { ListRest } from '#core/document/list-rest.ts';
import type { UrlFilter } from './provider.ts';
import { parseQuestion } from '#ranking/question.ts';
import { PassageRanking } from '#ranking/rank.ts';
import type { FoundPage } from './find-pages.ts';

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
  rest: ListRest | null;
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
  return [{ documentId, url: addressOf(page), title, lines, text, fence, headings, lead: null, rest: null, score }];
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
    .flatMap(({ source, lines: own, headings, lead, score }): StoredPassage[] => {
      const found = sources[source];
      if (found === undefined || !best.has(found.page.id)) return [];
      const { page } = found;
      const chunk = found.text.find(
        ({ firstLine, lines: all }) => own.start >= firstLine && own.end < firstLine + all.length,
      );
      if (chunk === undefined) return [];
      const end = own.end - chunk.firstLine + 1;
      const { lines, text, rest } = completeList(
        { lines: own, text: chunk.lines.slice(own.start - chunk.firstLine, end) },
        chunk.lines.slice(end, end + LIST_LINES_MAX),
        (range) =>
          passages.every((one) => one.source !== source || range.end < one.lines.start || range.start > one.lines.end),
      );
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
          rest,
          score,
        },
      ];
    });
}

/** Number of best pages whose text is ranked. */
const RANKED_PAGES_MAX = 40;
/** Maximum chunks that are read of the ranked pages: at 32 KB each, 2.6 MB. */
const CHUNKS_READ_MAX = 80;
const CHUNKS_PER_PAGE_MIN = 2;
/** Maximum chunks read of a long page. With fewer pages, more chunks of each are read. */
const CHUNKS_PER_PAGE_MAX = 4;
const CHUNK_WORDS_MAX = 4;

export type RankedPage = {
  page: FoundPage;
  passage: RankedPassage | null;
  text: readonly IndexedChunk[];
  score: number;
  /** The line that defines a name from the question. Set only for a page with such a definition. */
  at?: number;
};

/**
 * Reads the best pages and sorts them again by their text. The other pages follow in the order in which they were
 * found.
 * @param also rewordings of the question
 * @param words the words of the query, most distinctive first
 * @returns `sources` contains the pages that were read, at the indices that `ranking` uses
 */
export async function rankPages(
  found: readonly FoundPage[],
  { question, also, words }: { question: string; also: readonly string[]; words: readonly QueryWord[] },
  index: PageIndex,
): Promise<{ pages: RankedPage[]; ranking: PassageRanking; sources: RankedPage[] }> {
  const some = found.slice(0, RANKED_PAGES_MAX);
  const texts = await textsOf(some, words, index);
  const ranking = new PassageRanking(
    parseQuestion(question),
    also.map((text) => parseQuestion(text)),
  );
  for (const [n, { title }] of some.entries()) {
    const document = ranking.document(title, null);
    for (const { firstLine, lines } of texts[n] ?? []) document.add(firstLine, lines);
    document.end();
  }
  const best = ranking.pages();
  const most = Math.max(0, ...[...best.values()].map(({ score }) => score));
  const mostFound = Math.max(0, ...some.map(({ score }) => score));
  const ranked = some.map((page, n): RankedPage => {
    const { passage = null, score = 0 } = best.get(n) ?? {};
    return {
      page,
      passage,
      text: texts[n] ?? [],
      score: PAGE_TEXT_WEIGHT * shareOf(score, most) + shareOf(page.score, mostFound),
    };
  });
  const rest = found.slice(RANKED_PAGES_MAX).map((page) => ({ page, passage: null, text: [], score: 0 }));
  return { pages: [...ranked.toSorted(byFit), ...rest], ranking, sources: ranked };
}

function shareOf(score: number, most: number): number {
  return most === 0 ? 0 : score / most;
}

/**
 * The weight of a page's text. The other part of the score, with weight 1, is the index score of words, title and
 * headings.
 */
const PAGE_TEXT_WEIGHT = 1.5;

function byFit(a: RankedPage, b: RankedPage): number {
  return b.score - a.score;
}

/**
 * Reads the text of each page. For a long page, reads only the chunks with most of the distinctive words, in document
 * order.
 */
async function textsOf(
  pages: readonly FoundPage[],
  words: readonly QueryWord[],
  index: PageIndex,
): Promise<IndexedChunk[][]> {
  const long = pages.filter(({ id, lastId }) => lastId > id);
  const terms = words.slice(0, CHUNK_WORDS_MAX).map((word): IndexTerm => ({ kind: 'chunk', ...word }));
  const perPage = Math.floor(CHUNKS_READ_MAX / Math.max(1, pages.length));
  const wanted = Math.min(CHUNKS_PER_PAGE_MAX, Math.max(CHUNKS_PER_PAGE_MIN, perPage));
  const having = await index.chunksWith(long, terms);
  const chosen = new Map(pages.map(({ id }) => [id, [id]]));
  for (const [n, { id, chunk }] of long.entries()) {
    const counts = new Map<number, number>(chunk === null ? [] : [[chunk, terms.length + 1]]);
    for (const [word, ids] of having.slice(n * terms.length, (n + 1) * terms.length).entries()) {
      for (const one of ids) counts.set(one, (counts.get(one) ?? 0) + 1 + 1 / (word + 2));
    }
    const best = [...counts].sort(([a, m], [b, k]) => k - m || a - b).slice(0, wanted);
    if (best.length > 0)
      chosen.set(
        id,
        best.map(([one]) => one).toSorted((a, b) => a - b),
      );
  }
  const read = await index.chunks([...chosen.values()].flat());
  const byId = new Map(read.map((chunk) => [chunk.id, chunk]));
  return pages.map(({ id }) => (chosen.get(id) ?? []).flatMap((one) => byId.get(one) ?? []));
}
