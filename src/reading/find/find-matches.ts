import { FIND_MATCHES_MAX, FIND_STEPS_MAX, FIND_STEPS_PER_PAUSE } from '#reading/limits.ts';
import { KIB } from '#core/limits.ts';
import type { Pause } from '#core/flow/turns.ts';
import { isTableRow, isDefinitionTerm } from '#core/text/line-kinds.ts';
import { linksInProse } from '#core/text/links.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { truncateText, shownLineText } from '#core/text/shown-lines.ts';
import { oneLine } from '#core/text/text.ts';
import { headingLevel } from '#core/document/document.ts';
import type { SearchableChunk } from '#core/text/seen-text.ts';
import { readableText } from '#core/text/visible-text.ts';
import type { MatchedLine, LineMatcher, MatchPlace } from './match-place.ts';
import { readPieceLine, divideIntoSearchPieces } from './pieces.ts';
import type { SearchPiece, MatchLine } from './pieces.ts';

const FIND_PREVIEW_CHARS_MAX = 160;
/** Number of best matches that are shown with the lines that explain them. */
const FIND_EXPLAINED_MAX = 12;
/** Maximum characters of a matching line in the result text: two sentences, or a table row. */
const FIND_LINE_CHARS_MAX = 400;

/** A heading and the section below it. */
export type MatchSection = {
  loc: number;
  level: number;
  text: string;
  /** The enclosing section, which begins at the nearest higher heading above; `null` at the top level. */
  under: MatchSection | null;
};

type TableHead = { loc: number; text: string };

export type FindMatch = {
  loc: number;
  /** Level of a heading; 0 for other lines. */
  level: number;
  /** The text around the match, at most `FIND_PREVIEW_CHARS_MAX` characters. */
  preview: string;
  /** A longer text than `preview`: the whole line of code or table row, or the text around the match. */
  line: string;
  /** The first URLs in the line; empty for code. */
  links: readonly string[];
  /** True for code, and for a line that is only a link. Such a match is shown without explaining lines. */
  isAlone: boolean;
  /** True if the line defines a term, or if the match is the whole line or the first cell of a table row. */
  isNamed: boolean;
  /** Header of the table that contains the line; `null` outside tables. */
  head: TableHead | null;
  /** The section that contains the line. For a heading, the section around the heading's own section. */
  section: MatchSection | null;
};

export type FindResult = {
  /** The matches in document order; or the best ones, best first, if there are more than `FIND_MATCHES_MAX`. */
  matches: FindMatch[];
  /** The best matches, best first; at most `FIND_EXPLAINED_MAX`. */
  best: FindMatch[];
  total: number;
  /** Number of the first line that was not searched because of the work limit; `null` if all lines were searched. */
  stoppedAt: number | null;
};

type SearchInput = { chunks: AsyncIterable<SearchableChunk>; restStart: number | null };

const MANY = 2;
/** Characters per chunk of a document in memory. Stored chunks have the same size. */
const CHUNK_CHARS = 32 * KIB;

/** A search of a document that can be interrupted and continued. Reports each matching line once. */
export class ResumableFind {
  readonly #pieces: AsyncGenerator<SearchPiece>;
  readonly #matcher: LineMatcher;
  readonly #best: BestMatches;
  readonly #sections: Sections;
  readonly #tables = new TableHeads();
  #next: SearchPiece | null = null;
  #work = 0;

  constructor({ chunks, restStart }: SearchInput, matcher: LineMatcher) {
    this.#pieces = divideIntoSearchPieces(chunks, FIND_STEPS_PER_PAUSE / matcher.costIn(MANY));
    this.#matcher = matcher;
    this.#best = new BestMatches(restStart);
    this.#sections = new Sections(restStart);
  }

  /**
   * Continues the search, with pauses in which other requests run. @param workMax limit on the work of all calls
   * together
   */
  async goOn(pause: Pause, workMax: number): Promise<FindResult> {
    let pausedAt = this.#work;
    for (;;) {
      this.#next ??= await this.#nextPiece();
      if (this.#next === null) return this.#best.result(null);
      const { firstLine, lines, text } = this.#next;
      const cost = text.length * this.#matcher.costIn(lines.length);
      if (this.#work + cost > workMax) return this.#best.result(firstLine);
      if (this.#work + cost - pausedAt > FIND_STEPS_PER_PAUSE) {
        await pause();
        pausedAt = this.#work;
      }
      this.#work += cost;
      this.#search(this.#next);
      this.#next = null;
    }
  }

  get work(): number {
    return this.#work;
  }

  async #nextPiece(): Promise<SearchPiece | null> {
    const next = await this.#pieces.next();
    return next.done === true ? null : next.value;
  }

  #search(piece: SearchPiece): void {
    const headings = [...piece.headings];
    for (const match of this.#matcher.matchesIn(piece)) {
      const loc = piece.firstLine + match.index;
      while ((headings[0] ?? loc) < loc) this.#sections.begin(piece, headings.shift() ?? loc);
      const line = readPieceLine(piece, match.index, match.mark);
      const head = this.#tables.headOver(piece, match.index);
      this.#best.add(line, match, { section: this.#sections.over(line), head });
    }
    this.#tables.headOver(piece, piece.lines.length - 1);
    for (const loc of headings) this.#sections.begin(piece, loc);
  }
}

export function findMatches(
  searched: SearchInput,
  matcher: LineMatcher,
  pause: Pause,
  workMax = FIND_STEPS_MAX,
): Promise<FindResult> {
  return new ResumableFind(searched, matcher).goOn(pause, workMax);
}

class Sections {
  readonly #restStart: number | null;
  #open: MatchSection | null = null;

  constructor(restStart: number | null) {
    this.#restStart = restStart;
  }

  begin({ firstLine, lines }: SearchPiece, loc: number): void {
    const raw = lines[loc - firstLine] ?? '';
    const level = headingLevel(raw);
    const under = this.over({ loc, level });
    const section = {
      loc,
      level,
      under,
      get text() {
        return readableText(raw);
      },
    };
    this.#open = section;
  }

  /** Returns the section of a line; `null` without one. Menus after the main part belong to none of its sections. */
  over({ loc, level }: { loc: number; level: number }): MatchSection | null {
    const isInRest = this.#restStart !== null && loc >= this.#restStart;
    if (isInRest && (this.#open?.loc ?? loc) < this.#restStart) return null;
    return level > 0 ? enclosingSection(this.#open, level) : this.#open;
  }
}

class TableHeads {
  #head: TableHead | null = null;
  #next = 0;

  /** Reads lines up to the given one. @returns the header of the table that contains this line, or `null` */
  headOver({ firstLine, lines }: SearchPiece, index: number): TableHead | null {
    for (let at = Math.max(0, this.#next - firstLine); at <= index; at += 1) {
      const raw = lines[at] ?? '';
      if (!isTableRow(raw)) this.#head = null;
      else this.#head ??= headOf(firstLine + at, raw);
    }
    this.#next = firstLine + index + 1;
    return this.#head;
  }
}

function headOf(loc: number, raw: string): TableHead {
  return {
    loc,
    get text() {
      return truncateText(shownLineText(raw), FIND_LINE_CHARS_MAX);
    },
  };
}

function enclosingSection(before: MatchSection | null, level: number): MatchSection | null {
  let section = before;
  while (section !== null && section.level >= level) section = section.under;
  return section;
}

/**
 * Places of a match in its line, best first. Matches are ordered by part of the page (main part first), then by whole
 * words before parts of words, then by headings before other lines, and finally by these places.
 */
const PLACES: readonly MatchPlace[] = ['all', 'term', 'in term', 'start', 'part', 'link'];
const RANKS_OF_WORD = 2 * PLACES.length;
const RANKS_OF_PART = 2 * RANKS_OF_WORD;

class BestMatches {
  private readonly ranked: FindMatch[][] = Array.from({ length: 2 * RANKS_OF_PART }, () => []);
  private readonly restStart: number | null;
  private total = 0;

  constructor(restStart: number | null) {
    this.restStart = restStart;
  }

  add(line: MatchLine, match: MatchedLine, around: Pick<FindMatch, 'section' | 'head'>): void {
    this.total += 1;
    const inRest = this.restStart !== null && line.loc >= this.restStart;
    const ofLine = (line.level > 0 ? 0 : PLACES.length) + PLACES.indexOf(match.place);
    const fit = (match.isWhole ? 0 : RANKS_OF_WORD) + ofLine;
    const rank = (inRest ? RANKS_OF_PART : 0) + fit;
    const ofRank = this.ranked[rank];
    if (ofRank === undefined || ofRank.length >= FIND_MATCHES_MAX) return;
    const seen = line.text();
    const { loc, level, raw, isCode } = line;
    const text = isCode ? seen : readableText(raw);
    const at = indexInReadable(text, seen, match.at(seen));
    ofRank.push({
      loc,
      level,
      preview: cutAround(text, at, FIND_PREVIEW_CHARS_MAX),
      line: matchingLine(line, text, at),
      links: isCode ? [] : firstLinks(raw),
      isAlone: isCode || match.place === 'link',
      isNamed: match.place === 'all' || isDefinitionTerm(raw),
      ...around,
      head: isCode ? null : around.head,
    });
  }

  result(stoppedAt: number | null): FindResult {
    const matches = this.ranked.flat().slice(0, FIND_MATCHES_MAX);
    const isCapped = this.total > FIND_MATCHES_MAX;
    return {
      matches: isCapped ? matches : matches.toSorted((a, b) => a.loc - b.loc),
      best: matches.slice(0, FIND_EXPLAINED_MAX),
      total: this.total,
      stoppedAt,
    };
  }
}

/** Returns the index in the readable text that corresponds to index `at` of the visible text, which has fewer marks. */
function indexInReadable(readable: string, visible: string, at: number): number {
  if (readable.length === visible.length) return at;
  let index = 0;
  for (let seen = 0; seen < at && index < readable.length; index += 1)
    if (readable.charCodeAt(index) === visible.charCodeAt(seen)) seen += 1;
  return index;
}

function matchingLine({ raw, isCode }: MatchLine, text: string, at: number): string {
  if (isCode && raw.length <= FIND_LINE_CHARS_MAX) return sanitizeText(raw.trimEnd());
  if (isTableRow(raw) && !isCode) return truncateText(shownLineText(raw), FIND_LINE_CHARS_MAX);
  return cutAround(text, at, FIND_LINE_CHARS_MAX);
}

function cutAround(line: string, at: number, charsMax: number): string {
  const lead = Math.floor(charsMax / 3);
  if (line.length <= charsMax || at <= lead) return oneLine(line, charsMax);
  return `…${oneLine(line.slice(at - lead), charsMax - 1)}`;
}

function firstLinks(raw: string): string[] {
  const links: string[] = [];
  for (const { target } of linksInProse(raw)) {
    if (target.length <= LINK_CHARS_MAX && !links.includes(target)) links.push(target);
    if (links.length >= LINKS_MAX) break;
  }
  return links;
}

/** Maximum URLs shown for each line. */
const LINKS_MAX = 3;
/** Maximum characters of a URL that is shown. A longer URL does not help a reader. */
const LINK_CHARS_MAX = 300;

/** Yields the lines in chunks, so that the search can pause between two chunks. */
export async function* splitIntoChunks(
  lines: readonly string[],
): AsyncGenerator<{ firstLine: number; lines: readonly string[] }> {
  for (let from = 0; from < lines.length;) {
    let end = from;
    for (let chars = 0; end < lines.length && chars < CHUNK_CHARS; end += 1) chars += lines[end]?.length ?? 0;
    yield { firstLine: from, lines: lines.slice(from, end) };
    from = end;
  }
}
