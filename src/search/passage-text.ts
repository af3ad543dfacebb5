import { SNIPPET_CHARS_MAX } from '#core/limits.ts';
import { QUERY_WORDS_MAX } from './limits.ts';
import { visibleText } from '#core/text/visible-text.ts';
import type { QueryWord } from '#storage/search/page-index.ts';
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
    const text = visibleText(line);
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
  return found === undefined ? '' : visibleText(found);
}

export function firstHeadingText(lines: readonly string[]): string {
  const found = lines.find((text) => HEADING.test(text));
  return found === undefined ? '' : visibleText(found);
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
