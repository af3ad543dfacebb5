import { detectLanguage } from '#core/words/languages.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { countBits } from './candidate.ts';
import type { CandidateUnit, UnitPlace, UnitFacts, RepeatCounter } from './candidate.ts';
import { PhrasingCandidates } from './candidates-of-phrasing.ts';
import type { FindTermHits, LineTermHits, PhrasingMatcher } from './phrasings.ts';
import { UnitSplitter } from './units.ts';
import type { TextUnit, NumberedLine, DocumentSection } from './units.ts';

/** Maximum distinct texts counted per document. Together they take about 1 MB. Further texts count as unique. */
const TEXTS_MAX = 5_000;

/** Maximum headings returned per document for orientation: those with most terms of the question. */
const NEAR_HEADINGS_MAX = 4;
/**
 * Heading levels (`h1` to `h6`) plus one. Headings are sorted by their number of terms times this, minus their level:
 * first by terms, then by level. The levels of JSON sections begin at 10, so they weigh more than one term.
 */
const LEVELS = 7;
/** Maximum units (paragraphs, list items, table rows) by which a passage can be extended at its end. */
const AFTER_MAX = 6;

/** Collects the units of one document with terms of the question or a rewording. Linear time, bounded memory. */
export class DocumentCandidates {
  readonly #phrasings: PhrasingMatcher;
  readonly #restStart: number | null;
  readonly #titleText: string;
  /** `null` until enough lines have arrived to detect the language of the document, or until it ends. */
  #finder: FindTermHits | null = null;
  #waiting: { firstLine: number; lines: readonly string[] }[] = [];
  #waitingChars = 0;
  readonly #units: UnitSplitter;
  /** The candidates for the question, and then for each of its rewordings. */
  readonly ofPhrasings: readonly PhrasingCandidates[];
  readonly near = new NearHeadings();
  readonly #hits = new WeakMap<NumberedLine, LineTermHits | null>();
  readonly #repeats = new TextRepeatCounts();
  /** True if the previous unit with terms has almost no words besides those of the question and its rewordings. */
  #isAfterRepeat = false;
  #headingTimes: RepeatCounter = { count: 1 };
  readonly #recent: UnitPlace[][] = [];
  #next = 0;
  #previous: { extent: UnitPlace; section: DocumentSection | null } | null = null;
  total = 0;
  bytes = 0;

  constructor(phrasings: PhrasingMatcher, title: string | null, restStart: number | null) {
    this.#phrasings = phrasings;
    this.#restStart = restStart;
    this.#titleText = (title ?? '').slice(0, TITLE_CHARS_MAX);
    this.#units = new UnitSplitter(restStart, (unit) => this.#take(unit));
    this.ofPhrasings = phrasings.questions.map((question) => new PhrasingCandidates(question));
  }

  /** Adds consecutive lines. Lines may be missing between two calls, because a long document can be read in parts. */
  add(firstLine: number, lines: readonly string[]): void {
    if (this.#finder !== null) {
      this.#read(firstLine, lines);
      return;
    }
    this.#waiting.push({ firstLine, lines });
    this.#waitingChars += lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (this.#waitingChars >= LANGUAGE_CHARS) this.#begin();
  }

  #begin(): void {
    const find = this.#phrasings.finder(detectLanguage(sampleOf(this.#waiting.map(({ lines }) => lines))));
    const title = find(this.#titleText, true);
    for (const [n, one] of this.ofPhrasings.entries()) one.title = title?.of[n]?.mask ?? 0;
    this.#finder = find;
    for (const { firstLine, lines } of this.#waiting.splice(0)) this.#read(firstLine, lines);
  }

  #read(firstLine: number, lines: readonly string[]): void {
    if (firstLine !== this.#next) {
      this.#units.startOver();
      for (const one of this.ofPhrasings) one.startOver();
    }
    this.#next = firstLine + lines.length;
    for (const [offset, raw] of lines.entries()) this.#units.add(firstLine + offset, raw);
  }

  /** @returns the candidates for the question, and then for each of its rewordings */
  end(): CandidateUnit[][] {
    if (this.#finder === null) this.#begin();
    this.#units.end();
    return this.ofPhrasings.map((one) => one.best());
  }

  #take({ kind, lines, section, lead }: TextUnit): void {
    const [first] = lines;
    if (first === undefined) return;
    const sizes = lines.map(({ loc, raw }) => ({ loc, bytes: lineBytes(raw) }));
    const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
    const inRest = this.#restStart !== null && first.loc >= this.#restStart;
    const extent = { start: first.loc, end: lines.at(-1)?.loc ?? first.loc, bytes, inRest };
    if (inRest && this.#previous?.extent.inRest === false) for (const one of this.ofPhrasings) one.startOver();
    const isFirst = this.#previous === null || this.#previous.section !== section;
    const before = isFirst ? null : (this.#previous?.extent ?? null);
    this.total += 1;
    this.bytes += bytes;
    if (isFirst) this.#beginSection(section);
    for (const after of this.#recent) after.push(extent);
    while ((this.#recent[0]?.length ?? 0) >= AFTER_MAX) this.#recent.shift();
    this.#previous = { extent, section };
    const hits = lines.map(({ raw }) => this.#find(raw, kind === 'code'));
    const words = hits.reduce((sum, line) => sum + (line?.words ?? 0), 0);
    const asked = hits.reduce((sum, line) => sum + (line?.asked ?? 0), 0);
    const quoted = this.#isAfterRepeat ? 0 : quotedIn(hits, this.#phrasings.lengths);
    if (words > 0) this.#isAfterRepeat = asked >= REPEAT_SHARE_MIN * words;
    const leading = lead === null || lead.loc === first.loc ? null : this.#hitsOf(lead);
    let facts: UnitFacts | null = null;
    const factsOnce = () =>
      (facts ??= {
        ...extent,
        kind,
        lead,
        section,
        firstChars: first.raw.length,
        isDefinition: kind === 'item' && DEFINED_NAME.test(first.raw),
        isLinks: lines.every(({ raw }) => LINKS_ALONE.test(raw)),
        isFirst,
        times: this.#repeats.add(beginningOf(lines, section)),
        headingTimes: this.#headingTimes,
        words: Math.max(words, bytes / WORD_BYTES),
        asked: asked - quoted,
        sizes,
        before,
        after: this.#newRecent(),
      });
    for (const [n, one] of this.ofPhrasings.entries()) {
      const own = hits.map((line) => line?.of[n] ?? null);
      one.take(own, leading?.of[n]?.mask ?? 0, bytes, factsOnce);
    }
  }

  #newRecent(): UnitPlace[] {
    const after: UnitPlace[] = [];
    this.#recent.push(after);
    return after;
  }

  #find(raw: string, isCode: boolean): LineTermHits | null {
    return this.#finder === null ? null : this.#finder(raw, isCode);
  }

  #beginSection(section: DocumentSection | null): void {
    this.#recent.length = 0;
    const heading = section === null ? null : this.#hitsOfHeading(section);
    const above: (LineTermHits | null)[] = [];
    for (let one = section?.under ?? null; one !== null; one = one.under) above.push(this.#hitsOfHeading(one));
    for (const [n, one] of this.ofPhrasings.entries()) {
      const mask = above.reduce((sum, hits) => sum | (hits?.of[n]?.mask ?? 0), one.title);
      one.beginSection(heading?.of[n]?.mask ?? 0, mask);
    }
    if (section !== null) this.#headingTimes = this.#repeats.add(section.raw.slice(0, BEGINNING_CHARS));
  }

  #hitsOfHeading(section: DocumentSection): LineTermHits | null {
    if (!this.#hits.has(section)) this.near.add(section, this.#hitsOf(section)?.of[0]?.mask ?? 0);
    return this.#hitsOf(section);
  }

  #hitsOf(line: NumberedLine): LineTermHits | null {
    const known = this.#hits.get(line);
    if (known !== undefined) return known;
    const hits = this.#find(line.raw, false);
    this.#hits.set(line, hits);
    return hits;
  }
}

function sampleOf(chunks: readonly (readonly string[])[]): string {
  const some: string[] = [];
  let left = LANGUAGE_CHARS;
  for (const lines of chunks) {
    for (const line of lines) {
      if (left <= 0) break;
      some.push(line.slice(0, left));
      left -= line.length + 1;
    }
  }
  return some.join('\n');
}

/** Characters read to detect the language. Many, because a page may begin with a list of links. */
const LANGUAGE_CHARS = 6_000;
const TITLE_CHARS_MAX = 1_000;
/** UTF-8 bytes of an average word with its space. */
const WORD_BYTES = 7;
const DEFINED_NAME = /^[\s>]*[-*+]\s+\*\*[^\n]{1,200}\*\*\s*$/;
const LINKS_ALONE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\*\*)?(?:\[[^\]]*\]\([^)]*\)[\s,;|·•*]*)+$/;

/**
 * Returns a key for counting repeated units. It consists of several lines, because the first line of all code is a
 * fence ("```").
 */
function beginningOf(lines: readonly NumberedLine[], section: DocumentSection | null): string {
  const some = lines.slice(0, BEGINNING_LINES).map(({ raw }) => raw.slice(0, BEGINNING_CHARS));
  return `${section?.raw.slice(0, BEGINNING_CHARS) ?? ''}\n${some.join('\n')}`;
}

const BEGINNING_LINES = 3;
const BEGINNING_CHARS = 80;

/**
 * Returns a line's UTF-8 bytes, including its line break. Bytes estimate reading cost equally well for Latin and
 * Chinese script.
 */
export function lineBytes(raw: string): number {
  return 1 + (NOT_ASCII.test(raw) ? utf8Bytes(raw) : raw.length);
}

const NOT_ASCII = /[^\x00-\x7f]/;

class NearHeadings {
  #best: { section: DocumentSection; worth: number }[] = [];

  add(section: DocumentSection, mask: number): void {
    const worth = countBits(mask) * LEVELS - section.level;
    this.#best.push({ section, worth });
    if (this.#best.length <= 2 * NEAR_HEADINGS_MAX) return;
    this.#best = this.#sorted();
  }

  list(): DocumentSection[] {
    return this.#sorted()
      .map(({ section }) => section)
      .sort((a, b) => a.loc - b.loc);
  }

  #sorted() {
    return this.#best.sort((a, b) => b.worth - a.worth || a.section.loc - b.section.loc).slice(0, NEAR_HEADINGS_MAX);
  }
}

/** Minimum share of a unit's words from the question or a rewording for the unit to count as their repetition. */
const REPEAT_SHARE_MIN = 0.8;

/**
 * Counts the words that do not make a unit a repetition of the question, because a model guessed the page's own words
 * in a rewording: the words that only this rewording has, or those of a longer quote, less the share of the question
 * that the unit quotes. A page that lists all phrasings gets no such credit.
 * @param lengths the number of words of each phrasing
 */
function quotedIn(hits: readonly (LineTermHits | null)[], lengths: readonly number[]): number {
  const sumOf = (of: 'own' | 'quoted') =>
    lengths.map((_, phrasing) => hits.reduce((sum, line) => sum + (line?.[of][phrasing] ?? 0), 0));
  const own = sumOf('own');
  const quoted = sumOf('quoted');
  const shares = lengths.map((length, n) => Math.min(1, (quoted[n] ?? 0) / Math.max(1, length)));
  const [ofQuestion = 0, ...others] = shares;
  const most = Math.max(0, ...others);
  const longest = quoted[shares.indexOf(most, 1)] ?? 0;
  const alone = 2 * Math.max(...own) - own.reduce((sum, count) => sum + count, 0);
  return Math.max((most - ofQuestion) * longest, alone, 0);
}

class TextRepeatCounts {
  readonly #times = new Map<string, RepeatCounter>();

  /**
   * @param text should be short, because up to `TEXTS_MAX` texts are stored
   * @returns the counter of the text
   */
  add(text: string): RepeatCounter {
    const known = this.#times.get(text);
    if (known !== undefined) {
      known.count += 1;
      return known;
    }
    const times = { count: 1 };
    if (this.#times.size < TEXTS_MAX) this.#times.set(text, times);
    return times;
  }
}
