import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import { QUERY_WORDS_MAX } from './limits.ts';
import { readableText, visibleText } from '#core/text/visible-text.ts';
import type { QueryWord, IndexedChunk, IndexedPage, PageIndex } from '#storage/search/page-index.ts';
import { detectLanguage, stemInLanguage, stemsInAnyLanguage } from '#core/words/languages.ts';
import {
  findIndexOfStem,
  isStopWord,
  isUnspacedScript,
  splitIntoPairs,
  splitIntoWordRuns,
  stemEnglish,
  stemSequence,
  removeAccents,
} from '#core/words/words.ts';
import { trimEndMatching } from '#core/text/text.ts';

export type SearchSnippet = { text: string; line: number };

const LINES_MAX = 5;
const LEAD_CHARS = 60;
const HEADING = /^#{1,6}\s/;

/**
 * Returns the visible text of a few lines.
 * @param at the first line
 * @param words if a line is too long, it is cut around these words
 */
export function makeSnippet({ firstLine, lines }: StoredLines, at: number, words: readonly QueryWord[]): SearchSnippet {
  const parts: string[] = [];
  let chars = 0;
  for (const line of lines.slice(at - firstLine)) {
    const text = readableText(line);
    if (text === '') continue;
    if (parts.length >= LINES_MAX || (chars > 0 && chars + text.length > SNIPPET_CHARS_MAX)) break;
    parts.push(parts.length === 0 ? aroundWords(text, words) : text);
    chars += text.length;
    if (HEADING.test(line)) parts.push(/[\p{L}\p{N}]$/u.test(text) ? '–' : '');
  }
  const text = parts.filter((part) => part !== '').join(' ');
  return { text: text.replace(/ –$/, ''), line: at };
}

type StoredLines = { firstLine: number; lines: readonly string[] };

export function headingBefore(lines: readonly string[], line: number): string {
  const found = lines.slice(0, line + 1).findLast((text) => HEADING.test(text));
  return found === undefined ? '' : readableText(found);
}

export function firstHeadingText(lines: readonly string[]): string {
  const found = lines.find((text) => HEADING.test(text));
  return found === undefined ? '' : readableText(found);
}

function aroundWords(text: string, words: readonly QueryWord[]): string {
  if (text.length <= SNIPPET_CHARS_MAX) return text;
  const wanted = new Set(words.map(({ stem }) => stem));
  const at = findIndexOfStem(text, (stem) => wanted.has(stem));
  const from = at <= LEAD_CHARS ? 0 : text.indexOf(' ', at - LEAD_CHARS) + 1;
  return from === 0 || from > at ? text.slice(from === 0 ? 0 : at) : `… ${text.slice(from)}`;
}

export type ParsedQueryWords = {
  words: QueryWord[];
  /** The stems of the query, and those of each rewording. A page matches if it matches one of these groups. */
  groups: readonly (readonly string[])[];
  phrases: string[][];
  onlyStopWords: boolean;
  isCut: boolean;
};

/** Returns the words of a query, and some words of each rewording, up to the word limit of one query. */
export function parseQueryWithPhrasings(query: string, also: readonly string[]): ParsedQueryWords {
  const own = parseQueryWords(query);
  if (also.length === 0) return own;
  const each = [own, ...also.map((text) => parseQueryWords(text))].filter(({ words }) => words.length > 0);
  const words = new Map<string, QueryWord>();
  const longest = Math.max(0, ...each.map((one) => one.words.length));
  for (let n = 0; n < longest; n += 1) {
    for (const one of each) {
      const word = one.words[n];
      if (word !== undefined && words.size < QUERY_WORDS_MAX && !words.has(word.stem)) words.set(word.stem, word);
    }
  }
  const groups = each.map((one) => one.words.flatMap(({ stem }) => (words.has(stem) ? [stem] : [])));
  return { ...own, words: [...words.values()], groups };
}

const PHRASE_OR_WORD = /"([^"]*)"|([^\s"]+)/gu;

/** Parses a query into words and phrases. A phrase is in double quotes; there is no other syntax. Pure. */
export function parseQueryWords(query: string): ParsedQueryWords {
  const language = detectLanguage(query);
  const stems = new Map<string, ReadonlySet<string>>();
  const phrases: string[][] = [];
  let hasStopWords = false;
  for (const [, phrase, word] of query.matchAll(PHRASE_OR_WORD)) {
    const words = splitIntoWordRuns(phrase ?? word ?? '').flatMap((run) =>
      isUnspacedScript(run) ? splitIntoPairs(removeAccents(run)) : run,
    );
    const telling = words.filter((one) => !isStopWord(removeAccents(one)));
    hasStopWords ||= words.length > 0;
    for (const one of phrase !== undefined && telling.length === 0 ? words : telling) {
      const stem = stemEnglish(removeAccents(one));
      const foreign = language === 'english' ? stemsInAnyLanguage(one) : [stemInLanguage(one, language)];
      stems.set(stem, new Set([...(stems.get(stem) ?? []), ...foreign]));
    }
    if (phrase === undefined) continue;
    const sequence = stemSequence(phrase);
    if (sequence.length > 1) phrases.push(sequence);
  }
  const wanted = [...stems].slice(0, QUERY_WORDS_MAX);
  return {
    groups: [wanted.map(([stem]) => stem)],
    words: wanted.map(([stem, foreign]) => ({ stem, foreign: [...foreign].filter((one) => one !== stem) })),
    phrases: phrases.slice(0, QUERY_WORDS_MAX),
    onlyStopWords: hasStopWords && stems.size === 0,
    isCut: stems.size > wanted.length,
  };
}

/** Maximum names of a question that are looked up. */
const NAMES_MAX = 5;
/** Maximum lines shown of a definition: enough for a signature and a description. */
const MEANING_LINES_MAX = 12;

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
  for (let next = at + 1; next < Math.min(lines.length, at + MEANING_LINES_MAX); next += 1) {
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
