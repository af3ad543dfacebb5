import { readProperty } from './drawn-text.ts';
import type { LinkResolver } from '#extract/html/markdown/urls.ts';
import { sanitizeText } from '#core/text/plain.ts';
import type { LinkArea, PdfPiece } from './pieces.ts';

export type PdfComment = { page: number; author: string; text: string };

/** Annotations of a page. `values` are filled form fields, and text that a user typed onto the page. */
type Annotations = { links: LinkArea[]; values: PdfPiece[]; comments: PdfComment[] };

type Rect = Omit<LinkArea, 'href'>;
type Placing = { page: number; transform: readonly number[]; links: LinkResolver; size: number };

/** Flags of annotations that are not shown: Invisible, Hidden and NoView, as bits. */
const UNSEEN = 0b100011;
/** Font name of form values and typed text, which have no font in the file. */
export const FORM_VALUE_FONT = '';
const VALUE_CHARS_MAX = 10_000;
const COMMENT_CHARS_MAX = 4_000;
const LINES_MAX = 200;
/** Height of a line, width of a letter, and height of its middle, in multiples of the text size. */
const LINE_PITCH = 1.2;
const LETTER_WIDTH = 0.5;
const MIDDLE = 0.35;
const COMMENTED: ReadonlySet<string> = new Set(
  'Text Highlight Underline StrikeOut Squiggly Square Circle Line PolyLine Polygon Ink Caret Stamp FileAttachment Redact'.split(
    ' ',
  ),
);

/** Sorts annotations of pdf.js into links, values and comments. `size` is the usual text size of the page. */
export function classifyAnnotations(annotations: readonly unknown[], placing: Placing): Annotations {
  const read: Annotations = { links: [], values: [], comments: [] };
  for (const annotation of annotations) {
    const rect = rectOf(annotation, placing.transform);
    if (rect === null || (Number(readProperty(annotation, 'annotationFlags')) & UNSEEN) !== 0) continue;
    // pdf.js sets `quadPoints` to `null` for an invalid area, and does not show the annotation.
    if (readProperty(annotation, 'quadPoints') === null) continue;
    const url = readProperty(annotation, 'url');
    const kind = readProperty(annotation, 'subtype');
    const href = typeof url === 'string' ? placing.links.resolve(url) : null;
    const contents = textOf(readProperty(readProperty(annotation, 'contentsObj'), 'str'));
    if (href !== null) read.links.push({ ...rect, href });
    else if (kind === 'Widget') read.values.push(...piecesAt(rect, valueOf(annotation), placing.size));
    else if (kind === 'FreeText') read.values.push(...piecesAt(rect, contents, placing.size));
    else if (typeof kind === 'string' && COMMENTED.has(kind) && contents.trim() !== '') {
      const author = textOf(readProperty(readProperty(annotation, 'titleObj'), 'str')).trim();
      read.comments.push({ page: placing.page, author, text: contents.trim().slice(0, COMMENT_CHARS_MAX) });
    }
  }
  return read;
}

function valueOf(widget: unknown): string {
  const value = readProperty(widget, 'fieldValue');
  if (readProperty(widget, 'password') === true || readProperty(widget, 'pushButton') === true) return '';
  if (readProperty(widget, 'checkBox') === true) return isOn(value, readProperty(widget, 'exportValue')) ? '☑' : '☐';
  if (readProperty(widget, 'radioButton') === true) return isOn(value, readProperty(widget, 'buttonValue')) ? '◉' : '○';
  const options: unknown = readProperty(widget, 'options');
  const all: unknown[] = Array.isArray(options) ? options : [];
  // Reversed, so that the first of several options with the same value counts.
  const names = new Map(
    all.toReversed().map((each) => [readProperty(each, 'exportValue'), readProperty(each, 'displayValue')]),
  );
  const shown = (one: unknown) => textOf(names.get(one) ?? one);
  return (Array.isArray(value) ? value.map(shown).join(', ') : shown(value)).slice(0, VALUE_CHARS_MAX);
}

function isOn(value: unknown, own: unknown): boolean {
  return typeof value === 'string' && value !== '' && value === own;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? sanitizeText(value) : '';
}

/** Places a value in its field: a single line in the middle of a low field, other lines from the top. */
function piecesAt(rect: Rect, text: string, size: number): PdfPiece[] {
  const lines = text.split('\n', LINES_MAX);
  const first =
    lines.length === 1 && rect.bottom - rect.top < 3 * size
      ? (rect.top + rect.bottom) / 2 + MIDDLE * size
      : rect.top + size;
  return lines.flatMap((line, index) => {
    const written = line.trim();
    if (written === '') return [];
    const width = Math.min(written.length * LETTER_WIDTH * size, Math.max(size, rect.right - rect.left));
    const y = first + index * LINE_PITCH * size;
    return [
      {
        text: written,
        x: rect.left,
        y,
        width,
        size,
        rtl: false,
        mono: false,
        font: FORM_VALUE_FONT,
        link: null,
        script: '',
      },
    ];
  });
}

function rectOf(annotation: unknown, transform: readonly number[]): Rect | null {
  const rect = readProperty(annotation, 'rect');
  if (!Array.isArray(rect)) return null;
  const [x0 = NaN, y0 = NaN, x1 = NaN, y1 = NaN] = rect.map(Number);
  const [left, top] = onPage(x0, y0, transform);
  const [right, bottom] = onPage(x1, y1, transform);
  if (![left, top, right, bottom].every(Number.isFinite)) return null;
  return {
    left: Math.min(left, right),
    right: Math.max(left, right),
    top: Math.min(top, bottom),
    bottom: Math.max(top, bottom),
  };
}

function onPage(x: number, y: number, transform: readonly number[]): [x: number, y: number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform;
  return [a * x + c * y + e, b * x + d * y + f];
}
