import {
  FIND_EXPLAINED_MAX,
  FIND_LINE_CHARS_MAX,
  FIND_MATCHES_MAX,
  FIND_PREVIEW_CHARS_MAX,
  FIND_WORK_MAX,
  FIND_WORK_PER_PAUSE,
} from '#reading/limits.ts';
import { KIB } from '#core/limits.ts';
import type { Pause } from '#core/flow/turns.ts';
import { isRow, isTerm } from '#core/text/line-kinds.ts';
import { linksInProse } from '#core/text/links.ts';
import { cutShown, shownText } from '#core/text/shown-lines.ts';
import { oneLine } from '#core/text/text.ts';
import { headingLevel } from '#core/document/document.ts';
import type { SeenChunk } from '#core/text/seen-text.ts';
import { visibleText } from '#core/text/visible-text.ts';
import type { LineMatch, LineMatcher, Place } from './matcher.ts';
import { lineOf, readPieces } from './pieces.ts';
import type { Piece, ReadLine } from './pieces.ts';

/** `under`: the nearest heading above it with a higher level. */
export type Section = { loc: number; level: number; text: string; under: Section | null };

/** The first row of a table, which names its columns. */
export type TableHead = { loc: number; text: string };

/**
 * `level`: of a heading, else 0. The section of a heading is the one that contains it. `line`: more of the line than its
 * preview has. `links`: the first addresses of the line. `isAlone`: nothing
 * around explains it, as it is code or a link alone. `isNamed`: it is a term, or the pattern alone.
 */
export type Match = {
  loc: number;
  level: number;
  preview: string;
  line: string;
  links: readonly string[];
  isAlone: boolean;
  isNamed: boolean;
  head: TableHead | null;
  section: Section | null;
};

export type FindResult = {
  /** In document order; when there are more than `FIND_MATCHES_MAX`, only the best, best first. */
  matches: Match[];
  /** Best first, at most `FIND_EXPLAINED_MAX`. */
  best: Match[];
  total: number;
  /** First line that was not searched because the work budget ran out. */
  stoppedAt: number | null;
};

type SearchInput = { chunks: AsyncIterable<SeenChunk>; restStart: number | null };

const MANY = 2;
/** Size of a piece of a document that is in memory: as much as a stored chunk has. */
const CHUNK_CHARS = 32 * KIB;

/** A search of a document, which can be gone on with. One match per line. */
export class PageSearch {
  readonly #pieces: AsyncGenerator<Piece>;
  readonly #matcher: LineMatcher;
  readonly #best: BestMatches;
  readonly #sections: Sections;
  readonly #tables = new TableHeads();
  #next: Piece | null = null;
  #work = 0;

  constructor({ chunks, restStart }: SearchInput, matcher: LineMatcher) {
    this.#pieces = readPieces(chunks, FIND_WORK_PER_PAUSE / matcher.costIn(MANY));
    this.#matcher = matcher;
    this.#best = new BestMatches(restStart);
    this.#sections = new Sections(restStart);
  }

  /** Pauses for other requests of the isolate. @param workMax of all the search, with what was done before */
  async goOn(pause: Pause, workMax: number): Promise<FindResult> {
    let pausedAt = this.#work;
    for (;;) {
      this.#next ??= await this.#nextPiece();
      if (this.#next === null) return this.#best.result(null);
      const { firstLine, lines, text } = this.#next;
      const cost = text.length * this.#matcher.costIn(lines.length);
      if (this.#work + cost > workMax) return this.#best.result(firstLine);
      if (this.#work + cost - pausedAt > FIND_WORK_PER_PAUSE) {
        await pause();
        pausedAt = this.#work;
      }
      this.#work += cost;
      this.#search(this.#next);
      this.#next = null;
    }
  }

  /** Work units that were spent. */
  get work(): number {
    return this.#work;
  }

  async #nextPiece(): Promise<Piece | null> {
    const next = await this.#pieces.next();
    return next.done === true ? null : next.value;
  }

  #search(piece: Piece): void {
    const headings = [...piece.headings];
    for (const match of this.#matcher.matchesIn(piece)) {
      const loc = piece.firstLine + match.index;
      while ((headings[0] ?? loc) < loc) this.#sections.begin(piece, headings.shift() ?? loc);
      const line = lineOf(piece, match.index, match.mark);
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
  workMax = FIND_WORK_MAX,
): Promise<FindResult> {
  return new PageSearch(searched, matcher).goOn(pause, workMax);
}

/** Which sections are open, from line to line. */
class Sections {
  readonly #restStart: number | null;
  #open: Section | null = null;

  constructor(restStart: number | null) {
    this.#restStart = restStart;
  }

  begin({ firstLine, lines }: Piece, loc: number): void {
    const raw = lines[loc - firstLine] ?? '';
    const level = headingLevel(raw);
    const under = this.over({ loc, level });
    const section = {
      loc,
      level,
      under,
      get text() {
        return visibleText(raw);
      },
    };
    this.#open = section;
  }

  /** The one that contains the line. The rest of a page is in no section of the main part. */
  over({ loc, level }: { loc: number; level: number }): Section | null {
    const isInRest = this.#restStart !== null && loc >= this.#restStart;
    if (isInRest && (this.#open?.loc ?? loc) < this.#restStart) return null;
    return level > 0 ? enclosingSection(this.#open, level) : this.#open;
  }
}

/** Which table is open, from line to line. */
class TableHeads {
  #head: TableHead | null = null;
  #next = 0;

  /** Reads on to a line of the piece. @returns the head of the table that the line is a row of */
  headOver({ firstLine, lines }: Piece, index: number): TableHead | null {
    for (let at = Math.max(0, this.#next - firstLine); at <= index; at += 1) {
      const raw = lines[at] ?? '';
      if (!isRow(raw)) this.#head = null;
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
      return cutShown(shownText(raw), FIND_LINE_CHARS_MAX);
    },
  };
}

function enclosingSection(before: Section | null, level: number): Section | null {
  let section = before;
  while (section !== null && section.level >= level) section = section.under;
  return section;
}

/**
 * Whole words rank before parts of words; of each, headings first; of those and the others, by what the match is of its
 * line. The main part ranks before the rest.
 */
const PLACES: readonly Place[] = ['all', 'term', 'in term', 'start', 'part', 'link'];
const RANKS_OF_WORD = 2 * PLACES.length;
const RANKS_OF_PART = 2 * RANKS_OF_WORD;

class BestMatches {
  private readonly ranked: Match[][] = Array.from({ length: 2 * RANKS_OF_PART }, () => []);
  private readonly restStart: number | null;
  private total = 0;

  constructor(restStart: number | null) {
    this.restStart = restStart;
  }

  add(line: ReadLine, match: LineMatch, around: Pick<Match, 'section' | 'head'>): void {
    this.total += 1;
    const inRest = this.restStart !== null && line.loc >= this.restStart;
    const ofLine = (line.level > 0 ? 0 : PLACES.length) + PLACES.indexOf(match.place);
    const fit = (match.isWhole ? 0 : RANKS_OF_WORD) + ofLine;
    const rank = (inRest ? RANKS_OF_PART : 0) + fit;
    const ofRank = this.ranked[rank];
    if (ofRank === undefined || ofRank.length >= FIND_MATCHES_MAX) return;
    const text = line.text();
    const at = match.at(text);
    const { loc, level, raw, isCode } = line;
    ofRank.push({
      loc,
      level,
      preview: cutAround(text, at, FIND_PREVIEW_CHARS_MAX),
      line:
        isRow(raw) && !isCode
          ? cutShown(shownText(raw), FIND_LINE_CHARS_MAX)
          : cutAround(text, at, FIND_LINE_CHARS_MAX),
      links: isCode ? [] : firstLinks(raw),
      isAlone: isCode || match.place === 'link',
      isNamed: match.place === 'all' || isTerm(raw),
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

/** Addresses that are shown of one line. */
const LINKS_MAX = 3;
/** A longer one says nothing to a reader. */
const LINK_CHARS_MAX = 300;

/** In pieces that do not take long. */
export async function* inOneChunk(
  lines: readonly string[],
): AsyncGenerator<{ firstLine: number; lines: readonly string[] }> {
  for (let from = 0; from < lines.length;) {
    let end = from;
    for (let chars = 0; end < lines.length && chars < CHUNK_CHARS; end += 1) chars += lines[end]?.length ?? 0;
    yield { firstLine: from, lines: lines.slice(from, end) };
    from = end;
  }
}
