import { visibleText } from '#core/text/visible-text.ts';
import type { Candidate } from './candidate.ts';
import { Candidates } from './candidates.ts';
import { fused } from './fuse.ts';
import { assembled, coreOf, grown } from './passage.ts';
import type { RankedPassage, Scored } from './passage.ts';
import { Phrasings } from './phrasings.ts';
import type { Question } from './question.ts';
import { scoreOf, valueOf } from './score.ts';
import type { Scoring } from './score.ts';

/** The least share of a question's terms, weighted by rarity, that a fitting text has. */
const FIT_SHARE_MIN = 0.18;
/** Of a long question one of its terms is enough. */
const FIT_TERMS_MIN = 1;
/** A term that no document has distinguishes nothing. */
const MISSING_FACTOR = 0.4;
/** A word of the question that does not belong to the thing that is looked for. */
const OUTSIDE_WEIGHT = 0.2;
/** One of several identifiers is looked for in the unit that defines it. */
const DEFINES_FACTOR = 1.5;

/** Ranks the text of several documents by one question, and by other phrasings of it. */
export class Ranking {
  readonly #phrasings: Phrasings;
  readonly #documents: { gathered: Candidates; candidates: Candidate[][] }[] = [];
  /** Until another document is added: for each phrasing, and for all together. */
  #known: { each: Scored[][]; all: Scored[] } | null = null;

  /** @param also the same question in other words */
  constructor(question: Question, also: readonly Question[] = []) {
    this.#phrasings = new Phrasings([question, ...also]);
  }

  /** A document whose lines come in order. @returns what takes them */
  document(title: string | null, restStart: number | null): { add: Candidates['add']; end: () => void } {
    const gathered = new Candidates(this.#phrasings, title, restStart);
    const entry = { gathered, candidates: new Array<Candidate[]>() };
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

  /** True if anything in a document fits the question. */
  fits(source: number): boolean {
    return this.#scored().all.some((one) => one.source === source);
  }

  /** The headings of a document nearest to the question. */
  headings(source: number): string[] {
    return (this.#documents[source]?.gathered.near.list() ?? []).map(({ raw }) => visibleText(raw));
  }

  /**
   * The best first, at most `max` and `spare` more; none has lines of another. A question alone also has the best passage of each thing it
   * asks for. With other phrasings, the best passage of the question itself is among the first `max`.
   */
  passages(max: number, spare = 0): RankedPassage[] {
    const { each, all } = this.#scored();
    const [own = []] = each;
    if (each.length === 1) return assembled(this.#eachWishOnce(own), max + spare);
    const first = assembled(all, max);
    const [best] = assembled(own, 1);
    const isAmong = best === undefined || first.some((one) => one.source === best.source && isWithin(best, one));
    if (isAmong || max < 2) return assembled(all, max + spare, first);
    return assembled(all, max + spare, assembled(own.slice(0, 1), max, first.slice(0, max - 1)));
  }

  /** For each document that fits, its best passage; the next two count a little in its score. */
  pages(): Map<number, { passage: RankedPassage; score: number }> {
    const bySource = Map.groupBy(this.#scored().all, ({ source }) => source);
    return new Map(
      [...bySource].flatMap(([source, [best, ...others]]) => {
        if (best === undefined) return [];
        const more = others.slice(0, NEXT_PASSAGES).reduce((sum, { score }) => sum + score, 0);
        return [[source, { passage: grown(best, coreOf(best), []), score: best.score + NEXT_WEIGHT * more }]];
      }),
    );
  }

  /** The best of all, then the best for each thing that is asked for, then the others. */
  #eachWishOnce(scored: readonly Scored[]): readonly Scored[] {
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
        const { score } = scoreOf(one.candidate, scoring);
        if (score > found.score) found = { one, score };
      }
      if (!best.includes(found.one)) best.push(found.one);
    }
    return [...best, ...scored.filter((one) => !best.includes(one))];
  }

  #scoring({ follows }: Question, worth: readonly number[], defines: number): Scoring {
    const bytes = this.#documents.reduce((sum, { gathered }) => sum + gathered.bytes, 0);
    const units = this.#documents.reduce((sum, { gathered }) => sum + gathered.total, 0);
    const usual = Math.min(UNIT_BYTES_USUAL, bytes / Math.max(1, units));
    return { worth, all: worth.reduce((sum, one) => sum + one, 0), follows, usual, defines };
  }

  #scored(): { each: Scored[][]; all: Scored[] } {
    if (this.#known !== null) return this.#known;
    const each = this.#phrasings.questions.map((question, n) => this.#score(question, n));
    const [own = []] = each;
    this.#known = { each, all: each.length === 1 ? own : fused(each) };
    return this.#known;
  }

  /** @param phrasing its index */
  #score(question: Question, phrasing: number): Scored[] {
    const { terms } = question;
    const worth = this.#worth(question, phrasing);
    const scoring = this.#scoring(question, worth, 1);
    if (terms.length === 0 || scoring.all === 0) return [];
    const weights = terms.map(({ weight }) => weight);
    const allWeights = weights.reduce((sum, one) => sum + one, 0);
    const least = Math.min(FIT_SHARE_MIN, FIT_TERMS_MIN / terms.length);
    const scored = this.#documents.flatMap(({ candidates }, source) =>
      (candidates[phrasing] ?? []).flatMap((candidate) => {
        const { score, coverage } = scoreOf(candidate, scoring);
        const share = valueOf(candidate.own, weights) / allWeights;
        return coverage < least ? [] : [{ source, candidate, score, share, worth }];
      }),
    );
    return scored.sort(
      (a, b) => b.score - a.score || a.source - b.source || a.candidate.unit.start - b.candidate.unit.start,
    );
  }

  /**
   * The rarity of each term, weighted by its kind. It is the mean over the documents, so that no single one can make a term common. An
   * identifier that many units have is the subject of the pages, such as the name of a product, and counts as a word.
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

/** Units that have an identifier, in number and as a share of all: with more, it is a subject. */
const SUBJECT_UNITS_MIN = 10;
const SUBJECT_SHARE = 0.15;

const NEXT_PASSAGES = 2;
const NEXT_WEIGHT = 0.3;

/** The usual size of a paragraph. A document of endless lists must not make its own length the usual one. */
const UNIT_BYTES_USUAL = 250;

function isWithin({ core }: RankedPassage, { lines }: RankedPassage): boolean {
  return core.start >= lines.start && core.end <= lines.end;
}
