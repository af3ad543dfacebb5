import { PDF_LINKS_PER_PAGE_MAX } from '#extract/limits.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { joinAccents } from './accents.ts';

/** A piece of text as the page draws it, in points from the left and top of the upright page. `y` is the baseline. */
export type PdfPiece = {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  rtl: boolean;
  mono: boolean;
  font: string;
  link: string | null;
  /**
   * The scripts that the text is in, outermost first: `^` superscript, `_` subscript, `!` mark of a note. Empty for
   * text on the baseline.
   */
  script: string;
  /** True for a piece that the page draws apart from the text before it, as a table's cell. */
  isApart?: boolean;
};

export type LinkArea = { left: number; right: number; top: number; bottom: number; href: string };

/** A section of marked content (ISO 32000-2 §14.6): its number on the page, and its identifier in the structure. */
export type MarkedSection = { index: number; id: number | null };

export type PdfTextRun = {
  str: string;
  dir: string;
  width: number;
  transform: readonly number[];
  mono: boolean;
  font: string;
  /** Sections of marked content around the text, outermost first; not set if the file has no replacement texts. */
  sections?: readonly MarkedSection[];
  /** True for a hyphen that the file declares to divide a word at the end of a line. */
  isDivider?: boolean;
  /** True for fonts whose character codes pdf.js may not know: Type 3 and standard symbol fonts. */
  hasOwnCodes: boolean;
};

/** Maximum slope of text in lines. Steeper text is rotated, such as a stamp. */
const LEAN_MAX = 0.2;
/** Maximum letters by which the edge of a link is moved to a gap between words. */
const SNAP_CHARS = 4;
/** Minimum gap before text that the page draws apart, in multiples of the text size, for it to be another word or cell. */
export const APART_GAP_MIN_EM = 0.1;
const LIGATURES = /[\ufb00-\ufb06]/g;
/** Matches a soft hyphen. If drawn, it is an ordinary hyphen; some fonts use its code for all hyphens. */
const SOFT_HYPHENS = /\u00ad/g;
export const SOFT_HYPHEN = '\u00ad';

/**
 * Converts upright runs to pieces in page coordinates. Rotated runs, such as stamps and sideways tables, are returned
 * unchanged.
 */
export function toPdfPieces(
  runs: readonly PdfTextRun[],
  viewport: readonly number[],
): { upright: PdfPiece[]; turned: PdfTextRun[] } {
  const upright: PdfPiece[] = [];
  const turned: PdfTextRun[] = [];
  for (const run of runs) {
    const text = toRunText(run);
    if (text.trim() === '') continue;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = run.transform;
    const [va = 1, vb = 0, vc = 0, vd = 1, ve = 0, vf = 0] = viewport;
    const along = { x: va * a + vc * b, y: vb * a + vd * b };
    const size = Math.hypot(va * c + vc * d, vb * c + vd * d);
    const x = va * e + vc * f + ve;
    const y = vb * e + vd * f + vf;
    const fits = [x, y, size, run.width].every((number) => Number.isFinite(number) && Math.abs(number) < 1e6);
    if (!fits || size === 0) continue;
    if (along.x <= 0 || Math.abs(along.y) > LEAN_MAX * along.x || run.dir === 'ttb') turned.push(run);
    else
      upright.push({
        text,
        x,
        y,
        width: Math.max(0, run.width),
        size,
        rtl: run.dir === 'rtl',
        mono: run.mono,
        font: run.font,
        link: null,
        script: '',
      });
  }
  return { upright: joinAccents(upright), turned };
}

export function toRunText({ str, isDivider }: PdfTextRun): string {
  if (isDivider === true) return SOFT_HYPHEN;
  return sanitizeText(
    str.replace(LIGATURES, (ligature) => ligature.normalize('NFKC')).replace(SOFT_HYPHENS, '-'),
  ).replace(/\s+/g, ' ');
}

/** Sets `link` of pieces in link areas. A piece that is only partly inside is split between words. */
export function setLinksOfPieces(pieces: readonly PdfPiece[], areas: readonly LinkArea[]): PdfPiece[] {
  let marked = [...pieces];
  for (const area of areas.slice(0, PDF_LINKS_PER_PAGE_MAX)) {
    if (!marked.some((piece) => isCovered(piece, area))) continue;
    marked = marked.flatMap((piece) => (isCovered(piece, area) ? split(piece, area) : [piece]));
  }
  return marked;
}

function isCovered(piece: PdfPiece, area: LinkArea): boolean {
  const middle = piece.y - piece.size * 0.3;
  if (piece.link !== null || middle < area.top || middle > area.bottom) return false;
  return Math.min(piece.x + piece.width, area.right) - Math.max(piece.x, area.left) > piece.size * 0.3;
}

function split(piece: PdfPiece, area: LinkArea): PdfPiece[] {
  const { text, x, width } = piece;
  const charWidth = width / text.length;
  if (charWidth === 0 || piece.rtl) return [{ ...piece, link: area.href }];
  const from = snap(text, Math.round((area.left - x) / charWidth));
  const to = snap(text, Math.round((area.right - x) / charWidth));
  if (to <= from) return [piece];
  const part = (start: number, end: number, link: string | null): PdfPiece[] =>
    text.slice(start, end).trim() === ''
      ? []
      : [{ ...piece, text: text.slice(start, end), x: x + start * charWidth, width: (end - start) * charWidth, link }];
  return [...part(0, from, null), ...part(from, to, area.href), ...part(to, text.length, null)];
}

function snap(text: string, at: number): number {
  if (at <= 1) return 0;
  if (at >= text.length - 1) return text.length;
  for (let distance = 0; distance <= SNAP_CHARS; distance += 1) {
    for (const edge of [at - distance, at + distance]) {
      if (edge <= 0) return 0;
      if (edge >= text.length) return text.length;
      if (text.charAt(edge) === ' ' || text.charAt(edge - 1) === ' ') return edge;
    }
  }
  return at;
}
