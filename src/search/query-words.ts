import { QUERY_WORDS_MAX } from './limits.ts';
import { isStopWord } from '#core/stop-words.ts';
import { askedWords, stemOf, stemSequence } from '#core/words.ts';

/** What a query asks for. */
export type QueryWords = {
  /** Stems to look for, each once; no stop words but those of a phrase that has nothing else. */
  stems: string[];
  /** Stems that a page must have one after another, and may have nowhere else. */
  phrases: string[][];
  /** What it writes in one piece, such as `max_wal_size`, and its phrases, in lower case: what has them as they stand says most. */
  pieces: string[];
  /** Whether stop words were all that it has. */
  onlyStopWords: boolean;
  /** Whether words were left out because there are too many. */
  isCut: boolean;
};

/** Characters at either end that are not part of a word. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const PHRASE_OR_WORD = /"([^"]*)"|([^\s"]+)/gu;

/** Reads what a person or model types: words, and phrases in double quotes. Everything else means nothing. Pure. */
export function queryWords(query: string): QueryWords {
  const stems = new Set<string>();
  const phrases: string[][] = [];
  const pieces = new Set<string>();
  let hasStopWords = false;
  for (const [, phrase, word] of query.matchAll(PHRASE_OR_WORD)) {
    const words = askedWords(phrase ?? word ?? '');
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
