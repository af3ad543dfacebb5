import { visibleText } from '#core/text/visible-text.ts';
import type { IndexedChunk, IndexedPage, PageIndex } from '#storage/search/page-index.ts';
import { trimEndMatching } from '#core/text/text.ts';

/** Maximum names of a question that are looked up. */
const NAMES_MAX = 5;
/** Maximum lines shown of a definition: enough for a signature and a description. */
const LINES_MAX = 12;

/**
 * The definition of a name in the question. `lines` is `null` if the page does not mark the place of the definition.
 */
export type Definition = {
  page: IndexedPage;
  lines: { start: number; end: number } | null;
  chunk: IndexedChunk;
};

/**
 * Finds definitions of the question's names in the pages of followed sites. If some names match exactly, names that
 * only end with a wanted name are left out.
 */
export async function findDefinitions(
  question: string,
  index: PageIndex,
  isListed: (url: string) => boolean,
): Promise<Definition[]> {
  const all = await index.named(findNamesInQuestion(question));
  const places = all.some(({ isSame }) => isSame) ? all.filter(({ isSame }) => isSame) : all;
  if (places.length === 0) return [];
  const [pages, chunks] = await Promise.all([
    index.pages([...new Set(places.map(({ page }) => page))]),
    index.chunks([...new Set(places.map(({ chunk }) => chunk))]),
  ]);
  const seen = new Set<string>();
  return places.flatMap(({ page: id, chunk: number, line }): Definition[] => {
    const page = pages.find((one) => one.id === id);
    const chunk = chunks.find((one) => one.id === number);
    const place = `${id} ${line}`;
    if (page === undefined || chunk === undefined || !isListed(page.url) || seen.has(place)) return [];
    seen.add(place);
    return [{ page, chunk, lines: line === null ? null : linesOf(line, chunk) }];
  });
}

const ENTRIES_PER_PAGE_MAX = 2;
const ENTRY = /^[\s>]*(?:[-*+]\s+[*_`]|#{1,6}\s|\|)/;

/**
 * Finds terms, headings and table rows that begin with a name from the question. Mainly useful for sites that publish
 * no inventory of names.
 */
export function findDefinitionEntries(
  question: string,
  pages: readonly { page: IndexedPage; text: readonly IndexedChunk[] }[],
): Definition[] {
  const names = findNamesInQuestion(question).filter((name) => WRITTEN_AS_NAME.test(name));
  if (names.length === 0) return [];
  return pages.flatMap(({ page, text }) =>
    text
      .flatMap((chunk) => chunk.lines.flatMap((line, at) => (begins(line, names) ? [{ page, chunk, at }] : [])))
      .slice(0, ENTRIES_PER_PAGE_MAX)
      .map(({ chunk, at }): Definition => ({ page, chunk, lines: linesOf(chunk.firstLine + at, chunk) })),
  );
}

function begins(line: string, names: readonly string[]): boolean {
  if (!ENTRY.test(line)) return false;
  const text = visibleText(line);
  return names.some((name) => text.startsWith(name) && !/^[\w$.:-]/.test(text.slice(name.length)));
}

const NAME = /^[\p{L}_$][\w$]*(?:(?:\.|::)[\p{L}_$][\w$]*)*$/u;
const LETTER = /\p{L}/u;
const NO_NAME = /[^\p{L}\p{N}_$]/u;
const WRITTEN_AS_NAME = /[._$]|::|\p{Ll}\p{Lu}/u;

/**
 * Returns the words of a question that look like names in code. If the question is a single word, any form of name
 * counts.
 */
export function findNamesInQuestion(question: string): string[] {
  const words = new Set(
    question
      .trim()
      .split(/\s+/)
      .map((word) => trimEndMatching(word.replace(/^[^\p{L}_$]+/u, '').split('(', 1)[0] ?? '', NO_NAME)),
  );
  const names = [...words].filter((word) => word.length <= NAME_CHARS_MAX && NAME.test(word) && LETTER.test(word));
  return names.filter((name) => words.size === 1 || WRITTEN_AS_NAME.test(name)).slice(0, NAMES_MAX);
}

const NAME_CHARS_MAX = 200;

function linesOf(line: number, { firstLine, lines }: IndexedChunk): { start: number; end: number } {
  const at = line - firstLine;
  const indent = indentOf(lines[at] ?? '');
  let end = at;
  for (let next = at + 1; next < Math.min(lines.length, at + LINES_MAX); next += 1) {
    const text = lines[next] ?? '';
    if (text === '') continue;
    if (/^#{1,6}\s/.test(text) || (/^\s*[-*+] /.test(text) && indentOf(text) <= indent)) break;
    end = next;
  }
  return { start: line, end: firstLine + end };
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}
