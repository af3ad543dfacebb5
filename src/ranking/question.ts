import { detectLanguage, stemInLanguage } from '#core/words/languages.ts';
import type { Language } from '#core/words/stop-words.ts';
import { isStopWord, isUnspacedScript, splitIntoPairs, splitIntoWordRuns, removeAccents } from '#core/words/words.ts';
import { countBits } from './candidate.ts';
import { trimEndMatching } from '#core/text/text.ts';

/**
 * Maximum distinct words, word pairs and identifiers of a question. Each is one bit of a 32-bit mask; two bits are
 * unused.
 */
const QUESTION_TERMS_MAX = 30;

/** A search term: a word, an identifier, or two adjacent characters of a script without spaces, such as Chinese. */
type Term = { text: string; weight: number; isIdentifier: boolean };

/** Weight of an identifier, such as `max_size`. An ordinary word has 1. */
const IDENTIFIER_WEIGHT = 2.5;
/** Factor for the weight of a word inside an identifier or quoted phrase, such as `max` in `max_size`. */
const PART_WEIGHT = 0.5;
/** Weight of a stop word, such as "the". An ordinary word has 1. */
const STOP_WEIGHT = 0.25;

export type Question = {
  terms: readonly Term[];
  /**
   * For each term, the index of another term that directly follows it in the question, the last one if there are
   * several; -1 if none follows, and for identifiers.
   */
  follows: readonly number[];
  /** The inverse of `follows`: for each term, the indexes of the terms directly before it in the question. */
  preceding: readonly (readonly number[])[];
  identifiers: readonly { index: number; text: string }[];
  identifierMask: number;
  /**
   * Masks of terms, one for each thing that the question asks for, if there are several: "what is X, and how do I
   * install Y?"
   */
  wishes: readonly number[];
  /**
   * The text of the question. A unit with only these words repeats the question and answers nothing. Empty for a quote.
   */
  repeated: string;
};

/** Matches a quoted phrase or a word. A comma or semicolon ends a word, because lists are also written as `a,b,c`. */
const PHRASE_OR_WORD = /"([^"]*)"|([^\s",;]+)/gu;
const BEFORE_WORD = /^[^\p{L}\p{N}$@#._/<~-]+/u;
const BEHIND_WORD = /[^\p{L}\p{N}$%#)+>]/u;
/** Matches `max_size`, `--flag`, `a.b`, `A::B`, `f()`, `E0382`, `camelCase`, `SIGKILL`, `$HOME`, `/etc/hosts`. */
const IDENTIFIER =
  /[\p{L}\p{N}][_/.:#@$=\\][\p{L}\p{N}:_/.]|^--?\p{L}|^[$@#./~_]+[\p{L}\p{N}]|\(\)$|\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}/u;

/** Builds a question that finds a quoted text. `repeated` is empty, because a unit that repeats the quote is wanted. */
export function questionFromQuote(quote: string): Question {
  return compiled(draftOf(quote.replaceAll('"', ' ')), '');
}

export function parseQuestion(text: string): Question {
  return compiled(draftOf(text), text);
}

type Draft = { terms: readonly Term[]; sequence: readonly string[]; language: Language };

/** Splits a text into weighted terms. Words with the same stem become one term. */
function draftOf(text: string): Draft {
  const language = detectLanguage(text);
  const drafts = new Map<string, Term>();
  const sequence: string[] = [];
  const add = (key: string, term: Term) => {
    const known = drafts.get(key);
    if (known === undefined || known.weight < term.weight) drafts.set(key, term);
  };
  for (const [, phrase, word] of text.matchAll(PHRASE_OR_WORD)) {
    const piece = trimEndMatching((phrase ?? word ?? '').replace(BEFORE_WORD, ''), BEHIND_WORD);
    const words = splitIntoWordRuns(phrase ?? word ?? '').flatMap((run) =>
      isUnspacedScript(run) ? splitIntoPairs(removeAccents(run)) : run,
    );
    const isIdentifier = phrase === undefined ? IDENTIFIER.test(piece) : words.length > 1;
    if (isIdentifier)
      for (const one of piecesOf(piece))
        add(foldCaseAndSpaces(one), { text: foldCaseAndSpaces(one), weight: IDENTIFIER_WEIGHT, isIdentifier: true });
    const ofPart = isIdentifier && words.length > 1 ? PART_WEIGHT : 1;
    for (const one of [...words, ...aloneIn(phrase ?? word ?? '')]) {
      const stem = stemInLanguage(one, language);
      sequence.push(stem);
      add(stem, { text: one, weight: weightOf(removeAccents(one)) * ofPart, isIdentifier: false });
    }
  }
  return { terms: [...drafts.values()], sequence, language };
}

/** Returns the identifier, and the two sides of a `=`: `on_delete=PROTECT` also yields `on_delete` and `PROTECT`. */
function piecesOf(piece: string): string[] {
  const sides = piece.split('=').filter((side) => side.length > 1);
  return sides.length > 1 ? [piece, ...sides] : [piece];
}

function weightOf(word: string): number {
  if (KANA_ONLY.test(word)) return STOP_WEIGHT;
  if (WITH_KANA.test(word)) return WITH_KANA_WEIGHT;
  return isStopWord(word) ? STOP_WEIGHT : 1;
}

/** Matches words of hiragana only. Most are endings and particles, so they have the weight of stop words. */
const KANA_ONLY = /^\p{sc=Hira}+$/u;
const WITH_KANA = /\p{sc=Hira}/u;
const WITH_KANA_WEIGHT = 0.5;
/**
 * Matches a single Chinese character before hiragana or at the end of a word, as in Japanese. Other Chinese text is
 * searched in pairs.
 */
const ALONE = /(?<!\p{sc=Han})\p{sc=Han}(?=\p{sc=Hira}|$)/gu;

function aloneIn(text: string): string[] {
  return text.match(ALONE) ?? [];
}

/** Selects the terms. Stop words count only in a question without other words; too many terms are sampled evenly. */
function compiled({ terms: drafts, sequence, language }: Draft, repeated: string): Question {
  const telling = drafts.filter(({ weight }) => weight > STOP_WEIGHT);
  const wanted = telling.length === 0 ? drafts : telling;
  const step = Math.max(1, wanted.length / QUESTION_TERMS_MAX);
  const terms = Array.from(
    { length: Math.min(QUESTION_TERMS_MAX, wanted.length) },
    (_, n) => wanted[Math.floor(n * step)],
  ).filter((term) => term !== undefined);
  const places = terms.map((term, index) => ({ ...term, index }));
  const identifiers = places.filter((term) => term.isIdentifier);
  const words = places.filter((term) => !term.isIdentifier);
  const follows = followsOf(
    terms.length,
    sequence,
    new Map(words.map(({ text, index }) => [stemInLanguage(text, language), index])),
  );
  return {
    terms,
    wishes: wishesOf(repeated, places),
    follows,
    preceding: follows.map((_, to) => follows.flatMap((next, from) => (next === to ? [from] : []))),
    identifiers,
    identifierMask: identifiers.reduce((mask, { index }) => mask | (1 << index), 0),
    repeated,
  };
}

/**
 * Returns one mask of terms per clause with at least two terms, or per identifier if a clause has several ("defaults of
 * `max_size` and `min_size`"). Returns at most four, and none if the question asks for one thing.
 */
function wishesOf(text: string, terms: readonly Place[]): number[] {
  const byKey = new Map(terms.map((term) => [keyOf(term), 1 << term.index]));
  const maskOf = (words: string) =>
    draftOf(words).terms.reduce((mask, term) => mask | (byKey.get(keyOf(term)) ?? 0), 0);
  const named = terms.filter(({ isIdentifier }) => isIdentifier).map((term) => ({ ...term, mask: maskOf(term.text) }));
  const wishes = text.split(CLAUSE_ENDS).flatMap((clause) => {
    const mask = maskOf(clause);
    const own = named.filter(({ index }) => mask & (1 << index));
    if (own.length < 2) return countBits(mask) >= CLAUSE_TERMS_MIN ? [mask] : [];
    const all = own.reduce((sum, one) => sum | one.mask, 0);
    return own.map((one) => (mask & ~all) | one.mask);
  });
  const different = [...new Set(wishes)];
  return different.length < 2 ? [] : different.slice(0, WISHES_MAX);
}

type Place = Term & { index: number };

function keyOf({ text, isIdentifier }: Term): string {
  return `${isIdentifier} ${text}`;
}

const CLAUSE_ENDS = /(?<![,;:.!?…。、？！；])[,;:.!?…。、？！；]+(?:\s+|$)|(?<=[。、？！；])/u;
const CLAUSE_TERMS_MIN = 2;
const WISHES_MAX = 4;

function followsOf(count: number, sequence: readonly string[], places: ReadonlyMap<string, number>): number[] {
  const follows = Array.from({ length: count }, () => -1);
  const kept = sequence.flatMap((stem) => places.get(stem) ?? []);
  for (const [n, from] of kept.entries()) {
    const to = kept[n + 1];
    if (to !== undefined && from !== to) follows[from] = to;
  }
  return follows;
}

export function foldCaseAndSpaces(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ');
}

const INSIDE_BEFORE = /[\p{L}\p{N}_]$/u;
const INSIDE_AFTER = /^(?:[\p{L}\p{N}_]|-\p{L})/u;

/** True if the line contains the identifier as a whole word: `size` is not found in `max_size`. */
export function hasIdentifier(folded: string, wanted: string): boolean {
  for (let at = folded.indexOf(wanted), tries = 0; at >= 0 && tries < PLACES_MAX; tries += 1) {
    const end = at + wanted.length;
    const isInside =
      (INSIDE_BEFORE.test(folded.slice(Math.max(0, at - 2), at)) && /^[\p{L}\p{N}_]/u.test(wanted)) ||
      (INSIDE_AFTER.test(folded.slice(end, end + 3)) && /[\p{L}\p{N}_]$/u.test(wanted));
    if (!isInside) return true;
    at = folded.indexOf(wanted, at + 1);
  }
  return false;
}

const PLACES_MAX = 20;
