import type { getDocumentProxy } from 'unpdf';
import type { Pause } from '#core/flow/turns.ts';
import { hasPrivateCodes, replacePrivateBullets } from '#extract/pdf/drawn/glyph-codes.ts';
import type { MarkedSection, PdfTextRun } from '#extract/pdf/drawn/pieces.ts';
import { PDF_PIECES_PER_PAGE_MAX, PDF_WORK_BETWEEN_PAUSES, PDF_WORK_PER_TEXT_PIECE } from '#extract/limits.ts';
import { estimateCharacterWidth } from '#extract/pdf/tables/word-places.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;
type TextContent = Awaited<ReturnType<Page['getTextContent']>>;

/**
 * `left` is the work that may still be spent on the file (see `PDF_WORK_MAX`). `unread` has the readers of pages that
 * were not read to the end.
 */
export type PdfWorkBudget = {
  left: number;
  pauseAt: number;
  pause: Pause;
  unread: ReadableStreamDefaultReader<TextContent>[];
};

/** Lets other requests run after each `PDF_WORK_BETWEEN_PAUSES` units of work. */
export async function pauseForOthers(work: PdfWorkBudget): Promise<void> {
  if (work.left >= work.pauseAt) return;
  await work.pause();
  work.pauseAt = work.left - PDF_WORK_BETWEEN_PAUSES;
}

/**
 * Reads the text of a page from pdf.js, up to the limits. pdf.js works only while its output is read, so a page that is
 * too long waits until the file is closed. Cancelling its reader earlier would make pdf.js continue.
 * @param extraWork units of work for each piece of text, besides those of ordinary text
 */
export async function readTextRuns(
  page: Page,
  work: PdfWorkBudget,
  includeMarkedContent: boolean,
  extraWork: number,
): Promise<{ runs: PdfTextRun[]; isWhole: boolean; sections: number }> {
  const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent({ includeMarkedContent }).getReader();
  const marks = new OpenSections();
  const runs: PdfTextRun[] = [];
  // Collected over all chunks, because each chunk lists only the fonts that are new in it.
  const mono = new Map<string, boolean>();
  const unmeasured = new Set<string>();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { runs: markMonospaced(runs), isWhole: true, sections: marks.count };
    await pauseForOthers(work);
    for (const [font, style] of Object.entries(value.styles)) {
      mono.set(font, style.fontFamily === 'monospace');
      if (Number.isNaN(style.ascent)) unmeasured.add(font);
    }
    for (const item of value.items) {
      if (!('str' in item)) {
        marks.follow(item);
        continue;
      }
      if (runs.length >= PDF_PIECES_PER_PAGE_MAX || work.left <= 0) {
        work.unread.push(reader);
        return { runs: markMonospaced(runs), isWhole: false, sections: marks.count };
      }
      work.left -= PDF_WORK_PER_TEXT_PIECE + item.str.length + extraWork;
      const font = item.fontName;
      const str = replacePrivateBullets(item.str);
      const hasOwnCodes = unmeasured.has(font) || hasPrivateCodes(str);
      const run = { ...item, str, font, mono: mono.get(font) === true, hasOwnCodes };
      runs.push(marks.open.length === 0 ? run : { ...run, sections: marks.open });
    }
  }
}

/** Maximum levels of marked content that are followed. Deeper text has the sections of the last level. */
const LEVELS_MAX = 30;

class OpenSections {
  count = 0;
  open: readonly MarkedSection[] = [];
  private deeper = 0;

  follow({ type, id }: { type: string; id?: string }): void {
    if (type === 'endMarkedContent') {
      if (this.deeper > 0) this.deeper -= 1;
      else this.open = this.open.slice(0, -1);
      return;
    }
    if (this.open.length >= LEVELS_MAX) this.deeper += 1;
    else this.open = [...this.open, { index: this.count, id: contentId(id) }];
    this.count += 1;
  }
}

/** Returns the identifier of marked content in its page, which pdf.js writes as in `p12R_mc3`. */
function contentId(id: string | null | undefined): number | null {
  const number = /_mc(\d{1,9})$/.exec(id ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

/** Least and largest mean width of the characters of a run. */
type WidthRange = { least: number; most: number };

/** Minimum runs of a font from which their widths are compared. */
const RUNS_MIN = 3;
/** Minimum range of the widths that a proportional font would have, as a share of the largest. */
const EXPECTED_RANGE_MIN = 0.08;
/** Maximum range of the widths of a monospaced font, as a share of the largest. Spaces may be a little wider or narrower. */
const RANGE_MAX = 0.01;

/**
 * Sets `mono` for Latin fonts whose characters all have the same width. Some programs, such as Ghostscript, do not
 * declare them as monospaced.
 */
function markMonospaced(runs: PdfTextRun[]): PdfTextRun[] {
  const fonts = new Map<string, { count: number; drawn: WidthRange; expected: WidthRange }>();
  for (const { str, width, transform, font, mono } of runs) {
    if (mono || !/[a-z]/i.test(str)) continue;
    const of = fonts.get(font) ?? { count: 0, drawn: noWidths(), expected: noWidths() };
    fonts.set(font, of);
    of.count += 1;
    const characters = Array.from(str);
    const [a = 0, b = 0] = transform;
    add(of.drawn, width / Math.hypot(a, b) / characters.length);
    add(of.expected, characters.reduce((sum, one) => sum + estimateCharacterWidth(one), 0) / characters.length);
  }
  const fixed = new Set<string>();
  for (const [font, { count, drawn, expected }] of fonts) {
    if (count >= RUNS_MIN && rangeOf(expected) >= EXPECTED_RANGE_MIN && rangeOf(drawn) <= RANGE_MAX) fixed.add(font);
  }
  return fixed.size === 0 ? runs : runs.map((run) => (fixed.has(run.font) ? { ...run, mono: true } : run));
}

function noWidths(): WidthRange {
  return { least: Infinity, most: 0 };
}

function add(range: WidthRange, width: number): void {
  range.least = Math.min(range.least, width);
  range.most = Math.max(range.most, width);
}

/** Returns the range as a share of the largest width. */
function rangeOf({ least, most }: WidthRange): number {
  return (most - least) / most;
}
