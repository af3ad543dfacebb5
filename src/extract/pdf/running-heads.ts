import type { PdfLine, PageLines } from './segments.ts';
import { roundSize } from './style.ts';

/** Share of a page's height, at its top and bottom, that is searched for headers and footers. */
const MARGIN_SHARE = 0.12;
const EDGE_LINES = 3;
/** Minimum pages with the same header. On fewer pages, the same text may be chance. */
const PAGES_MIN = 3;
const PAGES_SHARE_MIN = 0.15;
/** Maximum distance between pages with the same header: a chapter's title is often on every second page. */
const STEP_MAX = 2;
/** Maximum distance between the positions of a header on two pages, in points. */
const SAME_PLACE = 4;
const CHARS_MAX = 150;
/** Maximum text size of a header, relative to most text. Larger text is a heading, even if it repeats. */
const SIZE_TIMES_MAX = 1.15;
const NUMBERS = /^\W*(?:(?:page|seite|p)\W+)?(\d{1,4})(?!\d)|(?<!\d)(\d{1,4})(?:\s*(?:\/|of|von)\s*\d{1,4})?\W*$/gi;
const PAGE_WORD_AT_END = /(?:[\s\p{P}|]{1,9}(?:page|seite|p))?[\s\p{P}|]{0,9}$/iu;
const ROMAN = /^\W*[ivxlc]{1,7}\W*$/i;
const LETTER = /\p{L}/u;
/** Matches a line with nothing but the number of its page, such as `Page 6 of 9`. */
const ONLY_NUMBER =
  /^[^\p{L}\d]{0,9}(?:page|seite|p)?[^\p{L}\d]{0,9}\d{1,4}(?:\s{0,9}(?:\/|of|von)\s{0,9}\d{1,4})?[^\p{L}\d]{0,9}$/iu;
/** Match the mark of a note, an exponent or an index at the start or end of a line. They are no page numbers. */
const SCRIPT_FIRST = /^<su[bp]>/;
const SCRIPT_LAST = /<\/su[bp]>\W*$/;
/** Maximum distance between the baselines of two lines of a paragraph, in multiples of the text size. */
const PARAGRAPH_STEP_MAX = 1.6;
/** Maximum difference between the text sizes of two lines of a paragraph, in multiples of the text size. */
const SAME_SIZE = 0.05;
const CELLS = '   ';
/** Minimum characters of a part of a line that counts as a header. Shorter ones may repeat by chance. */
const PART_CHARS_MIN = 8;
/** Maximum distance between a table's header and its first row, in multiples of the text size. */
const ROW_SIZES_MAX = 3;

/**
 * A possible header. `texts` has the line and its parts between gaps, such as titles of chapter and section. `numbers`
 * mark the line as a header even if it is on no other page: none for a note or a line of a paragraph.
 */
type Candidate = { line: PdfLine; position: number; texts: string[]; numbers: number[] };

/**
 * Removes headers, footers and page numbers: small lines in the margin that are equal, apart from the page number, on
 * many pages or on some successive ones.
 */
export function removeRunningHeads(pages: readonly PageLines[]): PageLines[] {
  const sizeMax = sizeOfMost(pages) * SIZE_TIMES_MAX;
  const found = pages.map((page) => candidatesOf(page, sizeMax));
  const offset = numberOffset(found);
  const pagesOf = pagesByText(found, offset);
  const needed = Math.max(PAGES_MIN, Math.min(8, Math.ceil(pages.length * PAGES_SHARE_MIN)));
  return pages.map((page, index) => {
    const running = new Set<PdfLine>();
    for (const candidate of found[index] ?? []) {
      const repeats = candidate.texts.some((text) => {
        const near = [candidate.position - 1, candidate.position, candidate.position + 1];
        // A number of the text may be the number of this page by chance, such as that of a house.
        return [offset, null].some((from, at) => {
          const on = near.flatMap((position) => pagesOf.get(`${position} ${keyOf(text, index, from)}`) ?? []);
          return on.length >= needed || (at === 0 && goesOnFrom(index, on));
        });
      });
      if (repeats || isNumbered(candidate, index, offset)) running.add(candidate.line);
    }
    return { ...page, regions: page.regions.map((lines) => lines.filter((line) => !running.has(line))) };
  });
}

/**
 * Returns the header of the first page without its page number; `null` if there is no header.
 * @param content the pages without their headers
 */
export function findRunningHead(pages: readonly PageLines[], content: readonly PageLines[]): string | null {
  const [page] = pages;
  if (page === undefined) return null;
  const sizeMax = sizeOfMost(pages) * SIZE_TIMES_MAX;
  const offset = numberOffset(pages.map((one) => candidatesOf(one, sizeMax)));
  const kept = new Set(content[0]?.regions.flat());
  const heads = page.regions.flat().filter((line) => !kept.has(line) && line.y < page.height * MARGIN_SHARE);
  const texts = heads.map(({ plain }) => {
    const text = plain.replace(NUMBERS, (match, first?: string, last?: string) =>
      offset !== null && Number(first ?? last) === offset + 1 ? '' : match,
    );
    return text === plain ? plain : text.replace(PAGE_WORD_AT_END, '').trim();
  });
  return texts.find((text) => text.length >= PART_CHARS_MIN && LETTER.test(text)) ?? null;
}

function sizeOfMost(pages: readonly PageLines[]): number {
  const chars = new Map<number, number>();
  for (const line of pages.flatMap(({ regions }) => regions.flat())) {
    const size = roundSize(line.size);
    chars.set(size, (chars.get(size) ?? 0) + line.plain.length);
  }
  return [...chars].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
}

function candidatesOf({ height, regions }: PageLines, sizeMax: number): Candidate[] {
  const lines = regions.flat().sort((one, other) => one.y - other.y);
  const top = lines.slice(0, EDGE_LINES).filter((line) => line.y < height * MARGIN_SHARE);
  const bottom = lines.slice(-EDGE_LINES).filter((line) => line.y > height * (1 - MARGIN_SHARE) && !top.includes(line));
  return [...top, ...bottom]
    .filter((line) => line.plain.length <= CHARS_MAX && line.size <= sizeMax && !headsTable(line, lines))
    .map((line) => ({
      line,
      position: Math.round(line.y / SAME_PLACE),
      texts: textsOf(line),
      numbers: isInParagraph(line, lines) || isNote(line, lines) ? [] : numbersOf(line),
    }));
}

/** True for a line that begins with a number to which a mark on the same page refers. */
function isNote(line: PdfLine, lines: readonly PdfLine[]): boolean {
  const number = /^(\d{1,4})\W?\p{L}/u.exec(line.plain.replace(/ /g, ''))?.[1];
  if (number === undefined) return false;
  return lines.some(({ text }) => text.includes(`<sup>${number}</sup>`) || text.includes(`<sup>[${number}]</sup>`));
}

/** True for a line with words next to a line of the same size, as in a paragraph. */
function isInParagraph(line: PdfLine, lines: readonly PdfLine[]): boolean {
  const { plain, size, y } = line;
  if (ONLY_NUMBER.test(plain) || !LETTER.test(plain.replace(NUMBERS, ''))) return false;
  const at = lines.indexOf(line);
  return [lines[at - 1], lines[at + 1]].some(
    (near) =>
      near !== undefined &&
      near.y !== y &&
      Math.abs(near.y - y) <= PARAGRAPH_STEP_MAX * size &&
      Math.abs(near.size - size) <= SAME_SIZE * size &&
      near.left < line.right &&
      near.right > line.left,
  );
}

function textsOf({ plain, text }: PdfLine): string[] {
  const parts = text.split(CELLS).filter((part) => part.length >= PART_CHARS_MIN && LETTER.test(part));
  return [...new Set([plain, ...parts].map((one) => one.toLowerCase()))];
}

/** True for the header row of a table, repeated where the table continues: rows with as many cells follow. */
function headsTable(line: PdfLine, lines: readonly PdfLine[]): boolean {
  if (!line.isRow) return false;
  const below = lines[lines.indexOf(line) + 1];
  const isNear = below !== undefined && below.y - line.y < ROW_SIZES_MAX * line.size;
  return isNear && below.isRow && below.text.split(CELLS).length === line.text.split(CELLS).length;
}

function pagesByText(found: readonly (readonly Candidate[])[], offset: number | null): Map<string, number[]> {
  const pages = new Map<string, number[]>();
  for (const [index, candidates] of found.entries()) {
    const keys = candidates.flatMap(({ position, texts }) =>
      texts.map((text) => `${position} ${keyOf(text, index, offset)}`),
    );
    for (const key of new Set(keys)) pages.set(key, [...(pages.get(key) ?? []), index]);
  }
  return pages;
}

/**
 * Returns a key for comparing lines. It is equal for lines that differ only in the number of their own page, and for
 * lines that consist of numbers. Lines with other different numbers, such as "Table 1" and "Table 2", get different
 * keys.
 */
function keyOf(text: string, index: number, offset: number | null): string {
  if (!LETTER.test(text)) return text.replace(/\d+/g, '#');
  if (offset === null) return text;
  return text.replace(NUMBERS, (match, first?: string, last?: string) =>
    Number(first ?? last) === index + 1 + offset ? '#' : match,
  );
}

function goesOnFrom(index: number, pages: readonly number[]): boolean {
  const sorted = [...new Set(pages)].sort((one, other) => one - other);
  const at = sorted.indexOf(index);
  let first = at;
  let last = at;
  while (first > 0 && (sorted[first] ?? 0) - (sorted[first - 1] ?? 0) <= STEP_MAX) first -= 1;
  while (last < sorted.length - 1 && (sorted[last + 1] ?? 0) - (sorted[last] ?? 0) <= STEP_MAX) last += 1;
  return last - first + 1 >= PAGES_MIN;
}

/** Returns the difference of a page's printed number and its position in the file; `null` without such numbers. */
function numberOffset(found: readonly (readonly Candidate[])[]): number | null {
  const votes = new Map<number, number>();
  for (const [index, candidates] of found.entries()) {
    const offsets = new Set(candidates.flatMap(({ line }) => numbersOf(line).map((number) => number - index - 1)));
    for (const offset of offsets) votes.set(offset, (votes.get(offset) ?? 0) + 1);
  }
  const best = [...votes].reduce((most, vote) => (vote[1] > most[1] ? vote : most), [0, 0]);
  return best[1] >= Math.min(PAGES_MIN, found.length) && best[1] >= 2 ? best[0] : null;
}

function numbersOf({ plain, text }: PdfLine): number[] {
  return [...plain.matchAll(NUMBERS)]
    .filter(([, first]) => !(first === undefined ? SCRIPT_LAST : SCRIPT_FIRST).test(text))
    .map(([, first, last]) => Number(first ?? last));
}

/** True for a line with the number of its page, such as a chapter's title and the number, or `xiv` alone. */
function isNumbered({ line, numbers }: Candidate, index: number, offset: number | null): boolean {
  if (offset === null) return false;
  return ROMAN.test(line.plain) || numbers.includes(index + 1 + offset);
}
