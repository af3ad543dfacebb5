import type { Line } from './segments.ts';

export type PageLines = { height: number; regions: Line[][] };

/** Share of the page's height at its top and bottom in which headers and footers stand. */
const MARGIN_SHARE = 0.12;
/** Lines from the edge inwards. */
const EDGE_LINES = 3;
const PAGES_MIN = 3;
const PAGES_SHARE_MIN = 0.15;
/** Points between the places of the same header on two pages. */
const SAME_PLACE = 4;
const CHARS_MAX = 150;
/** A number at the start or the end of a line. */
const NUMBERS = /^\W*(?:(?:page|seite|p)\W+)?(\d{1,4})(?!\d)|(?<!\d)(\d{1,4})(?:\s*(?:\/|of|von)\s*\d{1,4})?\W*$/gi;
const ROMAN = /^\W*[ivxlc]{1,7}\W*$/i;

type Candidate = { line: Line; key: string };

/** Takes out the headers, footers and page numbers that pages repeat, and nothing that stands on two pages or fewer. */
export function withoutRunning(pages: readonly PageLines[]): PageLines[] {
  const found = pages.map(candidatesOf);
  const counts = new Map<string, number>();
  for (const key of found.flatMap((candidates) => [...new Set(candidates.map((candidate) => candidate.key))])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const needed = Math.max(PAGES_MIN, Math.min(8, Math.ceil(pages.length * PAGES_SHARE_MIN)));
  const offset = numberOffset(found);
  return pages.map((page, index) => {
    const running = new Set<Line>();
    for (const { line, key } of found[index] ?? []) {
      const repeats = neighbours(key).some((near) => (counts.get(near) ?? 0) >= needed);
      if (repeats || isNumbered(line, index, offset)) running.add(line);
    }
    return { ...page, regions: page.regions.map((lines) => lines.filter((line) => !running.has(line))) };
  });
}

function candidatesOf({ height, regions }: PageLines): Candidate[] {
  const lines = regions.flat().sort((one, other) => one.y - other.y);
  const top = lines.slice(0, EDGE_LINES).filter((line) => line.y < height * MARGIN_SHARE);
  const bottom = lines.slice(-EDGE_LINES).filter((line) => line.y > height * (1 - MARGIN_SHARE) && !top.includes(line));
  return [...top, ...bottom]
    .filter((line) => line.plain.length <= CHARS_MAX)
    .map((line) => ({
      line,
      key: `${Math.round(line.y / SAME_PLACE)} ${line.plain.toLowerCase().replace(/\d+/g, '#')}`,
    }));
}

function neighbours(key: string): string[] {
  const at = key.indexOf(' ');
  const place = Number(key.slice(0, at));
  return [place - 1, place, place + 1].map((near) => `${near}${key.slice(at)}`);
}

/** What is to be added to a page's place in the file to get the number it bears; `null` when pages bear none. */
function numberOffset(found: readonly (readonly Candidate[])[]): number | null {
  const votes = new Map<number, number>();
  for (const [index, candidates] of found.entries()) {
    const offsets = new Set(candidates.flatMap(({ line }) => numbersOf(line).map((number) => number - index - 1)));
    for (const offset of offsets) votes.set(offset, (votes.get(offset) ?? 0) + 1);
  }
  const best = [...votes].reduce((most, vote) => (vote[1] > most[1] ? vote : most), [0, 0]);
  return best[1] >= Math.min(PAGES_MIN, found.length) && best[1] >= 2 ? best[0] : null;
}

function numbersOf(line: Line): number[] {
  return [...line.plain.matchAll(NUMBERS)].map((match) => Number(match[1] ?? match[2]));
}

/** A line in the margin that bears its page's number, such as the name of a chapter. */
function isNumbered(line: Line, index: number, offset: number | null): boolean {
  if (offset === null) return false;
  return ROMAN.test(line.plain) || numbersOf(line).includes(index + 1 + offset);
}
