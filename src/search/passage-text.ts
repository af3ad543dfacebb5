import { QUERY_WORDS_MAX, SNIPPET_CHARS_MAX } from './limits.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { queryTerms, isStopWord, indexOfWord, stemOf, stemSequence, wordsOf } from '#core/text/words.ts';

export type Snippet = { text: string; line: number };

const LINES_MAX = 5;
/** How much of a long line is shown before the first matching word. */
const LEAD_CHARS = 60;
const HEADING = /^#{1,6}\s/;
const NOT_ASCII = /[^\x00-\x7f]/;
const PREFIX_CHARS = 2;

/**
 * The lines with most of the words, the earliest of equals; without any, the beginning. Linear in the passage, which is
 * short.
 * @param stems the most distinctive first
 * @param pieces text in lower case that counts most where it stands in one piece
 */
export function snippetOf(
  lines: readonly string[],
  firstLine: number,
  stems: readonly string[],
  pieces: readonly string[] = [],
): Snippet {
  const at = bestLine(lines, stems, pieces);
  const parts: string[] = [];
  let chars = 0;
  for (const line of lines.slice(at)) {
    const text = visibleText(line);
    if (text === '') continue;
    if (parts.length >= LINES_MAX || (chars > 0 && chars + text.length > SNIPPET_CHARS_MAX)) break;
    parts.push(parts.length === 0 ? aroundWords(text, stems) : text);
    chars += text.length;
    if (HEADING.test(line)) parts.push(/[\p{L}\p{N}]$/u.test(text) ? '–' : '');
  }
  return {
    text: parts
      .filter((part) => part !== '')
      .join(' ')
      .replace(/ –$/, ''),
    line: firstLine + at,
  };
}

export function headingBefore(lines: readonly string[], line: number): string {
  const found = lines.slice(0, line + 1).findLast((text) => HEADING.test(text));
  return found === undefined ? '' : visibleText(found);
}

export function firstHeading(lines: readonly string[]): string {
  const found = lines.find((text) => HEADING.test(text));
  return found === undefined ? '' : visibleText(found);
}

/** The line with which the best few lines begin; it has one of the words itself. */
function bestLine(lines: readonly string[], stems: readonly string[], pieces: readonly string[]): number {
  const worth = new Map(stems.map((stem, n) => [stem, 1 + 1 / (n + 2)]));
  const mayHold = holdsBeginning(stems);
  const found = lines.map((line) => (mayHold(line) ? wordsIn(line, worth) : NOTHING));
  let best = { at: 0, worth: 0 };
  for (const [at, here] of found.entries()) {
    if (here.size === 0) continue;
    const near = new Set(found.slice(at, at + LINES_MAX).flatMap((words) => [...words]));
    const whole = PIECE_WORTH * countPieces(lines[at] ?? '', pieces);
    const all = [...near].reduce((sum, stem) => sum + (worth.get(stem) ?? 0), here.size + whole);
    if (all > best.worth) best = { at, worth: all };
  }
  return best.at;
}

/** More than words that only stand near each other. */
const PIECE_WORTH = 8;

export function countPieces(line: string, pieces: readonly string[]): number {
  if (pieces.length === 0) return 0;
  const text = visibleText(line).toLowerCase();
  return pieces.filter((piece) => text.includes(piece)).length;
}

const NOTHING: ReadonlySet<string> = new Set<string>();

function wordsIn(line: string, wanted: ReadonlyMap<string, number>): ReadonlySet<string> {
  return new Set(
    wordsOf(visibleText(line))
      .map(stemOf)
      .filter((stem) => wanted.has(stem)),
  );
}

/** Most lines have no word that begins like one of these, and need no stemming. */
function holdsBeginning(stems: readonly string[]): (line: string) => boolean {
  const beginnings = stems.filter((stem) => !NOT_ASCII.test(stem)).map((stem) => stem.slice(0, PREFIX_CHARS));
  const pattern = new RegExp(`(?:^|[^a-z0-9])(?:${beginnings.join('|')})`, 'i');
  return (line) => NOT_ASCII.test(line) || (beginnings.length > 0 && pattern.test(line));
}

function aroundWords(text: string, stems: readonly string[]): string {
  if (text.length <= SNIPPET_CHARS_MAX) return text;
  const wanted = new Set(stems);
  const at = indexOfWord(text, (stem) => wanted.has(stem));
  const from = at <= LEAD_CHARS ? 0 : text.indexOf(' ', at - LEAD_CHARS) + 1;
  return from === 0 || from > at ? text.slice(from === 0 ? 0 : at) : `… ${text.slice(from)}`;
}

export type QueryWords = {
  stems: string[];
  phrases: string[][];
  /** Words with joining characters, such as `max_wal_size`, and phrases, in lower case: literal matches count most. */
  pieces: string[];
  onlyStopWords: boolean;
  isCut: boolean;
};

const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const PHRASE_OR_WORD = /"([^"]*)"|([^\s"]+)/gu;

/** Words, and phrases in double quotes; there is no other syntax. Pure. */
export function queryWords(query: string): QueryWords {
  const stems = new Set<string>();
  const phrases: string[][] = [];
  const pieces = new Set<string>();
  let hasStopWords = false;
  for (const [, phrase, word] of query.matchAll(PHRASE_OR_WORD)) {
    const words = queryTerms(phrase ?? word ?? '');
    const telling = words.filter((one) => !isStopWord(one));
    hasStopWords ||= words.length > 0;
    const piece = (phrase ?? word ?? '').toLowerCase().replace(/\s+/gu, ' ').replace(EDGES, '');
    if (words.length > 1) pieces.add(piece);
    for (const one of phrase !== undefined && telling.length === 0 ? words : telling) stems.add(stemOf(one));
    if (phrase === undefined) continue;
    const sequence = stemSequence(phrase);
    if (sequence.length > 1) phrases.push(sequence);
  }
  const wanted = [...stems].slice(0, QUERY_WORDS_MAX);
  return {
    stems: wanted,
    phrases: phrases.slice(0, QUERY_WORDS_MAX),
    pieces: [...pieces].slice(0, QUERY_WORDS_MAX),
    onlyStopWords: hasStopWords && stems.size === 0,
    isCut: stems.size > wanted.length,
  };
}
