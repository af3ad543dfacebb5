import { languageOf, stemIn, stemsOf } from '#core/words/languages.ts';
import type { Language } from '#core/words/stop-words.ts';
import { isStopWord, isUnspaced, pairsOf, runsOf, withoutAccents } from '#core/words/words.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { bits } from './bits.ts';
import { TERMS_MAX } from './limits.ts';
import { synonymsOf } from './synonyms.ts';
import { trimEndOf } from '#core/text/text.ts';

/** What is looked for: a word, a pair of characters of a script without spaces, or an identifier as it is written. */
export type Term = { text: string; weight: number; isIdentifier: boolean };

/** Identifiers count above words; a word that is only part of one, below. */
const IDENTIFIER_WEIGHT = 2.5;
const PART_WEIGHT = 0.5;
const STOP_WEIGHT = 0.25;

export type Question = {
  terms: readonly Term[];
  /** For each term, the one that follows it in the question, as a bit of a mask; -1 when none does. */
  follows: readonly number[];
  /** The other way round: for each term, those that it follows. */
  preceding: readonly (readonly number[])[];
  identifiers: readonly { index: number; text: string }[];
  identifierMask: number;
  /** What is asked for, when it is more than one thing: each with its terms, as a mask. */
  wishes: readonly number[];
  /** As texts of a language have it. */
  in: (language: Language) => Wanted;
};

/** The words of a question as texts of one language have them. */
export type Wanted = {
  language: Language;
  /** Index of each stem among the terms, and what a place of it counts. */
  stems: ReadonlyMap<string, Known>;
  /** The stems of all its words, those that say nothing, too. */
  words: ReadonlySet<string>;
  mayMatch: (line: string) => boolean;
};

type Known = { index: number; counts: number };

/** A list may have its commas without spaces. */
const PHRASE_OR_WORD = /"([^"]*)"|([^\s",;]+)/gu;
const BEFORE_WORD = /^[^\p{L}\p{N}$@#._/<~-]+/u;
const BEHIND_WORD = /[^\p{L}\p{N}$%#)+>]/u;
/** `max_size`, `--flag`, `a.b`, `A::B`, `f()`, `E0382`, `camelCase`, `SIGKILL`, `$HOME`, `/etc/hosts`. */
const IDENTIFIER =
  /[\p{L}\p{N}][_/.:#@$=\\][\p{L}\p{N}:_/.]|^--?\p{L}|^[$@#./~_]+[\p{L}\p{N}]|\(\)$|\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}|^[A-Z][A-Z0-9]{3,}$/u;

/** Words that stand in a text as they are quoted: repeating them is what is wanted. Pure. */
export function quoteAsQuestion(quote: string): Question {
  return compiled(draftOf(quote.replaceAll('"', ' ')), '');
}

/** Pure. */
export function questionOf(text: string): Question {
  return compiled(draftOf(text), text);
}

type Draft = { terms: readonly Term[]; sequence: readonly string[]; language: Language };

/** Words of one stem, in the language of the question, are one term. */
function draftOf(text: string): Draft {
  const language = languageOf(text);
  const drafts = new Map<string, Term>();
  const sequence: string[] = [];
  const add = (key: string, term: Term) => {
    const known = drafts.get(key);
    if (known === undefined || known.weight < term.weight) drafts.set(key, term);
  };
  for (const [, phrase, word] of text.matchAll(PHRASE_OR_WORD)) {
    const piece = trimEndOf((phrase ?? word ?? '').replace(BEFORE_WORD, ''), BEHIND_WORD);
    const words = runsOf(phrase ?? word ?? '').flatMap((run) => (isUnspaced(run) ? pairsOf(withoutAccents(run)) : run));
    const isIdentifier = phrase === undefined ? IDENTIFIER.test(piece) : words.length > 1;
    if (isIdentifier)
      for (const one of piecesOf(piece))
        add(foldPiece(one), { text: foldPiece(one), weight: IDENTIFIER_WEIGHT, isIdentifier: true });
    const ofPart = isIdentifier && words.length > 1 ? PART_WEIGHT : 1;
    for (const one of [...words, ...aloneIn(phrase ?? word ?? '')]) {
      const stem = stemIn(one, language);
      sequence.push(stem);
      add(stem, { text: one, weight: weightOf(withoutAccents(one)) * ofPart, isIdentifier: false });
    }
  }
  return { terms: [...drafts.values()], sequence, language };
}

/** `on_delete=PROTECT` is also its two sides. */
function piecesOf(piece: string): string[] {
  const sides = piece.split('=').filter((side) => side.length > 1);
  return sides.length > 1 ? [piece, ...sides] : [piece];
}

function weightOf(word: string): number {
  if (KANA_ONLY.test(word)) return STOP_WEIGHT;
  if (WITH_KANA.test(word)) return WITH_KANA_WEIGHT;
  return isStopWord(word) ? STOP_WEIGHT : 1;
}

/** Hiragana write endings and particles, mostly. */
const KANA_ONLY = /^\p{sc=Hira}+$/u;
const WITH_KANA = /\p{sc=Hira}/u;
const WITH_KANA_WEIGHT = 0.5;
/** A Chinese character between hiragana is a word. */
const ALONE = /(?<!\p{sc=Han})\p{sc=Han}(?=\p{sc=Hira}|$)/gu;

function aloneIn(text: string): string[] {
  return text.match(ALONE) ?? [];
}

/** A question of stop words alone looks for them; of very many words, for some from everywhere in it. */
function compiled({ terms: drafts, sequence, language }: Draft, repeated: string): Question {
  const telling = drafts.filter(({ weight }) => weight > STOP_WEIGHT);
  const wanted = telling.length === 0 ? drafts : telling;
  const step = Math.max(1, wanted.length / TERMS_MAX);
  const terms = Array.from(
    { length: Math.min(TERMS_MAX, wanted.length) },
    (_, n) => wanted[Math.floor(n * step)],
  ).filter((term) => term !== undefined);
  const places = terms.map((term, index) => ({ ...term, index }));
  const identifiers = places.filter((term) => term.isIdentifier);
  const words = places.filter((term) => !term.isIdentifier);
  const known = new Map<Language, Wanted>();
  const follows = followsOf(
    terms.length,
    sequence,
    new Map(words.map(({ text, index }) => [stemIn(text, language), index])),
  );
  return {
    terms,
    wishes: wishesOf(repeated, places),
    follows,
    preceding: follows.map((_, to) => follows.flatMap((next, from) => (next === to ? [from] : []))),
    identifiers,
    identifierMask: identifiers.reduce((mask, { index }) => mask | (1 << index), 0),
    in: (one) => {
      const before = known.get(one);
      if (before !== undefined) return before;
      const found = wantedIn(one, words, identifiers.length > 0, repeated);
      known.set(one, found);
      return found;
    },
  };
}

/** A sentence or a clause that has words enough of its own; when it names several identifiers, each of them. */
function wishesOf(text: string, terms: readonly Place[]): number[] {
  const byKey = new Map(terms.map((term) => [keyOf(term), 1 << term.index]));
  const maskOf = (words: string) =>
    draftOf(words).terms.reduce((mask, term) => mask | (byKey.get(keyOf(term)) ?? 0), 0);
  const named = terms.filter(({ isIdentifier }) => isIdentifier).map((term) => ({ ...term, mask: maskOf(term.text) }));
  const wishes = text.split(CLAUSE_ENDS).flatMap((clause) => {
    const mask = maskOf(clause);
    const own = named.filter(({ index }) => mask & (1 << index));
    if (own.length < 2) return bits(mask) >= CLAUSE_TERMS_MIN ? [mask] : [];
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

function wantedIn(
  language: Language,
  words: readonly (Term & { index: number })[],
  hasIdentifiers: boolean,
  repeated: string,
): Wanted {
  const stems = new Map<string, Known>();
  const own = words.map(({ text, index }) => ({ stem: stemIn(text, language), index }));
  for (const { stem, index } of own)
    for (const one of synonymsOf(stem, language)) stems.set(one, { index, counts: SYNONYM_COUNTS });
  for (const { stem, index } of own) stems.set(stem, { index, counts: WORD_COUNTS });
  return {
    language,
    stems,
    words: new Set(stemsOf(repeated, language)),
    mayMatch: filterFor([...stems.keys()], hasIdentifiers),
  };
}

const NOT_ASCII = /[^\x00-\x7f]/;
/** Stemming changes the last letter of a stem at most. */
const BEGINNING_CHARS_MAX = 5;

/** Most lines have no word that begins like a term, and need no closer look. */
function filterFor(stems: readonly string[], hasIdentifiers: boolean): (line: string) => boolean {
  const beginnings = stems
    .filter((text) => !NOT_ASCII.test(text))
    .map((text) => text.slice(0, Math.max(1, Math.min(BEGINNING_CHARS_MAX, text.length - 1))));
  if (beginnings.length === 0) return (line) => NOT_ASCII.test(line) || hasIdentifiers;
  const pattern = new RegExp(`(?:^|[^a-z0-9])(?:${[...new Set(beginnings)].join('|')})`, 'i');
  return (line) => NOT_ASCII.test(line) || pattern.test(line);
}

export function foldPiece(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ');
}

const INSIDE_BEFORE = /[\p{L}\p{N}_]$/u;
const INSIDE_AFTER = /^(?:[\p{L}\p{N}_]|-\p{L})/u;

/** Whether a line has an identifier that does not go on to either side. */
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

/**
 * What a line says of the question: how often each term stands in it, and which stand in the order of the question. `hits`: how
 * many of its words are words of the question.
 */
export type LineHits = { mask: number; pairs: number; hits: number; words: number; counts: Uint8Array };

/** `null` when it has no term. @param isCode its text is not read for Markdown marks */
export function hitsIn(raw: string, isCode: boolean, question: Question, wanted: Wanted): LineHits | null {
  if (!wanted.mayMatch(raw)) return null;
  const text = isCode ? raw : visibleText(raw);
  const counts = new Uint8Array(question.terms.length);
  const found: LineHits = { mask: 0, pairs: 0, hits: 0, words: 0, counts };
  const words = stemsOf(text, wanted.language);
  found.words = words.length;
  countWords(words, question.preceding, wanted, found);
  if (question.identifiers.length > 0) {
    const folded = foldPiece(text);
    for (const { index, text: identifier } of question.identifiers) {
      if (!hasIdentifier(folded, identifier)) continue;
      counts[index] = WORD_COUNTS;
      found.mask |= 1 << index;
    }
  }
  return found.mask === 0 ? null : found;
}

/** Words that stand between two of a pair, at most, in steps. */
const PAIR_DISTANCE_MAX = 3;

function countWords(
  words: readonly string[],
  preceding: readonly (readonly number[])[],
  { stems, words: asked }: Wanted,
  found: LineHits,
): void {
  const last = preceding.map(() => -Infinity);
  let at = -1;
  for (const stem of words) {
    at += 1;
    if (asked.has(stem)) found.hits += 1;
    const term = stems.get(stem);
    if (term === undefined) continue;
    const { index } = term;
    found.mask |= 1 << index;
    found.counts[index] = Math.min(COUNTS_MAX, (found.counts[index] ?? 0) + term.counts);
    last[index] = at;
    for (const from of preceding[index] ?? []) {
      if (at - (last[from] ?? -Infinity) <= PAIR_DISTANCE_MAX) found.pairs |= 1 << from;
    }
  }
}

/** A word counts two, another word for it one; no more than three words count. */
export const WORD_COUNTS = 2;
const SYNONYM_COUNTS = 1;
export const COUNTS_MAX = 3 * WORD_COUNTS;
