import { readableText } from '#core/text/visible-text.ts';
import type { CandidateUnit } from './candidate.ts';
import { DocumentCandidates } from './candidates.ts';
import { PASSAGE_BYTES_WITHOUT_REWORDINGS, PASSAGE_BYTES_WITH_REWORDINGS } from './limits.ts';
import { assemblePassages, cutPassageCore, growPassage, scoreCandidate, sumTermWeights } from './passage.ts';
import type { RankedPassage, ScoredPassageCandidate, ScoringWeights } from './passage.ts';
import { PhrasingMatcher } from './phrasings.ts';
import type { Question } from './question.ts';

/** Minimum share of a question's terms, weighted by rarity, that a unit must have, with its surroundings, to match. */
const FIT_SHARE_MIN = 0.18;
/**
 * For a question with so many terms that one of them is less than `FIT_SHARE_MIN`: this many terms suffice to match.
 */
const FIT_TERMS_MIN = 1;
/**
 * Factor for a term that occurs in no document. Its rarity would be the highest, although it cannot distinguish units.
 */
const MISSING_FACTOR = 0.4;
/**
 * Factor for words outside the part of a question that is being ranked, if the question asks for several things.
 * Identifiers outside that part count nothing.
 */
const OUTSIDE_WEIGHT = 0.2;
/** Factor for an identifier in a unit that defines it, if the question asks for several things. */
const DEFINES_FACTOR = 1.5;
/** Maximum candidates per phrasing whose scores are added up. Lower-ranked candidates would change almost nothing. */
const FUSED_MAX = 400;

export class PassageRanking {
  readonly #phrasings: PhrasingMatcher;
  readonly #documents: { gathered: DocumentCandidates; candidates: CandidateUnit[][] }[] = [];
  /**
   * Cached candidates with scores, for each phrasing and for all together. `null` after a document was added or has
   * ended.
   */
  #known: { each: ScoredPassageCandidate[][]; all: ScoredPassageCandidate[] } | null = null;

  /** @param also rewordings of the question */
  constructor(question: Question, also: readonly Question[] = []) {
    this.#phrasings = new PhrasingMatcher([question, ...also]);
  }

  /**
   * Adds a document. Its lines must come in order. @param restStart first line after the main part, such as of comments
   */
  document(title: string | null, restStart: number | null): { add: DocumentCandidates['add']; end: () => void } {
    const gathered = new DocumentCandidates(this.#phrasings, title, restStart);
    const entry = { gathered, candidates: new Array<CandidateUnit[]>() };
    this.#documents.push(entry);
    this.#known = null;
    return {
      add: (firstLine, lines) => gathered.add(firstLine, lines),
      end: () => {
        entry.candidates = gathered.end();
        this.#known = null;
      },
    };
  }

  fits(source: number): boolean {
    return this.#scored().all.some((one) => one.source === source);
  }

  headings(source: number): string[] {
    return (this.#documents[source]?.gathered.near.list() ?? []).map(({ raw }) => readableText(raw));
  }

  /**
   * Returns the best passages: at most `max` plus `spare`, without overlaps. Without rewordings, each thing that the
   * question asks for has its best passage among them, as far as there is room. With rewordings, the first `max`
   * include the best passage of the question. If the question asks for several things, they also include the best
   * passage of each rewording, which may be about only one of the things.
   */
  passages(max: number, spare = 0): RankedPassage[] {
    const { each, all } = this.#scored();
    const ranked = withDocuments(all);
    if (each.length === 1)
      return assemblePassages(this.#eachWishOnce(ranked), max + spare, PASSAGE_BYTES_WITHOUT_REWORDINGS);
    const bytes = PASSAGE_BYTES_WITH_REWORDINGS;
    const units = new Map(ranked.map((one) => [unitKey(one), one]));
    const [question] = this.#phrasings.questions;
    const parts = question === undefined || question.wishes.length === 0 ? each.slice(0, 1) : each;
    const bests = parts.flatMap(([best]) => (best === undefined ? [] : [units.get(unitKey(best)) ?? best]));
    const chosen = assemblePassages([...ranked.slice(0, 1), ...bests, ...ranked], max, bytes);
    chosen.sort((a, b) => b.score - a.score);
    return assemblePassages(ranked, max + spare, bytes, chosen);
  }

  /**
   * Returns the best passage and the score of each matching document. A score includes a fraction of the next two
   * units. Each phrasing is scored relative to its best document, so that all phrasings count equally.
   */
  pages(): Map<number, { passage: RankedPassage; score: number }> {
    const { each, all } = this.#scored();
    const scores = fusedPages(each.map(pageScores));
    const best = new Map<number, ScoredPassageCandidate>();
    for (const one of all) if (!best.has(one.source)) best.set(one.source, one);
    return new Map(
      [...best].map(([source, one]) => [
        source,
        { passage: growPassage(one, cutPassageCore(one), []), score: scores.get(source) ?? 0 },
      ]),
    );
  }

  /** Sorts the best candidate first, then the best one for each thing that the question asks for, then the others. */
  #eachWishOnce(scored: readonly ScoredPassageCandidate[]): readonly ScoredPassageCandidate[] {
    const [first] = scored;
    const [question] = this.#phrasings.questions;
    if (first === undefined || question === undefined || question.wishes.length === 0) return scored;
    const best = [first];
    for (const wish of question.wishes) {
      const own = first.worth.map((value, index) => {
        if (wish & (1 << index)) return value;
        return question.identifierMask & (1 << index) ? 0 : value * OUTSIDE_WEIGHT;
      });
      const scoring = this.#scoring(question, own, DEFINES_FACTOR);
      let found = { one: first, score: -1 };
      for (const one of scored) {
        const { score } = scoreCandidate(one.candidate, scoring);
        if (score > found.score) found = { one, score };
      }
      if (!best.includes(found.one)) best.push(found.one);
    }
    return [...best, ...scored.filter((one) => !best.includes(one))];
  }

  #scoring({ follows }: Question, worth: readonly number[], defines: number): ScoringWeights {
    const bytes = this.#documents.reduce((sum, { gathered }) => sum + gathered.bytes, 0);
    const units = this.#documents.reduce((sum, { gathered }) => sum + gathered.total, 0);
    const usual = Math.min(UNIT_BYTES_USUAL, bytes / Math.max(1, units));
    return { worth, all: worth.reduce((sum, one) => sum + one, 0), follows, usual, defines };
  }

  #scored(): { each: ScoredPassageCandidate[][]; all: ScoredPassageCandidate[] } {
    if (this.#known !== null) return this.#known;
    const each = this.#phrasings.questions.map((question, n) => this.#score(question, n));
    const [own = []] = each;
    this.#known = { each, all: each.length === 1 ? own : fused(each) };
    return this.#known;
  }

  #score(question: Question, phrasing: number): ScoredPassageCandidate[] {
    const { terms } = question;
    const worth = this.#worth(question, phrasing);
    const scoring = this.#scoring(question, worth, 1);
    if (terms.length === 0 || scoring.all === 0) return [];
    const weights = terms.map(({ weight }) => weight);
    const allWeights = weights.reduce((sum, one) => sum + one, 0);
    const least = Math.min(FIT_SHARE_MIN, FIT_TERMS_MIN / terms.length);
    const scored = this.#documents.flatMap(({ candidates }, source) =>
      (candidates[phrasing] ?? []).flatMap((candidate) => {
        const { score, alone, coverage } = scoreCandidate(candidate, scoring);
        const share = sumTermWeights(candidate.own, weights) / allWeights;
        return coverage < least ? [] : [{ source, candidate, score, alone, share, worth }];
      }),
    );
    return scored.sort(compareByScore);
  }

  /**
   * Computes the worth of each term: its rarity times its weight. Rarity is averaged over the documents, so that one
   * long document cannot make a term common. An identifier in many units, such as the name of the product that the
   * pages are about, weighs no more than an ordinary word.
   */
  #worth({ terms }: Question, phrasing: number): number[] {
    const documents = Math.max(1, this.#documents.length);
    return terms.map(({ weight, isIdentifier }, index) => {
      let [sum, having, units] = [0, 0, 0];
      for (const { gathered } of this.#documents) {
        const own = gathered.ofPhrasings[phrasing]?.counts[index] ?? 0;
        sum += Math.log(1 + (gathered.total - own + 0.5) / (own + 0.5));
        having += own;
        units += gathered.total;
      }
      const isSubject = isIdentifier && having > SUBJECT_UNITS_MIN && having > SUBJECT_SHARE * units;
      return ((isSubject ? 1 : weight) * sum * (having > 0 ? 1 : MISSING_FACTOR)) / documents;
    });
  }
}

/**
 * Maximum units with an identifier up to which it counts as specific. An identifier in more units may be the pages'
 * topic, such as a product's name.
 */
const SUBJECT_UNITS_MIN = 10;
/**
 * Maximum share of units with an identifier up to which it counts as specific. With a larger share, it may be the
 * pages' topic.
 */
const SUBJECT_SHARE = 0.15;

/** Number of a document's best units whose scores raise the scores of all its units. */
const DOCUMENT_UNITS = 5;
/** Maximum increase of a document's scores by its best units, relative to a score: 1 doubles it. */
const DOCUMENT_WEIGHT = 1;

/** Raises the scores of units in documents that match in several places. @param scored best first */
function withDocuments(scored: readonly ScoredPassageCandidate[]): readonly ScoredPassageCandidate[] {
  const bySource = Map.groupBy(scored, ({ source }) => source);
  if (bySource.size < 2) return scored;
  const sums = new Map(
    [...bySource].map(([source, some]) => [
      source,
      some.slice(0, DOCUMENT_UNITS).reduce((sum, { score }) => sum + score, 0),
    ]),
  );
  const most = Math.max(...sums.values());
  // The sum is 0 if every unit only repeats the question.
  if (most === 0) return scored;
  return scored
    .map((one) => ({ ...one, score: one.score * (1 + (DOCUMENT_WEIGHT * (sums.get(one.source) ?? 0)) / most) }))
    .sort(compareByScore);
}

const NEXT_PASSAGES = 2;
const NEXT_WEIGHT = 0.3;

/** @returns the score of each document, without the 300 bytes around its units, which would count twice */
function pageScores(scored: readonly ScoredPassageCandidate[]): Map<number, number> {
  return new Map(
    [...Map.groupBy(scored, ({ source }) => source)].map(([source, some]) => {
      const [best = 0, ...others] = some.map(({ alone }) => alone).toSorted((a, b) => b - a);
      const more = others.slice(0, NEXT_PASSAGES).reduce((sum, score) => sum + score, 0);
      return [source, best + NEXT_WEIGHT * more];
    }),
  );
}

function fusedPages(each: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const scores of each) {
    const most = Math.max(...scores.values());
    for (const [source, score] of scores) sums.set(source, (sums.get(source) ?? 0) + (most > 0 ? score / most : 0));
  }
  return sums;
}

/**
 * Upper limit for the mean size of a unit, in UTF-8 bytes, with which BM25 compares each unit: the size of a paragraph.
 */
const UNIT_BYTES_USUAL = 250;

function unitKey({ source, candidate }: ScoredPassageCandidate): string {
  return `${source} ${candidate.unit.start}`;
}

/**
 * Combines the candidates of several phrasings. A unit's score is the sum of its scores, each divided by the best score
 * of its phrasing, so that a phrasing with more words does not outweigh others.
 */
function fused(each: readonly (readonly ScoredPassageCandidate[])[]): ScoredPassageCandidate[] {
  const units = new Map<string, { sum: number; best: number; one: ScoredPassageCandidate }>();
  for (const scored of each) {
    const most = scored[0]?.score ?? 0;
    if (most <= 0) continue;
    for (const one of scored.slice(0, FUSED_MAX)) {
      const share = one.score / most;
      const key = unitKey(one);
      const known = units.get(key);
      if (known === undefined) units.set(key, { sum: share, best: share, one });
      else {
        known.sum += share;
        if (share > known.best) Object.assign(known, { best: share, one });
      }
    }
  }
  return [...units.values()].map(({ sum, one }) => ({ ...one, score: sum })).sort(compareByScore);
}

function compareByScore(a: ScoredPassageCandidate, b: ScoredPassageCandidate): number {
  return b.score - a.score || a.source - b.source || a.candidate.unit.start - b.candidate.unit.start;
}
